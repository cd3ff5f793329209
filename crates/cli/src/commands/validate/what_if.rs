//! `ats validate --what-if`.

use std::process::ExitCode;
use std::sync::atomic::Ordering;

use ats_documents::WhatIfScore;
use ats_launch::tool::{Simulator, Tool};
use ats_presentation::text;
use ats_truth::Planned;
use ats_validation::what_if::{Machines, judge, judge_simulator};

use crate::cancel;
use crate::failure::Failure;
use crate::options::machine::MachineArgs;
use crate::output::Output;
use crate::output::progress::Line;

/// Judges predictions for changes of these programs: ours, or those of a simulator.
pub(super) fn run(
    programs: &[Planned],
    machine: &MachineArgs,
    simulator: Option<&str>,
    output: Output,
) -> Result<ExitCode, Failure> {
    let tool = simulator.map(simulator_named).transpose()?;
    let cancelled = cancel::on_signal()?;
    let line = Line::new(output);
    let mut show = |done, planned: &Planned| line.count(planned.subject.name(), done, programs.len());
    let score: WhatIfScore = match &tool {
        Some((tool, simulator)) => {
            let network = machine.network.unwrap_or_default();
            judge_simulator(programs, (tool, simulator), network, &cancelled, &mut show)
        }
        None => judge(programs, &machines(machine), &mut |done, planned| {
            show(done, planned);
            !cancelled.load(Ordering::Relaxed)
        }),
    };
    line.done();
    output.coloured(&score, || text::what_if_score(&score, output.look(false)))?;
    if cancelled.load(Ordering::Relaxed) {
        return Err(Failure::Cancelled);
    }
    Ok(ExitCode::from(u8::from(score.totals.off > 0)))
}

fn machines(machine: &MachineArgs) -> Machines {
    let usual = Machines::default();
    Machines {
        network: machine.network.unwrap_or(usual.network),
        processors: machine.processors.clone().or(usual.processors),
        costs: machine.costs.unwrap_or(usual.costs),
        ..usual
    }
}

/// A simulator of networks that is known by this name, or described in this file, and whose commands are there.
pub(crate) fn simulator_named(name: &str) -> Result<(Tool, Simulator), Failure> {
    let tool = Tool::named(name).map_err(Failure::input)?;
    let Some(simulator) = tool.simulator.clone() else {
        return Err(Failure::Input(format!(
            "{} is no simulator of networks; its description has no table [simulator]",
            tool.title
        )));
    };
    if let Some(lacking) = tool.lacking_commands().first() {
        return Err(Failure::Missing(format!("{} needs {lacking}; {}", tool.title, tool.needs.install)));
    }
    Ok((tool, simulator))
}
