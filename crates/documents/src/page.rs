//! Data of an HTML page, which its script draws: the document `ats-page/1`.

mod causes;
mod communication;
mod comparison;
mod experiments;
mod explanation;
mod profile;
mod timeline;

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

pub use causes::{CausePaths, CausedRows, Causes, Costs, CriticalPath, OnCriticalPath, Stretches};
pub use communication::{Cells, Communication};
pub use comparison::{Comparison, Difference, Gain};
pub use experiments::{ComparedRegion, Curve, Experiments, Point};
pub use explanation::{Explanation, Group, Problem, WorstInterval};
pub use profile::{CallPaths, File, Lines, Metric, Number, PathValues, Profile, Region};
pub use timeline::{Bars, LocationRow, Messages, Parts, Timeline, TimelineRegion, Waits};

use ats_model::named;

/// `ats-page/1`: the JSON in the element `data` of a page.
///
/// Lists with many entries are tables by column: objects of arrays of one length. Entry n of a table has the nth value
/// of each column. All numbers of entries begin at 0, unless they say otherwise.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Page {
    /// The schema's name, `ats-page/1`.
    pub schema: String,
    /// Words for properties, by name.
    pub properties: BTreeMap<String, Property>,
    /// The kinds of regions, in the order of the legend.
    pub kinds: Vec<Kind>,
    /// By name, the same with signatures of functions cut, of regions and calls whose names have any.
    pub short: BTreeMap<String, String>,
    /// Experiments that are compared.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub experiments: Option<Experiments>,
    /// Programs with their findings, timelines and profiles.
    pub programs: Vec<Program>,
}

impl Page {
    /// The value of [`Page::schema`].
    pub const SCHEMA: &str = "ats-page/1";
}

/// The words for a wait state or a count.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Property {
    /// Its name for people: `Late sender`.
    pub title: String,
    /// The groups that it belongs to, the outermost first: `Waiting`, `MPI`, `Point-to-point`.
    pub groups: Vec<String>,
    /// Its definition, in a sentence.
    pub definition: String,
    /// Whether the awaited location holds something, rather than comes late.
    pub held: bool,
    /// The address of its place in the reference, if the page links to one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reference: Option<String>,
}

/// A kind of regions.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Kind {
    /// Its name in the data; its colour in the style of the page has the same name.
    pub kind: RegionKind,
    /// Its name for people.
    pub title: String,
}

named! {
    /// A kind of regions, which decides their colour.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
    #[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
    pub enum RegionKind {
        /// The program's own.
        User = "user",
        /// MPI, from process to process.
        PointToPoint = "p2p",
        /// MPI, all processes of a communicator.
        Collective = "coll",
        /// Any other call of MPI.
        Mpi = "mpi",
        /// A construct of OpenMP that gives work.
        OpenMp = "omp",
        /// A construct of OpenMP where threads wait for each other.
        OpenMpSynchronization = "sync",
    }
}

/// A program at one size, as one run showed it.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Program {
    /// Its name.
    pub name: String,
    /// Processes and threads of each: `4×2`. With the name it is the program's address in the page.
    pub size: String,
    /// Its parameters, if the truth is known.
    pub parameters: BTreeMap<String, String>,
    /// The formulas of its planned findings, if the truth is known.
    pub formulas: Vec<String>,
    /// Wall time of the measured part, in seconds.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub wall_time: Option<f64>,
    /// Seconds of all locations in the measured part, which shares are relative to.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub location_seconds: Option<f64>,
    /// Whether the truth is known.
    pub known: bool,
    /// The tools that looked at the run.
    pub tools: Vec<String>,
    /// By tool, the calls that it has not analyzed, with their number and seconds, in words.
    pub not_analyzed: Vec<Vec<String>>,
    /// By tool, warnings about the run as a whole.
    pub warnings: Vec<Vec<String>>,
    /// Truth and findings by property and call path.
    pub rows: Vec<Row>,
    /// The picture of its trace.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub timeline: Option<Timeline>,
    /// Its profile, by call path and location.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub profile: Option<Profile>,
    /// The root causes of its waits.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub causes: Option<Causes>,
    /// The problems of the run.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub explanation: Option<Explanation>,
    /// Its messages from process to process.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub communication: Option<Communication>,
    /// Its differences to another run; all else is then of both.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub comparison: Option<Comparison>,
}

/// Truth and findings of one property at one call path.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Row {
    /// The name of the property.
    pub property: String,
    /// The call path, the outermost call first, without the regions around the measured part.
    pub path: Vec<String>,
    /// Whether it lies outside the measured part.
    pub ambient: bool,
    /// The known amounts.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub truth: Option<Amounts>,
    /// By tool, the amounts that it found; null if it found nothing here.
    pub found: Vec<Option<Amounts>>,
}

/// The sums of findings.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Amounts {
    /// Waiting time in seconds; for a count, the number of its events; for a ratio, its value.
    pub amount: f64,
    /// The part of each location.
    pub locations: Shares,
}

/// A table of locations and their waiting time.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Shares {
    /// Rank in `MPI_COMM_WORLD`.
    pub rank: Vec<u32>,
    /// Thread in its process; the master is 0.
    pub thread: Vec<u32>,
    /// Waiting time in seconds.
    pub seconds: Vec<f64>,
}

/// A table of locations.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Locations {
    /// Rank in `MPI_COMM_WORLD`.
    pub rank: Vec<u32>,
    /// Thread in its process; the master is 0.
    pub thread: Vec<u32>,
}

impl FromIterator<(u32, u32)> for Locations {
    /// A table of ranks and threads.
    fn from_iter<I: IntoIterator<Item = (u32, u32)>>(locations: I) -> Self {
        let (rank, thread) = locations.into_iter().unzip();
        Locations { rank, thread }
    }
}
