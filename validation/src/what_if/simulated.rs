//! Simulators of networks, judged by the program's own run on the network.

use std::sync::atomic::{AtomicBool, Ordering};

use ats_documents::WhatIfScore;
use ats_documents::what_if_score::{JudgedChange, JudgedTimes, KindOfChange, VerdictOnChange};
use ats_launch::tool::{Predicted, Simulator, Tool};
use ats_model::EventSource;
use ats_truth::{Network, Planned, TruthOptions, network_in_words, network_of};
use ats_whatif::Program;

use super::{ends, row, seconds, trace};

/// The largest distance from the truth of an exact prediction, as a share: simulators round each event.
const EXACT: f64 = 1e-6;

/// Judges the predictions of a simulator for programs on a network. `step` is called before each.
pub fn judge_simulator(
    programs: &[Planned],
    (tool, simulator): (&Tool, &Simulator),
    network: Network,
    cancelled: &AtomicBool,
    step: &mut dyn FnMut(usize, &Planned),
) -> WhatIfScore {
    let mut changes = Vec::new();
    for (number, planned) in programs.iter().enumerate() {
        if cancelled.load(Ordering::Relaxed) {
            break;
        }
        step(number, planned);
        changes.push(judged(planned, (tool, simulator), network, cancelled));
    }
    let version = tool.version();
    WhatIfScore::new(tool.title.clone(), version, changes)
}

fn judged(
    planned: &Planned,
    simulator: (&Tool, &Simulator),
    network: Network,
    cancelled: &AtomicBool,
) -> JudgedChange {
    let words = network_in_words(&network).unwrap_or_else(|| "ideal".to_owned());
    let mut row = row(planned, KindOfChange::Network, vec!["--network".to_owned(), words]);
    let after = TruthOptions { network, ..TruthOptions::default() };
    let network = network_of(&planned.subject, &after);
    let predicted = trace(planned, &TruthOptions::default()).and_then(|trace| {
        let program = Program::new(&trace, &[], network).map_err(|error| error.to_string())?;
        simulated(&program, simulator, &network, cancelled)
    });
    let truth = trace(planned, &after).map(|trace| seconds(ends(&trace).into_iter().max().unwrap_or(0)));
    match predicted.and_then(|predicted| Ok((predicted, truth?))) {
        Err(reason) => row.reason = Some(reason),
        Ok(((Predicted { seconds: predicted, resolution }, losses), truth)) => {
            let is_exact = (predicted - truth).abs() <= EXACT * truth + resolution;
            row.verdict = if is_exact { VerdictOnChange::Exact } else { VerdictOnChange::Off };
            let difference = if truth > 0.0 { (predicted - truth) / truth } else { 0.0 };
            row.times = Some(JudgedTimes { predicted, truth, difference });
            row.losses = losses;
        }
    }
    row
}

/// The prediction of a simulator for a trace on a network, and what the trace loses in its form, in words.
///
/// # Errors
/// The form cannot express the trace, or the simulator fails.
pub fn simulated<S: EventSource>(
    program: &Program<'_, S>,
    (tool, simulator): (&Tool, &Simulator),
    network: &Network,
    cancelled: &AtomicBool,
) -> Result<(Predicted, Vec<String>), String> {
    let dir = tempfile::tempdir().map_err(|error| format!("cannot make a temporary folder: {error}"))?;
    let losses = program
        .write_for(simulator.trace, network.eager_limit, dir.path())
        .map_err(|error| error.to_string())?;
    let ranks = program.ranks() as usize;
    let predicted = simulator.predict(tool, dir.path(), ranks, network, cancelled)?;
    Ok((predicted, losses))
}
