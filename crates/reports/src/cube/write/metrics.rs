//! The metrics of a report, and their values.
//!
//! A metric contains those below it: a class of calls and constructs the waits in them, and `time` the classes. Its
//! parent is the nearest written one of its ancestors in Scalasca's tree. As there, the management of teams is
//! `omp_time` rather than computation, though it is time in parallel regions, and `time` exceeds the measured time by
//! the time of idle threads: they are in no region meanwhile. So no value of a whole profile is negative; the profile
//! of a damaged trace, or of one without parallel regions, may have management without time.

use ats_documents::profile::{Combine, Profile};
use ats_model::traffic::{CallCounter, Traffic};
use ats_model::{WaitState, instances};

use super::causes;
use super::parts::{Part, above, idle, is_in, waits};
use super::rows::{Number, Value};
use super::shape::Shape;
use crate::cube::classes::{self, CLASSES, class};
use crate::cube::vocabulary::wait_state;

/// A metric; all those below it follow it.
pub(super) struct Metric {
    pub(super) name: String,
    pub(super) title: String,
    pub(super) unit: String,
    pub(super) description: String,
    pub(super) number: Number,
    /// The number of metrics around it.
    pub(super) depth: usize,
    parts: Vec<Part>,
}

/// Titles and descriptions of metrics that are not wait states: those of Score-P 8.4 and Scalasca 2.6.
const TEXTS: [(&str, &str, &str); 19] = [
    (Profile::TIME, "Time", "Total CPU allocation time"),
    (Profile::VISITS, "Visits", "Number of visits"),
    (Profile::MIN_TIME, "Minimum Inclusive Time", "Minimum inclusive CPU allocation time"),
    (Profile::MAX_TIME, "Maximum Inclusive Time", "Maximum inclusive CPU allocation time"),
    (Profile::FORK, "OMP Fork", "Time spent on OpenMP team forks"),
    (Profile::OUTSIDE, "Outside", "Time outside of the basis, as before MPI_Init and after MPI_Finalize"),
    (Profile::POLLING, "Polling", "Time in code between tests in vain"),
    (Profile::NOT_RUNNING, "Not running", "Time in code that could go on and had no processor"),
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

/// Seconds below zero that subtraction leaves.
const ROUNDING: f64 = 1e-9;

/// The metrics of a profile's report, in the order of their tree.
pub(super) fn for_profile(profile: &Profile) -> Vec<Metric> {
    let others = profile.metrics.iter().map(|metric| metric.name.as_str());
    let others = others.filter(|name| {
        let has_place = wait_state(name).is_some() || causes::is_one(name);
        !has_place && ![Profile::TIME, Profile::VISITS, Profile::FORK].contains(name)
    });
    let (counts, others): (Vec<&str>, Vec<&str>) = others.partition(|name| is_part_of_count(name, profile));
    let is_declared = |name: &str| profile.metrics.iter().any(|metric| metric.name == name);
    let looked_for: Vec<WaitState> =
        WaitState::ALL.into_iter().filter(|state| is_declared(state.name())).collect();
    let fork = Some(Profile::FORK).filter(|fork| is_declared(fork));
    let waits = waits().filter(|wait| looked_for.iter().any(|state| is_in(state.label(), wait)));
    let mut inner: Vec<(&str, Option<&str>)> = CLASSES
        .iter()
        .map(|row| row.0)
        .chain(waits)
        .chain(fork)
        .map(|metric| (metric, above(metric)))
        .chain(causes::written(profile))
        .collect();
    inner.extend(counts.iter().map(|count| (*count, count_above(count))));
    let below = |outer: Option<&str>| -> Vec<&str> {
        inner.iter().filter(|metric| metric.1 == outer).map(|metric| metric.0).collect()
    };
    let outermost = [Profile::TIME, Profile::VISITS].into_iter().chain(others).chain(below(None));
    let mut open: Vec<(&str, usize)> = outermost.map(|name| (name, 0)).collect();
    open.reverse();
    let classes: Vec<&str> = profile.regions.iter().map(classes::smallest).collect();
    let mut metrics = Vec::new();
    while let Some((name, depth)) = open.pop() {
        metrics.push(Metric::new(name, depth, profile, &classes));
        open.extend(below(Some(name)).into_iter().rev().map(|inner| (inner, depth + 1)));
    }
    metrics
}

impl Metric {
    fn new(name: &str, depth: usize, profile: &Profile, classes: &[&'static str]) -> Self {
        let (state, class) = (wait_state(name), class(name));
        let text = TEXTS.iter().find(|text| text.0 == name).map(|&(_, title, text)| (title, text));
        let text = text.or_else(|| class.map(|&(_, _, title, text)| (title, text)));
        let text = text.or_else(|| causes::title(name).map(|title| (title, "")));
        let of_count = Traffic::COLLECTIVES.iter().find(|of| of.0 == name).map(|of| of.1);
        let of_count = of_count.or_else(|| instances::row(name).map(|row| row.2));
        let text = text.or_else(|| of_count.map(|title| (title, "")));
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
            _ if CallCounter::of_metric(name).is_some() || instances::row(name).is_some() => Number::Count,
            _ => Number::Sum,
        };
        let states = WaitState::ALL.into_iter().filter(|state| is_in(state.label(), name));
        let mut parts: Vec<Part> = match name {
            Profile::TIME => {
                std::iter::once(Profile::TIME).chain(idle().map(WaitState::name)).map(Part::all_of).collect()
            }
            _ if class.is_some() => Part::of_class(name, classes),
            _ if causes::is_one(name) => causes::parts(name, profile),
            _ => states.map(|state| Part::all_of(state.name())).collect(),
        };
        if parts.is_empty() {
            parts.push(Part::all_of(name));
        }
        Metric {
            name: name.to_owned(),
            title: title.map_or_else(|| sentence(name), str::to_owned),
            unit: unit.to_owned(),
            description: description.unwrap_or_default().to_owned(),
            number,
            depth,
            parts,
        }
    }

    /// Its values by row and column, except zeros. If PyCubexR 2.1 asks for a row, it is written even with zeros: one
    /// of a metric without others, and every row of minima and maxima.
    pub(super) fn values(&self, profile: &Profile, shape: &Shape) -> Vec<Value> {
        let region = |path: u32| profile.call_tree[path as usize].region as usize;
        let size = |part: &Part| profile.values.get(&part.source).map_or(0, |of| of.iter().size_hint().0);
        let most = self.parts.iter().map(size).max().unwrap_or_default();
        let mut values: Vec<Value> = Vec::with_capacity(most);
        for part in &self.parts {
            let is_meant = |&(path, _, value): &Value| {
                value != 0.0 && part.regions.as_ref().is_none_or(|regions| regions[region(path)])
            };
            let sign = if part.is_less { -1.0 } else { 1.0 };
            let placed = |(path, unit, value): Value| {
                (shape.rows[path as usize], shape.columns[unit as usize], sign * value)
            };
            values.extend(profile.values_of(&part.source).filter(is_meant).map(placed));
        }
        let zeros = match self.number {
            Number::Least | Number::Most => shape.height(),
            Number::Sum | Number::Count => u32::from(values.is_empty()),
        };
        values.extend((0..zeros).map(|row| (row, 0, 0.0)));
        values.sort_unstable_by_key(|&(row, column, _)| (row, column));
        values.dedup_by(|next, kept| {
            let is_same = (next.0, next.1) == (kept.0, kept.1);
            if is_same {
                kept.2 += next.2;
            }
            is_same
        });
        for (_, _, value) in &mut values {
            if (-ROUNDING..0.0).contains(value) {
                *value = 0.0;
            }
        }
        values
    }
}

/// The metric that a number is a part of.
fn count_above(metric: &str) -> Option<&'static str> {
    let is_part = |of: &(&str, &str)| of.0 == metric;
    let of_collectives = Traffic::COLLECTIVES.iter().any(is_part).then_some("comms_coll");
    of_collectives.or_else(|| instances::row(metric).map(|row| row.1))
}

/// Whether a number is a part of another that the profile has.
fn is_part_of_count(metric: &str, profile: &Profile) -> bool {
    count_above(metric).is_some_and(|above| profile.metrics.iter().any(|metric| metric.name == above))
}

/// A name as a title: `wait_for_root` as `Wait for root`.
fn sentence(name: &str) -> String {
    let mut letters = name.chars();
    let first = letters.next().map(|letter| letter.to_ascii_uppercase());
    first.into_iter().chain(letters).map(|letter| if letter == '_' { ' ' } else { letter }).collect()
}
