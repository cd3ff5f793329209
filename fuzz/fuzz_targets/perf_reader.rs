//! A report of `perf stat` of any bytes is read or refused.
#![no_main]

use ats_reports::Format;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|input: &[u8]| {
    if let Err(error) = ats_reports::parse("perf.json".as_ref(), input.to_vec(), Some(Format::PerfStat)) {
        assert!(!error.to_string().is_empty());
    }
});
