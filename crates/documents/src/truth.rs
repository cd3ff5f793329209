//! Findings that a program is known to show: the document `ats-truth/1`.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::{Basis, Causes, Finding};
use ats_model::WaitState;
use ats_model::mistakes::Mistakes;
use ats_model::quantity::{Unit, View};
use ats_model::traffic::CallCount;

/// The document `ats-truth/1`.
///
/// One written by hand has `program`, `ranks`, `basis` and `findings`; `docs/scoring.md` has an example.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Truth {
    /// The schema's name, `ats-truth/1`.
    pub schema: String,
    /// The program: a property's name, or its balanced twin's.
    pub program: String,
    /// Its parameters, as text.
    #[serde(default)]
    pub parameters: BTreeMap<String, String>,
    /// The cost of communication in the virtual time that it was computed in, as `--network` takes it; absent if it
    /// costs nothing.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub network: Option<String>,
    /// The costs of operations in that virtual time, as `--costs` takes them; absent if they are the usual ones.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub costs: Option<String>,
    /// The processors of the ranks in that virtual time, as `--processors` takes them; absent if each location has its
    /// own.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub processors: Option<String>,
    /// The number of processes.
    pub ranks: u32,
    /// The number of threads in each.
    #[serde(default = "one")]
    pub threads: u32,
    /// The time that severities are relative to.
    pub basis: Basis,
    /// All that a tool should find, by falling waiting time.
    pub findings: Vec<Finding>,
    /// Wait states that do not occur; a tool that reports one raises a false alarm. Where it is left out, all that are
    /// neither in `findings` nor in `ambient`.
    #[serde(default)]
    pub absent: Vec<WaitState>,
    /// Wait states outside the measured part that every such program shows (start-up, the skew left at its end, and
    /// the harness's own between phases), and those that depend on the runtime: the number of threads that idle beside
    /// nested teams.
    #[serde(default)]
    pub ambient: Vec<Finding>,
    /// Per MPI call and OpenMP construct of the measured part, how often and how much.
    #[serde(default)]
    pub counts: BTreeMap<String, CallCount>,
    /// Per rank, how long before the last one it is done, in seconds.
    #[serde(default)]
    pub skew_left: Vec<f64>,
    /// The root causes of the waits in the whole program, if they were asked for: costs by call path and location, and
    /// the critical path. They are not divided among the findings, so that its `findings` are empty.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub causes: Option<Causes>,
    /// The runs of an experiment, each compared with the first, whose truth this is; empty for other programs.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub runs: Vec<TruthOfRun>,
}

impl Truth {
    /// The value of [`Truth::schema`].
    pub const SCHEMA: &str = "ats-truth/1";

    /// Whether a tool has to report times of regions.
    pub fn shows_times(&self) -> bool {
        self.findings.iter().any(|finding| matches!(finding.view, View::Time | View::Ratio))
    }

    /// Whether a tool has to report numbers that programs count themselves, or the machine: by call path, as times.
    pub fn shows_counters(&self) -> bool {
        self.findings.iter().any(|finding| finding.counter().is_some())
    }

    /// Completes omitted fields.
    ///
    /// # Errors
    /// Findings that say nothing, or something impossible; which, and the fields that they lack.
    pub fn complete(&mut self) -> Result<(), Mistakes> {
        if self.basis.location_seconds == 0.0 {
            self.basis.location_seconds =
                f64::from(self.ranks) * f64::from(self.threads) * self.basis.wall_time;
        }
        let mut mistakes = Mistakes::default();
        for (list, findings) in [("findings", &mut self.findings), ("ambient", &mut self.ambient)] {
            for (at, finding) in findings.iter_mut().enumerate() {
                finding.check(&format!("{list}[{at}]"), Some(self.ranks), &self.basis, &mut mistakes);
                finding.complete(&self.basis);
                if let (Unit::Visits, Some(call)) = (finding.unit(), finding.call_path.last()) {
                    let count = CallCount { calls: finding.instances, ..CallCount::default() };
                    self.counts.entry(call.clone()).or_insert(count);
                }
            }
        }
        if self.absent.is_empty() {
            let known = |state| {
                self.findings.iter().chain(&self.ambient).any(|finding| finding.property == Some(state))
            };
            self.absent = WaitState::ALL.into_iter().filter(|&state| !known(state)).collect();
        }
        mistakes.none_in(())
    }
}

fn one() -> u32 {
    1
}

/// The promises of one of several runs.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct TruthOfRun {
    /// The number of ranks.
    pub ranks: usize,
    /// The number of threads of each rank.
    pub threads: usize,
    /// The duration of the measured part, in seconds.
    pub wall_time: f64,
    /// The waiting time summed over all locations, in seconds.
    pub waiting_time: f64,
    /// The speedup over the first run.
    pub speedup: f64,
    /// The speedup divided by the growth in locations since the first run; 1 if nothing is lost.
    pub efficiency: f64,
}
