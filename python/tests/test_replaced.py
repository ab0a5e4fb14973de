# SPDX-License-Identifier: MIT OR Apache-2.0
"""scapy and dpkt with the checksums of wiresum: packets that they build are the same, and right."""

import random
import sys
import unittest

import dpkt
import scapy.all as scapy
import wiresum.dpkt
import wiresum.scapy
from scapy.layers import inet, inet6
from specification import reference


class Scapy(unittest.TestCase):
    def setUp(self):
        self.addCleanup(wiresum.scapy.uninstall)

    def packets(self):
        random.seed(1071)
        for length in (0, 1, 2, 3, 17, 100, 1400):
            payload = scapy.Raw(random.randbytes(length))
            for ip in (
                scapy.IP(src="192.0.2.1", dst="192.0.2.2"),
                scapy.IP(
                    src="192.0.2.1",
                    dst="192.0.2.2",
                    options=[inet.IPOption_LSRR(routers=["203.0.113.9"])],
                ),
                scapy.IPv6(src="2001:db8::1", dst="2001:db8::2"),
                scapy.IPv6(src="2001:db8::1", dst="2001:db8::2")
                / scapy.IPv6ExtHdrRouting(addresses=["2001:db8::9"], segleft=1),
            ):
                yield ip / scapy.UDP(sport=5, dport=6) / payload
                yield ip / scapy.TCP(seq=7, options=[("MSS", 1460)]) / payload
            yield scapy.IP(src="192.0.2.1", dst="192.0.2.2") / scapy.ICMP(id=3) / payload
            yield scapy.IPv6(src="2001:db8::1", dst="2001:db8::2") / scapy.ICMPv6EchoRequest(
                data=bytes(payload)
            )

    def built(self):
        return [bytes(packet) for packet in self.packets()]

    def test_the_same_packets(self):
        own = self.built()
        wiresum.scapy.install()
        self.assertIs(scapy.checksum, wiresum.checksum)
        self.assertEqual(self.built(), own)
        verdicts = [packet for packet in own if packet[0] >> 4 == 4]
        for packet in verdicts:
            self.assertTrue(wiresum.ipv4_header_ok(packet[: 4 * (packet[0] & 15)]))
        self.assertGreater(len(verdicts), 20)

    def test_checksums_against_the_reference(self):
        wiresum.scapy.install()
        random.seed(1624)
        for length in range(64):
            data = random.randbytes(length)
            self.assertEqual(scapy.checksum(data), reference.checksum(data))
            ip4 = scapy.IP(src="192.0.2.1", dst="198.51.100.7")
            pseudo = reference.pseudo_ipv4(b"\xc0\0\2\1", b"\xc6\x33\x64\7", 17, length)
            self.assertEqual(inet.in4_chksum(17, ip4, data), reference.checksum(pseudo + data))
            ip6 = scapy.IPv6(src="2001:db8::1", dst="2001:db8::2")
            ends = (
                bytes.fromhex("20010db8" + "00" * 11 + "01"),
                bytes.fromhex("20010db8" + "00" * 11 + "02"),
            )
            pseudo = reference.pseudo_ipv6(*ends, 17, length)
            self.assertEqual(inet6.in6_chksum(17, ip6, data), reference.checksum(pseudo + data))

    def test_without_an_ip_header(self):
        own = bytes(scapy.UDP(sport=1, dport=2) / b"x")
        wiresum.scapy.install()
        self.assertEqual(bytes(scapy.UDP(sport=1, dport=2) / b"x"), own)

    def test_it_can_be_undone(self):
        modules = [m for name, m in sys.modules.items() if name.split(".")[0] == "scapy"]

        def held():
            return [(m.__name__, k, v) for m in modules for k, v in vars(m).items() if callable(v)]

        before = held()
        wiresum.scapy.install()
        wiresum.scapy.install()
        self.assertTrue(wiresum.scapy.installed())
        replaced = [new for old, new in zip(before, held()) if old[2] is not new[2]]
        self.assertGreater(len(replaced), 6)
        self.assertIn(("scapy.layers.inet", "checksum", wiresum.checksum), replaced)
        wiresum.scapy.uninstall()
        wiresum.scapy.uninstall()
        self.assertFalse(wiresum.scapy.installed())
        self.assertTrue(all(old[2] is new[2] for old, new in zip(before, held())))

    def test_modules_that_are_imported_later(self):
        sys.modules.pop("scapy.contrib.pim", None)
        wiresum.scapy.install()
        import scapy.contrib.pim as pim

        self.assertIs(pim.checksum, wiresum.checksum)
        wiresum.scapy.uninstall()
        self.assertIsNot(pim.checksum, wiresum.checksum)
        self.assertIs(pim.checksum, scapy.checksum)


class Dpkt(unittest.TestCase):
    def setUp(self):
        self.addCleanup(wiresum.dpkt.uninstall)

    def built(self):
        random.seed(1071)
        packets = []
        for length in (0, 1, 2, 3, 17, 100, 1400):
            payload = random.randbytes(length)
            for version in (dpkt.ip.IP, dpkt.ip6.IP6):
                ends = {"src": bytes(4), "dst": b"\1\2\3\4"}
                if version is dpkt.ip6.IP6:
                    ends = {"src": bytes(16), "dst": bytes(range(16))}
                udp = dpkt.udp.UDP(sport=1, dport=2, data=payload)
                udp.ulen = len(udp)
                tcp = dpkt.tcp.TCP(sport=1, dport=2, data=payload)
                for number, part in ((17, udp), (6, tcp)):
                    packet = version(**ends, data=part)
                    if version is dpkt.ip.IP:
                        packet.p, packet.len = number, 20 + len(part)
                    else:
                        packet.nxt, packet.plen = number, len(part)
                    packets.append(bytes(packet))
            packets.append(bytes(dpkt.icmp.ICMP(data=payload)))
        return packets

    def test_the_same_packets(self):
        own = self.built()
        wiresum.dpkt.install()
        self.assertIs(dpkt.dpkt.in_cksum, wiresum.checksum)
        self.assertTrue(wiresum.dpkt.installed())
        self.assertEqual(self.built(), own)
        wiresum.dpkt.uninstall()
        self.assertIsNot(dpkt.dpkt.in_cksum, wiresum.checksum)
        self.assertEqual(self.built(), own)

    def test_against_the_reference(self):
        wiresum.dpkt.install()
        random.seed(1141)
        for length in range(80):
            head, tail = random.randbytes(2 * length), random.randbytes(length)
            done = dpkt.dpkt.in_cksum_done
            added = dpkt.dpkt.in_cksum_add(dpkt.dpkt.in_cksum_add(0, head), tail)
            self.assertEqual(done(added), reference.checksum(head + tail))
            self.assertEqual(dpkt.dpkt.in_cksum(tail), reference.checksum(tail))
        self.assertEqual(dpkt.dpkt.in_cksum_done(1 << 40), 0xFFFE)  # 2^40 = 2^8 mod 0xffff


if __name__ == "__main__":
    unittest.main()
