//! The third room: what was reported, held against the truth.
//!
//! - [`mod@judge`]: one program's report against its truth. [`given`]: truths and reports of files, and folders. [`kept`]: what runs
//!   left, and whether they are those of a result.
//! - [`interruption`]: what of it the machine may have made wrong.
//! - Here: sums and rates over all programs; the score of a tool over repeats.
//! - [`scoreboard`]: several scores side by side.

mod baseline;
mod document;
mod error;
pub(crate) mod fit;
pub mod given;
mod hash;
mod history;
pub mod interruption;
pub mod judge;
mod kendall;
pub mod kept;
mod rates;
mod repeats;
pub mod scoreboard;
mod sweep;

use std::borrow::Borrow;
use std::collections::BTreeMap;

use ats_documents::score::{Expectation, Judgement, Outcome, ProgramResult, Spread, Totals};
use ats_model::View;
use ats_props::Catalogue;

pub use baseline::{Comparison, compare};
pub use document::{Scored, environment, read, score};
pub use hash::truth_hash;
pub use history::{History, HistoryError, append, history};
pub use kendall::kendall_tau;
pub use sweep::detection_thresholds;

/// The tool of a score of the suite's own analyzer.
pub const OWN_TOOL: &str = "ats-analyzer";

/// Adds up; `threshold` is the share of the measured location-seconds below which nothing need be reported. The
/// catalogue has the classes of the programs that showed nothing.
pub fn totals<P: Borrow<ProgramResult>>(programs: &[P], threshold: f64, catalogue: &Catalogue) -> Totals {
    totals_of(programs, threshold, true, catalogue)
}

/// The same for a tool that `diagnoses` or not: the silence of a profile, which names no wait states, means nothing.
pub fn totals_of<P: Borrow<ProgramResult>>(
    programs: &[P],
    threshold: f64,
    diagnoses: bool,
    catalogue: &Catalogue,
) -> Totals {
    let programs: &[&ProgramResult] = &programs.iter().map(Borrow::borrow).collect::<Vec<_>>();
    let counted = Totals::counted(programs, threshold);
    let Totals { found, wrong, missed, consistent, inconsistent, false_alarms, .. } = counted;
    let judged = found + wrong + missed + consistent + inconsistent;
    let expectations = || programs.iter().flat_map(|program| &program.expectations);
    let precision = rate(found, found + wrong + false_alarms);
    let recall = rate(found, found + wrong + missed);
    let recall_of = |name: &str, judgement: fn(&Expectation) -> Judgement| {
        let asked = |e: &&Expectation| e.is_judged();
        let right = expectations().filter(asked).filter(|e| judgement(e) == Judgement::Yes).count() as u64;
        let not_asked = expectations().filter(asked).filter(|e| e.outcome != Outcome::Missed);
        let not_asked = not_asked.filter(|e| judgement(e) == Judgement::NotApplicable).count() as u64;
        (name.to_owned(), rate(right, judged - not_asked))
    };
    let questions = rates::Questions::new(programs, threshold, diagnoses, catalogue);
    let by_class = questions.by_class();
    let taus = programs.iter().filter_map(|program| rank_correlation(&program.expectations)).collect();
    Totals {
        correctly_silent: if diagnoses { counted.correctly_silent } else { 0 },
        precision,
        recall,
        f1: harmonic_mean(precision, recall),
        recall_by_judgement: [
            recall_of("property", |e| e.property),
            recall_of("place", |e| e.place),
            recall_of("locations", |e| e.locations),
            recall_of("amount", |e| e.amount),
        ]
        .into(),
        specificity: questions.specificity(),
        consistency: rate(consistent, consistent + inconsistent),
        support_rate: questions.support_rate(),
        by_grade: questions.by_grade(),
        macro_average: rates::mean(by_class.values()),
        by_class,
        severity_error: error::severity_error(expectations()),
        kendall_tau: Spread::over(taus).map(|spread| spread.median),
        detection_threshold: detection_thresholds(programs),
        ..counted
    }
}

/// Kendall's tau-b between the expected and the reported seconds of a program's waits; what was not reported counts as
/// 0.
pub fn rank_correlation(expectations: &[Expectation]) -> Option<f64> {
    let is_wait = |e: &&Expectation| e.unit().is_time() && !matches!(e.view, View::Delay | View::Explanation);
    let waits = expectations.iter().filter(|e| e.is_judged()).filter(is_wait);
    let reported = |e: &Expectation| if e.property == Judgement::No { 0.0 } else { e.found };
    kendall_tau(&waits.map(|e| (e.observed, reported(e))).collect::<Vec<_>>())
}

fn rate(part: u64, whole: u64) -> Option<f64> {
    (whole > 0).then(|| part as f64 / whole as f64)
}

fn harmonic_mean(a: Option<f64>, b: Option<f64>) -> Option<f64> {
    let (a, b) = (a?, b?);
    (a + b > 0.0).then(|| 2.0 * a * b / (a + b))
}

/// Groups in the order in which their keys first appear.
fn grouped<K: Ord + Clone, V>(items: impl IntoIterator<Item = (K, V)>) -> Vec<(K, Vec<V>)> {
    let mut order: BTreeMap<K, usize> = BTreeMap::new();
    let mut groups: Vec<(K, Vec<V>)> = Vec::new();
    for (key, value) in items {
        let at = *order.entry(key.clone()).or_insert(groups.len());
        if at == groups.len() {
            groups.push((key, Vec::new()));
        }
        groups[at].1.push(value);
    }
    groups
}

#[cfg(test)]
mod tests;
