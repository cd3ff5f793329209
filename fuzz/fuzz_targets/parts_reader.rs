//! Parts of an interrupted recording, a line of any bytes each, are joined or refused.
#![no_main]

use std::path::Path;

use ats_trace::parts::{Joined, Part};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|input: &[u8]| {
    let read = |bytes: &[u8]| match Part::parse(bytes, Path::new("definitions.0.json")) {
        Ok(part) => Some(part),
        Err(error) => {
            assert!(error.to_string().contains("definitions.0.json is damaged"), "{error}");
            None
        }
    };
    let parts: Vec<Part> = input.split(|&byte| byte == b'\n').filter_map(read).collect();
    let left = parts.len() + 2;
    match Joined::new(Path::new("trace"), parts, &[0, 1].into()) {
        Ok(joined) => {
            let locations = &joined.definitions().locations;
            assert!(locations.iter().filter(|location| location.thread == 0).count() <= left);
        }
        Err(error) => assert!(error.to_string().contains("trace/definitions."), "{error}"),
    }
});
