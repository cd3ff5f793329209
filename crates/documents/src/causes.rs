//! Root causes of waits, and the critical path: a part of `ats-analysis/1` and `ats-truth/1`.

use std::collections::BTreeMap;

use ats_model::CallSite;
use ats_model::delay::Extent;
use serde::{Deserialize, Serialize};

use crate::unit::ProcessingUnit;

/// Root causes: who makes whom wait, and the critical path. `docs/delays.md` defines them.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Causes {
    /// The waits that have causes.
    pub extent: Extent,
    /// The locations, in the order of the trace.
    pub units: Vec<ProcessingUnit>,
    /// Call paths, each the names of its regions from the outermost inwards; that of a program outside all regions is
    /// empty.
    pub call_paths: Vec<Vec<String>>,
    /// The call sites of call paths, by their indices, as far as the trace has them: those of their innermost calls. Paths of
    /// the same names with different call sites are different paths.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub call_sites: BTreeMap<u32, CallSite>,
    /// Seconds by metric, by Scalasca's names: call path, unit, and value of the call path alone. Values of 0 are
    /// omitted.
    pub metrics: BTreeMap<String, Vec<(u32, u32, f64)>>,
    /// The causes of each finding that has some, in the order of the findings; at most those of the
    /// [`Causes::LARGEST`] largest.
    pub findings: Vec<CausedFinding>,
    /// The number of the smallest findings whose causes are in [`Causes::metrics`] alone, since there are more than
    /// [`Causes::LARGEST`].
    #[serde(default, skip_serializing_if = "is_none")]
    pub omitted: u64,
    /// The chain of work that made the run as long as it is.
    pub critical_path: CriticalPath,
}

impl Causes {
    /// The most findings that have causes of their own. Each wait is charged once for each finding that it leads to, so
    /// more would cost time in traces where all depends on all.
    pub const LARGEST: usize = 1_000;

    /// The names on a call path and its call site; none of a number that is no path's.
    pub fn place(&self, path: u32) -> Option<(&[String], Option<&CallSite>)> {
        Some((self.call_paths.get(path as usize)?, self.call_sites.get(&path)))
    }

    /// A call path as text, `main/solve/MPI_Recv in halo (heat.c:12)`; empty outside all regions.
    pub fn label(&self, path: u32) -> String {
        self.place(path).map_or_else(String::new, |(names, site)| match names {
            [] => String::new(),
            _ => CallSite::label(&names.join("/"), site),
        })
    }
}

/// The causes of a finding.
///
/// The seconds of its causes and those that are unattributed add up to its waiting time.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct CausedFinding {
    /// The finding: its `id`.
    pub finding: String,
    /// Seconds that were waited for work of a causer.
    pub direct: f64,
    /// Seconds that were waited because a causer had waited itself.
    pub indirect: f64,
    /// Seconds that made others wait in turn.
    pub propagating: f64,
    /// Seconds that made nobody wait.
    pub terminal: f64,
    /// Seconds that have no cause.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub unattributed: f64,
    /// The causes, the largest first.
    pub causes: Vec<Cause>,
}

impl CausedFinding {
    /// The seconds that the finding waits: those that have a cause and those that have none.
    pub fn waited(&self) -> f64 {
        self.causes.iter().map(Cause::seconds).sum::<f64>() + self.unattributed
    }
}

/// A cause of a finding: a call path that a unit spent more time in than those that waited for it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Cause {
    /// An index into [`Causes::call_paths`].
    pub call_path: u32,
    /// An index into [`Causes::units`].
    pub unit: u32,
    /// Seconds that waited for it directly.
    pub direct: f64,
    /// Seconds that waited for it through waits of other locations.
    pub indirect: f64,
    /// The mean number of waits between it and the indirect seconds; 0 if there are none.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub hops: f64,
}

impl Cause {
    /// All seconds that it costs.
    pub fn seconds(&self) -> f64 {
        self.direct + self.indirect
    }
}

/// The critical path; its profile is the metric `critical_path` of [`Causes::metrics`].
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct CriticalPath {
    /// Its length, in seconds.
    pub seconds: f64,
    /// Its parts, first to last; neighbours on one unit are one.
    pub stretches: Vec<Stretch>,
    /// The number of shortest parts that are omitted, since there are more than [`CriticalPath::LONGEST`].
    #[serde(default, skip_serializing_if = "is_none")]
    pub omitted: u64,
}

impl CriticalPath {
    /// The most parts that a document has.
    pub const LONGEST: usize = 10_000;
}

/// A part of the critical path.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Stretch {
    /// An index into [`Causes::units`].
    pub unit: u32,
    /// Its begin, in seconds since the first event of the trace.
    pub begin: f64,
    /// Its end, in seconds since the first event of the trace.
    pub end: f64,
}

fn is_zero(seconds: &f64) -> bool {
    *seconds == 0.0
}

fn is_none(number: &u64) -> bool {
    *number == 0
}
