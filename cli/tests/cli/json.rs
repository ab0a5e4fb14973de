// SPDX-License-Identifier: MIT OR Apache-2.0
//! `wiresum verify --json`: the whole object.

use snapbox::str;

use super::wiresum;

#[test]
fn json_has_every_count() {
    wiresum(&[
        "verify",
        "--json",
        "mixed.pcap",
        "bluetooth.pcap",
        "missing.pcap",
    ])
    .assert()
    .code(2)
    .stdout_eq(str![[r#"
{
  "schema": 1,
  "files": [
    {
      "path": "mixed.pcap",
      "verdict": {
        "tone": "bad",
        "sentence": "Real damage: 1 of 5 bad checksums looks like one flipped bit. 3 are checksum offload, and were right on the wire.",
        "checksums": 17,
        "bad": 5,
        "cause": "one-bit",
        "with_cause": 1
      },
      "packets": 10,
      "captured_bytes": 582,
      "malformed": 2,
      "checksums": {
        "ipv4": {
          "good": 8,
          "bad": 0,
          "unverified": 0,
          "absent": 0,
          "illegal": 0
        },
        "tcp": {
          "good": 1,
          "bad": 3,
          "unverified": 1,
          "absent": 0,
          "illegal": 0
        },
        "udp": {
          "good": 0,
          "bad": 1,
          "unverified": 1,
          "absent": 1,
          "illegal": 1
        },
        "icmp": {
          "good": 0,
          "bad": 0,
          "unverified": 0,
          "absent": 0,
          "illegal": 0
        },
        "icmpv6": {
          "good": 0,
          "bad": 0,
          "unverified": 0,
          "absent": 0,
          "illegal": 0
        },
        "udplite": {
          "good": 0,
          "bad": 0,
          "unverified": 0,
          "absent": 0,
          "illegal": 0
        },
        "dccp": {
          "good": 0,
          "bad": 0,
          "unverified": 0,
          "absent": 0,
          "illegal": 0
        },
        "sctp": {
          "good": 0,
          "bad": 0,
          "unverified": 0,
          "absent": 0,
          "illegal": 0
        },
        "igmp": {
          "good": 0,
          "bad": 0,
          "unverified": 0,
          "absent": 0,
          "illegal": 0
        },
        "pim": {
          "good": 0,
          "bad": 0,
          "unverified": 0,
          "absent": 0,
          "illegal": 0
        },
        "ospf": {
          "good": 0,
          "bad": 0,
          "unverified": 0,
          "absent": 0,
          "illegal": 0
        },
        "vrrp": {
          "good": 0,
          "bad": 0,
          "unverified": 0,
          "absent": 0,
          "illegal": 0
        },
        "eigrp": {
          "good": 0,
          "bad": 0,
          "unverified": 0,
          "absent": 0,
          "illegal": 0
        },
        "rsvp": {
          "good": 0,
          "bad": 0,
          "unverified": 0,
          "absent": 0,
          "illegal": 0
        },
        "gre": {
          "good": 0,
          "bad": 0,
          "unverified": 0,
          "absent": 0,
          "illegal": 0
        },
        "mobility": {
          "good": 0,
          "bad": 0,
          "unverified": 0,
          "absent": 0,
          "illegal": 0
        },
        "hip": {
          "good": 0,
          "bad": 0,
          "unverified": 0,
          "absent": 0,
          "illegal": 0
        },
        "shim6": {
          "good": 0,
          "bad": 0,
          "unverified": 0,
          "absent": 0,
          "illegal": 0
        },
        "pgm": {
          "good": 0,
          "bad": 0,
          "unverified": 0,
          "absent": 0,
          "illegal": 0
        },
        "cdp": {
          "good": 0,
          "bad": 0,
          "unverified": 0,
          "absent": 0,
          "illegal": 0
        },
        "icmpext": {
          "good": 0,
          "bad": 0,
          "unverified": 0,
          "absent": 0,
          "illegal": 0
        },
        "nhrp": {
          "good": 0,
          "bad": 0,
          "unverified": 0,
          "absent": 0,
          "illegal": 0
        },
        "isis": {
          "good": 0,
          "bad": 0,
          "unverified": 0,
          "absent": 0,
          "illegal": 0
        },
        "esis": {
          "good": 0,
          "bad": 0,
          "unverified": 0,
          "absent": 0,
          "illegal": 0
        },
        "clnp": {
          "good": 0,
          "bad": 0,
          "unverified": 0,
          "absent": 0,
          "illegal": 0
        }
      },
      "quoted": {},
      "causes": {
        "tcp": {
          "offload": 2,
          "one-bit": 1
        },
        "udp": {
          "offload": 1
        }
      },
      "unverified": {
        "tcp": {
          "snapped": 1
        },
        "udp": {
          "fragment": 1
        }
      },
      "not_entered": {},
      "malformed_by": {
        "IPv4 header length below 20": 1,
        "truncated record": 1
      }
    },
    {
      "path": "bluetooth.pcap",
      "verdict": {
        "tone": "unsure",
        "sentence": "Nothing could be judged: no checksum was found in 1 packet. Frames that were not entered: 1.",
        "checksums": 0,
        "bad": 0,
        "cause": null,
        "with_cause": 0
      },
      "packets": 1,
      "captured_bytes": 42,
      "malformed": 0,
      "checksums": {
        "ipv4": {
          "good": 0,
          "bad": 0,
          "unverified": 0,
          "absent": 0,
          "illegal": 0
        },
        "tcp": {
          "good": 0,
          "bad": 0,
          "unverified": 0,
          "absent": 0,
          "illegal": 0
        },
        "udp": {
          "good": 0,
          "bad": 0,
          "unverified": 0,
          "absent": 0,
          "illegal": 0
        },
        "icmp": {
          "good": 0,
          "bad": 0,
          "unverified": 0,
          "absent": 0,
          "illegal": 0
        },
        "icmpv6": {
          "good": 0,
          "bad": 0,
          "unverified": 0,
          "absent": 0,
          "illegal": 0
        },
        "udplite": {
          "good": 0,
          "bad": 0,
          "unverified": 0,
          "absent": 0,
          "illegal": 0
        },
        "dccp": {
          "good": 0,
          "bad": 0,
          "unverified": 0,
          "absent": 0,
          "illegal": 0
        },
        "sctp": {
          "good": 0,
          "bad": 0,
          "unverified": 0,
          "absent": 0,
          "illegal": 0
        },
        "igmp": {
          "good": 0,
          "bad": 0,
          "unverified": 0,
          "absent": 0,
          "illegal": 0
        },
        "pim": {
          "good": 0,
          "bad": 0,
          "unverified": 0,
          "absent": 0,
          "illegal": 0
        },
        "ospf": {
          "good": 0,
          "bad": 0,
          "unverified": 0,
          "absent": 0,
          "illegal": 0
        },
        "vrrp": {
          "good": 0,
          "bad": 0,
          "unverified": 0,
          "absent": 0,
          "illegal": 0
        },
        "eigrp": {
          "good": 0,
          "bad": 0,
          "unverified": 0,
          "absent": 0,
          "illegal": 0
        },
        "rsvp": {
          "good": 0,
          "bad": 0,
          "unverified": 0,
          "absent": 0,
          "illegal": 0
        },
        "gre": {
          "good": 0,
          "bad": 0,
          "unverified": 0,
          "absent": 0,
          "illegal": 0
        },
        "mobility": {
          "good": 0,
          "bad": 0,
          "unverified": 0,
          "absent": 0,
          "illegal": 0
        },
        "hip": {
          "good": 0,
          "bad": 0,
          "unverified": 0,
          "absent": 0,
          "illegal": 0
        },
        "shim6": {
          "good": 0,
          "bad": 0,
          "unverified": 0,
          "absent": 0,
          "illegal": 0
        },
        "pgm": {
          "good": 0,
          "bad": 0,
          "unverified": 0,
          "absent": 0,
          "illegal": 0
        },
        "cdp": {
          "good": 0,
          "bad": 0,
          "unverified": 0,
          "absent": 0,
          "illegal": 0
        },
        "icmpext": {
          "good": 0,
          "bad": 0,
          "unverified": 0,
          "absent": 0,
          "illegal": 0
        },
        "nhrp": {
          "good": 0,
          "bad": 0,
          "unverified": 0,
          "absent": 0,
          "illegal": 0
        },
        "isis": {
          "good": 0,
          "bad": 0,
          "unverified": 0,
          "absent": 0,
          "illegal": 0
        },
        "esis": {
          "good": 0,
          "bad": 0,
          "unverified": 0,
          "absent": 0,
          "illegal": 0
        },
        "clnp": {
          "good": 0,
          "bad": 0,
          "unverified": 0,
          "absent": 0,
          "illegal": 0
        }
      },
      "quoted": {},
      "causes": {},
      "unverified": {},
      "not_entered": {
        "link type 147 (USER0)": 1
      },
      "malformed_by": {}
    }
  ],
  "errors": [
    {
      "path": "missing.pcap",
      "error": "No such file or directory (os error 2)"
    }
  ]
}

"#]])
    .stderr_eq(str![[r#"
wiresum: missing.pcap: No such file or directory (os error 2)

"#]]);
}
