use std::sync::Mutex;

use ats_model::WaitState::WaitAtImplicitOmpBarrier;
use ats_omp::{Schedule, Thread};
use ats_work::do_work;

use super::{REPETITIONS, TEAMS, UNIT, assert_close, assert_only, region_of, uneven, uneven_wait};

const SCHEDULES: [Schedule; 6] = [
    Schedule::Static,
    Schedule::StaticChunk(1),
    Schedule::StaticChunk(3),
    Schedule::Dynamic(2),
    Schedule::DynamicNonmonotonic(1),
    Schedule::Guided(1),
];

#[test]
fn static_schedules_keep_their_threads() {
    for threads in TEAMS {
        for schedule in [Schedule::Static, Schedule::StaticChunk(1)] {
            let outcome = region_of(threads, |t| {
                for _ in 0..REPETITIONS {
                    t.for_each(threads, schedule, |i| do_work(UNIT * (i + 1) as f64));
                }
            });
            let known = REPETITIONS as f64 * UNIT * uneven_wait(threads);
            assert_only(&outcome, &[(Some(WaitAtImplicitOmpBarrier), known)]);
            for wait in &outcome.waits {
                assert_eq!(wait.call_path, ["!$omp parallel", "!$omp for", "!$omp implicit barrier"]);
                assert_close(
                    wait.waiting_time,
                    REPETITIONS as f64 * UNIT * (threads - 1 - wait.thread) as f64,
                );
                assert!(!wait.exchangeable);
            }
        }
    }
}

#[test]
fn the_first_thread_gets_what_is_left_of_even_shares() {
    for threads in TEAMS {
        for schedule in [Schedule::Static, Schedule::StaticChunk(2)] {
            let iterations = 2 * threads + 1;
            let outcome = region_of(threads, |t| t.for_each(iterations, schedule, |_| do_work(UNIT)));
            let waits = |thread: usize| outcome.waiting_time_at(WaitAtImplicitOmpBarrier, 0, thread);
            assert_close(waits(0), 0.0);
            (1..threads).for_each(|thread| assert_close(waits(thread), UNIT));
        }
    }
}

#[test]
fn every_iteration_is_executed_once_by_every_schedule() {
    for threads in TEAMS {
        for schedule in SCHEDULES {
            let executed = Mutex::new(Vec::new());
            let body = |i: usize| {
                do_work(UNIT * (i % 3) as f64);
                executed.lock().unwrap().push(i);
            };
            region_of(threads, |t| t.for_each(50, schedule, body));
            let mut executed = executed.into_inner().unwrap();
            executed.sort_unstable();
            assert_eq!(executed, (0..50).collect::<Vec<_>>(), "{schedule:?} on {threads} threads");
        }
    }
}

#[test]
fn dynamic_chunks_go_to_who_asks_first() {
    for threads in TEAMS {
        // Iteration i takes i + 1 units; a list schedule.
        let iterations = 3 * threads + 1;
        for schedule in [Schedule::Dynamic(1), Schedule::DynamicNonmonotonic(1)] {
            let outcome = region_of(threads, |t| {
                t.for_each(iterations, schedule, |i| do_work(UNIT * (i + 1) as f64));
            });
            let mut ready = vec![0; threads];
            (0..iterations).for_each(|i| *ready.iter_mut().min().unwrap() += i + 1);
            let makespan = *ready.iter().max().unwrap();
            let waits: usize = ready.iter().map(|ready| makespan - ready).sum();
            assert_close(outcome.ends[0], UNIT * makespan as f64);
            assert_only(&outcome, &[(Some(WaitAtImplicitOmpBarrier), UNIT * waits as f64)]);
            assert!(outcome.waits.iter().all(|wait| wait.exchangeable));
        }
    }
}

#[test]
fn guided_chunks_shrink() {
    let chunks = Mutex::new(Vec::new());
    region_of(2, |t| {
        t.for_each(40, Schedule::Guided(3), |i| {
            do_work(UNIT);
            chunks.lock().unwrap().push((t.number(), i));
        });
    });
    let mut owners = chunks.into_inner().unwrap();
    owners.sort_by_key(|&(_, i)| i);
    // A quarter of what is left: 10, then 7 of 30, 5 of 23, 4 of 18, then 3 at least.
    let lengths: Vec<usize> = owners.chunk_by(|a, b| a.0 == b.0).map(<[_]>::len).collect();
    assert_eq!(lengths[..4], [10, 12, 4, 3]);
}

#[test]
fn without_waiting_a_loop_leaves_its_imbalance_to_the_end() {
    for threads in TEAMS {
        let outcome = region_of(threads, |t| {
            for _ in 0..REPETITIONS {
                t.for_each_nowait(threads, Schedule::StaticChunk(1), |i| do_work(UNIT * (i + 1) as f64));
            }
        });
        let known = REPETITIONS as f64 * UNIT * uneven_wait(threads);
        assert_only(&outcome, &[(Some(WaitAtImplicitOmpBarrier), known)]);
        for wait in &outcome.waits {
            assert_eq!(wait.call_path, ["!$omp parallel", "!$omp implicit barrier"]);
            assert_eq!(wait.instances, 1);
        }
    }
}

#[test]
fn too_few_sections_leave_threads_without_work() {
    for threads in TEAMS {
        for sections in 1..=2 * threads {
            let outcome = region_of(threads, |t| {
                for _ in 0..REPETITIONS {
                    t.sections(sections, |_| do_work(UNIT));
                }
            });
            let missing = threads * sections.div_ceil(threads) - sections;
            let known = REPETITIONS as f64 * UNIT * missing as f64;
            assert_only(&outcome, &[(Some(WaitAtImplicitOmpBarrier), known)]);
            let executed = outcome.counts["!$omp section"].calls;
            assert_eq!(executed, (REPETITIONS * sections) as u64);
            for wait in &outcome.waits {
                assert_eq!(wait.call_path, ["!$omp parallel", "!$omp sections", "!$omp implicit barrier"]);
            }
        }
    }
}

#[test]
fn a_single_goes_to_who_comes_first() {
    for threads in TEAMS {
        let outcome = region_of(threads, |t| {
            for _ in 0..REPETITIONS {
                t.single(|| do_work(UNIT));
            }
        });
        let known = REPETITIONS as f64 * UNIT * (threads - 1) as f64;
        assert_only(&outcome, &[(Some(WaitAtImplicitOmpBarrier), known)]);
        assert!(outcome.waits.iter().all(|wait| wait.exchangeable));
        assert_eq!(outcome.counts["!$omp single"].calls, (REPETITIONS * threads) as u64);
        assert_eq!(outcome.counts["!$omp single sblock"].calls, REPETITIONS as u64);
    }
    let outcome = region_of(4, |t| {
        do_work(UNIT * (4 - t.number()) as f64);
        t.single_nowait(|| do_work(5.0 * UNIT));
    });
    assert_close(outcome.ends[0], 6.0 * UNIT);
    assert_close(outcome.waiting_time_at(WaitAtImplicitOmpBarrier, 0, 3), 0.0);
}

#[test]
fn ordered_iterations_take_turns() {
    for threads in TEAMS {
        for (parallel, ordered, per_thread) in [(0.0, 1.0, 1), (0.0, 1.0, 3), (2.0, 1.0, 3), (40.0, 1.0, 2)] {
            let (p, q) = (UNIT * parallel, UNIT * ordered);
            let outcome = region_of(threads, |t| {
                let schedule = Schedule::StaticChunk(1);
                t.for_ordered(per_thread * threads, schedule, |_| do_work(p), |_| do_work(q));
            });
            let (team, pairs) = (threads as f64, uneven_wait(threads));
            let again = (per_thread - 1) as f64 * team * (q * (team - 1.0) - p).max(0.0);
            let known = [(None, q * pairs + again), (Some(WaitAtImplicitOmpBarrier), q * pairs)];
            assert_only(&outcome, &known);
            for wait in outcome.waits.iter().filter(|wait| wait.state.is_none()) {
                assert_eq!(wait.call_path, ["!$omp parallel", "!$omp for", "!$omp ordered"]);
                assert_eq!(wait.waiting_time, 0.0);
            }
        }
    }
}

#[test]
fn loops_may_follow_one_another_without_waiting() {
    for threads in TEAMS {
        let executed = Mutex::new(Vec::new());
        region_of(threads, |t| {
            for round in 0..4 {
                uneven(t);
                t.for_each_nowait(10, Schedule::Dynamic(1), |i| executed.lock().unwrap().push((round, i)));
                t.single_nowait(|| do_work(UNIT));
            }
        });
        let mut executed = executed.into_inner().unwrap();
        executed.sort_unstable();
        let all: Vec<_> = (0..4).flat_map(|round| (0..10).map(move |i| (round, i))).collect();
        assert_eq!(executed, all);
    }
}
