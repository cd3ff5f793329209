//! The metrics of a report, and what they hold.
//!
//! A metric contains those below it: a class of calls and constructs the waits in them, and `time` the classes. It stands below
//! the nearest that it has in Scalasca's tree, of those that are written. A thread that is idle or managed is in no region of the
//! profile meanwhile: these metrics are outermost here, and `time` is no more than what was measured.

use ats_model::WaitState;
use ats_model::profile::{Combine, Profile};
use ats_model::traffic::Counter;

use super::rows::{Number, Value};
use super::shape::Shape;
use crate::cube::classes::{self, CLASSES, OPENMP, class};
use crate::cube::vocabulary::{WAITS_OF_SEVERAL, wait_state};

/// A metric; all those below it follow it.
pub(super) struct Metric {
    pub(super) name: String,
    pub(super) title: String,
    pub(super) unit: String,
    pub(super) description: String,
    pub(super) number: Number,
    /// In how many others it is.
    pub(super) depth: usize,
    /// The metrics of the profile whose sum it is.
    sources: Vec<String>,
    /// Whether it is of a region, by the region's number; none of what is of all.
    regions: Option<Vec<bool>>,
}

/// What wait states do not tell: titles and descriptions, those of Score-P 8.4 and Scalasca 2.6.
const TEXTS: [(&str, &str, &str); 16] = [
    (Profile::TIME, "Time", "Total CPU allocation time"),
    (Profile::VISITS, "Visits", "Number of visits"),
    (Profile::MIN_TIME, "Minimum Inclusive Time", "Minimum inclusive CPU allocation time"),
    (Profile::MAX_TIME, "Maximum Inclusive Time", "Maximum inclusive CPU allocation time"),
    (Profile::FORK, "OMP Fork", "Time spent on OpenMP team forks"),
    (
        "mpi_latesender_wo",
        "MPI Late Sender, wrong order",
        "Late Sender situation due to MPI messages received in the wrong order",
    ),
    (
        "syncs_send",
        "MPI P2P send synchronizations",
        "Number of MPI point-to-point send synchronization operations",
    ),
    (
        "syncs_recv",
        "MPI P2P recv synchronizations",
        "Number of MPI point-to-point receive synchronization operations",
    ),
    ("syncs_coll", "MPI collective synchronizations", "Number of MPI collective synchronization operations"),
    (
        "comms_send",
        "MPI P2P send communications",
        "Number of MPI point-to-point send communication operations",
    ),
    (
        "comms_recv",
        "MPI P2P recv communications",
        "Number of MPI point-to-point receive communication operations",
    ),
    ("comms_coll", "MPI collective communications", "Number of MPI collective communication operations"),
    (
        "bytes_sent",
        "MPI P2P bytes sent",
        "Number of bytes sent in MPI point-to-point communication operations",
    ),
    (
        "bytes_rcvd",
        "MPI P2P bytes received",
        "Number of bytes received in MPI point-to-point communication operations",
    ),
    (
        "bytes_cout",
        "MPI collective bytes outgoing",
        "Number of bytes outgoing in MPI collective communication operations",
    ),
    (
        "bytes_cin",
        "MPI collective bytes incoming",
        "Number of bytes incoming in MPI collective communication operations",
    ),
];

/// The metrics of waiting: those of wait states, and those that stand for several.
fn waits() -> impl Iterator<Item = &'static str> {
    WaitState::ALL.into_iter().map(WaitState::label).chain(WAITS_OF_SEVERAL)
}

/// The metric that another is a part of; none of the outermost.
fn above(metric: &str) -> Option<&'static str> {
    if let Some(&(_, above, ..)) = class(metric) {
        return Some(above);
    }
    if metric == Profile::FORK {
        return Some("omp_management");
    }
    // What a wait state may be reported under has the nearest first.
    let wider = WaitState::ALL.into_iter().find_map(|state| match state.label() == metric {
        true => Some(state.accept()),
        false => state.accept().split(|wider| *wider == metric).nth(1),
    });
    // What is directly in this one is fork and join, in which a thread is in no region of ours.
    let mut wider = wider?.iter().copied().filter(|wider| *wider != OPENMP);
    wider.find(|wider| class(wider).is_some() || waits().any(|wait| wait == *wider))
}

/// Whether a metric is another, or a part of it.
fn is_in(metric: &'static str, outer: &str) -> bool {
    std::iter::successors(Some(metric), |metric| above(metric)).any(|metric| metric == outer)
}

/// The metrics of a profile's report, in the order of their tree.
pub(super) fn of(profile: &Profile) -> Vec<Metric> {
    let others = profile.metrics.iter().map(|metric| metric.name.as_str());
    let others = others.filter(|name| {
        wait_state(name).is_none() && ![Profile::TIME, Profile::VISITS, Profile::FORK].contains(name)
    });
    let is_declared = |name: &str| profile.metrics.iter().any(|metric| metric.name == name);
    let looked_for: Vec<WaitState> =
        WaitState::ALL.into_iter().filter(|state| is_declared(state.name())).collect();
    let fork = Some(Profile::FORK).filter(|fork| is_declared(fork));
    let waits = waits().filter(|wait| looked_for.iter().any(|state| is_in(state.label(), wait)));
    let inner: Vec<(&str, Option<&str>)> = CLASSES
        .iter()
        .map(|row| row.0)
        .chain(waits)
        .chain(fork)
        .map(|metric| (metric, above(metric)))
        .collect();
    let below = |outer: Option<&str>| -> Vec<&'static str> {
        inner.iter().filter(|metric| metric.1 == outer).map(|metric| metric.0).collect()
    };
    let outermost = [Profile::TIME, Profile::VISITS].into_iter().chain(others).chain(below(None));
    let mut open: Vec<(&str, usize)> = outermost.map(|name| (name, 0)).collect();
    open.reverse();
    let mut metrics = Vec::new();
    while let Some((name, depth)) = open.pop() {
        metrics.push(Metric::new(name, depth, profile));
        open.extend(below(Some(name)).into_iter().rev().map(|inner| (inner, depth + 1)));
    }
    metrics
}

impl Metric {
    fn new(name: &str, depth: usize, profile: &Profile) -> Self {
        let (state, class) = (wait_state(name), class(name));
        let text = TEXTS.iter().find(|text| text.0 == name).map(|&(_, title, text)| (title, text));
        let text = text.or_else(|| class.map(|&(_, _, title, text)| (title, text)));
        let title = text.map(|text| text.0).or_else(|| state?.title());
        let description = text.map(|text| text.1).or_else(|| Some(state?.definition()));
        let declared = profile.metrics.iter().find(|metric| metric.name == name);
        let unit = match declared.map(|metric| metric.unit.as_str()) {
            None if name == Profile::VISITS => "occ",
            None | Some("s") => "sec",
            Some(unit) => unit,
        };
        let number = match declared.map(|metric| metric.combine) {
            Some(Combine::Minimum) => Number::Least,
            Some(Combine::Maximum) => Number::Most,
            _ if Counter::of_metric(name).is_some() => Number::Count,
            _ => Number::Sum,
        };
        let is_whole = class.is_some() || name == Profile::TIME;
        let parts = WaitState::ALL.into_iter().filter(|state| !is_whole && is_in(state.label(), name));
        let mut sources: Vec<String> = parts.map(|state| state.name().to_owned()).collect();
        if sources.is_empty() {
            sources.push(class.map_or(name, |_| Profile::TIME).to_owned());
        }
        let is_meant = |region| is_in(classes::of(region), name);
        Metric {
            name: name.to_owned(),
            title: title.map_or_else(|| sentence(name), str::to_owned),
            unit: unit.to_owned(),
            description: description.unwrap_or_default().to_owned(),
            number,
            depth,
            sources,
            regions: class.map(|_| profile.regions.iter().map(is_meant).collect()),
        }
    }

    /// Its values by row and column, but for zeros. Where PyCubexR 2.1 asks for a row there is one of zeros all the same: one of a
    /// metric that has no others, and every one of minima and maxima.
    pub(super) fn values(&self, profile: &Profile, shape: &Shape) -> Vec<Value> {
        let values = self.sources.iter().flat_map(|source| profile.values.get(source).into_iter().flatten());
        let placed =
            |&(path, unit, value): &Value| (shape.rows[path as usize], shape.columns[unit as usize], value);
        let region = |path: u32| profile.call_tree[path as usize].region as usize;
        let is_meant = |&&(path, _, value): &&Value| {
            value != 0.0 && self.regions.as_ref().is_none_or(|regions| regions[region(path)])
        };
        let mut values: Vec<Value> = values.filter(is_meant).map(placed).collect();
        let zeros = match self.number {
            Number::Least | Number::Most => shape.height(),
            Number::Sum | Number::Count => u32::from(values.is_empty()),
        };
        values.extend((0..zeros).map(|row| (row, 0, 0.0)));
        values.sort_by_key(|&(row, column, _)| (row, column));
        values.dedup_by(|next, kept| {
            let is_same = (next.0, next.1) == (kept.0, kept.1);
            if is_same {
                kept.2 += next.2;
            }
            is_same
        });
        values
    }
}

/// A name as a title: `wait_for_root` as `Wait for root`.
fn sentence(name: &str) -> String {
    let mut letters = name.chars();
    let first = letters.next().map(|letter| letter.to_ascii_uppercase());
    first.into_iter().chain(letters).map(|letter| if letter == '_' { ' ' } else { letter }).collect()
}
