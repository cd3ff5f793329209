//! A report of cachegrind of any bytes is read or refused.
#![no_main]

use ats_reports::Format;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|input: &[u8]| {
    if let Err(error) =
        ats_reports::parse("cachegrind.out".as_ref(), input.to_vec(), Some(Format::Cachegrind))
    {
        assert!(!error.to_string().is_empty());
    }
});
