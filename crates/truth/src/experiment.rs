//! The promises of a program over several runs.

use ats_compose::Subject;
use ats_documents::truth::{TruthOfRun, Truths};

use super::size::Size;
use super::{TruthError, TruthOptions, nominal};

/// The promises of a program's parameters in runs of these sizes, on an ideal machine.
///
/// # Errors
/// One of them is too small, or does not come to its end.
pub fn nominal_runs(subject: &Subject, sizes: &[Size], options: &TruthOptions) -> Result<Truths, TruthError> {
    let mut runs: Vec<TruthOfRun> = Vec::new();
    for &size in sizes {
        let truth = nominal(subject, size, options)?;
        let wall_time = truth.basis.wall_time;
        let first = runs
            .first()
            .map_or((wall_time, size.locations()), |first| (first.wall_time, first.ranks * first.threads));
        // What takes no time at all is as fast in every run.
        let speedup = if wall_time > 0.0 { first.0 / wall_time } else { 1.0 };
        runs.push(TruthOfRun {
            ranks: size.ranks,
            threads: size.threads,
            wall_time,
            waiting_time: truth.findings.iter().map(|finding| finding.waiting_time).sum(),
            speedup,
            efficiency: speedup * first.1 as f64 / size.locations() as f64,
        });
    }
    let (program, parameters) = (subject.name().to_owned(), subject.parameters());
    Ok(Truths { schema: Truths::SCHEMA.to_owned(), program, parameters, runs })
}
