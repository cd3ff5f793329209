//! Changes that follow the advice on problems.

use std::collections::BTreeSet;

use ats_documents::explanation::{Problem, SourceLine};
use ats_model::locations::Location;
use ats_model::mpi::{Function, Kind};
use ats_model::openmp::Construct;
use ats_model::{CallSite, CauseKind, Definitions};
use ats_whatif::{Changes, End, Pattern, Segment, Selection, Speed};

use super::AskedChanges;
use crate::explanation::ends_of_segment;

/// The size that no message exceeds.
const ALL_EAGER: usize = u32::MAX as usize;

/// The changes that follow the advice on a problem; `None` if none stands for it.
pub(super) fn advised(problem: &Problem, definitions: &Definitions) -> Option<AskedChanges> {
    match problem.cause() {
        // Who is late varies: no division of the work that is fixed before makes it even.
        CauseKind::LateArrival | CauseKind::UnevenWork if problem.is_even => None,
        CauseKind::LateArrival
        | CauseKind::UnevenWork
        | CauseKind::UnevenTeam
        | CauseKind::BusyWorkers
        | CauseKind::FewPieces => balanced(place(problem, definitions)?),
        CauseKind::LackOfParallelism => {
            let place = place(problem, definitions)?;
            // All pass through a segment, so that each gets its part; a region may be visited by one alone.
            if place.segment.is_some() { balanced(place) } else { faster(place, sharers(problem)) }
        }
        CauseKind::SerialPart | CauseKind::OneThread => {
            faster(place(problem, definitions)?, threads(problem))
        }
        CauseKind::Contention => faster(critical_block(problem, definitions)?, threads(problem)),
        CauseKind::BlockedSender => {
            let selection = receive(problem, |function| function == Function::Recv)?;
            let words = vec!["--overlap".to_owned(), selection.to_string()];
            Some(AskedChanges { words, changes: Changes { overlaps: vec![selection], ..Changes::default() } })
        }
        CauseKind::WrongOrder => {
            let completes =
                |function: Function| matches!(function.kind(), Kind::Completion { tests: false, .. });
            let selection = receive(problem, |function| function == Function::Recv || completes(function))?;
            let words = vec!["--reorder".to_owned(), selection.to_string()];
            Some(AskedChanges { words, changes: Changes { reorders: vec![selection], ..Changes::default() } })
        }
        CauseKind::BusyMaster => faster(place(problem, definitions)?, 2.0),
        CauseKind::EagerLimit | CauseKind::LateReceiver => Some(AskedChanges {
            words: vec!["--eager".to_owned(), "4GiB".to_owned()],
            changes: Changes { eager_limit: Some(ALL_EAGER), ..Changes::default() },
        }),
        _ => None,
    }
}

fn balanced(selection: Selection) -> Option<AskedChanges> {
    let words = vec!["--balance".to_owned(), selection.to_string()];
    Some(AskedChanges { words, changes: Changes { balances: vec![selection], ..Changes::default() } })
}

fn faster(selection: Selection, factor: f64) -> Option<AskedChanges> {
    let speed = Speed { selection, factor };
    let words = vec!["--speed".to_owned(), speed.to_string()];
    Some(AskedChanges { words, changes: Changes { speeds: vec![speed], ..Changes::default() } })
}

/// The locations of a problem: those that are late, and those that wait.
fn locations(problem: &Problem) -> BTreeSet<Location> {
    let waiting = problem.effects.iter().flat_map(|effect| effect.waiting.iter().copied());
    waiting.chain(problem.culprits.iter().map(|culprit| culprit.location)).collect()
}

/// The number of locations for each that works alone: it, and its part of those that wait.
fn sharers(problem: &Problem) -> f64 {
    (locations(problem).len() as f64 / problem.culprits.len().max(1) as f64).max(1.0)
}

/// The number of threads of a process that work one at a time: not always the same.
fn threads(problem: &Problem) -> f64 {
    let locations = locations(problem);
    let ranks: BTreeSet<u32> = locations.iter().map(|location| location.rank).collect();
    (locations.len() as f64 / ranks.len().max(1) as f64).max(1.0)
}

/// The code of a problem: a region of the trace, or else a segment between two calls.
fn place(problem: &Problem, definitions: &Definitions) -> Option<Selection> {
    let Some(last) = problem.call_path.last() else {
        return Some(Selection { segment: Some(before_waits(problem)?), ..Selection::default() });
    };
    if Function::of_spelling(last).is_some() {
        return None;
    }
    if definitions.regions.iter().any(|region| region.name == *last) {
        return named(last);
    }
    Some(Selection { segment: Some(segment(problem)?), ..Selection::default() })
}

/// The call that waits, if it `receives`.
fn receive(problem: &Problem, receives: impl Fn(Function) -> bool) -> Option<Selection> {
    let is_receive = |name: &str| Function::of_spelling(name).is_some_and(&receives);
    let names = problem.effects.iter().filter_map(|effect| effect.call_path.last());
    named(names.into_iter().find(|name| is_receive(name))?)
}

/// The region with a name.
fn named(name: &str) -> Option<Selection> {
    let regions = Some(Pattern::new(&Pattern::escape(name)).ok()?);
    Some(Selection { regions, ..Selection::default() })
}

/// The segment of all call paths of a problem. They have one end; where they do not begin at the same place, it is all code
/// before that.
fn segment(problem: &Problem) -> Option<Segment> {
    let paths = std::iter::once(&problem.call_path).chain(&problem.other_call_paths);
    let mut ends = paths.filter_map(|path| ends_of_segment(path.last()?));
    let (from, to) = ends.next()?;
    let end = |place: Option<&str>| place.map_or(End::OfRun, |place| End::Call(place.to_owned()));
    let is_one = ends.all(|(other, _)| other == from);
    Some(Segment { from: if is_one { end(from) } else { End::Any }, to: end(to) })
}

/// All code before the call that waits, where nothing else is known: what all pass through has its late ones in it.
fn before_waits(problem: &Problem) -> Option<Segment> {
    let SourceLine { file, line } = problem.effects.first()?.source.clone()?;
    let place = CallSite { file, line, ..CallSite::default() }.place();
    Some(Segment { from: End::Any, to: End::Call(place) })
}

/// The code that holds the lock of a critical section.
fn critical_block(problem: &Problem, definitions: &Definitions) -> Option<Selection> {
    let waits = problem.effects.first()?.call_path.last()?;
    let (_, at) = waits.split_once(" @")?;
    let is_block = |name: &str| {
        Construct::of_region(name) == Some(Construct::CriticalBlock) && name.ends_with(&format!(" @{at}"))
    };
    named(&definitions.regions.iter().find(|region| is_block(&region.name))?.name)
}
