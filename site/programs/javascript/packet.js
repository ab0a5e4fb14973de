// SPDX-License-Identifier: MIT OR Apache-2.0
// A packet of IPv4 and UDP: fills in its checksums, changes its port, and judges it.
import { fillPacket, udpOk, updateUdp, verifyPacket } from "wiresum/checksum";

const payload = new TextEncoder().encode("hello");
const packet = new Uint8Array(28 + payload.length);
const view = new DataView(packet.buffer);
packet.set([0x45, 0, 0, packet.length, 0, 0, 0x40, 0, 64, 17]); // version to protocol
packet.set([192, 0, 2, 1, 198, 51, 100, 2], 12); // addresses
view.setUint16(20, 5000); // ports
view.setUint16(22, 53);
view.setUint16(24, 8 + payload.length);
packet.set(payload, 28);

fillPacket(packet);
console.log("filled in:", verifyPacket(packet));

// A translator changes the source port, and updates the checksum without the payload (RFC 1624).
const was = packet.slice(20, 22);
view.setUint16(20, 40000);
view.setUint16(26, updateUdp(view.getUint16(26), 0, was, packet.slice(20, 22)));
console.log("translated:", udpOk("192.0.2.1", "198.51.100.2", packet.subarray(20)));

packet[30] ^= 0x20;
console.log("damaged:", verifyPacket(packet));
