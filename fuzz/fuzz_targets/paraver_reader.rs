//! A Paraver trace of any bytes is read or refused, and what is read of it is analyzed: labels first, then what begins with `#Paraver`.
#![no_main]

use ats_analyzer::{Options, analyze};
use ats_model::EventSource;
use ats_trace::Paraver;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|input: &[u8]| {
    let begin = input.windows(8).position(|bytes| bytes == b"#Paraver").unwrap_or(0);
    let (labels, records) = input.split_at(begin);
    let trace = match Paraver::from_parts(records, labels, labels) {
        Ok(trace) => trace,
        Err(error) => return assert!(!error.to_string().is_empty()),
    };
    let mut handed_over = 0;
    for index in 0..trace.definitions().locations.len() {
        // Whether it ends well is the same for all.
        let _ = trace.read_location(index, |_, _| handed_over += 1);
    }
    assert!(handed_over <= records.len(), "more events than bytes");
    let Ok(analysis) = analyze(&trace, "fuzz", &Options::default()) else { return };
    for finding in &analysis.findings {
        assert!(finding.waiting_time.is_finite() && finding.waiting_time > 0.0, "{finding:?}");
    }
});
