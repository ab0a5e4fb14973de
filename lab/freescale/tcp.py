# SPDX-License-Identifier: MIT OR Apache-2.0
"""The paper's TCP benchmark, figures 8 to 11, from the recorded run of bench/tcp."""

import json
from pathlib import Path

from ..claims import Chart, Row, near, verdict

RECORD = Path(__file__).resolve().parents[2] / "bench/results/tcp/intel-emerald-rapids"
TESTS = {
    "bulk": "bulk",
    "interactive": "interactive",
    "jumbo8000": "jumbo",
    "mixed": "mixed",
    "connect": "response",
}
LARGE, SMALL = ("bulk", "jumbo8000", "mixed"), ("interactive", "connect")
OURS = {"lwIP": ("stock", "wiresum-copy"), "smoltcp": ("own", "device")}


def recorded():
    return json.loads((RECORD / "results.json").read_text())


def shares_of(record):
    return {
        (row["variant"], row["test"]): row
        for row in record["shares_of_instructions"] or record["shares_of_time"]
    }


def manipulation(record):
    """{test: the part of lwIP's instructions, as it comes, that sum or copy}."""
    return {
        test: sum(
            shares_of(record)["lwip/stock", test][part] for part in ("checksum", "copy", "fused")
        )
        for test in TESTS
    }


def rows(record):
    measured = {(row["stack"], row["variant"], row["test"]): row for row in record["measured"]}
    shares, data = shares_of(record), manipulation(record)
    gain = {
        (stack, test): measured[stack, fast, test]["against_stock"]["median"]
        for stack, (_, fast) in OURS.items()
        for test in TESTS
    }
    rate = {test: measured["lwIP", "wiresum-copy", test]["rate"]["median"] for test in TESTS}
    tests = {row["test"] for row in record["measured"]}
    refused = sum(
        row["rejected_by_checksum"] + row["rejected_by_format"] + row["rejected_silently"]
        for row in record["rejections"]
    )
    over_assembly = {
        test: measured["lwIP", "wiresum-copy", test]["rate"]["median"]
        / measured["lwIP", "scalar", test]["rate"]["median"]
        for test in TESTS
    }
    stock = {stack: names[0] for stack, names in OURS.items()}
    payload = {
        (stack, test): measured[stack, name, test]["mean_frame"] - 40
        for stack, name in stock.items()
        for test in ("bulk", "jumbo8000", "jumbo9000")
    }
    # All streams are of the same payload there, so that the frames are as its inverse, and instructions a frame as this product.
    control = {
        (stack, test): shares[f"{stack.lower()}/{name}", test]["of"]
        * payload[stack, test]
        * (
            1
            - sum(
                shares[f"{stack.lower()}/{name}", test][part]
                for part in ("checksum", "copy", "fused", "comparison")
            )
        )
        for stack, name in stock.items()
        for test in ("bulk", "jumbo8000")
    }
    independent = {stack: control[stack, "jumbo8000"] / control[stack, "bulk"] for stack in stock}
    less = {
        stack: measured[stack, "off", "jumbo9000"]["rate"]["median"]
        / measured[stack, "off", "bulk"]["rate"]["median"]
        for stack in stock
    }
    frames = payload["lwIP", "jumbo9000"] / payload["lwIP", "bulk"]
    share = {test: shares["lwip/stock", test]["checksum"] for test in TESTS}

    def each(values):
        return ", ".join(f"{name} {values[test]}" for test, name in TESTS.items())

    machine = record["machine"]["cpu"]
    return [
        Row(
            "control",
            "The number of control statements is independent of the segment's size",
            "independent",
            ", ".join(f"{stack} {ratio:.2f}×" for stack, ratio in independent.items())
            + f" for frames of {payload['lwIP', 'jumbo8000'] / payload['lwIP', 'bulk']:.1f} times the data",
            verdict(
                all(near(ratio, 1, 0.1) for ratio in independent.values()),
                all(ratio < 1.5 for ratio in independent.values()),
            ),
            "instructions for a frame of 8000 bytes, without checksum, copy and comparison, against those for one of 1500: within the 10 % from which on it gives a difference a number",
            measured=True,
        ),
        Row(
            "larger-packets",
            "Data manipulation is more significant with larger packets (FTP, SMTP)",
            "more",
            "checksum and copy: " + each({test: f"{value:.0%}" for test, value in data.items()}),
            verdict(
                max(data["interactive"], data["connect"])
                < data["mixed"]
                < data["bulk"]
                < data["jumbo8000"],
                data["interactive"] < data["bulk"],
            ),
            "lwIP as it comes, instructions",
            measured=True,
        ),
        Row(
            "jumbo",
            "Jumbo frames, up to 9 Kbytes: fewer interrupts and less processing for the same data",
            "fewer; less",
            f"1/{frames:.1f} of the frames; without checksums lwIP {less['lwIP']:.1f}×, smoltcp {less['smoltcp']:.1f}× the data in a processor's time",
            verdict(frames > 1 and min(less.values()) > 1, max(less.values()) > 1),
            "frames of 9000 bytes against 1500; one interrupt a frame would be as many fewer",
            measured=True,
        ),
        Row(
            "tcp-figure-8",
            "Figure 8: the benchmark's architecture, two stacks over emulated interfaces",
            "–",
            f"two tasks in one thread on lwIP {record['machine']['lwip']} and on smoltcp {record['machine']['smoltcp']}; {refused:,} damaged segments refused",
            verdict(False, refused > 0),
            "rebuilt on two stacks of today in bench/tcp, with the errors that it leaves out; smoltcp keeps unsent and unacknowledged data in one buffer",
        ),
        Row(
            "tcp-tests",
            "Five tests: bulk (1460 bytes), interactive (1 to 2 bytes), jumbo (8000 bytes), mixed, connection request and response",
            "5 tests",
            f"{len(tests & set(TESTS))} tests, and jumbo frames of 9000 bytes",
            verdict(set(TESTS) <= tests),
        ),
        Row(
            "tcp-profile",
            "Figure 9: the share of checksum and memcpy in five TCP tests on Solaris",
            "up to 60 % axis",
            "checksum and copy: "
            + each(
                {test: f"{value:.0%} + {data[test] - value:.0%}" for test, value in share.items()}
            ),
            verdict(
                False, min(share[test] for test in LARGE) > 2 * max(share[test] for test in SMALL)
            ),
            "lwIP as it comes, instructions; its bars have no numbers, its stack and its system are others",
            measured=True,
        ),
        Row(
            "tcp-figure-10",
            "Figure 10: normalised speedup in the five tests; three of five gain significantly over C and over assembly",
            "up to 2.5 axis",
            "lwIP over its own C: "
            + each({test: f"{gain['lwIP', test]:.2f}×" for test in TESTS})
            + "; over scalar assembly: "
            + each({test: f"{ratio:.2f}×" for test, ratio in over_assembly.items()}),
            verdict(
                min(gain["lwIP", test] for test in LARGE) > 1.5
                and min(over_assembly[test] for test in LARGE) > 1.5
                and all(0.9 < gain["lwIP", test] < 1.2 for test in SMALL),
                min(gain["lwIP", test] for test in LARGE) > 1.1
                and min(over_assembly[test] for test in LARGE) > 1,
            ),
            "over C as it says, by a whole multiple in the three; over assembly, in a processor that overlaps what the paper's took in turn, much less",
            today="smoltcp: "
            + each({test: f"{gain['smoltcp', test]:.2f}×" for test in TESTS})
            + f" ({machine})",
            measured=True,
        ),
        Row(
            "tcp-figure-11",
            "Figure 11: throughput of the five tests; little difference for interactive data and responses",
            "up to 180 axis",
            f"lwIP: jumbo {rate['jumbo8000']:.0f}, bulk {rate['bulk']:.0f}, mixed {rate['mixed']:.0f} Gbit/s; interactive {rate['interactive'] * 24e-6:.3f} Gbit/s",
            verdict(
                rate["jumbo8000"] > rate["bulk"] > rate["mixed"] > rate["interactive"] * 24e-6
                and all(0.9 < gain["lwIP", test] < 1.2 for test in SMALL),
                rate["jumbo8000"] > rate["bulk"],
            ),
            "Gbit/s of a processor's time",
            measured=True,
        ),
    ]


def exhibits():
    return [
        Chart(
            f"Figure {number} on {stack} (measured)",
            (RECORD / f"figure-{number}-{stack.lower()}.svg").read_text(),
            caption,
        )
        for number, caption in (
            (9, "Share of the stack as it comes."),
            (10, "The stack as it comes is 1; lines are quartiles."),
            (11, "Payload, by processor time."),
        )
        for stack in OURS
    ]
