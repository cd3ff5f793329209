//! How a tool did on programs whose truth is known: the document `ats-score/1`.
//!
//! A [`Validation`] is one run of everything; a score is what remains of one or more such runs, in a form
//! that is kept and compared with later ones.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::validation::{
    Disturbance, Expectation, Grade, Intrusiveness, Judgement, Outcome, ProgramResult, RunStatus, Severities,
    Totals,
};
use crate::{Finding, Validation};
use ats_model::WaitState;
use ats_model::locations::Location;
use ats_model::quantity::View;

/// `ats-score/1`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Score {
    /// `ats-score/1`.
    pub schema: String,
    /// The tool, as its description names it.
    pub tool: String,
    /// Its version, where it says it.
    pub version: Option<String>,
    /// What it was given besides what its description says.
    pub options: Vec<String>,
    /// `sha256:` and the hash of the nominal truths in canonical JSON: what the tool was asked.
    pub truth_hash: String,
    /// One entry per program.
    pub programs: Vec<ProgramScore>,
    /// Sums and rates over all programs, each as it usually went.
    pub totals: Totals,
    /// The rates of the single repeats, by their names in [`Score::totals`]; empty where nothing was repeated.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub repeats: BTreeMap<String, Spread>,
    /// Versions, command lines, machine, time: what a reader needs to repeat it.
    pub environment: BTreeMap<String, serde_json::Value>,
}

impl Score {
    /// The value of [`Score::schema`].
    pub const SCHEMA: &str = "ats-score/1";
}

/// How it went with one program, over all its repeats.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ProgramScore {
    /// The program's name.
    pub program: String,
    /// Its parameters, as text.
    pub parameters: BTreeMap<String, String>,
    /// How many processes it had.
    pub ranks: u32,
    /// How many threads each.
    pub threads: u32,
    /// How its runs usually ended.
    pub run_status: RunStatus,
    /// Why, where that is not `ok`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub message: Option<String>,
    /// How often it was judged.
    pub repeats: u32,
    /// How often it was run for that: what the machine disturbs is run again.
    #[serde(default)]
    pub runs: u32,
    /// The runs that the machine disturbed, of all repeats.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub disturbed: Vec<Disturbance>,
    /// What the first run says of itself (affinity, kind of work, seed …), as its rank 0 knows it; what all programs say
    /// alike is in `environment.run` of the document.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub environment: BTreeMap<String, serde_json::Value>,
    /// One entry for everything the truth lists.
    pub expectations: Vec<ExpectationScore>,
    /// False alarms of the repeat with the median of false seconds.
    pub unexpected: Vec<Finding>,
    /// What that repeat reported that belongs to the harness.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub ambient: Vec<Finding>,
    /// What that repeat reported of the machine's noise, rightly.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub noise: Vec<Finding>,
    /// Seconds of all false alarms, the median over the repeats.
    pub false_seconds: f64,
    /// Kendall's tau-b between expected and reported seconds; null where there are not two expectations to be ordered.
    pub kendall_tau: Option<f64>,
    /// What the tool changed, where the program ran without it, too.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub intrusiveness: Option<Intrusiveness>,
}

/// One thing that the truth lists, and what the tool said of it over all repeats.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ExpectationScore {
    /// The [`Finding::id`] in the truth.
    pub id: String,
    /// The verdict of most repeats; of those that are equally many, the worst.
    pub outcome: Outcome,
    /// How far it was met; null where nothing was reported for it or nothing could be judged.
    pub grade: Option<Grade>,
    /// How its amounts are to be read: as visits, or what `metric` names, in the view `count`, as a plain number in the view
    /// `ratio`, as seconds in every other.
    pub view: View,
    /// The wait state expected; none in the view `count`.
    pub wait_state: Option<WaitState>,
    /// What is counted in the view `count`, where that is not visits; in the view `ratio`, its name.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub metric: Option<String>,
    /// Whether the program is made to show it; what is not planted is a side effect of what is.
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
    /// (Reported − expected) / expected: the median over the repeats in which something was reported.
    pub error: Option<f64>,
    /// `nominal`, `expected` and `reported` as severities.
    pub severity: Severities,
    /// How the repeats spread; none where nothing was repeated.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub spread: Option<ExpectationSpread>,
}

/// How the repeats of an expectation differ.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ExpectationSpread {
    /// How many repeats had each outcome.
    pub outcomes: BTreeMap<Outcome, u32>,
    /// Of the seconds (or visits) that the runs showed.
    pub expected: Spread,
    /// Of those that the tool reported.
    pub reported: Spread,
}

/// A value over repeats.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
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
    /// Over these values, none of which is NaN; none over nothing.
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
