//! Without changes a replay is the trace.

use ats_props::Catalogue;
use ats_truth::{Planned, TruthOptions};
use ats_whatif::Changes;

use crate::{composed, ideal, planned, program_again};

/// The differences of an unchanged replay from the trace of a program.
fn differences(planned: &Planned, options: &TruthOptions) -> Option<String> {
    let trace = ideal(planned, options);
    let name = format!("{} on {}", planned.subject.name(), planned.size);
    let program = program_again(&trace, planned);
    let (is, was) = (program.unchanged(), program.recorded());
    if (is.wall, &is.ends) != (was.wall, &was.ends) {
        return Some(format!("{name}: ends {is:?} instead of {was:?}"));
    }
    let (_, again) = program.run_in_memory(&Changes::default()).unwrap();
    for (location, (is, was)) in again.events.iter().zip(&trace.events).enumerate() {
        if let Some(at) = (0..is.len().max(was.len())).find(|&at| is.get(at) != was.get(at)) {
            return Some(format!(
                "{name}: event {at} of location {location} is {:?} instead of {:?}",
                is.get(at),
                was.get(at)
            ));
        }
    }
    None
}

fn check(differences: Vec<String>) {
    assert!(differences.is_empty(), "{} differ:\n{}", differences.len(), differences.join("\n"));
}

#[test]
fn of_all_programs_of_the_suite() {
    let options = TruthOptions::default();
    let catalogue = Catalogue::builtin();
    let differences = catalogue.programs().filter_map(|program| {
        let needs = program.property.needs;
        let (ranks, threads) = (if needs.ranks { 5 } else { 1 }, if needs.team { 3 } else { 1 });
        differences(&planned(program.name(), &[], ranks, threads), &options)
    });
    check(differences.collect());
}

#[test]
fn of_random_compositions() {
    let options = TruthOptions::default();
    let differences = ats_testing::seeds(200).filter_map(|seed| {
        differences(&composed(seed, (2 + seed as usize % 7, 1 + seed as usize % 4), 3), &options)
    });
    check(differences.collect());
}
