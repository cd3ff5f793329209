//! A finding: a property, where it shows, and how much of it.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use ats_model::locations::Location;
use ats_model::mistakes::Mistakes;
use ats_model::traffic::CallCounter;
use ats_model::{CallSite, CauseKind, WaitState};

pub use crate::basis::{Basis, Bounds};
pub use ats_model::quantity::{Quantity, TIME, TIME_RATIO, Tolerance, Unit, VISITS, View};

/// A property found or known: its kind, place, locations and amount.
///
/// Within one [`View`] findings are leaves: no second appears twice.
///
/// In a document written by hand it has `property` or `metric`, `call_path` or `call`, and an amount: `locations`,
/// `waiting_time` (or `seconds`) or `severity` (or `share`). Anything else that is omitted follows from these, or does
/// not matter ([`Finding::complete`]).
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Finding {
    /// Unique in its document: the property and where it shows.
    #[serde(default)]
    pub id: String,
    /// The wait state; none in the view `count`, and where time is blocked that has no name (Probe, Test …).
    /// If omitted, that of the metric.
    pub property: Option<WaitState>,
    /// The division of the seconds; if omitted, that of the property.
    #[serde(default)]
    pub view: View,
    /// The Score-P/Scalasca unique name, if it has one.
    pub metric: Option<String>,
    /// Other metrics under which a tool may rightly report it; if empty, those of the property.
    #[serde(default)]
    pub accept: Vec<String>,
    /// Region names from the outermost to the call that waits, or is counted.
    pub call_path: Vec<String>,
    /// The place in the source of the innermost call of a library on the call path, if the trace has it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub call_site: Option<CallSite>,
    /// Seconds, over all locations, that the metric counts; in the view `time`, those in the region and all that it calls; where it is left out, those of `locations`, else those of the
    /// severity.
    #[serde(default)]
    pub waiting_time: f64,
    /// Seconds, over all locations, that the locations were blocked.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub physical_time: Option<f64>,
    /// `waiting_time` / location-seconds of the basis; omitted if it is 0, as that of a count, outside the basis, or
    /// without a basis.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub severity: f64,
    /// Its amount as mathematics, where the property has a formula.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub formula: Option<String>,
    /// In a truth, the seconds of each cause that an explanation has to name: one, unless the wait has parts with other
    /// causes. If empty, the cause is not judged.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub explained_by: BTreeMap<CauseKind, f64>,
    /// The tolerance for a measured value.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tolerance: Option<Tolerance>,
    /// The number of single waits in it; in the view `count`, the number of entries into the call over all locations,
    /// or the count that `metric` names there. Omitted if it is unknown.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub instances: u64,
    /// In the view `ratio`, how large it is; `metric` is its name.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ratio: Option<f64>,
    /// In the view `ratio`, the region whose time the last region of `call_path` is compared with.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub over: Option<String>,
    /// In the view `ratio`, the least value that a run has to show; if omitted, that of `ratio`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub at_least: Option<f64>,
    /// The communicator, where all instances share one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub communicator: Option<CommunicatorInfo>,
    /// The mode in which messages are sent, if the property depends on it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub send_mode: Option<String>,
    /// Whether it lies in the region of the basis.
    #[serde(default = "yes")]
    pub in_basis: bool,
    /// Whether threads of a process could have changed places, in each repetition anew: which of them wait is not judged.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub exchangeable: bool,
    /// Whether its amount is unknown, because it depends on the runtime, or on the way the machine starts and ends a
    /// program. Its amount is not judged.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub any_amount: bool,
    /// The share of each location that waits, by rank and thread; empty in the view `count`, and where it is not known.
    #[serde(default)]
    pub locations: Vec<LocationShare>,
}

/// One location's share of a finding.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct LocationShare {
    /// Rank in `MPI_COMM_WORLD`.
    pub rank: u32,
    /// Thread in its process; the master is 0.
    #[serde(default)]
    pub thread: u32,
    /// Waiting time, in seconds.
    pub waiting_time: f64,
}

impl LocationShare {
    /// The location.
    pub fn place(&self) -> Location {
        Location { rank: self.rank, thread: self.thread }
    }
}

/// Seconds that are longer than any run, over all its locations: of 30,000 years.
pub const FOREVER: f64 = 1e12;

/// The largest difference between a stated share and that of its seconds: both are rounded when they are written.
const ROUNDED: f64 = 0.005;

/// The communicator of a finding.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct CommunicatorInfo {
    /// Its name (`MPI_COMM_WORLD`).
    pub name: String,
    /// The number of its processes.
    pub size: u32,
}

/// The region that a generated program spends its measured part in, and that severities are relative to by default.
pub const MEASURED_REGION: &str = "ats_measured";

/// The regions of a generated program that no finding belongs to. One of them, `ats_align`, lies inside the measured
/// part of a composition, between its phases: there ranks wait for each other, unseen by tools, and their threads
/// idle.
pub const HARNESS_REGIONS: [&str; 4] = ["ats_setup", "ats_align", "ats_warmup", "ats_report"];

/// Whether an amount is one that is omitted.
fn is_zero<N: Default + PartialEq>(amount: &N) -> bool {
    *amount == N::default()
}

/// The default of omitted fields.
pub(crate) fn yes() -> bool {
    true
}

/// Whether a call path lies in a region of the harness.
pub fn is_harness(call_path: &[String]) -> bool {
    call_path.iter().any(|frame| HARNESS_REGIONS.contains(&frame.as_str()))
}

/// The name of an amount: its wait state, its count, or `blocked` for time without a wait state.
pub(crate) fn name(state: Option<WaitState>, unit: Unit<'_>) -> &str {
    state.map(WaitState::name).or(unit.metric()).unwrap_or("blocked")
}

impl Finding {
    /// Whether it lies in the part of a program that is judged: in the basis, and outside the regions of the harness.
    /// Anything else is ambient, known or reported.
    pub fn is_measured(&self) -> bool {
        self.in_basis && !is_harness(&self.call_path)
    }

    /// Completes omitted fields from the given ones and the basis.
    pub fn complete(&mut self, basis: &Basis) {
        if self.view == View::Count {
            self.metric.get_or_insert_with(|| VISITS.to_owned());
        }
        if self.view == View::Time {
            self.metric.get_or_insert_with(|| TIME.to_owned());
        }
        self.property = self.property.or_else(|| WaitState::from_metric(self.metric.as_deref()?));
        if let Some(state) = self.property {
            self.metric = self.metric.take().or_else(|| state.metric().map(str::to_owned));
            if self.view == View::Wait {
                self.view = state.view();
            }
            if self.accept.is_empty() {
                self.accept = state.accept().iter().map(|&name| name.to_owned()).collect();
            }
        }
        self.locations.sort_by_key(|share| (share.rank, share.thread));
        if self.waiting_time == 0.0 {
            let shares: f64 = self.locations.iter().map(|share| share.waiting_time).sum();
            self.waiting_time =
                if self.locations.is_empty() { self.severity * basis.location_seconds } else { shares };
        }
        if self.severity == 0.0 && self.in_basis {
            self.severity = basis.severity(self.waiting_time);
        }
        if self.id.is_empty() {
            self.id = format!("{}@{}", self.kind(), self.place());
        }
    }

    /// Adds the mistakes in a finding written by hand at this place, for a run of `ranks` processes if that is known.
    pub(crate) fn check(&self, place: &str, ranks: Option<u32>, basis: &Basis, mistakes: &mut Mistakes) {
        let title = if self.kind() == "blocked" { String::new() } else { format!(" ({})", self.title()) };
        let mut wrong = |what: &str| mistakes.add(&format!("{place}{title}"), what);
        if let Some(missing) = self.lacks() {
            wrong(&format!("it {missing}; omit it if there is none"));
        }
        if self.waiting_time < 0.0 || self.severity < 0.0 {
            wrong("its amount is negative; no wait is");
        }
        if self.waiting_time == 0.0 && self.severity > 1.0 {
            let (share, percent) = (self.severity, self.severity / 100.0);
            wrong(&format!("its share is {share}, and 1 is all; {share} % is {percent}"));
        }
        let (said, share) = (self.severity, basis.severity(self.waiting_time));
        if self.in_basis && share > 0.0 && said > 0.0 && (said - share).abs() > ROUNDED.max(0.01 * share) {
            let seconds = self.waiting_time;
            wrong(&format!("its {seconds} s are a share of {share:.4}, not {said}; omit one of the two"));
        }
        let beyond = format!("its amount is beyond all measure, {FOREVER:e} s");
        if self.waiting_time > FOREVER {
            wrong(&beyond);
        }
        let mut known = std::collections::BTreeSet::new();
        for (at, share) in self.locations.iter().enumerate() {
            let mut wrong = |what: String| mistakes.add(&format!("{place}.locations[{at}]"), what);
            if share.waiting_time < 0.0 {
                wrong("its seconds are negative; no wait is".to_owned());
            } else if share.waiting_time > FOREVER {
                wrong(beyond.clone());
            }
            if let Some(ranks) = ranks.filter(|&ranks| share.rank >= ranks) {
                wrong(format!("there is no rank {}, of {ranks} that are counted from 0", share.rank));
            }
            if !known.insert((share.rank, share.thread)) {
                wrong(format!("rank {} thread {} is there twice", share.rank, share.thread));
            }
        }
    }

    /// The missing field, in words: without a name or an amount it says nothing.
    fn lacks(&self) -> Option<&'static str> {
        if self.physical_time.is_some() {
            // The engine's own, which also knows of time that has no name and is no waiting.
            None
        } else if self.unit().is_whole() {
            (self.instances == 0).then_some("says how often nowhere; give `instances`")
        } else if self.view == View::Ratio && self.ratio.is_none() {
            Some("says how large nowhere; give `ratio`")
        } else if self.view == View::Ratio && self.metric.is_none() {
            Some("has no name; give `metric`")
        } else if self.view == View::Ratio {
            None
        } else if self.view != View::Time && self.property.is_none() && self.metric.is_none() {
            Some("has no name; give `property` (as late_sender) or `metric` (as mpi_latesender)")
        } else if self.waiting_time == 0.0 && self.severity == 0.0 && self.locations.is_empty() {
            Some("says how much nowhere; give `seconds`, `share`, or `locations`")
        } else {
            None
        }
    }

    /// Seconds, over all locations, that they were blocked without a wait state or a metric that counts it; none of anything
    /// else.
    pub fn blocked(&self) -> Option<f64> {
        let is_named = self.property.is_some() || self.metric.is_some();
        if is_named { None } else { self.physical_time }
    }

    /// The unit of its amount.
    pub fn unit(&self) -> Unit<'_> {
        self.view.unit(self.metric.as_deref())
    }

    /// The locations that wait.
    pub fn places(&self) -> Vec<Location> {
        self.locations.iter().map(LocationShare::place).collect()
    }

    /// Its amount, with the unit.
    pub fn quantity(&self) -> Quantity<'_> {
        let unit = self.unit();
        unit.quantity(match unit {
            Unit::Seconds | Unit::Inclusive(_) => self.waiting_time,
            Unit::Visits | Unit::Bytes(_) | Unit::Count(_) => self.instances as f64,
            Unit::Ratio(_) => self.ratio.unwrap_or_default(),
        })
    }

    /// The name of what it counts, if that is neither a call nor its traffic.
    pub fn counter(&self) -> Option<&str> {
        match self.unit() {
            Unit::Bytes(name) | Unit::Count(name) => {
                Some(name).filter(|name| CallCounter::of_metric(name).is_none())
            }
            _ => None,
        }
    }

    /// Its name: the wait state, the count, or `blocked` for time that no metric of ours counts.
    pub fn name(&self) -> &str {
        name(self.property, self.unit())
    }

    /// Its kind in one word: the wait state, else the metric.
    pub fn kind(&self) -> &str {
        self.property.map(WaitState::name).or(self.metric.as_deref()).unwrap_or("blocked")
    }

    /// Its kind and place: `late_sender at main/work/MPI_Recv`.
    pub fn title(&self) -> String {
        match &self.call_path[..] {
            [] => self.kind().to_owned(),
            _ => format!("{} at {}", self.kind(), self.place()),
        }
    }

    /// The call path, and where its call stands: `main/work/MPI_Recv called in halo at heat.c:12`.
    fn place(&self) -> String {
        let call_path = self.call_path.join("/");
        match &self.call_site {
            Some(site) => format!("{call_path} {site}"),
            None => call_path,
        }
    }

    /// Its id as tables show it: `late_sender@main/work/MPI_Recv in halo (heat.c:12)`, with the source file without its
    /// folder.
    pub fn label(&self) -> String {
        match &self.call_site {
            Some(site) => self.id.replacen(&format!(" {site}"), &format!(" in {}", site.short()), 1),
            None => self.id.clone(),
        }
    }

    /// The same finding, of calls that stand there.
    pub fn called_at(mut self, call_site: Option<CallSite>) -> Self {
        self.call_site = call_site;
        self.id = format!("{}@{}", self.kind(), self.place());
        self
    }

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
            metric: property.and_then(WaitState::metric).map(str::to_owned),
            accept: property.map_or(&[][..], WaitState::accept).iter().map(|&name| name.to_owned()).collect(),
            call_path,
            call_site: None,
            waiting_time,
            physical_time: None,
            severity: if in_basis { basis.severity(waiting_time) } else { 0.0 },
            formula: None,
            explained_by: BTreeMap::new(),
            tolerance: None,
            instances,
            ratio: None,
            over: None,
            at_least: None,
            communicator: None,
            send_mode: None,
            in_basis,
            exchangeable: false,
            any_amount: false,
            locations,
        }
    }

    /// A finding in the view `count`: `metric` of the last region of `call_path` is this number in the basis, wherever in
    /// the first region it is; [`VISITS`] is how often it is entered.
    pub fn count(call_path: Vec<String>, metric: &str, number: u64) -> Self {
        let nothing = Basis::new(None, 0.0, 0);
        let mut finding = Finding::wait(None, call_path, Vec::new(), number, &nothing, true);
        finding.id = format!("{metric}@{}", finding.call_path.join("/"));
        finding.view = View::Count;
        finding.metric = Some(metric.to_owned());
        finding
    }

    /// A finding in the view `time`: seconds in the last region of `call_path` and all that it calls, in `visits` entries.
    pub fn time(call_path: Vec<String>, locations: Vec<LocationShare>, visits: u64, basis: &Basis) -> Self {
        let mut finding = Finding::wait(None, call_path, locations, visits, basis, true);
        finding.id = format!("{TIME}@{}", finding.call_path.join("/"));
        finding.view = View::Time;
        finding.metric = Some(TIME.to_owned());
        finding
    }

    /// A finding in the view `ratio`: the time of the last region of `call_path`, over that of the region `over`.
    pub fn time_ratio(call_path: Vec<String>, over: &str, ratio: f64) -> Self {
        let mut finding = Finding::count(call_path, TIME_RATIO, 0);
        finding.view = View::Ratio;
        finding.ratio = Some(ratio);
        finding.over = Some(over.to_owned());
        finding
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_finding_that_somebody_wrote_has_an_amount_in_its_unit() {
        let basis = Basis::new(None, 1.0, 1);
        let read = |amount: &str| {
            let json = format!(r#"{{ "call_path": ["MPI_Send"], {amount} }}"#);
            let mut finding: Finding = serde_json::from_str(&json).unwrap();
            let mut mistakes = Mistakes::default();
            finding.check("findings[0]", None, &basis, &mut mistakes);
            finding.complete(&basis);
            mistakes.none_in((finding.quantity().to_string(), finding.id))
        };
        let is = |text: &str, id: &str| Ok((text.to_owned(), id.to_owned()));
        assert_eq!(read(r#""view": "count", "instances": 8"#), is("8 visits", "visits@MPI_Send"));
        assert_eq!(
            read(r#""view": "count", "metric": "bytes_sent", "instances": 4096"#),
            is("4096 bytes", "bytes_sent@MPI_Send")
        );
        assert_eq!(
            read(r#""view": "ratio", "metric": "packing", "ratio": 1.5"#),
            is("1.500", "packing@MPI_Send")
        );
        let lacks = |amount: &str| read(amount).unwrap_err().to_string();
        assert!(lacks(r#""view": "ratio", "metric": "packing""#).contains("give `ratio`"));
        assert!(lacks(r#""view": "count", "metric": "bytes_sent""#).contains("give `instances`"));
        assert!(lacks(r#""view": "ratio", "ratio": 1.5"#).contains("give `metric`"));
        let wait =
            |share: f64| read(&format!(r#""metric": "mpi", "waiting_time": 0.25, "severity": {share}"#));
        assert_eq!(wait(0.253).unwrap().0, "0.2500 s");
        let error = wait(0.3).unwrap_err().to_string();
        assert!(error.contains("its 0.25 s are a share of 0.2500, not 0.3; omit one of the two"), "{error}");
    }

    #[test]
    fn a_wait_state_without_a_metric_is_found_by_its_own_name() {
        let state = WaitState::WaitForRoot;
        let basis = Basis::new(None, 2.0, 2);
        let json =
            r#"{ "property": "wait_for_root", "call_path": ["main", "MPI_Alltoallw"], "waiting_time": 1.0 }"#;
        let mut finding: Finding = serde_json::from_str(json).unwrap();
        finding.complete(&basis);
        assert_eq!(
            (finding.id.as_str(), finding.metric.as_deref()),
            ("wait_for_root@main/MPI_Alltoallw", None)
        );
        assert_eq!((&finding.accept[..], finding.severity), (&["mpi_collective".to_owned()][..], 0.25));
        let found = Finding::wait(Some(state), finding.call_path, Vec::new(), 0, &basis, true);
        assert_eq!((found.kind(), found.metric.as_deref()), ("wait_for_root", None));
    }
}
