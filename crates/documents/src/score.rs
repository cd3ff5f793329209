//! Results of a tool on programs with known truth: the document `ats-score/1`.
//!
//! A [`Validation`] is one run of everything; a score summarizes one or more such runs, in a form that is kept and
//! compared with later ones.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::validation::{
    Disturbance, Expectation, Grade, Intrusiveness, Judgement, Outcome, ProgramResult, RunStatus, Severities,
    Totals,
};
use crate::{Finding, Validation};
use ats_model::WaitState;
use ats_model::locations::Location;
use ats_model::quantity::View;

/// The document `ats-score/1`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Score {
    /// The schema's name, `ats-score/1`.
    pub schema: String,
    /// The tool, as its description names it.
    pub tool: String,
    /// Its version, where it says it.
    pub version: Option<String>,
    /// Its options, besides those of its description.
    pub options: Vec<String>,
    /// `sha256:` and the hash of the nominal truths in canonical JSON: the questions put to the tool.
    pub truth_hash: String,
    /// One entry per program.
    pub programs: Vec<ProgramScore>,
    /// Sums and rates over all programs, each as it usually went.
    pub totals: Totals,
    /// The rates of the single repeats, by their names in [`Score::totals`]; empty if nothing was repeated.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub repeats: BTreeMap<String, Spread>,
    /// Versions, command lines, machine, time: everything needed to repeat it.
    pub environment: BTreeMap<String, serde_json::Value>,
}

impl Score {
    /// The value of [`Score::schema`].
    pub const SCHEMA: &str = "ats-score/1";
}

/// The result of one program, over all its repeats.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ProgramScore {
    /// The program's name.
    pub program: String,
    /// Its parameters, as text.
    pub parameters: BTreeMap<String, String>,
    /// The number of its processes.
    pub ranks: u32,
    /// The number of threads in each.
    pub threads: u32,
    /// The usual end of its runs.
    pub run_status: RunStatus,
    /// Why, where that is not `ok`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub message: Option<String>,
    /// The number of judged runs.
    pub repeats: u32,
    /// The number of runs made for that: runs disturbed by the machine are repeated.
    #[serde(default)]
    pub runs: u32,
    /// The runs that the machine disturbed, of all repeats.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub disturbed: Vec<Disturbance>,
    /// Facts about the first run (affinity, kind of work, seed …), as its rank 0 knows them; facts common to all
    /// programs are in `environment.run` of the document.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub environment: BTreeMap<String, serde_json::Value>,
    /// One entry for everything the truth lists.
    pub expectations: Vec<ExpectationScore>,
    /// False alarms of the repeat with the median of false seconds.
    pub unexpected: Vec<Finding>,
    /// Findings of that repeat that belong to the harness.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub ambient: Vec<Finding>,
    /// Findings of that repeat that rightly report the machine's noise.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub noise: Vec<Finding>,
    /// Seconds of all false alarms, the median over the repeats.
    pub false_seconds: f64,
    /// Kendall's tau-b between expected and reported seconds; null if there are not two expectations to be ordered.
    pub kendall_tau: Option<f64>,
    /// The changes that the tool caused, if the program ran without it, too.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub intrusiveness: Option<Intrusiveness>,
}

/// An entry of the truth, and the tool's answers to it over all repeats.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ExpectationScore {
    /// The [`Finding::id`] in the truth.
    pub id: String,
    /// The most frequent verdict of the repeats; the worst of equally frequent ones.
    pub outcome: Outcome,
    /// Its grade; null if nothing was reported for it or nothing could be judged.
    pub grade: Option<Grade>,
    /// The meaning of its amounts: visits, or the count that `metric` names, in the view `count`; a plain number in
    /// the view `ratio`; seconds in every other.
    pub view: View,
    /// The wait state expected; none in the views `count` and `delay`.
    pub wait_state: Option<WaitState>,
    /// The count in the view `count`, if it is not visits; in the view `ratio`, its name; in the view `delay`, the metric
    /// of a cost.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub metric: Option<String>,
    /// Whether the program is made to show it; otherwise it is a side effect.
    #[serde(default = "crate::finding::yes")]
    pub planted: bool,
    /// Call path expected.
    pub call_path: Vec<String>,
    /// Locations expected to wait.
    pub waiting: Vec<Location>,
    /// As in [`Expectation`], of a repeat with this outcome.
    pub property: Judgement,
    /// The same.
    pub place: Judgement,
    /// The same.
    pub locations: Judgement,
    /// The same.
    pub amount: Judgement,
    /// Seconds (or visits) that the parameters promise.
    pub nominal: f64,
    /// Seconds (or visits) that the runs showed, and that the tool is held to: the median over the repeats.
    pub expected: f64,
    /// Seconds (or visits) that the tool reported: the median over the repeats.
    pub reported: f64,
    /// As in [`Expectation`], of a repeat with this outcome.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reported_as: Option<String>,
    /// (Reported − expected) / expected: the median over the repeats that reported something.
    pub error: Option<f64>,
    /// `nominal`, `expected` and `reported` as severities.
    pub severity: Severities,
    /// The spread of the repeats; absent if nothing was repeated.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub spread: Option<ExpectationSpread>,
}

/// The spread of the repeats of an expectation.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ExpectationSpread {
    /// The number of repeats with each outcome.
    pub outcomes: BTreeMap<Outcome, u32>,
    /// Of the seconds (or visits) that the runs showed.
    pub expected: Spread,
    /// Over those that the tool reported.
    pub reported: Spread,
}

/// A value over repeats.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Spread {
    /// The middle one, or the mean of the two in the middle.
    pub median: f64,
    /// The least.
    pub least: f64,
    /// The largest.
    pub most: f64,
    /// Over how many repeats.
    pub of: u32,
}

impl Spread {
    /// The spread of these values, which must not be NaN; `None` without values.
    pub fn over(mut values: Vec<f64>) -> Option<Spread> {
        values.sort_by(f64::total_cmp);
        let (&least, &most) = (values.first()?, values.last()?);
        let middle = values.len() / 2;
        let median =
            if values.len() % 2 == 1 { values[middle] } else { (values[middle - 1] + values[middle]) / 2.0 };
        Some(Spread { median, least, most, of: values.len() as u32 })
    }
}

impl Score {
    /// The same as a validation: as it usually went.
    pub fn validation(&self) -> Validation {
        let mut environment = self.environment.clone();
        environment.entry("tool".to_owned()).or_insert_with(|| self.tool.as_str().into());
        if let Some(version) = &self.version {
            environment.entry("tool_version".to_owned()).or_insert_with(|| version.as_str().into());
        }
        Validation {
            schema: Validation::SCHEMA.to_owned(),
            programs: self.programs.iter().map(ProgramScore::result).collect(),
            totals: self.totals.clone(),
            environment,
        }
    }
}

impl ProgramScore {
    /// The same as the result of a single run: as it usually went.
    pub fn result(&self) -> ProgramResult {
        ProgramResult {
            program: self.program.clone(),
            parameters: self.parameters.clone(),
            ranks: self.ranks,
            threads: self.threads,
            run_status: self.run_status,
            message: self.message.clone(),
            runs: self.runs,
            disturbed: self.disturbed.clone(),
            environment: self.environment.clone(),
            expectations: self.expectations.iter().map(ExpectationScore::expectation).collect(),
            unexpected: self.unexpected.clone(),
            ambient: self.ambient.clone(),
            noise: self.noise.clone(),
            false_seconds: self.false_seconds,
            kendall_tau: self.kendall_tau,
        }
    }
}

impl ExpectationScore {
    /// The same as that of a single run: as it usually went.
    pub fn expectation(&self) -> Expectation {
        Expectation {
            id: self.id.clone(),
            outcome: self.outcome,
            view: self.view,
            wait_state: self.wait_state,
            metric: self.metric.clone(),
            planted: self.planted,
            call_path: self.call_path.clone(),
            waiting: self.waiting.clone(),
            property: self.property,
            place: self.place,
            locations: self.locations,
            amount: self.amount,
            nominal: self.nominal,
            observed: self.expected,
            found: self.reported,
            reported_as: self.reported_as.clone(),
            severity: self.severity,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Spread;

    #[test]
    fn a_median_lies_in_the_middle() {
        assert_eq!(Spread::over(vec![]), None);
        let spread = |values: &[f64]| {
            let spread = Spread::over(values.to_vec()).unwrap();
            (spread.least, spread.median, spread.most, spread.of)
        };
        assert_eq!(spread(&[2.0]), (2.0, 2.0, 2.0, 1));
        assert_eq!(spread(&[5.0, 1.0, 2.0]), (1.0, 2.0, 5.0, 3));
        assert_eq!(spread(&[4.0, 1.0, 2.0, 8.0]), (1.0, 3.0, 8.0, 4));
    }
}
