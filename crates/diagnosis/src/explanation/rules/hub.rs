//! Master and workers: all messages are to or from one location.

use std::cmp::Ordering;

use ats_documents::explanation::CauseKind;

use super::uneven_work::longer;
use crate::explanation::case::Case;
use crate::explanation::facts::Messages;
use crate::explanation::fit::Fit;
use crate::explanation::mechanism::Mechanism;
use crate::explanation::waits::Span;
use crate::explanation::wording::{duration, object, region, subject};

/// The part of all messages that a master has at one end. All of them are, unless workers also exchange a few, as for a
/// result of all. With a lower value any root of many messages counts as a master.
const OF_MASTER: f64 = 0.9;

/// The fewest workers. With two, a master looks the same as the middle one of three neighbours; a higher number loses small
/// masters.
const FEWEST: usize = 3;

/// A master with workers that send to it and receive from it.
struct Hub {
    master: u32,
    /// The number of workers that send and receive.
    workers: usize,
    /// Messages from the master to workers.
    tasks: f64,
}

/// The master in the part of the program that the case is about, if there is one.
fn hub(case: &Case<'_>) -> Option<Hub> {
    if !matches!(case.mechanism, Mechanism::Data | Mechanism::Order) || case.path.is_none() {
        return None;
    }
    let messages = case.facts.messages(&case.phase());
    let all = |of: f64, messages: f64| of + messages;
    let (sent, received) = (
        messages.iter().map(|of| of.sent).fold(0.0, all),
        messages.iter().map(|of| of.received).fold(0.0, all),
    );
    let by_messages = |a: &(usize, f64), b: &(usize, f64)| a.1.partial_cmp(&b.1).unwrap_or(Ordering::Equal);
    let totals = messages.iter().map(|of| of.sent + of.received).enumerate();
    let (master, _) = totals.max_by(by_messages)?;
    let of = messages[master];
    let works = |of: &Messages| of.sent > 0.0 && of.received > 0.0;
    let workers = messages.iter().enumerate().filter(|&(unit, of)| unit != master && works(of)).count();
    let is_one = workers >= FEWEST
        && of.sent >= OF_MASTER * (received - of.received)
        && of.received >= OF_MASTER * (sent - of.sent);
    is_one.then_some(Hub { master: master as u32, workers, tasks: of.sent })
}

/// Fits if workers wait for a master that answers them one by one.
pub(super) fn busy_master(case: &Case<'_>) -> Option<Fit> {
    let Hub { master, workers, tasks } = hub(case).filter(|_| case.call().is_none())?;
    if case.units.first()?.0 != master || case.only_unit().is_none() {
        return None;
    }
    let time = case.time()[master as usize];
    // Further messages end the work of the workers: no time is spent on these.
    let visits = case.visits()[master as usize];
    let tasks = if (tasks / 2.0..=tasks).contains(&visits) { visits } else { tasks };
    let of_master = time / tasks;
    let is_timed = of_master > 0.0;
    let of_worker = of_a_worker(case);
    let enough = of_worker.filter(|_| is_timed).map(|of_worker| enough(of_worker, of_master));
    let advice = match enough {
        Some(enough) if enough < workers as f64 => {
            let (workers, keep) = if enough < 2.0 { ("worker", "keeps") } else { ("workers", "keep") };
            format!(
                "About {enough} {workers} {keep} it busy. Let it do less for each task, give larger tasks, or use several \
                 masters."
            )
        }
        _ => "Let it do less for each task, or give larger tasks.".to_owned(),
    };
    let late = match is_timed {
        true => format!("works {} for each of {tasks} tasks in {}", duration(of_master), region(case)),
        false => format!("is late with {tasks} tasks because of {}", region(case)),
    };
    let evidence = of_worker.map(|of_worker| format!("A worker works {} for a task.", duration(of_worker)));
    Some(Fit {
        cause: CauseKind::BusyMaster,
        confidence: 0.96,
        what: format!("{} is the master of {workers} workers, and {late}.", subject(case.facts, &[master])),
        evidence: evidence.into_iter().collect(),
        advice,
    })
}

/// Kappa-PI's number of workers that a master keeps busy, without the time of messages: while a worker has a task, the
/// master makes those of the others.
fn enough(of_worker: f64, of_master: f64) -> f64 {
    (1.0 + of_worker / of_master).round()
}

/// The seconds that a worker works for a task, the median of all: the time from the end of a wait for the master to the
/// begin of its next one. Waits for the first task follow none.
fn of_a_worker(case: &Case<'_>) -> Option<f64> {
    let mut waits: Vec<&Span> = case.waits().collect();
    waits.sort_unstable_by_key(|wait| (wait.location, wait.begin));
    let between = waits.windows(2).filter(|pair| pair[0].location == pair[1].location);
    let mut ticks: Vec<u64> = between.map(|pair| pair[1].begin.saturating_sub(pair[0].end)).collect();
    ticks.sort_unstable();
    ticks.get(ticks.len() / 2).map(|&ticks| case.facts.clock.seconds(ticks))
}

/// Fits if a master waits for its workers.
pub(super) fn busy_workers(case: &Case<'_>) -> Option<Fit> {
    let Hub { master, workers, .. } = hub(case)?;
    let waits = case.waiting().contains(&master);
    let is_master = case.units.first()?.0 == master;
    (waits && !is_master).then(|| Fit {
        cause: CauseKind::BusyWorkers,
        confidence: 0.95,
        what: longer(case),
        evidence: vec![format!(
            "{} is the master of {workers} workers: it waits for the slowest, and the others wait for it.",
            subject(case.facts, &[master])
        )],
        advice: format!(
            "Let {} give smaller tasks, and the next to the worker that is done first; or add workers.",
            object(case.facts, &[master])
        ),
    })
}
