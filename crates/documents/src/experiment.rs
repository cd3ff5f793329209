//! Records of runs, kept so that runs can be compared: the documents `ats-experiment/1`, `ats-experiments/1` and
//! `ats-planned-runs/1`.

mod curve;

use std::collections::BTreeMap;
use std::rc::Rc;

pub use curve::Configuration;

use serde::{Deserialize, Serialize};

use crate::profile::{Metric, Origin, ProcessingUnit, ProfiledRegion};
use crate::score::RunStatus;
use crate::summaries::{RegionSummaries, Spent, Summary};
use ats_model::definitions::SystemNode;
use ats_model::named;

/// `ats-experiment/1`: experiment-related data of JavaPSL (Fahringer and Seragiotto 2001, section 4), with the code regions of
/// SCALEA's instrumentation description file.
///
/// `S` is the part of the summaries that is read: all, or nothing if the caller only needs a list of the experiments.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "schema", schemars(rename = "Experiment"))]
pub struct Experiment<S = Vec<RegionSummaries>> {
    /// The schema's name, `ats-experiment/1`.
    pub schema: String,
    /// The application.
    pub application: String,
    /// The version of the application that was built.
    pub version: Version,
    /// The way it was run.
    pub experiment: Run,
    /// The machine that it ran on.
    pub machine: VirtualMachine,
    /// The processing units; `node` is an index into the parts of the machine.
    pub units: Vec<ProcessingUnit>,
    /// The code regions.
    pub regions: Vec<CodeRegion>,
    /// The metrics that have values, and their origins; anything else is undefined.
    pub metrics: Vec<Metric>,
    /// The times of regions if communication cost nothing, as far as they are known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ideal: Option<IdealTimes>,
    /// The size of its profile, `profile.cubex`, in bytes; of a table there is none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub profile_bytes: Option<u64>,
    /// The amounts that each unit spent in each region, in the order of the regions.
    pub summaries: S,
    /// Facts that could not be found out, with the reasons, in words.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub warnings: Vec<String>,
}

/// A version of an application.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Version {
    /// Its name.
    pub name: String,
    /// Its source files, as far as they were named.
    #[serde(default)]
    pub files: Vec<SourceFile>,
}

/// A source file.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct SourceFile {
    /// As it was named.
    pub name: String,
    /// SHA-256 of its content, in hexadecimal digits.
    pub sha256: String,
}

/// A run of a version of an application.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Run {
    /// Its name.
    pub name: String,
    /// The command that was run, where that is known.
    #[serde(default)]
    pub command: Option<String>,
    /// Its parameters, as text.
    #[serde(default)]
    pub parameters: BTreeMap<String, String>,
    /// The problem size: the parameter `size`, where that is a number.
    #[serde(default)]
    pub size: Option<f64>,
    /// The number of processes.
    pub ranks: u32,
    /// The most threads that a process had.
    pub threads: u32,
    /// The number among several runs that are alike, from 1 on.
    pub repeat: u32,
    /// The time when it was run, or else recorded, by RFC 3339 (`2026-01-31T12:00:00Z`).
    #[serde(default)]
    pub date: Option<String>,
    /// The seed of its random numbers, where it has one.
    #[serde(default)]
    pub seed: Option<u64>,
    /// Whether it is of the sequential program, which others are compared with.
    #[serde(default)]
    pub sequential: bool,
    /// The engine that ran it, if the suite did.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub engine: Option<Engine>,
    /// The trace, report, table or program that the data is from, as it was named.
    pub source: String,
}

impl Run {
    /// The parameters of a sequential run that say how many ranks, and threads of each, would do its work.
    pub const SEQUENTIAL_OF: [&str; 2] = ["of_ranks", "of_threads"];

    /// Makes it the sequential run of one unit that does the work of its ranks and threads.
    pub fn by_one_unit(&mut self) {
        let of = [self.ranks, self.threads].map(|number| number.to_string());
        self.parameters.extend(Self::SEQUENTIAL_OF.map(str::to_owned).into_iter().zip(of));
        (self.sequential, self.ranks, self.threads) = (true, 1, 1);
    }
}

named! {
    /// An engine that runs a program of the suite.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
    #[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
    pub enum Engine {
        /// Virtual time.
        Virtual = "virtual",
        /// Processes and threads of a machine.
        Mpi = "mpi",
    }
}

/// The times of a run in seconds of its slowest unit, if communication cost nothing.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct IdealTimes {
    /// The rule that derives them, in words.
    pub rule: String,
    /// Of the whole program, if it is known.
    #[serde(default)]
    pub program: Option<f64>,
    /// Of regions and everything inside them, by name; regions whose time is not known are omitted.
    pub regions: BTreeMap<String, f64>,
}

impl IdealTimes {
    /// The time of a region, or of the whole program; `None` if it is not known.
    pub fn time(&self, region: Option<&str>) -> Option<f64> {
        region.map_or(self.program, |region| self.regions.get(region).copied())
    }
}

/// The part of a machine that a run had.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct VirtualMachine {
    /// The machine that it is a part of.
    #[serde(default)]
    pub part_of: Option<String>,
    /// The number of its nodes.
    #[serde(default)]
    pub nodes: Option<u32>,
    /// The most processing units on a node.
    #[serde(default)]
    pub units_per_node: Option<u32>,
    /// The processor.
    #[serde(default)]
    pub cpu: Option<String>,
    /// The network.
    #[serde(default)]
    pub network: Option<String>,
    /// The parts, as the recorder names them; a parent comes before its children.
    #[serde(default)]
    pub parts: Vec<SystemNode>,
}

/// A code region, with what SCALEA's instrumentation description file has of it (its table 1: `id`, `type`, `file`, `unit`, first
/// and last line and column, `performance_data`, `aux`).
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct CodeRegion {
    /// Its number, its type (by OTF2's region roles, which have SCALEA's types), and its place.
    #[serde(flatten)]
    pub region: ProfiledRegion,
    /// The program unit: the function that it was entered from, where that is a single one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub unit: Option<String>,
    /// The columns where it begins and ends, where they are known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub columns: Option<[u32; 2]>,
    /// The index of its summaries.
    pub performance_data: u32,
    /// Further facts about it.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub aux: BTreeMap<String, String>,
}

impl Run {
    /// The parameter `size`, where that is a number.
    pub fn problem_size(&self) -> Option<f64> {
        self.parameters.get("size").and_then(|size| size.parse().ok()).filter(|size: &f64| size.is_finite())
    }
}

impl Experiment<()> {
    /// The value of [`Experiment::schema`].
    pub const SCHEMA: &str = "ats-experiment/1";
}

impl Experiment {
    /// The amounts that each unit spent in each region that it was in, region by region.
    pub fn rows(&self) -> impl Iterator<Item = Summary> {
        let counters = Rc::new(Spent::counters(&self.metrics));
        self.summaries.iter().flat_map(move |of| {
            let counters = counters.clone();
            of.rows().filter_map(move |(unit, spent)| {
                let unit = *self.units.get(unit as usize)?;
                let derived = spent.derived(&counters);
                Some(Summary { region: of.region.clone(), unit, spent, derived })
            })
        })
    }

    /// The amounts that all units spent in each region that any of them was in.
    pub fn totals(&self) -> Vec<(&str, Spent)> {
        let entered = self.summaries.iter().filter(|of| !of.units.is_empty());
        entered.map(|of| (of.region.as_str(), of.total())).collect()
    }
}

/// `ats-experiments/1`: which experiments a repository has.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Experiments {
    /// The schema's name, `ats-experiments/1`.
    pub schema: String,
    /// Those that are meant, by application, version and name.
    pub experiments: Vec<Listed>,
    /// Runs of plans that failed, and are not there for it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub failed: Vec<FailedRun>,
    /// Damaged experiments, in words.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub warnings: Vec<String>,
}

/// An experiment in a list.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Listed {
    /// Its folder in the repository.
    pub id: String,
    /// The application.
    pub application: String,
    /// The version of the application.
    pub version: String,
    /// The way it was run.
    #[serde(flatten)]
    pub run: Run,
    /// The names of the metrics that there are values of.
    pub metrics: Vec<String>,
}

impl<S> Experiment<S> {
    /// The same with other summaries.
    pub fn with<T>(self, summaries: impl FnOnce(S) -> T) -> Experiment<T> {
        let Experiment { schema, application, version, experiment, machine, units, regions, metrics, .. } =
            self;
        let ideal = self.ideal;
        let (profile_bytes, summaries, warnings) =
            (self.profile_bytes, summaries(self.summaries), self.warnings);
        Experiment {
            schema,
            application,
            version,
            experiment,
            machine,
            units,
            regions,
            metrics,
            ideal,
            profile_bytes,
            summaries,
            warnings,
        }
    }

    /// Whether it is a prediction, and no run.
    pub fn is_predicted(&self) -> bool {
        self.metrics.iter().any(|metric| metric.origin == Origin::Predicted)
    }

    /// Its entry in a list, if this is its id.
    pub fn listed(&self, id: &str) -> Listed {
        Listed {
            id: id.to_owned(),
            application: self.application.clone(),
            version: self.version.name.clone(),
            run: self.experiment.clone(),
            metrics: self.metrics.iter().map(|metric| metric.name.clone()).collect(),
        }
    }
}

impl Experiments {
    /// The value of [`Experiments::schema`].
    pub const SCHEMA: &str = "ats-experiments/1";

    /// A list of these experiments, with warnings about others.
    pub fn new(experiments: Vec<Listed>, warnings: Vec<String>) -> Self {
        Experiments { schema: Self::SCHEMA.to_owned(), experiments, failed: Vec::new(), warnings }
    }
}

/// A run of a plan that failed, so that there is no experiment of it. A repository keeps each in an [`Experiments`] by itself.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct FailedRun {
    /// As its experiment would be listed.
    #[serde(flatten)]
    pub listed: Listed,
    /// The way it ended.
    pub run_status: RunStatus,
    /// Why, with the last lines that it wrote.
    pub message: String,
}

/// `ats-planned-runs/1`: the runs of a plan, and which of them a repository has.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct PlannedRuns {
    /// The schema's name, `ats-planned-runs/1`.
    pub schema: String,
    /// The file of the plan, as it was named.
    pub plan: String,
    /// The folder of the repository, as it was named.
    pub repository: String,
    /// All runs, in the order of the plan.
    pub runs: Vec<PlannedRun>,
    /// Contradictions, in words.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub warnings: Vec<String>,
}

/// A run of a plan.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct PlannedRun {
    /// As its experiment is listed, or is to be.
    #[serde(flatten)]
    pub listed: Listed,
    /// The state of its results.
    pub state: RunState,
    /// Whether it was run just now.
    pub ran: bool,
    /// The way it ended, if it failed.
    #[serde(default)]
    pub run_status: Option<RunStatus>,
    /// The reason why it has no experiment, if that is known.
    #[serde(default)]
    pub message: Option<String>,
}

named! {
    /// The state of the results of a run of a plan.
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
    #[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
    pub enum RunState {
        /// Nothing: it is still to be run.
        #[default]
        Left = "left",
        /// Its experiment is in the repository.
        Kept = "kept",
        /// It failed, which the repository knows.
        Failed = "failed",
        /// Another command is running it.
        Running = "running",
        /// An experiment that cannot be read.
        Damaged = "damaged",
    }
}

impl PlannedRun {
    /// Its experiment is there.
    pub fn keep(&mut self, listed: Listed) {
        (self.state, self.message, self.listed) = (RunState::Kept, None, listed);
    }

    /// It has failed.
    pub fn fail(&mut self, status: RunStatus, message: String) {
        (self.state, self.run_status, self.message) = (RunState::Failed, Some(status), Some(message));
    }
}

impl PlannedRuns {
    /// The value of [`PlannedRuns::schema`].
    pub const SCHEMA: &str = "ats-planned-runs/1";

    /// The number of runs in this state.
    pub fn count(&self, state: RunState) -> usize {
        self.runs.iter().filter(|run| run.state == state).count()
    }
}
