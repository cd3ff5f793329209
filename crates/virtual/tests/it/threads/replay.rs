use std::collections::BTreeMap;

use ats_model::WaitState;
use ats_model::event::Event;
use ats_model::source::InMemory;
use ats_mpi::{Communicator, Source, Tag};
use ats_omp::{LockKind, Schedule, Team, Thread};
use ats_virtual::{Outcome, RankReplay, Simulation, ThreadReplay, VirtualTeam};
use ats_work::{do_work, region};

use super::UNIT;
use super::events::lines;

/// Iterations and sections mark themselves, so that their numbers can be read from a trace.
const MARKS: [&str; 12] = ["0", "1", "2", "3", "4", "5", "6", "7", "8", "9", "10", "11"];

/// Every choice that there is, on two ranks of three threads, thread 1 with an inner team of two.
fn program(c: &dyn Communicator, team: &VirtualTeam) {
    let lock = team.new_lock(LockKind::Simple);
    let inner = *team;
    do_work(UNIT);
    team.parallel_tasks(3, |t, tasks| {
        let iteration = |i: usize| {
            let _mark = region(MARKS[i]);
            do_work(UNIT * ((i * 5 + t.number() * 3 + c.rank()) % 4) as f64);
        };
        t.for_each(12, Schedule::Dynamic(1), iteration);
        t.for_ordered(6, Schedule::StaticChunk(1), |_| do_work(UNIT), |_| do_work(UNIT));
        t.sections(5, iteration);
        for _ in 0..2 {
            t.critical("here", || do_work(UNIT));
        }
        t.with_lock(&lock, || do_work(2.0 * UNIT));
        t.single_nowait(|| (0..5).for_each(|units| tasks.spawn(move || do_work(UNIT * units as f64))));
        t.taskwait();
        if t.number() == 1 {
            inner.parallel(2, |t| do_work(UNIT * (t.number() + 1) as f64));
        }
        let (tag, buf) = (t.number() as u32, c.base_buf());
        match c.rank() {
            0 => c.send(1, tag, &buf),
            _ => assert_eq!(c.recv(Source::Rank(0), Tag::Is(tag), &buf).tag, tag),
        }
        t.master(|| c.barrier());
        t.barrier();
        t.single(|| tasks.spawn(|| do_work(3.0 * UNIT)));
        tasks.spawn(|| do_work(UNIT));
    });
    c.barrier();
}

fn simulate(replay: Option<Vec<RankReplay>>) -> (Outcome, InMemory) {
    let mut trace = InMemory::default();
    let simulation = Simulation::new(2);
    let simulation = match replay {
        Some(replay) => simulation.replay(replay),
        None => simulation,
    };
    let outcome = simulation.threads(3).record(&mut trace).run_with_team(program).unwrap();
    (outcome, trace)
}

/// The log that a thread of the program would have kept.
fn log(trace: &InMemory, location: usize, tasks: &BTreeMap<(u32, u32, u32), u32>) -> ThreadReplay {
    let mut log = ThreadReplay::default();
    let rank = trace.definitions.locations[location].rank;
    let is_worker = trace.definitions.locations[location].thread > 0;
    let (mut open, mut forked, mut switched) = (Vec::new(), false, 0);
    for &(time, event) in &trace.events[location] {
        match event {
            Event::ThreadFork { .. } => forked = true,
            Event::ThreadTaskSwitch { task, .. } => {
                switched = tasks.get(&(rank, task.creator, task.generation)).copied().unwrap_or(0);
            }
            Event::ThreadTaskCreate { task, .. } => {
                let number = tasks[&(rank, task.creator, task.generation)];
                log.choices.push((log.calls.len() - 1, number));
            }
            Event::ThreadAcquireLock { order, .. } => {
                let &(_, at) = open.last().unwrap();
                log.choices.push((Option::unwrap(at), order - 1));
            }
            Event::Enter { region } => {
                let name = &*trace.definitions.regions[region.0 as usize].name;
                let construct =
                    name.starts_with("!$omp") || name.starts_with("omp_") || name.starts_with("MPI");
                let begins_worker = name == "!$omp parallel" && !std::mem::take(&mut forked);
                if construct && !begins_worker {
                    let at = log.calls.len();
                    log.calls.push((name.to_owned(), time, time));
                    match name {
                        "!$omp task" => log.choices.push((at, switched)),
                        "!$omp single" => log.choices.push((at, 0)),
                        "!$omp single sblock" => {
                            let (_, Some(single)) = *open.last().unwrap() else { panic!("no single") };
                            log.choices.iter_mut().find(|(of, _)| *of == single).unwrap().1 = 1;
                        }
                        _ => {}
                    }
                    open.push((name.to_owned(), Some(at)));
                } else {
                    if let Some(number) = MARKS.iter().position(|&mark| mark == name) {
                        let around = open.iter().rev().find(|(name, _)| name != "!$omp section").unwrap();
                        let number = number as u32;
                        match around {
                            (name, Some(at)) if name == "!$omp for" => {
                                log.choices.extend([(*at, number), (*at, number + 1)]);
                            }
                            (_, Some(at)) => log.choices.push((*at, number)),
                            _ => panic!("a mark outside"),
                        }
                    }
                    open.push((name.to_owned(), None));
                }
            }
            Event::Leave { .. } => {
                let (name, at) = open.pop().unwrap();
                let ends_region = open.last().is_some_and(|(outer, _)| outer == "!$omp parallel");
                let in_own_region = open.last().is_some_and(|(_, at)| at.is_some());
                if let Some(at) = at
                    && !(is_worker && name == "!$omp implicit barrier" && ends_region && !in_own_region)
                {
                    log.calls[at].2 = time;
                }
            }
            _ => {}
        }
    }
    log
}

fn replay_of(outcome: &Outcome, trace: &InMemory) -> Vec<RankReplay> {
    // The tasks of a process, numbered by time.
    let mut created = Vec::new();
    for (events, definition) in trace.events.iter().zip(&trace.definitions.locations) {
        for &(time, event) in events {
            if let Event::ThreadTaskCreate { task, .. } = event {
                created.push((definition.rank, time, task.creator, task.generation));
            }
        }
    }
    created.sort_unstable();
    let mut tasks = BTreeMap::new();
    for of_rank in created.chunk_by(|a, b| a.0 == b.0) {
        tasks.extend(
            (0..)
                .zip(of_rank)
                .map(|(number, &(rank, _, creator, generation))| ((rank, creator, generation), number)),
        );
    }
    let picoseconds = |seconds: f64| (seconds * 1e12).round() as u64;
    let rank = |rank: usize| {
        let locations = trace.definitions.locations.iter().enumerate();
        let threads = locations.filter(|(_, location)| location.rank == rank as u32 && location.thread > 0);
        let path = |thread: u32| if thread == 3 { vec![1, 1] } else { vec![thread] };
        RankReplay {
            enter: picoseconds(outcome.begins[rank]),
            leave: picoseconds(outcome.ends[rank]),
            master: log(trace, rank, &tasks),
            threads: threads.map(|(at, location)| (path(location.thread), log(trace, at, &tasks))).collect(),
        }
    };
    (0..outcome.ends.len()).map(rank).collect()
}

#[test]
fn a_run_replayed_with_its_own_stamps_is_the_same_run() {
    let (outcome, trace) = simulate(None);
    let (mut again, trace_again) = simulate(Some(replay_of(&outcome, &trace)));
    for (wait, again) in outcome.waits.iter().zip(&mut again.waits) {
        assert!(!again.exchangeable || again.thread > 2, "a real run's threads are known");
        again.exchangeable = wait.exchangeable;
    }
    assert_eq!(again, outcome);
    for location in 0..trace.events.len() {
        assert_eq!(lines(&trace_again, location), lines(&trace, location));
        let times =
            |trace: &InMemory| trace.events[location].iter().map(|&(time, _)| time).collect::<Vec<_>>();
        assert_eq!(times(&trace_again), times(&trace));
    }
}

#[test]
fn choices_are_obeyed() {
    let (outcome, trace) = simulate(None);
    let mut replay = replay_of(&outcome, &trace);
    let single = |log: &ThreadReplay| {
        let at = log.calls.iter().position(|(name, ..)| name == "!$omp single").unwrap();
        log.choices.iter().find(|(of, _)| *of == at).unwrap().1
    };
    let executors: Vec<u32> =
        [&replay[0].master, &replay[0].threads[0].1, &replay[0].threads[1].1].map(single).to_vec();
    assert_eq!(executors.iter().sum::<u32>(), 1);
    // A witness in which nobody executes the single does not fit: its block was entered.
    let RankReplay { master, threads, .. } = &mut replay[0];
    for log in threads.iter_mut().map(|(_, log)| log).chain([master]) {
        let at = log.calls.iter().position(|(name, ..)| name == "!$omp single");
        log.choices.iter_mut().filter(|(of, _)| Some(*of) == at).for_each(|(_, chosen)| *chosen = 0);
    }
    let error = Simulation::new(2).threads(3).replay(replay).run_with_team(program).unwrap_err();
    assert!(error.to_string().contains("does not fit the program"), "{error}");
}

/// A rank of one thread that did this: name, entry, exit in milliseconds, choice.
fn lonely(calls: &[(&str, u64, u64, Option<u32>)]) -> RankReplay {
    let ps = |ms: u64| ms * 1_000_000_000;
    let stamps =
        |&(name, enter, leave, _): &(&str, u64, u64, Option<u32>)| (name.to_owned(), ps(enter), ps(leave));
    let choices = calls.iter().enumerate().filter_map(|(at, &(.., chosen))| Some((at, chosen?)));
    let (calls_made, choices) = (calls.iter().map(stamps).collect(), choices.collect());
    let master = ThreadReplay { calls: calls_made, choices, ..ThreadReplay::default() };
    RankReplay { enter: 0, leave: ps(calls[0].2), master, threads: Vec::new() }
}

#[test]
fn a_task_may_have_been_executed_at_once() {
    let at = |task: u64| {
        let replay = lonely(&[
            ("!$omp parallel", 0, 8, None),
            ("!$omp create task", 1, 5, Some(0)),
            ("!$omp task", task, task + 2, Some(0)),
            ("!$omp implicit barrier", 8, 8, None),
        ]);
        let simulation = Simulation::new(1).replay(vec![replay]);
        simulation.run_with_team(|_, team| {
            team.parallel_tasks(1, |_, tasks| tasks.spawn(|| ()));
        })
    };
    let outcome = at(2).unwrap();
    assert_eq!((outcome.ends, outcome.waits), (vec![0.008], Vec::new()));
    let error = at(6).unwrap_err().to_string();
    assert!(
        error.contains("its call 2 is !$omp task, where the program makes !$omp implicit barrier"),
        "{error}"
    );
}

#[test]
fn a_lock_goes_to_its_threads_in_the_order_of_their_numbers() {
    // Thread 1 had it first, tested it, and the master got it last.
    let mut master = lonely(&[
        ("!$omp parallel", 0, 8, None),
        ("omp_set_lock", 1, 7, Some(2)),
        ("omp_unset_lock", 8, 8, None),
        ("!$omp implicit barrier", 8, 8, None),
    ]);
    let worker = lonely(&[
        ("omp_set_lock", 2, 2, Some(0)),
        ("omp_unset_lock", 4, 4, None),
        ("omp_test_lock", 4, 4, Some(1)),
        ("omp_unset_lock", 6, 6, None),
        ("!$omp implicit barrier", 6, 6, None),
    ]);
    master.threads = vec![(vec![1], worker.master)];
    let outcome = Simulation::new(1).threads(2).replay(vec![master]).run_with_team(|_, team| {
        let lock = team.new_lock(LockKind::Simple);
        team.parallel(2, |t| {
            t.with_lock(&lock, || ());
            if t.number() == 1 {
                assert!(t.try_with_lock(&lock, || ()).is_some());
            }
        });
    });
    let waits: Vec<_> = outcome.unwrap().waits.iter().map(|wait| (wait.thread, wait.waiting_time)).collect();
    assert_eq!(waits, [(1, 2e-3), (0, 5e-3)]);
}

#[test]
fn a_witness_of_other_threads_is_refused() {
    let replay = |threads| vec![RankReplay { threads, ..RankReplay::default() }];
    let run = |replay| Simulation::new(1).replay(replay).run_with_team(|_, _| ()).map(|_| ());
    run(replay(Vec::new())).unwrap();
    let error = run(replay(vec![(vec![2, 1], ThreadReplay::default())])).unwrap_err();
    assert!(error.to_string().contains("its thread 2.1 works in no team of the program"), "{error}");
}

#[test]
fn a_late_start_and_a_late_join_are_management() {
    let mut master = lonely(&[("!$omp parallel", 0, 9, None), ("!$omp implicit barrier", 5, 9, None)]);
    let mut worker = lonely(&[("!$omp implicit barrier", 8, 8, None)]);
    (master.master.begins, worker.master.begins) = (vec![1_000_000_000], vec![3_000_000_000]);
    master.threads = vec![(vec![1], worker.master)];
    let simulation = Simulation::new(1).threads(2).replay(vec![master]);
    let outcome = simulation.run_with_team(|_, team| team.parallel(2, |_| ())).unwrap();
    let at = |state, thread| outcome.waiting_time_at(state, 0, thread);
    // They begin late by 1 and 3 ms, and the join comes 1 ms after the last of them.
    assert_eq!([0, 1].map(|thread| at(WaitState::OmpManagement, thread)), [2e-3, 4e-3]);
    assert_eq!([0, 1].map(|thread| at(WaitState::WaitAtImplicitOmpBarrier, thread)), [3e-3, 0.0]);
}
