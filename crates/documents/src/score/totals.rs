//! Sums and rates over programs.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::expectation::Grade;
use ats_model::wait_state::Class;

/// Sums and rates. A rate over nothing is null.
///
/// A tool answers two kinds of question: for each expectation, whether it finds it, and for each program with nothing
/// to find, whether it keeps silent. Questions that were not shown, not judged or not supported are in no rate but the
/// support rate.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Totals {
    /// Number of programs.
    pub programs: u64,
    /// Expectations found, wholly right.
    pub found: u64,
    /// Expectations reported with a wrong place, locations or amount.
    pub wrong: u64,
    /// Expectations not reported.
    pub missed: u64,
    /// Expectations that the run did not show.
    pub not_manifested: u64,
    /// Expectations that the run showed, but below the reporting threshold.
    #[serde(default)]
    pub below_threshold: u64,
    /// Programs, balanced twins among them, that could not be judged: crash, timeout, unreadable report, another result.
    pub failed: u64,
    /// Runs of all programs.
    #[serde(default)]
    pub runs: u64,
    /// Runs that the machine disturbed.
    #[serde(default)]
    pub disturbed: u64,
    /// Programs that were run again for that.
    #[serde(default)]
    pub run_again: u64,
    /// Programs that were not, as none of the session's reruns was left.
    #[serde(default)]
    pub out_of_reruns: u64,
    /// Programs that computed or communicated something else than by themselves.
    #[serde(default)]
    pub semantics_changed: u64,
    /// Expectations that the tool cannot know.
    #[serde(default)]
    pub unsupported: u64,
    /// Expectations that fit into the time that a tool without wait states shows.
    #[serde(default)]
    pub consistent: u64,
    /// Expectations that do not.
    #[serde(default)]
    pub inconsistent: u64,
    /// Findings that should not be there.
    pub false_alarms: u64,
    /// Programs with nothing to find in which nothing was reported.
    pub correctly_silent: u64,
    /// Found / (found + false alarms + wrong).
    pub precision: Option<f64>,
    /// Found / (found + wrong + missed).
    pub recall: Option<f64>,
    /// Harmonic mean of the two.
    pub f1: Option<f64>,
    /// Recall of each judgement alone, over the expectations that it is asked of.
    pub recall_by_judgement: BTreeMap<String, Option<f64>>,
    /// Seconds of all false alarms.
    pub false_seconds: f64,
    /// Largest relative deviation of found from observed, over all expectations found or wrong.
    pub worst_against_observed: Option<f64>,
    /// Largest relative deviation of found from nominal: the machine's noise, never a reason to fail.
    pub worst_against_nominal: Option<f64>,
    /// Share of the measured location-seconds below which a finding is not reported.
    pub threshold: f64,
    /// Silent / programs with nothing to find.
    #[serde(default)]
    pub specificity: Option<f64>,
    /// Consistent / (consistent + inconsistent).
    #[serde(default)]
    pub consistency: Option<f64>,
    /// Questions that the tool answered / questions asked of it: those that it cannot answer, crashes and timeouts
    /// lower it.
    #[serde(default)]
    pub support_rate: Option<f64>,
    /// The rates if an expectation counts as found from this grade on; those above are the last grade's. A grade
    /// without any judgement is omitted, as for a tool that knows no locations.
    #[serde(default)]
    pub by_grade: BTreeMap<Grade, Rates>,
    /// The rates of each class of wait states, wholly right.
    #[serde(default)]
    pub by_class: BTreeMap<Class, Rates>,
    /// The mean of every rate over the classes that have it: each class weighs the same.
    #[serde(default)]
    pub macro_average: Rates,
    /// The deviation of the reported amounts from those observed.
    #[serde(default)]
    pub severity_error: Option<SeverityError>,
    /// The median over programs with several expectations of Kendall's tau-b between expected and reported seconds.
    #[serde(default)]
    pub kendall_tau: Option<f64>,
    /// For expectations that ran with several severities, by their ids: the least severity that was always found, as
    /// were all above; null if even the largest was not.
    #[serde(default)]
    pub detection_threshold: BTreeMap<String, Option<f64>>,
    /// The changes that the tool caused, if the programs ran without it, too.
    #[serde(default)]
    pub intrusiveness: Option<Intrusiveness>,
}

/// Rates over one set of questions. A rate over nothing is null.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Rates {
    /// Expectations found.
    pub true_positives: u64,
    /// Expectations missed, or found with a lower grade.
    pub false_negatives: u64,
    /// False alarms, and findings reported with a lower grade.
    pub false_positives: u64,
    /// Programs with nothing to find that were silent.
    pub silent: u64,
    /// Programs with nothing to find that were not.
    pub alarmed: u64,
    /// True positives / (true + false positives).
    pub precision: Option<f64>,
    /// True positives / (true positives + false negatives).
    pub recall: Option<f64>,
    /// Silent / (silent + alarmed).
    pub specificity: Option<f64>,
    /// Harmonic mean of precision and recall.
    pub f1: Option<f64>,
    /// Youden's J: recall + specificity − 1.
    pub youden_j: Option<f64>,
    /// Matthews' correlation coefficient of both kinds of question.
    pub mcc: Option<f64>,
    /// Wilson's interval of the precision, 95 %.
    pub precision_interval: Option<Interval>,
    /// Of the recall.
    pub recall_interval: Option<Interval>,
    /// Of the specificity.
    pub specificity_interval: Option<Interval>,
}

/// From … to.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[allow(missing_docs, reason = "the words speak for themselves")]
pub struct Interval {
    pub low: f64,
    pub high: f64,
}

/// Relative deviations of reported from observed amounts, (reported − observed) / observed.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct SeverityError {
    /// Median, with its sign: below 0, the tool reports too little.
    pub signed: f64,
    /// Median of the magnitudes.
    pub absolute: f64,
    /// Over how many expectations.
    pub of: u64,
}

/// The effect of a tool on the programs that run under it.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Intrusiveness {
    /// Wall time of the measured part with the tool / without; the median over programs.
    pub wall_time: f64,
    /// The severity that the run showed with the tool, less the one without: the median over expectations; null if
    /// nothing was expected.
    pub severity: Option<f64>,
    /// Over how many programs.
    pub of: u64,
}
