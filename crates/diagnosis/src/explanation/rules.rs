//! The list of causes: a rule each.
//!
//! Confidences say which of the causes that fit comes first, and nothing more: the more a rule has looked at, the higher is
//! its own. To move one changes the order of causes that fit the same waits.

mod blocked_sender;
mod communication;
mod distribution;
mod hub;
mod lack_of_parallelism;
mod late_arrival;
mod mapping;
mod multiple_output;
mod polling;
mod receiving;
mod tasks;
mod threads;
mod turns;
mod uneven_work;

pub(super) use distribution::is_uneven;
pub(super) use mapping::lack;

use ats_documents::explanation::CauseKind;

use super::case::Case;
use super::fit::Fit;

/// A rule: whether a cause fits, and how well.
type Rule = fn(&Case<'_>) -> Option<Fit>;

/// All rules. Of causes with equal confidence, that of the earlier rule comes first.
const RULES: [Rule; 25] = [
    mapping::rule,
    mapping::taken,
    hub::busy_master,
    hub::busy_workers,
    blocked_sender::rule,
    blocked_sender::at_operation,
    turns::rule,
    multiple_output::rule,
    lack_of_parallelism::rule,
    communication::late,
    communication::small_messages,
    communication::slow,
    polling::in_vain,
    polling::late,
    uneven_work::rule,
    late_arrival::rule,
    receiving::wrong_order,
    receiving::late_receiver,
    receiving::eager_limit,
    receiving::late_partner,
    receiving::late_progress,
    tasks::of_pieces,
    tasks::of_creation,
    threads::of_a_process,
    threads::of_a_team,
];

/// The causes that fit a case, the most confident first.
pub(super) fn fitting(case: &Case<'_>) -> Vec<Fit> {
    let mut fits: Vec<Fit> = RULES.iter().filter_map(|rule| rule(case)).collect();
    fits.sort_by(|a, b| b.confidence.total_cmp(&a.confidence));
    if fits.is_empty() {
        fits.push(unknown());
    }
    fits
}

/// The cause that fits a case best.
pub(super) fn cause(case: &Case<'_>) -> CauseKind {
    fitting(case).swap_remove(0).cause
}

fn unknown() -> Fit {
    Fit {
        cause: CauseKind::Unknown,
        confidence: 0.0,
        what: "The trace does not show what causes these waits.".to_owned(),
        evidence: Vec::new(),
        advice: "Record the regions of the program, too.".to_owned(),
    }
}
