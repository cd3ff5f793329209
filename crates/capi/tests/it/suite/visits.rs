//! Visits of call paths in the measured part of a recorded run.

use std::collections::BTreeMap;

use ats_documents::finding::MEASURED_REGION;
use ats_model::mpi::{Function, Kind};
use ats_model::openmp::{Construct, without_place};
use ats_model::{Event, EventSource};

/// The number of entries, by name.
pub(crate) type Visits = BTreeMap<String, u64>;

/// The places that differ in their numbers, in words.
pub(crate) fn differing(found: &Visits, expected: &Visits) -> impl Iterator<Item = String> {
    let of = |visits: &Visits, place: &String| visits.get(place).copied().unwrap_or_default();
    let places: BTreeMap<_, _> = found
        .keys()
        .chain(expected.keys())
        .map(|place| (place.clone(), (of(found, place), of(expected, place))))
        .collect();
    let differ = places.into_iter().filter(|(_, (found, expected))| found != expected);
    differ.map(|(place, (found, expected))| format!("{place}: {found}, not {expected}"))
}

/// Calls that only ask, those before the measured part, the end of persistent requests, which a program in Rust keeps to
/// its own end, and a construct that LLVM's runtime does not tell of.
const UNTOLD: [&str; 5] =
    ["MPI_Comm_rank", "MPI_Comm_size", "MPI_Comm_split", "MPI_Request_free", "!$omp section"];

/// Leaves out what compilers do not tell the runtime of.
pub(crate) fn without_untold(visits: &Visits) -> Visits {
    let is_told = |place: &str| {
        let construct = Construct::of_region(place.rsplit('/').next().unwrap_or_default());
        construct.is_none_or(Construct::is_told_by_compilers)
    };
    let told = visits.iter().filter(|(place, _)| is_told(place));
    told.map(|(place, &number)| (place.clone(), number)).collect()
}

/// Without tests of requests: how often a program tests until they are complete is a choice of the run.
pub(crate) fn without_tests(visits: &Visits) -> Visits {
    let is_test = |place: &str| {
        let function = Function::of_name(place.rsplit('/').next().unwrap_or_default());
        matches!(function.map(Function::kind), Some(Kind::Completion { tests: true, .. }))
    };
    let others = visits.iter().filter(|(place, _)| !is_test(place));
    others.map(|(place, &number)| (place.clone(), number)).collect()
}

/// Constructs that any thread of a team may execute.
const ANYWHERE: [&str; 2] = ["!$omp single sblock", "!$omp task"];

/// The construct that is executed wherever its thread happens to be.
const ANYTIME: &str = "!$omp task";

pub(crate) fn counts<'a>(calls: impl Iterator<Item = (&'a String, u64)>) -> Visits {
    let told = calls.filter(|(call, _)| !UNTOLD.contains(&call.as_str()));
    told.map(|(call, calls)| (call.clone(), calls)).collect()
}

/// The number of entries of each process's master into each call path of the measured part, and of all its threads
/// into those in teams there.
pub(crate) fn visits(source: &impl EventSource) -> Visits {
    let definitions = source.definitions();
    let mut visits = Visits::new();
    let mut measured = BTreeMap::new();
    for (index, location) in definitions.locations.iter().enumerate() {
        let mut stack: Vec<&str> = Vec::new();
        let mut is_measured = false;
        let mut visit = |who: &str, path: &[&str], apart: &[&str]| {
            if !path.is_empty() && !path.iter().any(|name| UNTOLD.contains(name) || apart.contains(name)) {
                *visits.entry(format!("rank {}{who}: {}", location.rank, path.join("/"))).or_default() += 1;
            }
        };
        let read = source.read_location(index, |time, event| match event {
            Event::Enter { region } => {
                let name = without_place(&definitions.regions[region.0 as usize].name);
                if location.thread == 0 && name == MEASURED_REGION {
                    measured.insert(location.rank, (time, u64::MAX));
                }
                if stack.is_empty() {
                    let (from, to) = measured.get(&location.rank).copied().unwrap_or((u64::MAX, 0));
                    is_measured = (from..=to).contains(&time);
                }
                stack.push(name);
                let own = stack.iter().position(|&name| name == MEASURED_REGION).map(|at| &stack[at + 1..]);
                if location.thread == 0 {
                    visit("'s master", own.unwrap_or_default(), &ANYWHERE);
                }
                let path = if location.thread > 0 && is_measured { Some(&stack[..]) } else { own };
                visit("'s threads", path.map(in_team).unwrap_or_default(), &[ANYTIME]);
            }
            Event::Leave { .. } => {
                if let Some(MEASURED_REGION) = stack.pop()
                    && let Some((_, to)) = measured.get_mut(&location.rank)
                {
                    *to = time;
                }
            }
            _ => {}
        });
        read.unwrap();
    }
    visits
}

/// The part of a path that lies in teams. Any thread may execute some constructs, from its own team on: the master of
/// a nested team is still in the outer one, its other threads are not.
fn in_team<'a, 'b>(path: &'a [&'b str]) -> &'a [&'b str] {
    let from = if path.iter().any(|name| ANYWHERE.contains(name)) {
        path.iter().rposition(|&name| name == "!$omp parallel")
    } else {
        path.iter().position(|name| name.starts_with("!$omp"))
    };
    from.map(|at| &path[at..]).unwrap_or_default()
}
