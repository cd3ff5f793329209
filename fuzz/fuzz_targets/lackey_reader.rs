//! A trace of references of any bytes is counted or refused.
#![no_main]

use ats_documents::memory::Cache;
use ats_prediction::memory::{Options, analyze};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|input: &[u8]| {
    let caches = vec![Cache { bytes: 1024, ways: 4, sets: 4 }];
    let options = Options { caches, ..Options::default() };
    match analyze("trace", input, &options, None) {
        Ok(memory) => assert!(memory.total.cold.value >= 1.0 && memory.total.caches[0].simulated >= 1),
        Err(error) => assert!(!error.to_string().is_empty()),
    }
});
