//! Common helpers of the tests.
#![allow(dead_code, reason = "no test uses all of it")]

pub(crate) mod cubex;

use std::path::{Path, PathBuf};

use ats_documents::Report;
use ats_reports::Format;
use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::Rng;

/// A report in this folder's `data`.
pub(crate) fn fixture(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data").join(name)
}

/// A report of every format.
pub(crate) const FIXTURES: [(Format, &str); Format::ALL.len()] = [
    (Format::Cube, "late_sender.cubex"),
    (Format::Mpip, "late_sender.mpiP"),
    (Format::Tau, "tau"),
    (Format::CaliperJson, "late_sender.json"),
    (Format::Cali, "late_sender.cali"),
    (Format::Cachegrind, "../../../../peers/counts/cachegrind.out"),
    (Format::Callgrind, "../../../../peers/counts/callgrind.out"),
    (Format::PerfStat, "../../../../peers/counts/perf.json"),
    (Format::Analysis, "analysis.json"),
    (Format::Report, "report.json"),
    (Format::Csv, "report.csv"),
];

/// The seconds of a call path's locations, by rank and thread.
pub(crate) fn times(report: &Report, path: &str) -> Vec<((u32, u32), f64)> {
    let path: Vec<&str> = path.split('/').collect();
    let call = report.calls.iter().find(|call| call.call_path == path);
    let call = call.unwrap_or_else(|| panic!("no {path:?} in {:#?}", report.calls));
    call.locations.iter().map(|share| ((share.rank, share.thread), share.inclusive_time)).collect()
}

/// Reads a fixture.
pub(crate) fn read(name: &str) -> Report {
    ats_reports::read(&fixture(name), None).unwrap()
}

/// Reads a text as the file of a name.
pub(crate) fn parse(name: &str, text: &str) -> Report {
    ats_reports::parse(name.as_ref(), text.as_bytes().to_vec(), None).unwrap()
}

/// The error of a text.
pub(crate) fn error(name: &str, text: &str) -> String {
    ats_reports::parse(name.as_ref(), text.as_bytes().to_vec(), None).unwrap_err().to_string()
}

/// The error of a fixture with something replaced.
pub(crate) fn spoiled(name: &str, from: &str, to: &str) -> String {
    let text = std::fs::read_to_string(fixture(name)).unwrap();
    assert!(text.contains(from), "{from:?}");
    let file = fixture(name).file_name().unwrap().to_string_lossy().into_owned();
    error(&file, &text.replacen(from, to, 1))
}

/// The seconds of a call of `late_sender` in the measured part of a program that the suite has generated.
pub(crate) fn of_late_sender(report: &Report, call: &str) -> Vec<((u32, u32), f64)> {
    let end = ["ats_measured", "late_sender", "mpi_commpattern_sendrecv", call];
    let found = report.calls.iter().find(|of| of.call_path.ends_with(&end.map(str::to_owned)));
    let found = found.unwrap_or_else(|| panic!("no {end:?} in {:#?}", report.calls));
    found.locations.iter().map(|share| ((share.rank, share.thread), share.inclusive_time)).collect()
}

/// Whether two times are the same but for the last digits.
pub(crate) fn same(a: f64, b: f64) -> bool {
    (a - b).abs() <= 1e-9 + 1e-9 * b.abs()
}

/// Flips, cuts, copies, overwrites or exchanges something somewhere.
pub(crate) fn mutate(bytes: &mut Vec<u8>, random: &mut Xoshiro256PlusPlus) {
    let mut below = |limit: usize| (random.next_u64() % limit.max(1) as u64) as usize;
    if bytes.is_empty() {
        return;
    }
    let at = below(bytes.len());
    match below(6) {
        0 => bytes[at] ^= 1 << below(8),
        1 => bytes[at] = [0, 1, 0x7f, 0x80, 0xff, b'"', b'-', b'9', b'\n', b'='][below(10)],
        2 => bytes.truncate(at),
        3 => {
            let piece: Vec<u8> = bytes[at..(at + below(40)).min(bytes.len())].to_vec();
            let to = below(bytes.len());
            bytes.splice(to..to, piece);
        }
        4 => {
            let number: &[u8] = [&b"NaN"[..], b"-1", b"1e308", b"18446744073709551616", b"inf"][below(5)];
            let end = (at + number.len()).min(bytes.len());
            bytes.splice(at..end, number.iter().copied());
        }
        _ => {
            let end = (at + 8).min(bytes.len());
            bytes[at..end].fill(0xff);
        }
    }
}
