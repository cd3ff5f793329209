//! Results of several tools, side by side: the document `ats-scoreboard/1`; and reasons why a result is not as it
//! should be.

use serde::{Deserialize, Serialize};

use crate::score::Totals;
use ats_model::WaitState;

/// The document `ats-scoreboard/1`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Scoreboard {
    /// The schema's name, `ats-scoreboard/1`.
    pub schema: String,
    /// The scores, by the names of their files.
    pub scores: Vec<Entrant>,
    /// The entries of the programs' truths, and their results in each score.
    pub rows: Vec<Row>,
    /// Omitted results.
    pub left_out: Vec<LeftOut>,
}

impl Scoreboard {
    /// The value of [`Scoreboard::schema`].
    pub const SCHEMA: &str = "ats-scoreboard/1";
}

/// A tool, as it was run for a score.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Entrant {
    /// The name of the score's file.
    pub name: String,
    /// The tool, as its makers write it, where that is known.
    pub tool: String,
    /// Its version; null if unknown.
    pub version: Option<String>,
    /// Its options.
    pub options: Vec<String>,
    /// Whether it names wait states; of one that does not, silence means nothing.
    pub diagnoses: bool,
    /// The number of its programs; [`Totals::programs`] counts one that ran in several sizes several times.
    pub programs: u64,
    /// Sums and rates over its programs, without root causes.
    pub totals: Totals,
    /// The judgement of its root causes; absent if it reported none, or none were judged.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub causes: Option<JudgedCauses>,
}

/// The judgement of root causes, by metric and call path.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct JudgedCauses {
    /// The number of entries of the truth that were reported with the right call path, locations and amount.
    pub right: u64,
    /// The number of entries of the truth that were judged.
    pub judged: u64,
    /// The number of root causes that were reported where the run had none.
    pub false_alarms: u64,
}

impl JudgedCauses {
    /// Whether all of them are right, and nothing else was reported.
    pub fn are_right(&self) -> bool {
        self.right == self.judged && self.false_alarms == 0
    }

    /// The number of right ones of those judged, and of false ones: `12 of 14, 1 false`.
    pub fn in_words(&self) -> String {
        let alarms =
            if self.false_alarms == 0 { String::new() } else { format!(", {} false", self.false_alarms) };
        format!("{} of {}{alarms}", self.right, self.judged)
    }
}

/// One thing that a program shows, or that it shows nothing else.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Row {
    /// The program.
    pub program: String,
    /// The number of its processes.
    pub ranks: u32,
    /// The number of threads in each.
    pub threads: u32,
    /// The wait state or count that it shows, or `root_causes` for all of its costs; null if the row is for false
    /// alarms.
    pub property: Option<String>,
    /// The place; empty if the row is for root causes or false alarms.
    pub call_path: Vec<String>,
    /// In the order of [`Scoreboard::scores`]; null if the program is not in the score.
    pub cells: Vec<Option<Cell>>,
}

impl Row {
    /// The value of [`Row::property`] of the row for a program's root causes.
    pub const CAUSES: &str = "root_causes";
}

/// The result of a row in a score.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Cell {
    /// The verdict in a word or two; of root causes, the number of right ones of those judged.
    pub verdict: String,
    /// Whether it is as it should be.
    pub standing: Standing,
    /// The seconds, visits or other count that the run showed; null if nothing was judged, and in a row for root causes
    /// or false alarms.
    pub observed: Option<f64>,
    /// The amount reported, in the same unit; in a row for false alarms, their seconds; null for root causes.
    pub found: Option<f64>,
    /// Why, where it is not as it should be.
    pub cause: Option<String>,
}

/// Whether a verdict is as it should be.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum Standing {
    /// Found, consistent, or silent.
    Right,
    /// Nothing of it was asked: the run showed too little, or the silence is that of a profile.
    NotAsked,
    /// All else: it has a cause.
    Otherwise,
}

/// The document `ats-causes/1`, in TOML: reasons why results in scores are not as they should be, and results in none
/// of them.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Causes {
    /// The schema's name, `ats-causes/1`.
    pub schema: String,
    /// One for each verdict that is neither found nor consistent, and for each false alarm.
    #[serde(default)]
    pub cause: Vec<Cause>,
    /// Results in no score.
    #[serde(default)]
    pub left_out: Vec<LeftOut>,
}

impl Causes {
    /// The value of [`Causes::schema`].
    pub const SCHEMA: &str = "ats-causes/1";
}

/// Why something is not as it should be.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Cause {
    /// The name of the score's file, without `.json`.
    pub score: String,
    /// The programs.
    pub programs: Vec<String>,
    /// The wait state that the program shows; all that needs a cause, where it is left out: root causes, too.
    #[serde(default)]
    pub property: Option<WaitState>,
    /// One sentence, in plain text, which was checked in the tool's own viewer or source.
    pub why: String,
}

/// Something that is in no score.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct LeftOut {
    /// A tool, a report, a program.
    pub what: String,
    /// The reason, in one sentence.
    pub why: String,
}
