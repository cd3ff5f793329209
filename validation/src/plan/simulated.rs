//! Runs in virtual time, as experiments.

use ats_experiment::Given;
use ats_model::Profile;

use crate::run::tool::simulated_profile;
use crate::truth::{Planned, TruthError, TruthOptions, ideal_trace, network_in_words};

/// What a run in virtual time spent.
///
/// # Errors
/// The program cannot run like this.
pub fn simulate(Planned { subject, size }: &Planned, options: &TruthOptions) -> Result<Profile, TruthError> {
    let trace = ideal_trace::in_memory(subject, *size, options)?;
    let read = simulated_profile(&trace, &source(subject.name()));
    Ok(read.expect("what the virtual engine writes can be read"))
}

/// What the data of such a run is from.
pub(super) fn source(program: &str) -> String {
    format!("{program} on the virtual engine")
}

/// Gives an experiment that has none the name of its program, and says that its machine is that of virtual time.
pub fn named_after(given: &mut Given, program: &str, options: &TruthOptions) {
    for name in [&mut given.application, &mut given.run.name] {
        if name.is_empty() {
            program.clone_into(name);
        }
    }
    given.machine.part_of.get_or_insert_with(|| "virtual".to_owned());
    given.machine.network = network_in_words(&options.network);
}
