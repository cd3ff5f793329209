//! An archive of any bytes is analyzed, with its clocks measured or not, in one piece or many, and gives sound seconds
//! and amounts.
#![no_main]

mod parts;

use ats_analyzer::{Options, analyze_and_profile};
use ats_model::{Definitions, Event, EventSource};
use ats_trace::{Archive, TraceError};
use libfuzzer_sys::fuzz_target;
use parts::part;

/// An archive whose clocks are taken to be measured.
struct Measured(Archive);

impl EventSource for Measured {
    type Error = TraceError;

    fn definitions(&self) -> &Definitions {
        self.0.definitions()
    }

    fn read_location(&self, index: usize, visit: impl FnMut(u64, Event)) -> Result<(), TraceError> {
        self.0.read_location(index, visit)
    }

    fn read_part(
        &self,
        index: usize,
        part: usize,
        visit: impl FnMut(u64, Event),
    ) -> Result<bool, TraceError> {
        self.0.read_part(index, part, visit)
    }
}

fn check(trace: &impl EventSource, options: &Options) {
    let Ok((analysis, profile)) = analyze_and_profile(trace, "fuzz", options) else { return };
    for finding in &analysis.findings {
        assert!(finding.waiting_time.is_finite() && finding.waiting_time > 0.0, "{finding:?}");
    }
    let values = profile.values.values().flatten();
    assert!(values.clone().all(|&(_, _, value)| value.is_finite()), "{:?}", profile.values);
    for clock in analysis.clock_correction.iter().flat_map(|clocks| &clocks.processes) {
        assert!(clock.offset.is_finite() && clock.drift.abs() <= 1e-3, "{clock:?}");
    }
}

fuzz_target!(|input: &[u8]| {
    let mut input = input;
    let [anchor, definitions] = std::array::from_fn(|_| part(&mut input));
    let locations = (0..3).map(|id| (id, part(&mut input).to_vec(), Vec::new())).collect();
    let Ok(mut archive) = Archive::from_parts(anchor, definitions, locations) else { return };
    check(&archive, &Options::default());
    archive.set_part_bytes(1);
    let in_parts = Options { records_in_memory: 2, ..Options::default() };
    check(&archive, &in_parts);
    check(&Measured(archive), &in_parts);
});
