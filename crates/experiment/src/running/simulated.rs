//! Runs in virtual time, as experiments.

use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use crate::Given;
use ats_compose::Subject;
use ats_documents::Profile;
use ats_documents::experiment::Engine;
use ats_documents::score::RunStatus;
use ats_model::source::InMemory;
use ats_virtual::SimulationError;

use ats_launch::Failure;
use ats_reports::source::simulated_profile;
use ats_truth::{Planned, TruthError, TruthOptions, ideal_trace, network_in_words};

/// The profile of a run in virtual time, with all root causes of its waits if they are wanted.
///
/// # Errors
/// The program cannot run like this.
pub fn simulate(Planned { subject, size }: &Planned, options: &TruthOptions) -> Result<Profile, TruthError> {
    Ok(profile(&ideal_trace::in_memory(subject, *size, options)?, subject, options))
}

/// The longest time that a run in virtual time may take, and the flag that cancels it.
#[derive(Clone, Copy)]
pub(super) struct Deadline<'a> {
    pub(super) time: Duration,
    pub(super) cancelled: &'a AtomicBool,
}

/// The same with a deadline; the trace is left in `folder`, if there is one.
pub(super) fn simulate_within(
    Deadline { time, cancelled }: Deadline<'_>,
    Planned { subject, size }: &Planned,
    options: &TruthOptions,
    folder: Option<&Path>,
) -> Result<Profile, Failure> {
    let begin = Instant::now();
    let is_cancelled = || cancelled.load(Ordering::Relaxed);
    let stop = || is_cancelled() || begin.elapsed() >= time;
    let failed = |status: RunStatus, message: String| Failure { status, message };
    let ended = |error: TruthError| match &error {
        TruthError::Simulation { source, .. } if matches!(**source, SimulationError::Stopped) => {
            if is_cancelled() {
                return failed(RunStatus::Cancelled, "it was cancelled".to_owned());
            }
            let seconds = time.as_secs_f64();
            failed(
                RunStatus::Timeout,
                format!("it was still running after {seconds} s and was stopped; raise `timeout`"),
            )
        }
        _ => failed(RunStatus::Crashed, error.to_string()),
    };
    let trace = ideal_trace::in_memory_until(&stop, subject, *size, options).map_err(ended)?;
    if let Some(folder) = folder {
        ideal_trace::write_from(&trace, subject, *size, folder)
            .map_err(|error| failed(RunStatus::Crashed, error.to_string()))?;
    }
    Ok(profile(&trace, subject, options))
}

fn profile(trace: &InMemory, subject: &Subject, options: &TruthOptions) -> Profile {
    let causes = options.causes;
    let read = simulated_profile(trace, &source(subject.name()), causes);
    read.expect("what the virtual engine writes can be read")
}

/// The words that name the source of such a run's data.
pub(super) fn source(program: &str) -> String {
    format!("{program} on the virtual engine")
}

/// Gives an experiment that has none the name of its program, and says that it was run in virtual time, whose machine
/// it had.
pub fn named_after(given: &mut Given, program: &str, options: &TruthOptions) {
    for name in [&mut given.application, &mut given.run.name] {
        if name.is_empty() {
            program.clone_into(name);
        }
    }
    given.run.engine = Some(Engine::Virtual);
    given.machine.part_of.get_or_insert_with(|| "virtual".to_owned());
    given.machine.network = network_in_words(&options.network);
}
