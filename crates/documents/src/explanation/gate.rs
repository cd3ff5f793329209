//! Gate of an explanation: problems and calls of a run beside those of earlier runs of the program.

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};

use ats_model::locations::Location;
use ats_model::{CallSite, named};

use super::{CauseKind, Culprit, SourceLine};
use crate::comparison::Difference;

/// A problem in short, as later runs are compared with it.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct KnownProblem {
    /// The causes that fit, the best first.
    pub causes: Vec<CauseKind>,
    /// Seconds lost, over all locations.
    pub seconds: f64,
    /// Whether a lack of processors may be the reason: the seconds are in [`lacking_processors`], or in calls that move data or
    /// in the runtime of threads while locations lack processors.
    ///
    /// [`lacking_processors`]: super::Explanation::lacking_processors
    #[serde(default)]
    pub may_be_of_machine: bool,
    /// The locations that the others wait for, by falling seconds.
    pub culprits: Vec<Culprit>,
    /// Further locations that are about as late as the first culprit.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub as_late: Vec<Location>,
    /// Its waits, by falling seconds: the largest, and those with a quarter of its seconds at least.
    pub waits: Vec<KnownWait>,
}

/// Waits of a problem at a call for code.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct KnownWait {
    /// The code that is late, or the calls that move data; absent if it is not known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub code: Option<KnownPlace>,
    /// The call that waits; absent where data is moved.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub call: Option<KnownPlace>,
    /// Seconds, over all locations.
    pub seconds: f64,
}

/// A call path, and where its innermost call stands.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct KnownPlace {
    /// The names of its regions.
    pub call_path: Vec<String>,
    /// The place of its innermost call, if the trace has it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub call_site: Option<CallSite>,
    /// Its line in the source, if the trace has it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub source: Option<SourceLine>,
}

/// A call of MPI or a construct of OpenMP at a place of the source, in the whole run.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct CalledAt {
    /// Its name, with the place of a construct.
    pub call: String,
    /// The place of the call, if the trace has it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub call_site: Option<CallSite>,
    /// Visits, by all locations.
    pub visits: u64,
    /// Bytes sent and received there.
    #[serde(default, skip_serializing_if = "is_nothing")]
    pub bytes: u64,
}

fn is_nothing(bytes: &u64) -> bool {
    *bytes == 0
}

/// Problems and calls of a run, judged by earlier runs of the program.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Gate {
    /// The traces of the earlier runs, as they were named.
    pub baselines: Vec<String>,
    /// The share of the location-seconds that the machine has taken by a lack of processors: in the mean of the earlier runs, and
    /// in this one.
    pub machine: Difference,
    /// The number of problems by their state, and of functions with more calls or bytes.
    pub numbers: Numbers,
    /// The problems, those that let the gate fail first, by falling share.
    pub problems: Vec<JudgedProblem>,
    /// Functions of MPI whose calls or bytes differ, those with more first.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub calls: Vec<JudgedCalls>,
    /// Facts that were not judged, in words.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub not_judged: Vec<String>,
}

/// The number of problems by their state.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Numbers {
    /// Those that no earlier run has, or for another cause.
    pub new: u64,
    /// Those whose waits are for other locations.
    pub moved: u64,
    /// Those with a larger share.
    pub grown: u64,
    /// Functions with more calls or bytes.
    pub more_calls: u64,
    /// Those that may be of the machine, or that noise may hide.
    pub not_judged: u64,
    /// Those that this run has no more.
    pub gone: u64,
    /// Those that are as before.
    pub unchanged: u64,
}

named! {
    /// The state of a problem beside earlier runs.
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
    #[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
    pub enum ProblemState {
        /// No earlier run has it, or it has another cause.
        New = "new",
        /// The others wait for other locations.
        Moved = "moved",
        /// Its share is larger.
        Grown = "grown",
        /// It may be of the machine, or noise may hide that it is new.
        NotJudged = "not_judged",
        /// This run does not have it.
        Gone = "gone",
        /// It is as before.
        #[default]
        Unchanged = "unchanged",
    }
}

/// A problem beside earlier runs.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct JudgedProblem {
    /// Its state.
    pub state: ProblemState,
    /// The problem in the list of the explanation, from 0, if it is listed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub problem: Option<usize>,
    /// Its cause; that of the earlier runs if it is gone.
    pub cause: CauseKind,
    /// The cause in the earlier runs, if that is another one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cause_before: Option<CauseKind>,
    /// The code that is late, if it is known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub code: Option<KnownPlace>,
    /// The call that waits.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub call: Option<KnownPlace>,
    /// Its share of the location-seconds: in the mean of the earlier runs, and in this one.
    pub share: Difference,
    /// The least change of the share that is judged.
    pub least: f64,
    /// The locations that the others wait for.
    pub culprits: Vec<Location>,
    /// The same in the earlier runs.
    pub culprits_before: Vec<Location>,
}

/// Calls of a function in earlier runs and in this one.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct JudgedCalls {
    /// The function.
    pub call: String,
    /// Calls by all locations: in the earlier runs, and in this one.
    pub visits: [u64; 2],
    /// Bytes sent and received by them.
    pub bytes: [u64; 2],
}

impl KnownProblem {
    /// The least share of the worst culprit's seconds that makes another one worth its name, as in explanations, and of the largest
    /// wait that makes another one a wait of the problem. With a higher value, problems are told apart that chance divides; with a
    /// lower one, small waits join problems that have little in common.
    pub const MAIN: f64 = 0.25;

    /// The locations that cause most of it.
    pub fn main_culprits(&self) -> BTreeSet<Location> {
        let most = self.culprits.iter().map(|of| of.seconds).fold(0.0, f64::max);
        let main = self.culprits.iter().filter(|of| of.seconds >= Self::MAIN * most);
        main.map(|of| of.location).collect()
    }
}

impl JudgedCalls {
    /// Whether this run has more of them.
    pub fn are_more(&self) -> bool {
        self.visits[1] > self.visits[0] || self.bytes[1] > self.bytes[0]
    }
}

impl Gate {
    /// Whether this run is no worse than the earlier ones, as far as it was judged.
    pub fn is_passed(&self) -> bool {
        let Numbers { new, moved, grown, more_calls, .. } = self.numbers;
        new + moved + grown + more_calls == 0
    }
}

impl ProblemState {
    /// Whether a problem in this state lets the gate fail.
    pub fn fails(self) -> bool {
        matches!(self, ProblemState::New | ProblemState::Moved | ProblemState::Grown)
    }
}
