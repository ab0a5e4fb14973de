// SPDX-License-Identifier: MIT OR Apache-2.0
//! `wiresum kernels`, and the environment variable `WIRESUM_KERNEL`.

use super::wiresum;

#[test]
fn lists_every_kernel() {
    let output = wiresum(&["kernels"]).output().expect("it runs");
    let text = String::from_utf8(output.stdout).expect("text");
    let lines: Vec<_> = text.lines().collect();
    let names: Vec<_> = wiresum::kernel::all().map(|kernel| kernel.name()).collect();
    assert_eq!(lines.len(), names.len());
    for (line, name) in lines.iter().zip(&names) {
        assert!(line.starts_with(name), "{line}");
        assert!(line.contains("supported"), "{line}");
    }
    assert_eq!(
        lines.iter().filter(|line| line.ends_with("in use")).count(),
        1,
        "{text}"
    );
}

#[test]
fn every_kernel_can_be_forced() {
    for kernel in wiresum::kernel::all() {
        let forced = |arguments| wiresum(arguments).env("WIRESUM_KERNEL", kernel.name());
        if kernel.is_supported() {
            let output = forced(&["kernels"]).output().expect("it runs");
            let text = String::from_utf8(output.stdout).expect("text");
            let in_use: Vec<_> = text
                .lines()
                .filter(|line| line.ends_with("in use"))
                .collect();
            assert!(
                matches!(in_use[..], [line] if line.starts_with(kernel.name())),
                "{text}"
            );
            forced(&["sum", "bytes"])
                .assert()
                .code(0)
                .stdout_eq("0x1c46  bytes\n");
            println!("kernel {} ran", kernel.name());
        } else {
            forced(&["sum", "bytes"]).assert().code(2);
            println!("kernel {} unsupported", kernel.name());
        }
    }
}

#[test]
fn an_unknown_kernel_is_an_error_of_every_command() {
    for arguments in [
        &["kernels"][..],
        &["sum", "bytes"],
        &["verify", "good.pcap"],
    ] {
        for name in ["abacus", ""] {
            let output = wiresum(arguments)
                .env("WIRESUM_KERNEL", name)
                .output()
                .expect("it runs");
            let text = String::from_utf8(output.stderr).expect("text");
            assert_eq!(output.status.code(), Some(2), "{text}");
            assert!(output.stdout.is_empty(), "{arguments:?} printed something");
            assert!(
                text.contains(&format!("there is no kernel \"{name}\"")),
                "{text}"
            );
            assert!(
                text.contains("portable"),
                "it lists those that there are: {text}"
            );
        }
    }
}
