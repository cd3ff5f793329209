//! Tasks that are too small, too large or too few, or come too slowly.

use std::collections::BTreeMap;

use ats_documents::explanation::CauseKind;
use ats_model::openmp::Construct;

use super::threads::construct;
use crate::explanation::case::Case;
use crate::explanation::facts::{Facts, Place, lost};
use crate::explanation::fit::Fit;
use crate::explanation::mechanism::Mechanism;
use crate::explanation::tasks::{Grain, barrier, created_in, grain, idle};
use crate::explanation::wording::{duration, region, region_at, subject};

/// The longest mean work of tasks that are too small, in seconds. A runtime needs up to some microseconds for a task if all
/// threads contend for its queue; where more is lost for each, that has another reason. With a higher value, threads that
/// did not run make tasks look small, with a lower one contended queues go unnamed.
const SMALL: f64 = 20e-6;

/// The number of tasks for each thread that counts as few. With as many of equal length, at most a fourth of the threads'
/// time is lost to the last ones. A higher value advises to divide where little is gained.
const FEW: f64 = 4.0;

/// The times of the mean that a long task takes. With a lower value the differences between equal tasks on a busy machine
/// make one of them the culprit, with a higher one a task of two is none.
const LONG: f64 = 2.0;

/// The largest excess of lost time over what the longest task explains that is noise, as a part of it.
const NOISE: f64 = 0.25;

/// The least part of the work in tasks that is done while one thread creates them. If it creates all of them at last, after
/// other work, there is next to none; if it is too slow for the others, nearly all. The same part of the time without a
/// task tells whether there was none yet.
const MEANWHILE: f64 = 0.5;

/// Fits threads that wait for a task of another one, or find none at a barrier.
pub(super) fn of_pieces(case: &Case<'_>) -> Option<Fit> {
    let is_idle = case.idle.is_some();
    if !is_idle && (case.mechanism != Mechanism::Team || construct(case) != Some(Construct::Task)) {
        return None;
    }
    let is_task = |name: &&String| Construct::of_region(name) == Some(Construct::Task);
    let task = case.path?.names.iter().rev().find(is_task)?;
    let grain = grain(case.facts, task)?;
    if is_small(case, &grain) {
        return Some(small(&region(case), &grain));
    }
    let at_barrier = match &case.idle {
        Some(idle) => idle.barriers.first()?.0,
        None => Place::of_finding(case.findings().next()?),
    };
    let (meetings, threads) = meetings(case.facts, at_barrier)?;
    let longest = grain.longest.unwrap_or_else(|| grain.mean());
    let number = grain.number / meetings;
    // Whoever is without a task waits for the last ones, and these have been begun before: at most the longest ago.
    let explained = longest * (threads - 1.0) * meetings * (1.0 + NOISE);
    let are_few = number < FEW * threads;
    // Without a processor, a task is long and a barrier is left late, whatever the program does: few tasks stay few.
    let may_be_noise = are_few && case.facts.lacks_processors;
    if is_idle && grain.longest.is_some() && case.seconds() > explained {
        let late = late(case, &grain, threads);
        if !may_be_noise || late.cause != CauseKind::Unknown {
            return Some(late);
        }
    }
    if !may_be_noise && longest >= LONG * grain.mean() && longest * meetings * threads > grain.work {
        let what = format!(
            "The longest of {} tasks of {} takes {}, and all of them {} on average.",
            grain.number,
            region(case),
            duration(longest),
            duration(grain.mean()),
        );
        return fit(
            CauseKind::LargeTask,
            what,
            "Divide the longest tasks into several, and create them first.",
        );
    }
    let (each, times) = match number.fract() {
        0.0 => (number.to_string(), if meetings > 1.0 { " at a time" } else { "" }),
        _ => (format!("{number:.1}"), " at a time on average"),
    };
    let (task, mean) = (region(case), duration(grain.mean()));
    let what = match are_few {
        true => format!("{each} tasks of {task}{times}, of {mean} each, are few for {threads:.0} threads."),
        false if is_idle && grain.longest.is_some() => {
            format!("Threads find no task while the last ones of {task} are done, which take {mean} each.")
        }
        false => return None,
    };
    fit(CauseKind::FewPieces, what, "Divide the work into more and smaller tasks, several for each thread.")
}

/// The cause that threads find no task for longer than one takes.
///
/// A wait at a barrier is less all of the time in tasks there. So part of the time before there are any looks as if threads
/// found none when all had come.
fn late(case: &Case<'_>, grain: &Grain, threads: f64) -> Fit {
    let is_there = |finding| case.idle.as_ref().is_some_and(|idle| idle.is_at(Place::of_finding(finding)));
    let at_barriers = lost(case.facts.analysis).filter(|(_, finding)| is_there(finding));
    let waited: f64 = at_barriers.map(|(_, finding)| finding.waiting_time).sum();
    let before = grain.creation.unwrap_or_default() * (threads - 1.0) - waited;
    let task = region(case);
    let (cause, confidence, what, advice) = match before >= case.seconds() * MEANWHILE {
        true => (
            CauseKind::OneThread,
            0.7,
            format!("Threads find no task of {task} until one thread has created them."),
            "Divide the work before their creation among the threads, or create them earlier.",
        ),
        false => (
            CauseKind::Unknown,
            0.5,
            format!("Threads find no task of {task}, for longer than one takes."),
            "Find out what tasks wait for: for the thread that creates them, or for tasks that they depend on.",
        ),
    };
    Fit { cause, confidence, what, evidence: Vec::new(), advice: advice.to_owned() }
}

/// Fits threads that wait for one that creates tasks, or for its small ones.
pub(super) fn of_creation(case: &Case<'_>) -> Option<Fit> {
    if case.mechanism != Mechanism::Team {
        return None;
    }
    let path = case.path?;
    let (last, around) = path.names.split_last()?;
    let waits_itself = matches!(Construct::of_region(last), Some(Construct::TaskWait | Construct::TaskGroup));
    let task = created_in(case.facts, if waits_itself { around } else { path.names })?;
    let grain = grain(case.facts, task.names.last()?)?;
    if is_small(case, &grain) {
        return Some(small(&region_at(case.facts, task)?, &grain));
    }
    let creator = case.only_unit().filter(|_| !waits_itself)?;
    let creation = grain.creation?;
    let finding = case.findings().next()?;
    let (_, threads) = meetings(case.facts, Place::of_finding(finding))?;
    // The others are in the barrier all the time, and have done in tasks what they have not waited. That includes tasks after
    // the last thread has come: how long they find none then tells of these.
    let idle = idle(case.facts).into_iter().filter(|idle| idle.is_at(Place::of_finding(finding)));
    let idle: f64 = idle.map(|idle| idle.seconds()).sum();
    let meanwhile = creation * (threads - 1.0) - finding.waiting_time - idle;
    if meanwhile < MEANWHILE * grain.work {
        return None;
    }
    let what = format!(
        "{} alone creates {} tasks in {}, one each {}, and each takes {}: the others wait for the next one.",
        subject(case.facts, &[creator]),
        grain.number,
        region(case),
        duration(creation / grain.number),
        duration(grain.mean())
    );
    let advice =
        "Let several threads create tasks, in a loop that they share, or do less between two of them.";
    fit(CauseKind::TaskCreation, what, advice)
}

fn fit(cause: CauseKind, what: String, advice: &str) -> Option<Fit> {
    Some(Fit { cause, confidence: 0.9, what, evidence: Vec::new(), advice: advice.to_owned() })
}

/// Seconds that a task costs besides its work: to create it, and what is lost meanwhile.
fn is_small(case: &Case<'_>, grain: &Grain) -> bool {
    let cost = (grain.creation.unwrap_or_default() + case.seconds()) / grain.number;
    grain.mean() < cost.min(SMALL)
}

/// The cause that tasks of a region are too small.
fn small(tasks: &str, grain: &Grain) -> Fit {
    let creation = grain.creation.map_or_else(String::new, |creation| {
        format!(", and to create one takes {}", duration(creation / grain.number))
    });
    Fit {
        cause: CauseKind::SmallTasks,
        confidence: 0.9,
        what: format!("The {} tasks of {tasks} take {} each{creation}.", grain.number, duration(grain.mean())),
        evidence: Vec::new(),
        advice: "Make tasks larger: several pieces of work in each, `taskloop` with `grainsize`, or an `if` clause that \
                 executes small ones at once."
            .to_owned(),
    }
}

/// The number of times that a team meets at a barrier, whoever calls it, and the threads that do each time.
fn meetings(facts: &Facts<'_>, at_barrier: Place<'_>) -> Option<(f64, f64)> {
    let paths = facts.paths().filter(|path| path.names.ends_with(barrier(at_barrier.names)));
    let paths: Vec<Place<'_>> = paths.collect();
    let mut times: BTreeMap<u32, f64> = BTreeMap::new();
    let mut all = 0.0;
    for (unit, visits) in (0..).zip(facts.summed(&paths, Facts::visits)) {
        let times = times.entry(facts.location(unit).rank).or_default();
        *times = times.max(visits);
        all += visits;
    }
    let times: f64 = times.values().sum();
    (times > 0.0).then_some((times, all / times))
}
