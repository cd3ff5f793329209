//! Predictions for changed programs, judged by the changed programs' own runs in virtual time.
//!
//! A program of the suite is the truth of a changed one: with its times halved, on another network, on shared
//! processors, or its twin. `cases` are the changes, `undefined` those with results that no trace tells.

mod cases;
mod even;
mod simulated;
mod undefined;

use ats_documents::WhatIfScore;
use ats_documents::what_if_score::{JudgedChange, JudgedTimes, KindOfChange, VerdictOnChange};
use ats_model::source::InMemory;
use ats_truth::{Costs, Network, Planned, Processors, TruthOptions, ideal_trace, network_of};
use ats_whatif::{Program, TICKS_PER_SECOND};

use cases::{Case, cases};
pub use even::region_of_even_work;
pub use simulated::{judge_simulator, simulated};
pub use undefined::undefined;

/// The machines that changes lead to.
#[derive(Clone, Debug, PartialEq)]
pub struct Machines {
    /// The network of the recorded run.
    pub recorded: Network,
    /// The network of the changed run.
    pub network: Network,
    /// The processors of the changed run.
    pub processors: Option<Processors>,
    /// The costs of operations in both.
    pub costs: Costs,
}

impl Default for Machines {
    /// A fast network, one that is slower by orders of magnitude, and two processors, one with twice as many ranks.
    fn default() -> Self {
        let recorded = Network { latency: 1e-6, bandwidth: 1e10, overhead: 2e-7, ..Network::default() };
        let network = Network { latency: 1e-4, bandwidth: 1e8, overhead: 5e-6, eager_limit: 64, ..recorded };
        let processors = Processors::of_ranks(vec![0, 0, 1]);
        Machines { recorded, network, processors, costs: Costs::default() }
    }
}

/// The largest distance from the truth of an exact prediction: a share of the changed run, and what rounding of each
/// piece of work to picoseconds adds up to.
const EXACT: f64 = 1e-9;
const ROUNDING: u64 = 100;

/// Judges replays with each change of each program. `step` is called before each program; it stops if that returns
/// false.
pub fn judge(
    programs: &[Planned],
    machines: &Machines,
    step: &mut dyn FnMut(usize, &Planned) -> bool,
) -> WhatIfScore {
    let mut changes = Vec::new();
    for (number, planned) in programs.iter().enumerate() {
        if !step(number, planned) {
            break;
        }
        changes.extend(cases(planned, machines).into_iter().map(|case| judged(planned, case)));
    }
    let version = Some(env!("CARGO_PKG_VERSION").to_owned());
    WhatIfScore::new("ats".to_owned(), version, changes)
}

/// A row without a verdict yet.
pub(crate) fn row(planned: &Planned, kind: KindOfChange, options: Vec<String>) -> JudgedChange {
    JudgedChange {
        program: planned.subject.name().to_owned(),
        ranks: planned.size.ranks as u32,
        threads: planned.size.threads as u32,
        kind,
        options,
        times: None,
        verdict: VerdictOnChange::Undefined,
        reason: None,
        losses: Vec::new(),
    }
}

fn judged(planned: &Planned, case: Case) -> JudgedChange {
    let mut row = row(planned, case.kind, case.options.clone());
    match case.change {
        Err(reason) => row.reason = Some(reason),
        Ok(ref change) => match prediction(planned, change) {
            Ok(Prediction { unplaced, .. }) if unplaced > 0 => {
                let seconds = seconds(unplaced);
                row.reason = Some(format!(
                    "{seconds} s go to ranks that have no work in the region: where, no trace tells"
                ));
            }
            Ok(Prediction { times, is_exact, .. }) => {
                row.times = Some(times);
                row.verdict = if is_exact { VerdictOnChange::Exact } else { VerdictOnChange::Off };
            }
            Err(reason) => {
                row.verdict = VerdictOnChange::Off;
                row.reason = Some(reason);
            }
        },
    }
    row
}

/// A prediction beside the truth.
struct Prediction {
    times: JudgedTimes,
    /// Whether all locations end where they should.
    is_exact: bool,
    /// Picoseconds of work that has no place in the trace.
    unplaced: u64,
}

fn prediction(planned: &Planned, change: &cases::Change) -> Result<Prediction, String> {
    let trace = trace(planned, &change.before)?;
    let network = network_of(&planned.subject, &change.before);
    let program = Program::new(&trace, &[], network).map_err(|error| error.to_string())?;
    let (replayed, predicted) = program.run_in_memory(&change.changes).map_err(|error| error.to_string())?;
    let (changed, options) = &change.after;
    let (is, should) = (ends(&predicted), ends(&self::trace(changed, options)?));
    let wall = should.iter().max().copied().unwrap_or(0);
    let farthest = is.iter().zip(&should).max_by_key(|(is, should)| is.abs_diff(**should));
    let (is_there, should_be) = farthest.map_or((0, 0), |(is, should)| (*is, *should));
    let is_exact = is.len() == should.len()
        && is_there.abs_diff(should_be) as f64 <= EXACT * wall as f64 + ROUNDING as f64;
    let times = JudgedTimes {
        predicted: seconds(is.iter().max().copied().unwrap_or(0)),
        truth: seconds(wall),
        difference: (is_there as f64 - should_be as f64) / (wall as f64).max(1.0),
    };
    Ok(Prediction { times, is_exact, unplaced: replayed.unplaced })
}

fn trace(planned: &Planned, options: &TruthOptions) -> Result<InMemory, String> {
    ideal_trace::in_memory(&planned.subject, planned.size, options).map_err(|error| error.to_string())
}

/// The ends of all locations, in picoseconds, in order: threads of teams in teams have no numbers of their own.
fn ends(trace: &InMemory) -> Vec<u64> {
    let ends = trace.events.iter().map(|events| events.last().map_or(0, |event| event.0));
    let mut ends: Vec<u64> = ends.collect();
    ends.sort_unstable();
    ends
}

fn seconds(picoseconds: u64) -> f64 {
    picoseconds as f64 / TICKS_PER_SECOND as f64
}
