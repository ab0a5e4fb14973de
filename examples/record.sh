#!/usr/bin/env bash
# SPDX-License-Identifier: MIT OR Apache-2.0
#
# Records the captures of this folder again. Real programs talk over veth pairs between network
# namespaces.
#
#   sudo examples/record.sh               all captures
#   sudo examples/record.sh vlan tso      only these
#   examples/record.sh --list             their names
#   examples/record.sh --count [NAME...]  tshark's counts of each, as rows of the table in README.md
#
# Each capture has a function below with the name of its file, and _ for -. Two hosts share a link:
#
#   pc   192.0.2.1  2001:db8::1  02:00:00:00:00:01      curl, dig, ping, iperf3, ncat
#   srv  192.0.2.2  2001:db8::2  02:00:00:00:00:02      nginx, dnsmasq, iperf3 -s
#
# The script changes nothing outside its namespaces, and removes them when it ends, however it ends.

set -euo pipefail

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
captures=(office.pcapng offload-off.pcap offload-on.pcap tso.pcap big-tcp.pcap snapped.pcap
  vlan.pcap cooked-v1.pcap cooked-v2.pcap raw-ip.pcap nanosecond.pcap big-endian.pcap fragments.pcap
  extension-headers.pcap corrupted.pcap tunnels.pcap tunnels-offload.pcap)
packages="iproute2 procps ethtool tcpdump tshark iperf3 nginx-light bind9-dnsutils dnsmasq-base"
packages+=" iputils-ping ncat curl python3"
work=          # a scratch folder: logs, the web root, server configurations
background=()  # the processes in the namespaces, which end with them

# ---------------------------------------------------------------------------------- hosts and links

hosts() { # hosts NAME...: makes namespaces that send nothing on their own
  local host
  for host in "$@"; do
    ip netns add "wiresum-$host"
    on "$host" sysctl -qw net.ipv6.conf.default.accept_dad=0 \
      net.ipv6.conf.default.router_solicitations=0 \
      net.ipv6.conf.default.mldv2_unsolicited_report_interval=10 net.ipv4.tcp_no_metrics_save=1
    on "$host" ip link set lo up
  done
}

on() { # on HOST COMMAND...: runs a command on a host
  ip netns exec "wiresum-$1" "${@:2}"
}

join() { # join HOST INTERFACE MAC HOST INTERFACE MAC: joins two hosts by a veth pair
  ip link add "$2" netns "wiresum-$1" address "$3" \
    type veth peer name "$5" netns "wiresum-$4" address "$6"
  on "$1" ip link set "$2" up
  on "$4" ip link set "$5" up
}

address() { # address HOST INTERFACE ADDRESS...: gives an interface its addresses
  local a
  for a in "${@:3}"; do on "$1" ip address add "$a" dev "$2"; done
}

# offload HOST INTERFACE on|off: switches every checksum and segmentation offload of a device.
offload() {
  on "$1" ethtool -K "$2" rx "$3" tx "$3" tso "$3" gso "$3" gro "$3" >/dev/null
}

# office_link on|off on|off: puts pc and srv on one link, with the offloads of pc and of srv.
office_link() {
  hosts pc srv
  join pc eth0 02:00:00:00:00:01 srv eth0 02:00:00:00:00:02
  address pc eth0 192.0.2.1/24 2001:db8::1/64
  address srv eth0 192.0.2.2/24 2001:db8::2/64
  offload pc eth0 "$1"
  offload srv eth0 "$2"
  servers
  settle
}

settle() { # waits until the multicast joins of new addresses are over
  sleep 0.5
}

# start HOST LOG PATTERN COMMAND...: runs a command in the background, and returns when its log has
# the pattern.
start() {
  local host=$1 log=$work/$2 pattern=$3 i
  : >"$log"
  ip netns exec "wiresum-$host" "${@:4}" >"$log" 2>&1 &
  background+=($!)
  for ((i = 0; i < 100; i++)); do
    if grep -q "$pattern" "$log"; then return; fi
    sleep 0.05
  done
  echo "record.sh: '${*:4}' did not start:" >&2
  cat "$log" >&2
  return 1
}

servers() { # starts nginx, dnsmasq and iperf3 on srv
  seq -f 'line %05g of a page that is only here to be sent' 60 >"$work/www/page"
  seq -f 'line %05g of a page that is only here to be sent' 300 >"$work/www/long"
  cat >"$work/nginx.conf" <<CONF
daemon off; master_process off; pid $work/nginx.pid; error_log stderr notice;
events {}
http {
  access_log off; server_tokens off; sendfile on;
  client_body_temp_path $work; proxy_temp_path $work; fastcgi_temp_path $work;
  uwsgi_temp_path $work; scgi_temp_path $work;
  server { listen 80; listen [::]:80; root $work/www; }
}
CONF
  # Twelve strings of 240 letters make an answer that must be fragmented.
  local txt
  txt=$(printf '%240s' '' | tr ' ' t)
  start srv nginx.log "start worker process\|using the" nginx -c "$work/nginx.conf" -e stderr
  start srv dnsmasq.log "started" dnsmasq --keep-in-foreground --log-facility=- \
    --conf-file=/dev/null --no-resolv --no-hosts --user=root --pid-file= --edns-packet-max=4096 \
    --host-record=www.example,192.0.2.2,2001:db8::2 --cname=web.example,www.example \
    --txt-record=long.example,"$txt,$txt,$txt,$txt,$txt,$txt,$txt,$txt,$txt,$txt,$txt,$txt"
  start srv iperf3.log "listening" iperf3 --server --forceflush
}

record() { # record HOST INTERFACE FILE TCPDUMP-OPTION...: starts a recording
  start "$1" "tcpdump.$3.log" "listening on" \
    tcpdump -Z root --immediate-mode -U -n -i "$2" -w "$work/$3" "${@:4}"
  recorder=${background[-1]}
}

stop() { # ends the recording, after the packets on their way have arrived
  sleep 0.3
  kill -INT "$recorder"
  wait "$recorder" || true
}

keep() { # keep FILE: makes the recorded file an example
  mv "$work/$1" "$here/$1"
  chmod 644 "$here/$1"
}

tear_down() { # ends all processes and removes the namespaces
  local pid host
  for pid in "${background[@]}"; do kill "$pid" 2>/dev/null || true; done
  for pid in "${background[@]}"; do wait "$pid" 2>/dev/null || true; done
  background=()
  for host in pc srv wire; do ip netns delete "wiresum-$host" 2>/dev/null || true; done
}

# ------------------------------------------------------------------------------------ what they say
# Each function takes the address of the server, so that IPv4 and IPv6 have the same conversations.

url() { case $1 in *:*) echo "http://[$1]/$2" ;; *) echo "http://$1/$2" ;; esac; }

dns() { on pc dig +tries=1 +time=2 +noidnin +nocookie "@$1" "$2" "$3" >/dev/null; }

http() { on pc curl --silent --fail --max-time 10 --output /dev/null "$(url "$1" "$2")"; }

echoes() { on pc ping -q -n -i 0.05 -c "$2" -s "$3" "$1" >/dev/null; }

iperf() { on pc timeout 20 iperf3 --client "$1" "${@:2}" >/dev/null 2>&1; }

udp_one() { # udp_one ADDRESS PORT: sends one datagram to a port where nobody listens
  echo "is anybody there" | on pc ncat --udp --send-only "$1" "$2" || true
}

everyday() { # has the same few conversations over IPv4 and IPv6
  local server
  for server in 192.0.2.2 2001:db8::2; do
    dns "$server" www.example A
    dns "$server" www.example AAAA
    http "$server" page
    echoes "$server" 2 56
    iperf "$server" --bytes 8K --length 4K
    iperf "$server" --udp --bytes 3K --length 1000 --bitrate 4M
    iperf "$server" --udp --reverse --bytes 3K --length 1000 --bitrate 4M
  done
}

# ----------------------------------------------------------------------------------------- captures

# The capture of a newcomer, recorded on the server. The offloads of the server are on, and the
# offloads of the pc are off. So the checksums of the pc are finished, and the checksums of the
# server are recorded before the "hardware" finishes them.
office() {
  office_link off on
  vlan_interface pc vlan10 02:00:00:00:0a:01 8100:10
  vlan_interface srv vlan10 02:00:00:00:0a:02 8100:10
  address pc vlan10 198.51.100.1/24 2001:db8:10::1/64
  address srv vlan10 198.51.100.2/24 2001:db8:10::2/64
  settle
  record srv eth0 office.pcap
  local server
  for server in 192.0.2.2 2001:db8::2; do
    dns "$server" www.example A
    dns "$server" web.example AAAA
    dns "$server" nowhere.example A
    http "$server" page
    http "$server" long
    echoes "$server" 3 56
    echoes "$server" 1 3000
    iperf "$server" --bytes 12K --length 4K
    iperf "$server" --udp --bytes 4K --length 1000 --bitrate 4M
    iperf "$server" --udp --reverse --bytes 4K --length 1000 --bitrate 4M
    udp_one "$server" 9
  done
  for server in 198.51.100.2 2001:db8:10::2; do
    dns "$server" www.example A
    http "$server" page
    echoes "$server" 2 56
  done
  stop
  editcap -F pcapng "$work/office.pcap" "$work/office.pcapng"
  keep office.pcapng
}

# The same programs twice; the only difference is `ethtool -K`.
offload_off() {
  office_link off off
  record srv eth0 offload-off.pcap
  everyday
  stop
  keep offload-off.pcap
}

offload_on() {
  office_link on on
  record srv eth0 offload-on.pcap
  everyday
  stop
  keep offload-on.pcap
}

# Segmentation offload makes frames far larger than the MTU. "Hardware" would cut them, and a veth
# pair has none.
tso() {
  office_link on on
  record srv eth0 tso.pcap
  http 192.0.2.2 long
  http 2001:db8::2 long
  udp_segments
  stop
  keep tso.pcap
}

# Sends UDP super-datagrams: the kernel is to cut each send() into pieces of 1,000 bytes.
udp_segments() {
  on srv python3 - <<'PY'
import socket
SOL_UDP, UDP_SEGMENT = 17, 103
for family, host in (socket.AF_INET, "192.0.2.1"), (socket.AF_INET6, "2001:db8::1"):
    s = socket.socket(family, socket.SOCK_DGRAM)
    s.setsockopt(SOL_UDP, UDP_SEGMENT, 1000)
    s.sendto(bytes(range(250)) * 18, (host, 4433))
PY
}

# BIG TCP makes frames beyond 64 KiB, which no IP length field can express. IPv4 then has the length
# 0. IPv6 has the length 0 and, on some kernels, a jumbogram option.
big_tcp() {
  office_link on on
  big_gso pc eth0 70000
  on pc sysctl -qw net.ipv4.tcp_wmem="4096 1000000 6000000"
  on srv sysctl -qw net.ipv4.tcp_rmem="4096 1000000 6000000"
  # The first frame may be large: the pc has no slow start, and the server has a wide window.
  on pc ip route change 192.0.2.0/24 dev eth0 initcwnd 100
  on srv ip route change 192.0.2.0/24 dev eth0 initrwnd 100
  on pc ip -6 route change 2001:db8::/64 dev eth0 proto kernel metric 256 initcwnd 100
  on srv ip -6 route change 2001:db8::/64 dev eth0 proto kernel metric 256 initrwnd 100
  # This server starts with the settings above.
  start srv iperf3-big.log listening iperf3 --server --port 5202 --forceflush
  record pc eth0 big-tcp.pcap
  iperf 192.0.2.2 --port 5202 --bytes 69000 --length 69000
  iperf 2001:db8::2 --port 5202 --bytes 69000 --length 69000
  stop
  keep big-tcp.pcap
}

# big_gso HOST INTERFACE BYTES: sets the largest frame that the stack may build, for IPv4 and IPv6.
# Older versions of `ip` cannot set it for IPv4.
big_gso() {
  on "$1" python3 - "$2" "$3" <<'PY'
import socket, struct, sys
RTM_NEWLINK, NLM_F_REQUEST, NLM_F_ACK = 16, 1, 4
IFLA_GSO_MAX_SIZE, IFLA_GSO_IPV4_MAX_SIZE = 41, 63
size = int(sys.argv[2])
body = struct.pack("=BxHiII", 0, 0, socket.if_nametoindex(sys.argv[1]), 0, 0)
for attribute in IFLA_GSO_MAX_SIZE, IFLA_GSO_IPV4_MAX_SIZE:
    body += struct.pack("=HHI", 8, attribute, size)
s = socket.socket(socket.AF_NETLINK, socket.SOCK_RAW, 0)
s.send(struct.pack("=IHHII", 16 + len(body), RTM_NEWLINK, NLM_F_REQUEST | NLM_F_ACK, 1, 0) + body)
error = -struct.unpack("=i", s.recv(4096)[16:20])[0]
if error:
    sys.exit(f"this kernel has no BIG TCP: error {error}")
PY
}

# The snapshot length cuts most packets before their end, and nobody can judge those.
snapped() {
  office_link off off
  record srv eth0 snapped.pcap -s 96
  everyday
  stop
  keep snapped.pcap
}

# vlan_interface HOST NAME MAC TPID:VID...: makes an interface for the frames of eth0 with these
# tags.
vlan_interface() {
  local tag push=()
  for tag in "${@:4}"; do push+=(--push "$tag"); done
  join "$1" "$2" "$3" "$1" "$2-wire" 02:00:00:00:ff:01
  on "$1" sysctl -qw "net.ipv6.conf.$2-wire.disable_ipv6=1"
  on "$1" ip link set "$2" mtu 1400
  offload "$1" "$2" off
  start "$1" "wire.$1.$2.log" ready python3 "$here/wire.py" "$2-wire" eth0 "${push[@]}"
}

# 802.1Q and QinQ, with the tags in the bytes of the frame.
vlan() {
  office_link off off
  vlan_interface pc vlan10 02:00:00:00:0a:01 8100:10
  vlan_interface srv vlan10 02:00:00:00:0a:02 8100:10
  vlan_interface pc qinq20 02:00:00:00:14:01 88a8:100 8100:20
  vlan_interface srv qinq20 02:00:00:00:14:02 88a8:100 8100:20
  address pc vlan10 198.51.100.1/25 2001:db8:10::1/64
  address srv vlan10 198.51.100.2/25 2001:db8:10::2/64
  address pc qinq20 198.51.100.129/25 2001:db8:20::1/64
  address srv qinq20 198.51.100.130/25 2001:db8:20::2/64
  settle
  record srv eth0 vlan.pcap
  local server
  for server in 198.51.100.2 2001:db8:10::2 198.51.100.130 2001:db8:20::2; do
    dns "$server" www.example A
    http "$server" page
    echoes "$server" 2 56
  done
  echoes 198.51.100.2 1 3000
  stop
  keep vlan.pcap
}

# cooked FILE DLT: records on "any". The frames begin with a header of Linux instead of the Ethernet
# header. The loopback device is among the interfaces, and never computes a checksum, whatever eth0
# does.
cooked() {
  office_link off off
  record srv any "$1" -y "$2"
  local server
  for server in 192.0.2.2 2001:db8::2; do
    dns "$server" www.example A
    http "$server" page
    echoes "$server" 2 56
  done
  for server in 127.0.0.1 ::1; do
    on srv curl --silent --fail --output /dev/null "$(url "$server" page)"
  done
  on srv dig +tries=1 +time=2 +nocookie @127.0.0.1 www.example A >/dev/null
  stop
  keep "$1"
}
cooked_v1() { cooked cooked-v1.pcap LINUX_SLL; }
cooked_v2() { cooked cooked-v2.pcap LINUX_SLL2; }

tunnel() { # tunnel KIND TUN: makes the two ends of a tunnel, on pc and on srv
  on pc ip tuntap add mode tun "$2"
  on srv ip tuntap add mode tun "$2"
  start pc "tunnel.pc.$2.log" ready python3 "$here/tunnel.py" "$1" "$2" 192.0.2.1 192.0.2.2
  start srv "tunnel.srv.$2.log" ready python3 "$here/tunnel.py" "$1" "$2" 192.0.2.2 192.0.2.1
  on pc ip link set "$2" mtu 1400 up
  on srv ip link set "$2" mtu 1400 up
}

# Recorded on a tun device, inside a GRE tunnel. The packets begin with their IP header.
raw_ip() {
  office_link off off
  tunnel gre tun0
  address pc tun0 198.51.100.1/24 2001:db8:30::1/64
  address srv tun0 198.51.100.2/24 2001:db8:30::2/64
  settle
  record srv tun0 raw-ip.pcap
  local server
  for server in 198.51.100.2 2001:db8:30::2; do
    dns "$server" www.example A
    http "$server" page
    echoes "$server" 2 56
    udp_one "$server" 9
  done
  stop
  keep raw-ip.pcap
}

# The pcap format with nanoseconds.
nanosecond() {
  office_link off off
  record srv eth0 nanosecond.pcap --time-stamp-precision=nano
  dns 192.0.2.2 www.example A
  http 2001:db8::2 page
  echoes 192.0.2.2 2 56
  stop
  keep nanosecond.pcap
}

# The byte order of a big-endian machine. The capture is recorded here, and then each number in the
# headers of the file is byte-swapped. The packets are untouched.
big_endian() {
  office_link off off
  record srv eth0 little-endian.pcap
  dns 2001:db8::2 www.example A
  http 192.0.2.2 page
  echoes 2001:db8::2 2 56
  stop
  python3 - "$work/little-endian.pcap" "$work/big-endian.pcap" <<'PY'
import struct, sys
data = open(sys.argv[1], "rb").read()
out = bytearray(struct.pack(">IHHiIII", *struct.unpack("<IHHiIII", data[:24])))
at = 24
while at < len(data):
    header = struct.unpack("<IIII", data[at : at + 16])
    out += struct.pack(">IIII", *header) + data[at + 16 : at + 16 + header[2]]
    at += 16 + header[2]
open(sys.argv[2], "wb").write(out)
PY
  keep big-endian.pcap
}

# Fragments. The checksum of the datagram is in the first fragment.
fragments() {
  office_link off off
  record srv eth0 fragments.pcap
  local server
  for server in 192.0.2.2 2001:db8::2; do
    echoes "$server" 2 3000
    echoes "$server" 1 1473
    on pc dig +tries=1 +time=2 +bufsize=4096 +nocookie "@$server" long.example TXT >/dev/null
    iperf "$server" --udp --bytes 12K --length 4000 --bitrate 8M
  done
  stop
  keep fragments.pcap
}

# IPv6 extension headers and IPv4 options.
extension_headers() {
  office_link off off
  on pc sysctl -qw net.ipv6.conf.all.seg6_enabled=1
  on srv sysctl -qw net.ipv6.conf.all.seg6_enabled=1 net.ipv6.conf.eth0.seg6_enabled=1 \
    net.ipv4.conf.all.accept_source_route=1 net.ipv4.conf.eth0.accept_source_route=1
  # 2001:db8:99::2 is reached through a segment routing header: first 2001:db8::2, then itself.
  on srv ip address add 2001:db8:99::2/128 dev lo
  on srv ip address add 198.51.100.2/32 dev lo
  on pc ip route add 198.51.100.2/32 via 192.0.2.2
  on pc ip route add 2001:db8:99::2/128 encap seg6 mode inline segs 2001:db8::2 dev eth0
  record srv eth0 extension-headers.pcap
  on pc ping -q -c 2 -i 0.05 -R 192.0.2.2 >/dev/null             # record route
  on pc ping -q -c 2 -i 0.05 -T tsandaddr 192.0.2.2 >/dev/null   # timestamps
  # Loose source route: the destination in the header is the next hop, and the checksum covers the
  # last destination. Linux takes the next hop for UDP, so that checksum is bad.
  echo "by way of srv" | on pc ncat -4 -g 192.0.2.2 --udp --send-only 198.51.100.2 5300
  echo "by way of srv" | on pc ncat -4 -g 192.0.2.2 --send-only 198.51.100.2 80
  dns 2001:db8:99::2 www.example A                               # segment routing header, UDP
  http 2001:db8:99::2 page                                       # segment routing header, TCP
  on pc ping -q -c 2 -i 0.05 2001:db8:99::2 >/dev/null
  on pc python3 - <<'PY'
import socket, struct
PADN = bytes([0, 0, 1, 4, 0, 0, 0, 0])  # eight bytes: next header, length 0, PadN of four
LONG = bytes([0, 1, 0x1E, 12]) + b"experimental"  # sixteen: an option to skip (RFC 4727)
HOP, DST = socket.IPV6_HOPOPTS, socket.IPV6_DSTOPTS
for options in [(HOP, PADN)], [(DST, PADN)], [(HOP, LONG), (DST, PADN)]:
    for size in 1, 32, 3000:  # the last one is fragmented after its hop-by-hop options
        s = socket.socket(socket.AF_INET6, socket.SOCK_DGRAM)
        headers = [(socket.IPPROTO_IPV6, *option) for option in options]
        s.sendmsg([b"x" * size], headers, 0, ("2001:db8::2", 4433))
s = socket.socket(socket.AF_INET6, socket.SOCK_STREAM)
s.setsockopt(socket.IPPROTO_IPV6, HOP, PADN)
s.setsockopt(socket.IPPROTO_IPV6, DST, LONG)
s.settimeout(5)
s.connect(("2001:db8::2", 80))
s.sendall(b"GET /page HTTP/1.0\r\n\r\n")
while s.recv(65536):
    pass
s.close()
# Joining a group sends a hop-by-hop router alert (MLD) and an IPv4 router alert option (IGMP).
m = socket.socket(socket.AF_INET6, socket.SOCK_DGRAM)
index = struct.pack("@I", socket.if_nametoindex("eth0"))
group = socket.inet_pton(socket.AF_INET6, "ff02::db8:1")
m.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_JOIN_GROUP, group + index)
g = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
group, interface = socket.inet_aton("233.252.0.1"), socket.inet_aton("192.0.2.1")
g.setsockopt(socket.IPPROTO_IP, socket.IP_ADD_MEMBERSHIP, group + interface)
PY
  sleep 1
  stop
  keep extension-headers.pcap
}

# A link that damages frames: one in eight of the frames to srv arrives with one bit flipped. The
# capture is recorded on srv. No file was edited: the programs met the damage, and the capture has
# their retransmissions.
corrupted() {
  hosts pc wire srv
  join pc eth0 02:00:00:00:00:01 wire left 02:00:00:00:ff:01
  join wire right 02:00:00:00:ff:02 srv eth0 02:00:00:00:00:02
  address pc eth0 192.0.2.1/24 2001:db8::1/64
  address srv eth0 192.0.2.2/24 2001:db8::2/64
  offload pc eth0 off
  offload srv eth0 off
  on wire sysctl -qw net.ipv6.conf.left.disable_ipv6=1 net.ipv6.conf.right.disable_ipv6=1
  servers
  settle
  start wire wire.log ready python3 "$here/wire.py" left right --flip 0.125 --seed 1071
  record srv eth0 corrupted.pcap
  local server
  for server in 192.0.2.2 2001:db8::2; do
    http "$server" page || true
    echoes "$server" 16 56 || true
    iperf "$server" --bytes 16K --length 2K || true
    iperf "$server" --udp --bytes 8K --length 250 --bitrate 8M || true
  done
  stop
  keep corrupted.pcap
}

# vxlan on|off NAME ID LOCAL REMOTE OPTION...: makes a VXLAN device on both hosts.
vxlan() {
  on pc ip link add "$2" address "02:00:00:00:0$3:01" type vxlan id "$3" dstport 4789 \
    local "$4" remote "$5" "${@:6}"
  on srv ip link add "$2" address "02:00:00:00:0$3:02" type vxlan id "$3" dstport 4789 \
    local "$5" remote "$4" "${@:6}"
  address pc "$2" "198.51.100.$((3 + 16 * $3))/28" "2001:db8:4$3::1/64"
  address srv "$2" "198.51.100.$((4 + 16 * $3))/28" "2001:db8:4$3::2/64"
  offload pc "$2" "$1"
  offload srv "$2" "$1"
  on pc ip link set "$2" mtu 1400 up
  on srv ip link set "$2" mtu 1400 up
}

through() { # through SERVER...: has the same few conversations through each tunnel
  local server
  for server in "$@"; do
    dns "$server" www.example A
    http "$server" page
    echoes "$server" 1 56
  done
}

# Packets in packets. Every layer has checksums of its own.
tunnels() {
  office_link off off
  tunnel ipip tun4
  address pc tun4 198.51.100.1/30
  address srv tun4 198.51.100.2/30
  tunnel 6in4 tun6
  address pc tun6 2001:db8:30::1/64
  address srv tun6 2001:db8:30::2/64
  tunnel gre tun47
  address pc tun47 198.51.100.5/30 2001:db8:31::1/64
  address srv tun47 198.51.100.6/30 2001:db8:31::2/64
  # The outer UDP: over IPv4 without and with a checksum, over IPv6 with one, and zero (RFC 6935).
  vxlan off vx1 1 192.0.2.1 192.0.2.2 noudpcsum
  vxlan off vx2 2 192.0.2.1 192.0.2.2 udpcsum
  vxlan off vx3 3 2001:db8::1 2001:db8::2 udp6zerocsumrx
  vxlan off vx4 4 2001:db8::1 2001:db8::2 udp6zerocsumtx udp6zerocsumrx
  settle
  record srv eth0 tunnels.pcap
  through 198.51.100.2 2001:db8:30::2 198.51.100.6 2001:db8:31::2 \
    198.51.100.20 2001:db8:42::2 198.51.100.52 2001:db8:43::2 198.51.100.68
  stop
  keep tunnels.pcap
}

# The same tunnels with offload, where checksums are unfinished in three ways. The inner TCP and UDP
# fields hold pseudo-header sums. An outer UDP checksum over such a packet was computed as if the
# inner one were finished (Linux's local checksum offload), so it is right only on the wire. An
# outer UDP field over an inner packet that is complete (ping, ARP), or that is still to be
# segmented, holds a pseudo-header sum itself.
tunnels_offload() {
  office_link on on
  vxlan on vx1 1 192.0.2.1 192.0.2.2 noudpcsum
  vxlan on vx2 2 192.0.2.1 192.0.2.2 udpcsum
  vxlan on vx3 3 2001:db8::1 2001:db8::2
  settle
  record srv eth0 tunnels-offload.pcap
  through 198.51.100.20 198.51.100.36 2001:db8:42::2 198.51.100.52
  stop
  keep tunnels-offload.pcap
}

# ------------------------------------------------------------------------------------------ running

count() { # count FILE: prints the packets, and tshark's statuses with every validation on
  local file=$1 protocol packets
  packets=$(tshark -r "$here/$file" 2>/dev/null | wc -l)
  printf "| \`%s\` | %s | %s" "$file" "$(stat -c %s "$here/$file")" "$packets"
  for protocol in ip tcp udp icmp icmpv6; do
    printf ' | %s' "$(tshark -r "$here/$file" -o ip.check_checksum:TRUE -o tcp.check_checksum:TRUE \
      -o udp.check_checksum:TRUE -T fields -e "$protocol.checksum.status" 2>/dev/null |
      tr ',' '\n' | awk 'NF { n[$1]++ } END {
        split("bad good unverified absent illegal", word, " ")
        order = "1 0 2 3 4"; k = split(order, o, " ")
        for (i = 1; i <= k; i++)
          if (n[o[i]]) text = text (text ? ", " : "") n[o[i]] " " word[o[i] + 1]
        print text ? text : "-" }')"
  done
  printf ' |\n'
}

need() { # refuses to go on without the programs, or without root
  local tool missing=()
  for tool in ip sysctl ethtool tcpdump tshark editcap iperf3 nginx dig dnsmasq ping ncat curl \
    python3; do
    command -v "$tool" >/dev/null || missing+=("$tool")
  done
  if ((${#missing[@]})); then
    echo "record.sh: these programs are missing: ${missing[*]}" >&2
    echo "record.sh: on Debian or Ubuntu: apt-get install $packages" >&2
    exit 2
  fi
  if ((EUID)); then
    echo "record.sh: network namespaces need root: sudo $0 $*" >&2
    exit 2
  fi
}

main() {
  local chosen=() name file counting=
  if [[ ${1-} == --list ]]; then
    printf '%s\n' "${captures[@]}"
    return
  fi
  if [[ ${1-} == --count ]]; then
    counting=yes
    shift
  fi
  for name in "$@"; do
    name=${name##*/}
    file=
    for file in "${captures[@]}"; do [[ ${file%.*} == "${name%.pcap*}" ]] && break; file=; done
    if [[ -z $file ]]; then
      echo "record.sh: no capture has the name '$name'; the captures are: ${captures[*]}" >&2
      exit 2
    fi
    chosen+=("$file")
  done
  if ((${#chosen[@]} == 0)); then chosen=("${captures[@]}"); fi
  if [[ $counting ]]; then
    for file in "${chosen[@]}"; do count "$file"; done
    return
  fi
  need "$@"
  work=$(mktemp -d)
  mkdir "$work/www"
  chmod 755 "$work" "$work/www"
  trap 'tear_down; rm -rf "$work"' EXIT
  trap 'exit 130' INT TERM
  tear_down # removes the rest of an earlier run that was killed
  for file in "${chosen[@]}"; do
    name=${file%.*}
    echo "recording $file" >&2
    "${name//-/_}"
    tear_down
  done
}

main "$@"
