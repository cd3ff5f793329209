//! The picture of a trace.

use serde::{Deserialize, Serialize};

use super::{Locations, RegionKind};

/// The picture of a trace. Times are ticks since its first event.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Timeline {
    /// Ticks per second.
    pub resolution: u64,
    /// The begin of the span that is shown, in ticks; 0 if it is all of the run.
    pub begin: u64,
    /// The time of the last event, or the end of the span that is shown, in ticks.
    pub duration: u64,
    /// Begin and end of the measured part, in ticks, if the program has one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub measured: Option<(u64, u64)>,
    /// The regions of the bars.
    pub regions: Vec<TimelineRegion>,
    /// The locations, by rank and thread.
    pub rows: Vec<LocationRow>,
    /// Messages between the rows.
    pub messages: Messages,
    /// Collective operations, each with the parts of its members.
    pub collectives: Vec<Parts>,
    /// Marks of waits, by row and begin.
    pub waits: Waits,
    /// The locations that waits are for, drawn or not.
    pub awaited: Locations,
    /// The omissions of the picture, in words.
    pub remarks: Vec<String>,
}

/// A region that has bars.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct TimelineRegion {
    /// Its name.
    pub name: String,
    /// Its kind.
    pub kind: RegionKind,
    /// Its name with the place of the call, if the trace has that.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub label: Option<String>,
}

/// A location and its calls.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct LocationRow {
    /// Rank in `MPI_COMM_WORLD`.
    pub rank: u32,
    /// Thread in its process; the master is 0.
    pub thread: u32,
    /// By the number of calls around it, the bars of its calls.
    pub levels: Vec<Bars>,
}

/// A table of calls, by begin. A bar may stand for neighbouring calls that are too short to be kept apart.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Bars {
    /// The region: an index into `regions`. Of several calls, that of the longest.
    pub region: Vec<u32>,
    /// The ticks from the begin of the bar before to its own; for the first one, its begin.
    pub since: Vec<u64>,
    /// The ticks from its begin to its end.
    pub duration: Vec<u64>,
    /// The number of calls it stands for.
    pub calls: Vec<u64>,
}

/// A table of messages, by the time when they are sent.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Messages {
    /// The row that sends: an index into `rows`.
    pub sender: Vec<u32>,
    /// The time when it is sent, in ticks.
    pub sent: Vec<u64>,
    /// The row that receives: an index into `rows`.
    pub receiver: Vec<u32>,
    /// The time when it is received, in ticks.
    pub received: Vec<u64>,
    /// Payload in bytes.
    pub bytes: Vec<u64>,
    /// The tag.
    pub tag: Vec<u32>,
}

/// A table of the parts that rows have in one collective operation.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Parts {
    /// The location: an index into `rows`.
    pub row: Vec<u32>,
    /// The time when its part begins, in ticks.
    pub begin: Vec<u64>,
    /// The time when its part ends, in ticks.
    pub end: Vec<u64>,
}

/// A table of waits, by row and begin. A mark may stand for neighbouring waits that are too many to be kept apart.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Waits {
    /// The property and call path: an index into the `rows` of the program.
    pub finding: Vec<u32>,
    /// The location that waits: an index into the `rows` of the timeline.
    pub row: Vec<u32>,
    /// The ticks from the begin of the mark before, in the same row, to its own; for the first one, its begin.
    pub since: Vec<u64>,
    /// The ticks from its begin to its end.
    pub duration: Vec<u64>,
    /// The number of waits it stands for.
    pub waits: Vec<u64>,
    /// The sum of their durations, in ticks; 0 if it equals `duration`.
    pub waited: Vec<u64>,
    /// The location that it waits for: its number in `awaited`, from 1; 0 if there is none, or several.
    pub awaited: Vec<u32>,
}
