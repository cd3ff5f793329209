//! The findings of an analysis of a trace: the document `ats-analysis/1`.

use std::collections::BTreeMap;
use std::fmt;

use serde::{Deserialize, Serialize};

use crate::call::Call;
use crate::machine::Machine;
use crate::{Basis, Causes, Finding, Messages};
use ats_model::mpi::Unanalyzed;
use ats_model::{ClockCorrection, Traffic};

/// The document `ats-analysis/1`.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Analysis {
    /// The schema's name, `ats-analysis/1`.
    pub schema: String,
    /// The trace, as it was named.
    pub trace: String,
    /// The number of its locations.
    pub locations: u64,
    /// The number of its events.
    pub events: u64,
    /// The time that severities are relative to.
    pub basis: Basis,
    /// All that was found, by falling waiting time.
    pub findings: Vec<Finding>,
    /// Number of entries into each MPI call and OpenMP construct in the basis, over all locations; constructs by their
    /// names without the place in the source.
    #[serde(default)]
    pub counts: BTreeMap<String, u64>,
    /// Traffic of each MPI call in the basis, over all locations; without calls that neither send nor receive messages
    /// nor take part in collective operations.
    #[serde(default)]
    pub traffic: BTreeMap<String, Traffic>,
    /// Time by call path, if the program of the trace is one that shows times; empty otherwise.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub calls: Vec<Call>,
    /// The root causes of the waits, if they were asked for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub causes: Option<Causes>,
    /// The messages, if their flights were asked for and the clocks of the processes can be compared.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub messages: Option<Messages>,
    /// Calls in the basis that may hide waits, because the analysis does not know what they wait for, by falling time;
    /// empty if no time passes in them.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub not_analyzed: Vec<NotAnalyzed>,
    /// Agreement of the clocks of the processes; absent if nothing shows that they disagree, unless clocks that the trace
    /// has not measured were left alone.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub clock_correction: Option<ClockCorrection>,
    /// Work of the machine for the locations, where the trace has something of it.
    #[serde(default, skip_serializing_if = "Machine::is_empty")]
    pub machine: Machine,
    /// Parts that could not be analyzed, with the reasons, in words.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub warnings: Vec<String>,
}

/// The calls of a function that are not analyzed, over all locations.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct NotAnalyzed {
    /// The kind of calls.
    pub what: Unanalyzed,
    /// The function, as the trace names it.
    pub function: String,
    /// The number of calls.
    pub calls: u64,
    /// The time in them, in seconds.
    pub seconds: f64,
}

/// `3 calls of MPI_Win_fence, 0.300000 s (one-sided communication)`.
impl fmt::Display for NotAnalyzed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let NotAnalyzed { what, function, calls, seconds } = self;
        let plural = if *calls == 1 { "" } else { "s" };
        write!(f, "{calls} call{plural} of {function}, {seconds:.6} s ({})", what.title())
    }
}

/// A single wait, one of the [`Finding::instances`] of a finding. Documents do not list them: a caller of the analysis
/// may ask for them, and they mean something only beside the trace.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Wait {
    /// The finding that it belongs to: an index into [`Analysis::findings`].
    pub finding: usize,
    /// The location that waits: an index into the trace's locations.
    pub location: usize,
    /// Its begin, in ticks of the trace's clock as this location recorded it, whatever [`Analysis::clock_correction`]
    /// says.
    pub begin: u64,
    /// Its end, in ticks of the trace's clock. A thread that executes tasks in between waits for less than the whole.
    pub end: u64,
    /// The location that is awaited: an index into the trace's locations of the one that came last, or had what was
    /// waited for; the last of several at one time. `None` if the wait is for the operation or the runtime itself.
    pub awaited: Option<usize>,
    /// Ticks of it in which the recorder of the awaited location wrote its buffers; 0 if clocks are corrected.
    pub flushed: u64,
    /// About the number of events that the awaited location recorded meanwhile; 0 if clocks are corrected, or the trace does
    /// not say what an event costs.
    pub recorded: u64,
}

impl Analysis {
    /// The value of [`Analysis::schema`].
    pub const SCHEMA: &str = "ats-analysis/1";

    /// The begin of the warning that recording was off for a time.
    pub const RECORDING_OFF: &str = "recording was off";

    /// The begin of the warning that the recorder wrote its buffers during the run.
    pub const BUFFERS_WRITTEN: &str = "the recorder wrote its buffers during the run";

    /// The words of the warning that a location ends before its time.
    pub const READ_IN_PART: &str = "could only be read in part";

    /// Whether there is nothing in the trace that was not analyzed.
    pub fn is_whole(&self) -> bool {
        self.not_analyzed.is_empty() && self.warnings.is_empty()
    }
}
