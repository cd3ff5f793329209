//! Causes inside a process with several threads.

use ats_documents::explanation::CauseKind;
use ats_model::openmp::{Construct, without_place};

use super::distribution::is_uneven;
use super::uneven_work::longer;
use crate::explanation::case::Case;
use crate::explanation::facts::Place;
use crate::explanation::fit::Fit;
use crate::explanation::mechanism::Mechanism;
use crate::explanation::part::Part;
use crate::explanation::wording::{agree, most, object, region, region_at, subject};

/// Fits idle threads, and the time that the runtime takes.
pub(super) fn of_a_process(case: &Case<'_>) -> Option<Fit> {
    let (cause, what, advice) = match case.mechanism {
        Mechanism::Serial => {
            let advice = match case.call() {
                None => "Divide this work among the threads, or start fewer.",
                Some(_) => "Let the other threads work meanwhile, on what does not depend on it.",
            };
            (CauseKind::SerialPart, only(case), advice)
        }
        Mechanism::FewThreads => (
            CauseKind::FewThreads,
            format!("A parallel region has fewer threads than its process: in {}.", region(case)),
            "Let the region have all threads, or make it part of one that has them.",
        ),
        Mechanism::Runtime => management(case),
        Mechanism::Lock => (
            CauseKind::Contention,
            format!("Threads wait for each other at a critical section or a lock: for {}.", region(case)),
            "Do less in it, use several locks, or let each thread collect its results and join them at the end.",
        ),
        _ => return None,
    };
    Some(Fit { cause, confidence: 0.9, what, evidence: Vec::new(), advice: advice.to_owned() })
}

/// Fits waits at the barriers of a team.
pub(super) fn of_a_team(case: &Case<'_>) -> Option<Fit> {
    if case.mechanism != Mechanism::Team {
        return None;
    }
    let fit = |cause, what, advice: &str| {
        Some(Fit { cause, confidence: 0.85, what, evidence: Vec::new(), advice: advice.to_owned() })
    };
    let construct = construct(case);
    if matches!(construct, Some(Construct::Single | Construct::SingleBlock | Construct::Master)) {
        return fit(
            CauseKind::OneThread,
            one_at_a_time(case),
            "Divide this work among the threads, or let the others go on with `nowait`.",
        );
    }
    if matches!(construct, Some(Construct::Ordered | Construct::OrderedBlock)) {
        let what = format!("Threads take turns in {}.", region(case));
        return fit(CauseKind::Contention, what, "Do less in the `ordered` block.");
    }
    let has_pieces = matches!(
        construct,
        Some(Construct::For | Construct::Sections | Construct::Section | Construct::Task)
    );
    let without_work = without_work(case);
    if has_pieces && !without_work.is_empty() {
        let have = agree(&without_work, "has", "have");
        let what =
            format!("{} {have} nothing to do in {}.", subject(case.facts, &without_work), region(case));
        return fit(
            CauseKind::FewPieces,
            what,
            "Divide the work into more pieces: smaller chunks, or more sections or tasks.",
        );
    }
    let advice = match construct {
        Some(Construct::For) => "Use `schedule(dynamic)` or `schedule(guided)`, or smaller chunks.",
        // Which thread has more changes: what is fixed before does not help.
        _ if case.path.is_some() && !is_uneven(case) => {
            "Let each thread take the next piece when it is done, with a dynamic loop or with tasks."
        }
        _ => "Share the work evenly.",
    };
    fit(CauseKind::UnevenTeam, longer(case), advice)
}

/// The cause that the runtime takes long, with its sentence and advice. What it takes for a team is about the same in all
/// regions, so the program has one problem, and not one for each of them.
fn management(case: &Case<'_>) -> (CauseKind, String, &'static str) {
    let facts = case.facts;
    let (what, places, advice) = match &case.idle {
        Some(idle) => (
            "Barriers end late after all threads have come",
            most(idle.barriers.iter().map(|&(barrier, seconds)| (region_at(facts, barrier), seconds))),
            "Make fewer and larger parallel regions, and leave out barriers that nothing depends on, with `nowait`.",
        ),
        None => {
            let region =
                |part: &Part| region_at(facts, Place::of_finding(&facts.analysis.findings[part.finding]));
            (
                "Parallel regions take long to start and to end",
                most(case.parts().iter().map(|part| (region(part), part.seconds()))),
                "Make fewer and larger parallel regions: put several loops into one.",
            )
        }
    };
    let places = places.map_or_else(String::new, |places| format!(": {places}"));
    (CauseKind::ThreadManagement, format!("{what}{places}."), advice)
}

/// Sentence about those that work alone: `Only thread 0 works in …`. A call that moves data is no work.
fn only(case: &Case<'_>) -> String {
    let units = case.main_units();
    if case.call().is_some() {
        let call = |part: &Part| region_at(case.facts, case.facts.place(part.path)?);
        let calls = most(case.parts().iter().map(|part| (call(part), part.seconds())));
        let places = calls.map_or_else(|| format!(" in {}", region(case)), |calls| format!(": {calls}"));
        let communicate = agree(&units, "communicates", "communicate");
        return format!("Threads idle while {} {communicate}{places}.", object(case.facts, &units));
    }
    let work = agree(&units, "works", "work");
    format!("Only {} {work} in {}.", object(case.facts, &units), region(case))
}

/// Sentence about those that work alone in turn: `Only one of threads 0-3 at a time works in …`.
fn one_at_a_time(case: &Case<'_>) -> String {
    match &case.main_units()[..] {
        units @ [_, _, ..] => {
            format!("Only one of {} at a time works in {}.", object(case.facts, units), region(case))
        }
        _ => only(case),
    }
}

/// The innermost construct around the work that divides or restricts it.
pub(super) fn construct(case: &Case<'_>) -> Option<Construct> {
    let divides = |construct: &Construct| {
        !matches!(construct, Construct::Parallel | Construct::Barrier | Construct::ImplicitBarrier)
    };
    let constructs =
        case.path?.names.iter().rev().filter_map(|name| Construct::of_region(without_place(name)));
    constructs.into_iter().find(divides)
}

/// The units that wait and spend next to no time where the culprits do.
fn without_work(case: &Case<'_>) -> Vec<u32> {
    let Some(&(worst, _)) = case.units.first().filter(|_| case.path.is_some()) else { return Vec::new() };
    let time = case.time();
    let least = time[worst as usize] * WORK;
    case.waiting().into_iter().filter(|&unit| time[unit as usize] <= least).collect()
}

/// The part of the worst culprit's time that a thread spends in a construct at most if it has nothing to do there: it has
/// to enter a loop to see that. With a higher value threads of short pieces count as idle, with a lower one each thread
/// counts as working where the pieces are short themselves.
const WORK: f64 = 0.02;
