//! Runs for the tests.

use ats_diagnosis::Run;
use ats_documents::classes::Classes;
use ats_experiment::running::{named_after, simulate};
use ats_experiment::{Given, of_profile};
use ats_prediction::Observed;
use ats_props::Catalogue;
use ats_truth::{GivenSize, Planned, TruthOptions};

/// A program of a size, with parameters as `name=value`.
pub(crate) fn planned(program: &str, parameters: &[&str], ranks: usize, threads: usize) -> Planned {
    let size = GivenSize { ranks: Some(ranks), threads: Some(threads) };
    let parameters: Vec<String> = parameters.iter().map(|&word| word.to_owned()).collect();
    Planned::named(program, &parameters, size, &Catalogue::builtin()).unwrap()
}

/// A program in virtual time.
pub(crate) fn simulated(planned: &Planned) -> Observed {
    let options = TruthOptions::default();
    let profile = simulate(planned, &options).unwrap();
    let mut given = Given::default();
    named_after(&mut given, planned.subject.name(), &options);
    let classes = Classes::default();
    let experiment = of_profile(&profile, given, &classes).with(|summaries| summaries.collect());
    let id = format!("{}.{}", planned.subject.name(), planned.size.ranks * planned.size.threads);
    Observed::new(&Run { id: &id, experiment: &experiment, profile: Some(&profile) }, &classes)
}

/// Asserts that two numbers differ by no more than rounding.
pub(crate) fn assert_close(found: f64, expected: f64, what: &str) {
    let is_close = (found - expected).abs() <= 1e-9 * expected.abs().max(1e-3);
    assert!(is_close, "{what}: {found}, and not {expected}");
}
