//! `ats validate --what-if`.

use std::process::ExitCode;
use std::sync::atomic::Ordering;

use ats_presentation::text;
use ats_truth::Planned;
use ats_validation::what_if::{Machines, judge};

use crate::cancel;
use crate::failure::Failure;
use crate::options::machine::MachineArgs;
use crate::output::Output;
use crate::output::progress::Line;

/// Judges predictions for changes of these programs.
pub(super) fn run(programs: &[Planned], machine: &MachineArgs, output: Output) -> Result<ExitCode, Failure> {
    let usual = Machines::default();
    let machines = Machines {
        network: machine.network.unwrap_or(usual.network),
        processors: machine.processors.clone().or(usual.processors),
        costs: machine.costs.unwrap_or(usual.costs),
        ..usual
    };
    let cancelled = cancel::on_signal()?;
    let line = Line::new(output);
    let score = judge(programs, &machines, &mut |done, planned| {
        line.count(planned.subject.name(), done, programs.len());
        !cancelled.load(Ordering::Relaxed)
    });
    line.done();
    output.coloured(&score, || text::what_if_score(&score, output.look(false)))?;
    if cancelled.load(Ordering::Relaxed) {
        return Err(Failure::Cancelled);
    }
    Ok(ExitCode::from(u8::from(score.totals.off > 0)))
}
