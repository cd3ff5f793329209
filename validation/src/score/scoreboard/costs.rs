//! Root causes in scores, apart from the waits.

use ats_documents::Score;
use ats_documents::finding::View;
use ats_documents::score::{Outcome, ProgramResult, Totals};
use ats_documents::scoreboard::JudgedCauses;
use ats_props::Catalogue;

use crate::score::totals_of;

/// The judgement of the root causes of all these programs; `None` if none was judged.
pub(super) fn judged<'a>(programs: impl IntoIterator<Item = &'a ProgramResult>) -> Option<JudgedCauses> {
    let mut causes = JudgedCauses::default();
    for program in programs {
        let costs = program.expectations.iter().filter(|e| e.view == View::Delay);
        let judged = costs.filter(|e| e.is_judged());
        for cost in judged {
            causes.judged += 1;
            causes.right += u64::from(cost.outcome == Outcome::Found);
        }
        let alarms = program.unexpected.iter().filter(|alarm| alarm.view == View::Delay);
        causes.false_alarms += alarms.count() as u64;
    }
    (causes != JudgedCauses::default()).then_some(causes)
}

/// A program's score without its root causes.
pub(super) fn waits_of(program: &ProgramResult) -> ProgramResult {
    let mut waits = program.clone();
    waits.expectations.retain(|e| e.view != View::Delay);
    let costs = waits.unexpected.extract_if(.., |alarm| alarm.view == View::Delay);
    waits.false_seconds -= costs.map(|cost| cost.waiting_time).sum::<f64>();
    waits
}

/// The totals of a score without its root causes, so that it compares with scores where none were judged.
pub(super) fn totals_of_waits(score: &Score, diagnoses: bool, catalogue: &Catalogue) -> Totals {
    let has_costs = |program: &ProgramResult| {
        let views = program.expectations.iter().map(|e| e.view);
        views.chain(program.unexpected.iter().map(|alarm| alarm.view)).any(|view| view == View::Delay)
    };
    if !score.programs.iter().any(has_costs) {
        return score.totals.clone();
    }
    let waits: Vec<ProgramResult> = score.programs.iter().map(waits_of).collect();
    let intrusiveness = score.totals.intrusiveness;
    Totals { intrusiveness, ..totals_of(&waits, score.totals.threshold, diagnoses, catalogue) }
}
