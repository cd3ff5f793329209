use std::sync::atomic::{AtomicUsize, Ordering};

use ats_model::WaitState::{OmpCriticalContention, OmpLockContention, WaitAtImplicitOmpBarrier};
use ats_omp::{Lock, LockKind, Team, Thread};
use ats_virtual::{LockOrder, Outcome, Simulation, VirtualThread};
use ats_work::do_work;

use super::{REPETITIONS, TEAMS, UNIT, assert_close, assert_only, run, uneven_wait};

/// Every thread alternates between work outside and inside.
fn contention(
    threads: usize,
    order: LockOrder,
    outside: f64,
    inside: impl Fn(&VirtualThread) + Sync,
) -> Outcome {
    let simulation = Simulation::new(1).threads(threads).lock_order(order);
    let outcome = simulation.run_with_team(|_, team| {
        team.parallel(threads, |t| {
            for _ in 0..REPETITIONS {
                do_work(outside);
                inside(t);
            }
        });
    });
    outcome.unwrap()
}

fn critical(t: &VirtualThread) {
    t.critical("shared", || do_work(UNIT));
}

/// The cost of a fair lock: waiting for it, and at the region's end.
fn fair(threads: usize, outside: f64) -> (f64, f64) {
    let team = threads as f64;
    let again = (REPETITIONS - 1) as f64 * team * ((team - 1.0) * UNIT - outside).max(0.0);
    (UNIT * uneven_wait(threads) + again, UNIT * uneven_wait(threads))
}

#[test]
fn a_fair_critical_is_had_in_turn() {
    for threads in TEAMS {
        for outside in [0.0, UNIT / 2.0, 3.0 * UNIT, 40.0 * UNIT] {
            let outcome = contention(threads, LockOrder::Fair, outside, critical);
            let (lock, end) = fair(threads, outside);
            let known = [(Some(OmpCriticalContention), lock), (Some(WaitAtImplicitOmpBarrier), end)];
            assert_only(&outcome, &known);
            for wait in &outcome.waits {
                assert!(wait.exchangeable);
                if wait.state == Some(OmpCriticalContention) {
                    assert_eq!(wait.call_path, ["!$omp parallel", "!$omp critical"]);
                }
            }
        }
    }
}

#[test]
fn an_unfair_critical_stays_with_who_comes_back_at_once() {
    for threads in TEAMS {
        let outcome = contention(threads, LockOrder::Unfair, 0.0, critical);
        let known = REPETITIONS as f64 * UNIT * uneven_wait(threads);
        assert_only(
            &outcome,
            &[(Some(OmpCriticalContention), known), (Some(WaitAtImplicitOmpBarrier), known)],
        );
    }
    let outcome = contention(4, LockOrder::Unfair, UNIT, critical);
    let (lock, end) = fair(4, UNIT);
    assert_close(outcome.waiting_time(OmpCriticalContention), lock);
    assert_close(outcome.waiting_time(WaitAtImplicitOmpBarrier), end);
}

#[test]
fn criticals_of_other_names_and_processes_are_others() {
    let names = ["a", "b", "c", "d"];
    let outcome = contention(4, LockOrder::Fair, 0.0, |t| t.critical(names[t.number()], || do_work(UNIT)));
    assert_only(&outcome, &[]);
    let outcome = Simulation::new(3).run_with_team(|_, team| team.parallel(1, critical)).unwrap();
    assert_only(&outcome, &[]);
}

#[test]
fn a_lock_that_all_share_is_as_a_critical() {
    for threads in TEAMS {
        for kind in [LockKind::Simple, LockKind::Nested] {
            let outcome = run(threads, |team| {
                let lock = team.new_lock(kind);
                team.parallel(threads, |t| {
                    (0..REPETITIONS).for_each(|_| t.with_lock(&lock, || do_work(UNIT)))
                });
            });
            let (lock, end) = fair(threads, 0.0);
            let known = [(Some(OmpLockContention), lock), (Some(WaitAtImplicitOmpBarrier), end)];
            assert_only(&outcome, &known);
            let name = if kind == LockKind::Simple { "omp_set_lock" } else { "omp_set_nest_lock" };
            assert_eq!(outcome.counts[name].calls, (REPETITIONS * threads) as u64);
        }
    }
}

#[test]
fn pairs_that_share_a_lock_do_not_disturb_others() {
    for threads in TEAMS {
        for outside in [0.0, UNIT / 4.0, 2.0 * UNIT] {
            let outcome = run(threads, |team| {
                let locks: Vec<Lock> =
                    (0..threads.div_ceil(2)).map(|_| team.new_lock(LockKind::Simple)).collect();
                team.parallel(threads, |t| {
                    for _ in 0..REPETITIONS {
                        do_work(outside);
                        t.with_lock(&locks[t.number() / 2], || do_work(UNIT));
                    }
                });
            });
            let again = (REPETITIONS - 1) as f64 * 2.0 * (UNIT - outside).max(0.0);
            assert_close(outcome.waiting_time(OmpLockContention), (threads / 2) as f64 * (UNIT + again));
        }
    }
}

#[test]
fn a_nested_lock_is_free_when_it_was_given_back_as_often() {
    let outcome = run(2, |team| {
        let lock = team.new_lock(LockKind::Nested);
        team.parallel(2, |t| {
            do_work(UNIT / 10.0 * t.number() as f64);
            t.with_lock(&lock, || {
                t.with_lock(&lock, || do_work(UNIT));
                do_work(UNIT);
            });
        });
    });
    assert_close(outcome.waiting_time(OmpLockContention), 1.9 * UNIT);
    assert_eq!(outcome.counts["omp_unset_nest_lock"].calls, 4);
}

#[test]
fn trying_a_lock_does_not_wait() {
    let (had, polls) = (AtomicUsize::new(0), AtomicUsize::new(0));
    let outcome = run(3, |team| {
        let lock = team.new_lock(LockKind::Simple);
        team.parallel(3, |t| {
            if t.number() == 0 {
                t.with_lock(&lock, || do_work(UNIT));
            } else {
                while t.try_with_lock(&lock, || had.fetch_add(1, Ordering::Relaxed)).is_none() {
                    polls.fetch_add(1, Ordering::Relaxed);
                }
            }
        });
    });
    assert_eq!(had.into_inner(), 2);
    assert!(polls.into_inner() > 100, "a failed test takes time");
    assert_close(outcome.waiting_time(OmpLockContention), 0.0);
}
