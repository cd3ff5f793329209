//! How found and known compare: the document `ats-validation/1`.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::finding;
use crate::quantity::{Unit, View};
use crate::wait_state::Class;
use crate::{Finding, WaitState};

/// `ats-validation/1`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Validation {
    /// `ats-validation/1`.
    pub schema: String,
    /// One entry per program that was to be run.
    pub programs: Vec<ProgramResult>,
    /// Sums and rates over all programs.
    pub totals: Totals,
    /// Versions, command lines, machine: what a reader needs to repeat it.
    pub environment: BTreeMap<String, serde_json::Value>,
}

impl Validation {
    /// The value of [`Validation::schema`].
    pub const SCHEMA: &str = "ats-validation/1";
}

/// What became of one program.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ProgramResult {
    /// The program's name.
    pub program: String,
    /// Its parameters, as text.
    pub parameters: BTreeMap<String, String>,
    /// How many processes it had.
    pub ranks: u32,
    /// How many threads each.
    pub threads: u32,
    /// How its run ended; its last one, where it was run again.
    pub run_status: RunStatus,
    /// Why, where `run_status` is not `ok`; else what else there is to know of the run.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub message: Option<String>,
    /// How often it was run; what is said here is of the last time.
    #[serde(default = "once")]
    pub runs: u32,
    /// Those of the runs that the machine disturbed, in their order; the last run is among them where it was disturbed, too.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub disturbed: Vec<Disturbance>,
    /// What the run says of itself (affinity, kind of work, seed …), as its rank 0 knows it; what all programs say
    /// alike is in `environment.run` of the document.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub environment: BTreeMap<String, serde_json::Value>,
    /// One judgement for everything the truth lists.
    pub expectations: Vec<Expectation>,
    /// False alarms: reported, above the threshold, known neither to the truth nor as ambient.
    pub unexpected: Vec<Finding>,
    /// Reported, and known to belong to the harness; those whose amount nobody knows are marked so.
    pub ambient: Vec<Finding>,
    /// Reported, not planted, and confirmed by the run's own witness: the machine's noise, rightly reported.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub noise: Vec<Finding>,
    /// Seconds of all false alarms.
    pub false_seconds: f64,
    /// Kendall's tau-b between observed and found seconds: whether they are in the right order. Null where there are not
    /// two expectations to be ordered.
    #[serde(default)]
    pub kendall_tau: Option<f64>,
}

fn once() -> u32 {
    1
}

/// What the machine did to a run, by the run's own witness.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Disturbance {
    /// What it did.
    pub cause: Cause,
    /// How much: of waits that nobody planned, as a share of the time of all locations; of those that were planned, as a share
    /// of the plan.
    pub share: f64,
    /// The folder in which all that the run has left is kept, where the program was run again for it; none of a run that
    /// counts, which lies where every program's does.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub folder: Option<String>,
}

impl Disturbance {
    /// Whether the program was run again for it.
    pub fn was_run_again(&self) -> bool {
        self.folder.is_some()
    }
}

/// How a machine disturbs a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Cause {
    /// There were waits that nobody planned.
    Noise,
    /// A wait was longer or shorter than planned; by half or more where it is not manifested.
    Deviation,
}

/// How a run ended.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum RunStatus {
    /// It ran and was analyzed.
    #[default]
    Ok,
    /// It could not be built or started.
    NotStarted,
    /// It ended with an error or was killed.
    Crashed,
    /// It did not end in time.
    Timeout,
    /// It ran, but left no readable trace or witness.
    ParseError,
    /// It ran, but computed or communicated something else than by itself.
    SemanticsChanged,
    /// The tool does not know programs of its kind, so that it was not run.
    Unsupported,
    /// It was not run, or not to its end, because the user wanted no more.
    Cancelled,
}

/// One thing that the truth lists, and what the tool said of it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Expectation {
    /// The [`Finding::id`] in the truth.
    pub id: String,
    /// The verdict.
    pub outcome: Outcome,
    /// How its amounts are to be read: as visits, or what `metric` names, in the view `count`, as a plain number in the view
    /// `ratio`, as seconds in every other.
    pub view: View,
    /// The wait state expected; none in the view `count`.
    pub wait_state: Option<WaitState>,
    /// What is counted in the view `count`, where that is not visits; in the view `ratio`, its name.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub metric: Option<String>,
    /// Whether the program is made to show it; what is not planted is a side effect of what is.
    #[serde(default = "yes")]
    pub planted: bool,
    /// Call path expected.
    pub call_path: Vec<String>,
    /// Locations expected to wait.
    pub waiting: Vec<Location>,
    /// Was the right wait state reported at all, or the call counted?
    pub property: Judgement,
    /// At the right call path? Not asked of a count, which is one over the whole basis.
    pub place: Judgement,
    /// On the right locations? Not asked of a count.
    pub locations: Judgement,
    /// In the right amount? A count has to be exact.
    pub amount: Judgement,
    /// Seconds (or visits) that the parameters promise.
    pub nominal: f64,
    /// Seconds (or visits) that this run showed; equal to `nominal` on the virtual engine.
    pub observed: f64,
    /// Seconds (or visits) that the tool reported.
    pub found: f64,
    /// The name that the tool reported those under, where it is a wrong one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reported_as: Option<String>,
    /// `nominal`, `observed` and `found` as severities; 0 for a count, which costs nothing by itself.
    pub severity: Severities,
}

pub(crate) fn yes() -> bool {
    true
}

impl Expectation {
    /// What its amounts are counted in.
    pub fn unit(&self) -> Unit<'_> {
        self.view.unit(self.metric.as_deref())
    }

    /// What is expected: a wait state, or what is counted.
    pub fn name(&self) -> &str {
        finding::name(self.wait_state, self.unit())
    }

    /// The same, as people who know Score-P and Scalasca call it; none of time without a name.
    pub fn label(&self) -> Option<&str> {
        self.wait_state.map(WaitState::label).or(self.unit().metric())
    }

    /// Whether a tool has to report it: a count, or a wait whose nominal severity reaches `threshold`.
    pub fn is_due(&self, threshold: f64) -> bool {
        !self.unit().is_time() || self.severity.nominal >= threshold
    }

    /// How far it was met; none where nothing was reported for it, or nothing could be judged.
    ///
    /// A judgement that does not apply holds nobody back.
    pub fn grade(&self) -> Option<Grade> {
        let judgements = [self.property, self.place, self.locations, self.amount];
        let met = judgements.iter().take_while(|&&judgement| judgement != Judgement::No).count();
        match self.outcome {
            Outcome::Found | Outcome::Wrong => Some(Grade::ALL[met]),
            Outcome::Missed => (self.place == Judgement::Yes).then_some(Grade::Reported),
            _ => None,
        }
    }
}

/// A thread of a process.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
pub struct Location {
    /// Rank in `MPI_COMM_WORLD`.
    pub rank: u32,
    /// Thread in its process; the master is 0.
    pub thread: u32,
}

/// Severities of an [`Expectation`], each as a share of the location-seconds of its own basis.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[allow(missing_docs, reason = "as the fields of Expectation")]
pub struct Severities {
    pub nominal: f64,
    pub observed: f64,
    pub found: f64,
}

/// One of the four independent judgements.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[allow(missing_docs, reason = "the words speak for themselves")]
pub enum Judgement {
    #[serde(rename = "yes")]
    Yes,
    #[serde(rename = "no")]
    No,
    #[serde(rename = "n/a")]
    NotApplicable,
}

impl Judgement {
    /// Yes or no.
    pub fn of(holds: bool) -> Self {
        if holds { Judgement::Yes } else { Judgement::No }
    }
}

/// What became of an expectation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Outcome {
    /// Right property, place, locations and amount.
    Found,
    /// Right property, but place, locations or amount are wrong.
    Wrong,
    /// Not reported.
    Missed,
    /// The run itself did not show it: observed under half the nominal truth, or under the reporting threshold; a count
    /// other than the nominal.
    NotManifested,
    /// The tool cannot know it.
    Unsupported,
    /// The tool names no wait states; the time that it shows is where the wait is, on its locations, and includes it.
    Consistent,
    /// The tool names no wait states, and the wait does not fit into the time that it shows.
    Inconsistent,
    /// The tool failed.
    ToolError,
    /// The tool's report could not be read.
    ParseError,
    /// The run did not end in time.
    Timeout,
    /// The program computed or communicated something else than by itself.
    SemanticsChanged,
    /// The user wanted no more.
    Cancelled,
}

/// How far an expectation was met: every grade includes those before it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Grade {
    /// Something was reported for it, if under another name.
    Reported,
    /// The right wait state, or one that may stand for it.
    Property,
    /// At the right call path.
    Place,
    /// On the right locations.
    Locations,
    /// In the right amount: found.
    Amount,
}

impl Grade {
    /// Every grade, the lowest first.
    pub const ALL: [Grade; 5] =
        [Grade::Reported, Grade::Property, Grade::Place, Grade::Locations, Grade::Amount];

    /// As in every document.
    pub fn name(self) -> &'static str {
        match self {
            Grade::Reported => "reported",
            Grade::Property => "property",
            Grade::Place => "place",
            Grade::Locations => "locations",
            Grade::Amount => "amount",
        }
    }
}

/// Sums and rates. A rate over nothing is null.
///
/// Two kinds of question are asked: each expectation, whether the tool finds it, and each program with nothing to find,
/// whether the tool keeps silent. What was not shown, not judged or not supported is in no rate but the support rate.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Totals {
    /// Programs.
    pub programs: u64,
    /// Expectations found, wholly right.
    pub found: u64,
    /// Expectations reported with a wrong place, locations or amount.
    pub wrong: u64,
    /// Expectations not reported.
    pub missed: u64,
    /// Expectations that the run did not show.
    pub not_manifested: u64,
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
    /// Questions that the tool answered / questions asked of it: what it cannot know, crashes and timeouts lower it.
    #[serde(default)]
    pub support_rate: Option<f64>,
    /// The rates where an expectation counts as found from this grade on; those above are the last grade's.
    #[serde(default)]
    pub by_grade: BTreeMap<Grade, Rates>,
    /// The rates of each class of wait states, wholly right.
    #[serde(default)]
    pub by_class: BTreeMap<Class, Rates>,
    /// The mean of every rate over the classes that have it: each class weighs the same.
    #[serde(default)]
    pub macro_average: Rates,
    /// How far the reported amounts are from those observed.
    #[serde(default)]
    pub severity_error: Option<SeverityError>,
    /// The median over programs with several expectations of Kendall's tau-b between expected and reported seconds.
    #[serde(default)]
    pub kendall_tau: Option<f64>,
    /// For expectations that ran with several severities, by their ids: the severity from which on they were always found;
    /// null where even the largest was not.
    #[serde(default)]
    pub detection_threshold: BTreeMap<String, Option<f64>>,
    /// What the tool changed, where the programs ran without it, too.
    #[serde(default)]
    pub intrusiveness: Option<Intrusiveness>,
}

/// Rates over one set of questions. A rate over nothing is null.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Rates {
    /// Expectations found.
    pub true_positives: u64,
    /// Expectations missed, or found with a lower grade.
    pub false_negatives: u64,
    /// False alarms, and what was reported with a lower grade.
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
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[allow(missing_docs, reason = "the words speak for themselves")]
pub struct Interval {
    pub low: f64,
    pub high: f64,
}

/// Relative deviations of reported from observed amounts, (reported − observed) / observed.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct SeverityError {
    /// Median, with its sign: below 0, the tool reports too little.
    pub signed: f64,
    /// Median of the magnitudes.
    pub absolute: f64,
    /// Over how many expectations.
    pub of: u64,
}

/// What running under a tool does to programs.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Intrusiveness {
    /// Wall time of the measured part with the tool / without; the median over programs.
    pub wall_time: f64,
    /// The severity that the run showed with the tool, less the one without: the median over expectations; none where
    /// nothing was expected.
    pub severity: Option<f64>,
    /// Over how many programs.
    pub of: u64,
}
