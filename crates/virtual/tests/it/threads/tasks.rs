use std::sync::Mutex;

use ats_model::WaitState::WaitAtImplicitOmpBarrier;
use ats_omp::{Team, Thread};
use ats_virtual::Outcome;
use ats_work::{do_work, now};

use super::{TEAMS, UNIT, assert_close, assert_only, run};

/// One thread creates tasks of these units each, and all execute them at the region's end.
fn tasks(threads: usize, units: &[usize]) -> Outcome {
    run(threads, |team| {
        team.parallel_tasks(threads, |t, tasks| {
            t.master(|| {
                for &units in units {
                    tasks.spawn(move || do_work(UNIT * units as f64));
                }
            });
        });
    })
}

#[test]
fn fewer_tasks_than_threads_leave_threads_without_work() {
    for threads in TEAMS {
        for count in 1..=2 * threads {
            let outcome = tasks(threads, &vec![1; count]);
            let rounds = count.div_ceil(threads);
            assert_close(outcome.ends[0], UNIT * rounds as f64);
            // All are at the barrier from the start: no metric counts what they wait for tasks.
            assert_only(&outcome, &[(None, UNIT * (threads * rounds - count) as f64)]);
            for wait in &outcome.waits {
                assert_eq!(wait.call_path, ["!$omp parallel", "!$omp implicit barrier"]);
                assert!(wait.exchangeable);
            }
            for construct in ["!$omp create task", "!$omp task"] {
                assert_eq!(outcome.counts[construct].calls, count as u64);
            }
        }
    }
}

#[test]
fn time_in_tasks_is_not_waiting() {
    // The master works 4 units after it has created two tasks of one unit; thread 1 executes both meanwhile.
    let outcome = run(2, |team| {
        team.parallel_tasks(2, |t, tasks| {
            t.master(|| {
                (0..2).for_each(|_| tasks.spawn(|| do_work(UNIT)));
                do_work(4.0 * UNIT);
            });
        });
    });
    assert_only(&outcome, &[(Some(WaitAtImplicitOmpBarrier), 2.0 * UNIT)]);
    assert_close(outcome.waiting_time_at(WaitAtImplicitOmpBarrier, 0, 1), 2.0 * UNIT);
    assert_close(outcome.ends[0], 4.0 * UNIT);
}

#[test]
fn the_creator_takes_its_newest_and_others_the_oldest() {
    let starts = Mutex::new(Vec::new());
    run(2, |team| {
        team.parallel_tasks(2, |t, tasks| {
            t.master(|| {
                for number in 0..4 {
                    let starts = &starts;
                    tasks.spawn(move || {
                        starts.lock().unwrap().push((now(), number));
                        do_work(UNIT * (1.0 + number as f64 / 10.0));
                    });
                }
            });
        });
    });
    let mut starts = starts.into_inner().unwrap();
    starts.sort_by(|one, other| one.partial_cmp(other).unwrap());
    let order: Vec<_> = starts.iter().map(|&(_, number)| number).collect();
    assert_eq!(order, [0, 3, 1, 2]);
}

#[test]
fn a_taskwait_waits_for_children_that_others_execute() {
    for wait in [true, false] {
        let outcome = run(2, |team| {
            team.parallel_tasks(2, |t, tasks| {
                t.master(|| {
                    tasks.spawn(|| do_work(4.0 * UNIT));
                    do_work(UNIT);
                    if wait {
                        t.taskwait();
                    }
                });
            });
        });
        // Thread 1 rests at the barrier and takes the task at once.
        let blocked: Vec<_> = outcome
            .waits
            .iter()
            .map(|wait| (wait.thread, wait.state, *wait.call_path.last().unwrap()))
            .collect();
        let at = if wait { "!$omp taskwait" } else { "!$omp implicit barrier" };
        assert_eq!(blocked, [(0, None, at)]);
        assert_close(outcome.waits[0].physical_time, 3.0 * UNIT);
        assert_close(outcome.ends[0], 4.0 * UNIT);
    }
}

#[test]
fn a_lonely_thread_executes_its_tasks_itself() {
    let outcome = run(1, |team| {
        team.parallel_tasks(1, |t, tasks| {
            (0..3).for_each(|_| tasks.spawn(|| do_work(UNIT)));
            t.taskwait();
            tasks.spawn(|| do_work(UNIT));
            t.barrier();
            tasks.spawn(|| do_work(UNIT));
        });
    });
    assert_only(&outcome, &[]);
    assert_close(outcome.ends[0], 5.0 * UNIT);
}

#[test]
fn tasks_may_start_teams() {
    let outcome = run(2, |team| {
        let inner = *team;
        team.parallel_tasks(2, move |t, tasks| {
            t.master(|| {
                tasks.spawn(move || inner.parallel(3, |t| do_work(UNIT * t.number() as f64)));
            });
            t.barrier();
        });
    });
    assert_close(outcome.waiting_time(WaitAtImplicitOmpBarrier), 3.0 * UNIT);
    assert_close(outcome.ends[0], 2.0 * UNIT);
}
