// SPDX-License-Identifier: MIT OR Apache-2.0
//! Tests what the documentation says about wrong, short and empty input, and the formats of values.

use std::panic::{AssertUnwindSafe, catch_unwind};

use wiresum::{
    BatchError, Checksum, Stream, Sum, batch, batch_ipv4_headers, batch_offsets, icmp, icmpv6,
    ipv4, kernel, tcp, udp,
};

const HEADER: [u8; 20] = [
    0x45, 0, 0, 0x73, 0, 0, 0x40, 0, 0x40, 0x11, 0xb8, 0x61, 192, 168, 0, 1, 192, 168, 0, 199,
];

/// Returns the message of the panic in which `call` ends.
#[track_caller]
fn panic_of<T>(call: impl FnOnce() -> T) -> String {
    let Err(payload) = catch_unwind(AssertUnwindSafe(call)) else {
        panic!("there was no panic")
    };
    *payload
        .downcast::<String>()
        .expect("a message with numbers in it")
}

#[test]
fn lengths_that_differ_panic() {
    assert_eq!(
        panic_of(|| wiresum::copy(&mut [0; 3], &[0; 4])),
        "destination and source must be of one length, not 3 and 4"
    );
    assert_eq!(
        panic_of(|| wiresum::copy_uninit(&mut [std::mem::MaybeUninit::uninit(); 4], &[0; 3]).1),
        "destination and source must be of one length, not 4 and 3"
    );
    let kernel = kernel::in_use()
        .supported()
        .expect("the kernel in use is supported");
    assert!(panic_of(|| kernel.copy(&mut [0; 1], &[])).contains("not 1 and 0"));
    assert_eq!(
        panic_of(|| Checksum::from_value(1).update(0, &[1], &[1, 2])),
        "the bytes before and after an update must be of one length, not 1 and 2"
    );
    assert!(panic_of(|| Checksum::from_value(0).update_udp(0, &[1], &[])).contains("not 1 and 0"));
    assert_eq!(
        panic_of(|| wiresum::gather_copy(&mut [0; 3], &[&[0; 2], &[0; 2]])),
        "the pieces are longer than the destination, which has 3 bytes"
    );
    assert_eq!(
        panic_of(|| wiresum::gather_copy(&mut [0; 5], &[&[0; 2], &[0; 2]])),
        "the pieces have 4 bytes, and the destination 5"
    );
    assert!(panic_of(|| batch(&[b""], &mut [])).contains("not 1 and 0"));
    assert_eq!(
        panic_of(|| batch_offsets(b"", &[0i32], &mut [Sum::ZERO])),
        "there must be one offset more than there are sums, not 1 and 1"
    );
    assert!(panic_of(|| batch_offsets::<i32>(b"", &[], &mut [Sum::ZERO])).contains("not 0 and 1"));
}

#[test]
fn short_headers_panic_where_a_checksum_is_made_and_are_not_ok_where_one_is_checked() {
    let zeros = [0; 20];
    for len in 0..20 {
        let short = &zeros[..len];
        assert!(panic_of(|| ipv4::header(short)).contains("20 bytes at least"));
        assert!(
            panic_of(|| tcp::checksum(Sum::ZERO, short, &zeros))
                .contains("TCP has 20 bytes at least")
        );
        assert!(!ipv4::header_ok(&HEADER[..len]));
        assert!(!tcp::ok(Sum::from_value(0xffff), short, &zeros));
    }
    for len in 0..8 {
        assert!(
            panic_of(|| udp::checksum(Sum::ZERO, &zeros[..len], &zeros))
                .contains("UDP has 8 bytes at least")
        );
        assert!(!udp::ok(Sum::from_value(0xffff), &[0; 8][..len], &[]));
        assert!(!udp::is_absent(&zeros[..len]));
    }
    for len in 0..4 {
        assert!(
            panic_of(|| icmp::checksum(&zeros[..len], &zeros))
                .contains("ICMP has 4 bytes at least")
        );
        assert!(
            panic_of(|| icmpv6::checksum(Sum::ZERO, &zeros[..len], &[]))
                .contains("ICMPv6 has 4 bytes at least")
        );
        assert!(!icmp::ok(&zeros[..len], &[0xff, 0xff]));
        assert!(!icmpv6::ok(Sum::from_value(0xffff), &zeros[..len], &[]));
    }
    assert!(ipv4::header_ok(&HEADER));
    assert_eq!(ipv4::header(&HEADER).value(), 0xb861);
}

#[test]
fn wrong_offsets_are_errors_and_no_sum_is_written() {
    const BEFORE: Sum = Sum::from_value(0xdead);
    #[track_caller]
    fn refused(offsets: &[i64], index: usize, why: &str) {
        let mut sums = vec![BEFORE; offsets.len() - 1];
        let error = batch_offsets(b"eight by", offsets, &mut sums).unwrap_err();
        assert_eq!(
            (error.index(), error.to_string()),
            (index, format!("offset {index} {why}"))
        );
        assert!(sums.iter().all(|&sum| sum == BEFORE));
        if let Ok(offsets) = offsets
            .iter()
            .map(|&offset| i32::try_from(offset))
            .collect::<Result<Vec<_>, _>>()
        {
            assert_eq!(batch_offsets(b"eight by", &offsets, &mut sums), Err(error));
        }
    }
    refused(&[-1, 3], 0, "is negative");
    refused(&[0, i64::MIN], 1, "is negative");
    refused(&[0, 3, 2, 8], 2, "is less than the one before it");
    refused(&[0, 9], 1, "is beyond the end of the data");
    refused(&[9], 0, "is beyond the end of the data");
    refused(&[0, 8, i64::MAX], 2, "is beyond the end of the data");

    batch_offsets::<i32>(b"", &[], &mut []).expect("no packet");
    batch_offsets(b"", &[0i64], &mut []).expect("no packet");
    let mut sums = [BEFORE; 4];
    batch_offsets(b"eight by", &[1i32, 1, 4, 8, 8], &mut sums)
        .expect("ascending offsets within the data");
    assert_eq!(sums, [&b""[..], b"igh", b"t by", b""].map(wiresum::sum));
}

#[test]
fn headers_that_are_not_whole_are_errors_and_no_sum_is_written() {
    #[track_caller]
    fn refused(buf: &[u8], stride: usize, n: usize, index: usize) {
        let mut sums = vec![Sum::from_value(0xdead); n];
        let error: BatchError = batch_ipv4_headers(buf, stride, &mut sums).unwrap_err();
        assert_eq!(error.index(), index);
        assert_eq!(
            error.to_string(),
            format!("IPv4 header {index} reaches beyond the end of the data")
        );
        assert!(sums.iter().all(|sum| sum.value() == 0xdead));
    }
    let with_options = [&[0x46][..], &HEADER[1..]].concat(); // its IHL says 24 bytes
    refused(&[], 20, 1, 0);
    refused(&HEADER[..19], 20, 1, 0);
    refused(&with_options, 20, 1, 0);
    refused(&[&HEADER[..], &with_options].concat(), 20, 2, 1);
    refused(&HEADER, usize::MAX, 3, 1);
    refused(&HEADER, usize::MAX / 2 + 1, 3, 1);
    refused(&HEADER, 1, 2, 1);

    let mut sums = [Sum::ZERO; 3];
    batch_ipv4_headers(&HEADER, 0, &mut sums).expect("the same header again and again");
    assert!(sums.iter().all(|sum| sum.is_ok()));
    let no_ihl = [0x44; 20];
    batch_ipv4_headers(&no_ihl, 0, &mut sums)
        .expect("twenty bytes are enough to see that the IHL is wrong");
    assert_eq!(sums, [Sum::ZERO; 3]);
    batch_ipv4_headers(&[], 20, &mut []).expect("no header");
}

#[test]
fn batches_of_any_size_are_sums() {
    let data: Vec<u8> = (0..=255).cycle().take(300).collect();
    for n in [0, 1, 63, 64, 65, 128, 200] {
        let packets: Vec<&[u8]> = (0..n).map(|i| &data[i..i + i % 101]).collect();
        let mut sums = vec![Sum::ZERO; n];
        batch(&packets, &mut sums);
        assert_eq!(
            sums,
            packets
                .iter()
                .map(|packet| wiresum::sum(packet))
                .collect::<Vec<_>>()
        );
    }
}

#[test]
fn nothing_sums_to_zero() {
    assert_eq!(wiresum::sum(&[]), Sum::ZERO);
    assert_eq!(wiresum::gather(&[]), Sum::ZERO);
    assert_eq!(wiresum::gather(&[b"", b""]), Sum::ZERO);
    assert_eq!(wiresum::copy(&mut [], &[]), Sum::ZERO);
    assert_eq!(wiresum::gather_copy(&mut [], &[]), Sum::ZERO);
    assert_eq!(Sum::default(), Sum::ZERO);
    assert_eq!(Stream::default(), Stream::new());
    assert!(Stream::new().push(b"").is_empty() && !Stream::new().push(b"\0").is_empty());
    assert!(!wiresum::ok(&[]));
}

#[test]
fn values_show_as_protocol_documents_print_them() {
    let (sum, checksum) = (Sum::from_value(0x1c46), Checksum::from_value(0x00ab));
    assert_eq!(format!("{sum} {checksum}"), "0x1c46 0x00ab");
    assert_eq!(
        format!("{sum:?} {checksum:?}"),
        "Sum(0x1c46) Checksum(0x00ab)"
    );
    assert_eq!(
        format!("{sum:x} {sum:#X} {checksum:04x} {checksum:X}"),
        "1c46 0x1C46 00ab AB"
    );
}

#[test]
fn kernels_are_listed_named_and_chosen() {
    fn for_threads<T: Send + Sync>(_: T) {}
    let names: Vec<&str> = kernel::all().map(kernel::Kernel::name).collect();
    assert_eq!(names.last(), Some(&"portable"));
    assert_eq!(kernel::all().len(), names.len());
    for (kernel, name) in kernel::all().zip(&names) {
        assert_eq!(kernel::by_name(name), Some(kernel));
        assert_eq!(kernel.to_string(), *name);
        assert_eq!(kernel.supported().is_some(), kernel.is_supported());
        assert_eq!(names.iter().filter(|other| *other == name).count(), 1);
        if let Some(supported) = kernel.supported() {
            supported.make_default();
            assert_eq!(kernel::in_use(), supported.kernel());
            for_threads(supported);
        }
        for_threads(kernel);
    }
    for wrong in ["", "PORTABLE", "portabl", "portable ", "portable\0"] {
        assert_eq!(kernel::by_name(wrong), None);
    }
}
