//! An archive of any bytes is analyzed, with its clocks measured or not, in one piece or many, and gives sound seconds
//! and amounts. The same with root causes, which change nothing else, and add up to the waits.
#![no_main]

mod parts;

use ats_analyzer::{Options, analyze_and_profile};
use ats_documents::{Analysis, causes::Cause};
use ats_model::{Definitions, Event, EventSource, delay::Extent};
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

fn check(trace: &impl EventSource, options: &Options) -> Option<Analysis> {
    let (analysis, profile) = analyze_and_profile(trace, "fuzz", options).ok()?;
    for finding in &analysis.findings {
        assert!(finding.waiting_time.is_finite() && finding.waiting_time > 0.0, "{finding:?}");
    }
    let mut values = profile.values.values().flat_map(|values| values.iter());
    assert!(values.all(|(_, _, value)| value.is_finite()), "{:?}", profile.values);
    for clock in analysis.clock_correction.iter().flat_map(|clocks| &clocks.processes) {
        assert!(clock.offset.is_finite() && clock.drift.abs() <= 1e-3, "{clock:?}");
    }
    check_causes(&analysis);
    Some(analysis)
}

fn check_causes(analysis: &Analysis) {
    let Some(causes) = &analysis.causes else { return };
    let is_amount = |seconds: f64| seconds.is_finite() && seconds >= 0.0;
    let values = causes.metrics.values().flatten();
    assert!(values.clone().all(|(_, _, value)| is_amount(*value)), "{:?}", causes.metrics);
    // Then findings are cut where they are longer than the basis.
    let runs_backwards =
        analysis.warnings.iter().any(|warning| warning.starts_with("time stamps that lie before"));
    for caused in &causes.findings {
        let are_amounts = |cause: &Cause| is_amount(cause.direct) && is_amount(cause.indirect);
        assert!(caused.causes.iter().all(are_amounts) && is_amount(caused.unattributed), "{caused:?}");
        let finding = analysis.findings.iter().find(|finding| finding.id == caused.finding);
        let waits = finding.expect("it is a finding").waiting_time;
        let all = caused.causes.iter().map(Cause::seconds).sum::<f64>() + caused.unattributed;
        let is_cut = runs_backwards && all > waits;
        assert!(is_cut || (all - waits).abs() <= 1e-9 * waits, "{waits} waited, {all} caused: {caused:?}");
    }
}

/// Checks that root causes change nothing else.
fn check_with_causes(trace: &impl EventSource) {
    let without = check(trace, &Options::default());
    for extent in [Extent::Scalasca, Extent::All] {
        let with = check(trace, &Options { causes: Some(extent), ..Options::default() });
        let findings = |analysis: &Option<Analysis>| Some(analysis.as_ref()?.findings.clone());
        assert_eq!(findings(&with), findings(&without));
    }
}

fuzz_target!(|input: &[u8]| {
    let mut input = input;
    let [anchor, definitions] = std::array::from_fn(|_| part(&mut input));
    let locations = (0..3).map(|id| (id, part(&mut input).to_vec(), Vec::new())).collect();
    let Ok(mut archive) = Archive::from_parts(anchor, definitions, locations) else { return };
    check_with_causes(&archive);
    archive.set_part_bytes(1);
    let measured = Measured(archive);
    for causes in [None, Some(Extent::All)] {
        let in_parts = Options { records_in_memory: 2, causes, ..Options::default() };
        check(&measured.0, &in_parts);
        check(&measured, &in_parts);
    }
});
