//! A finding: a property, where it shows, and how much of it.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::WaitState;

/// A property found or known: what, where, which locations, how much.
///
/// Within one [`View`] findings are leaves: no second appears twice.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Finding {
    /// Unique in its document: the property and where it shows.
    pub id: String,
    /// The wait state; none in the view `count`, and where time is blocked that no metric counts (Probe, Test,
    /// Alltoallv …).
    pub property: Option<WaitState>,
    /// How the seconds are divided.
    pub view: View,
    /// The Score-P/Scalasca unique name, where there is one.
    pub metric: Option<String>,
    /// Other metrics under which a tool may rightly report it.
    pub accept: Vec<String>,
    /// Region names from the outermost to the call that waits, or is counted.
    pub call_path: Vec<String>,
    /// Seconds, over all locations, that the metric counts.
    pub waiting_time: f64,
    /// Seconds, over all locations, that the locations were blocked.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub physical_time: Option<f64>,
    /// `waiting_time` / location-seconds of the basis.
    pub severity: f64,
    /// The closed form, where the property has one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub formula: Option<String>,
    /// How far a measured value may be off.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tolerance: Option<Tolerance>,
    /// How many single waits make it up; in the view `count`, how often the call is entered over all locations.
    pub instances: u64,
    /// The communicator, where all instances share one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub communicator: Option<CommunicatorInfo>,
    /// How the messages are sent, where the property depends on it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub send_mode: Option<String>,
    /// Whether it lies in the region of the basis.
    pub in_basis: bool,
    /// Whether threads of a process could have changed places: their shares are to be compared as a set.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub exchangeable: bool,
    /// The share of each location that waits, by rank and thread; empty in the view `count`.
    pub locations: Vec<LocationShare>,
}

/// How a document divides the seconds; sums stay inside one view.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
#[allow(missing_docs, reason = "the words are the field's")]
pub enum View {
    Wait,
    Delay,
    Propagation,
    CriticalPath,
    Idle,
    Count,
}

/// One location's share of a finding.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct LocationShare {
    /// Rank in `MPI_COMM_WORLD`.
    pub rank: u32,
    /// Thread in its process; the master is 0.
    pub thread: u32,
    /// Seconds.
    pub waiting_time: f64,
}

/// A measured value agrees if it is off by at most `absolute` + `relative` × the known value.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Tolerance {
    /// Seconds.
    pub absolute: f64,
    /// A share of the known value.
    pub relative: f64,
}

impl Tolerance {
    /// Whether `measured` agrees with `known`, both in seconds.
    pub fn agrees(&self, known: f64, measured: f64) -> bool {
        (measured - known).abs() <= self.absolute + self.relative * known.abs()
    }
}

/// The communicator of a finding.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct CommunicatorInfo {
    /// Its name (`MPI_COMM_WORLD`).
    pub name: String,
    /// How many processes it has.
    pub size: u32,
}

/// What severities are relative to.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Basis {
    /// The region; none where the whole time between `MPI_Init` and `MPI_Finalize` is meant.
    pub region: Option<String>,
    /// Seconds from the first entry into the region to the last exit.
    pub wall_time: f64,
    /// Locations × wall time, in seconds.
    pub location_seconds: f64,
}

/// The region that a generated program spends its measured part in, and that severities are relative to by default.
pub const MEASURED_REGION: &str = "ats_measured";

impl Basis {
    /// A basis over `locations` locations.
    pub fn new(region: Option<String>, wall_time: f64, locations: usize) -> Self {
        Basis { region, wall_time, location_seconds: wall_time * locations as f64 }
    }

    /// `waiting_time` as a share of the location-seconds; 0 where there are none.
    pub fn severity(&self, waiting_time: f64) -> f64 {
        if self.location_seconds > 0.0 { waiting_time / self.location_seconds } else { 0.0 }
    }
}

/// The metric of the view `count`, as Score-P names it.
pub const VISITS: &str = "visits";

impl Finding {
    /// A finding, in the view of its wait state, from what was added up: its total, severity and id follow.
    ///
    /// `locations` is put in order and rid of zeros.
    pub fn wait(
        property: Option<WaitState>,
        call_path: Vec<String>,
        mut locations: Vec<LocationShare>,
        instances: u64,
        basis: &Basis,
        in_basis: bool,
    ) -> Self {
        locations.retain(|share| share.waiting_time > 0.0);
        locations.sort_by_key(|share| (share.rank, share.thread));
        // The sum of nothing is -0.0.
        let waiting_time = locations.iter().map(|share| share.waiting_time).sum::<f64>() + 0.0;
        let name = property.map_or("blocked", WaitState::name);
        Finding {
            id: format!("{name}@{}", call_path.join("/")),
            property,
            view: property.map_or(View::Wait, WaitState::view),
            metric: property.map(|state| state.metric().to_owned()),
            accept: property.map_or(&[][..], WaitState::accept).iter().map(|&name| name.to_owned()).collect(),
            call_path,
            waiting_time,
            physical_time: None,
            severity: if in_basis { basis.severity(waiting_time) } else { 0.0 },
            formula: None,
            tolerance: None,
            instances,
            communicator: None,
            send_mode: None,
            in_basis,
            exchangeable: false,
            locations,
        }
    }

    /// A finding in the view `count`: the last region of `call_path` is entered so often in the basis, wherever in the
    /// first it is.
    pub fn count(call_path: Vec<String>, visits: u64) -> Self {
        let nothing = Basis::new(None, 0.0, 0);
        let mut finding = Finding::wait(None, call_path, Vec::new(), visits, &nothing, true);
        finding.id = format!("{VISITS}@{}", finding.call_path.join("/"));
        finding.view = View::Count;
        finding.metric = Some(VISITS.to_owned());
        finding
    }
}
