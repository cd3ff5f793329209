use std::sync::atomic::{AtomicU64, Ordering};

use ats_model::WaitState::{OmpManagement, WaitAtExplicitOmpBarrier, WaitAtImplicitOmpBarrier};
use ats_omp::{Reduction, Team, Thread};
use ats_virtual::{Simulation, VirtualTeam};
use ats_work::{do_work, region};

use super::{REPETITIONS, TEAMS, UNIT, assert_close, assert_only, region_of, run, uneven, uneven_wait};

#[test]
fn a_region_ends_when_its_last_thread_does() {
    for threads in TEAMS {
        let outcome = run(threads, |team| {
            let _region = region("uneven");
            for _ in 0..REPETITIONS {
                team.parallel(threads, uneven);
            }
        });
        let repetitions = REPETITIONS as f64;
        assert_only(&outcome, &[(Some(WaitAtImplicitOmpBarrier), repetitions * UNIT * uneven_wait(threads))]);
        for thread in 0..threads {
            let known = repetitions * UNIT * (threads - 1 - thread) as f64;
            assert_close(outcome.waiting_time_at(WaitAtImplicitOmpBarrier, 0, thread), known);
        }
        for wait in &outcome.waits {
            assert_eq!(wait.call_path, ["uneven", "!$omp parallel", "!$omp implicit barrier"]);
            assert_eq!((wait.instances, wait.exchangeable), (REPETITIONS as u64, false));
            assert_eq!(wait.communicator, None);
        }
        assert_close(outcome.ends[0], repetitions * UNIT * threads as f64);
        assert_eq!(outcome.counts["!$omp parallel"].calls, (REPETITIONS * threads) as u64);
        assert_eq!(outcome.counts["!$omp implicit barrier"].calls, (REPETITIONS * threads) as u64);
        assert_eq!(outcome.locations.len(), threads);
    }
}

#[test]
fn a_fork_costs_all_but_the_master() {
    for threads in TEAMS {
        let simulation = Simulation::new(1).threads(threads).fork(UNIT);
        let outcome = simulation
            .run_with_team(|_, team: &VirtualTeam| {
                (0..REPETITIONS).for_each(|_| team.parallel(threads, |_| do_work(UNIT)))
            })
            .unwrap();
        let cost = if threads > 1 { REPETITIONS as f64 * UNIT } else { 0.0 };
        let managed = cost * (threads - 1) as f64;
        let known = [(Some(OmpManagement), managed), (Some(WaitAtImplicitOmpBarrier), cost)];
        assert_only(&outcome, &known[..if threads > 1 { 2 } else { 0 }]);
        assert_close(outcome.ends[0], REPETITIONS as f64 * UNIT + cost);
        assert_close(outcome.waiting_time_at(OmpManagement, 0, 0), 0.0);
    }
}

#[test]
fn a_barrier_waits_for_all() {
    for threads in TEAMS {
        let outcome = region_of(threads, |t| {
            for _ in 0..REPETITIONS {
                uneven(t);
                t.barrier();
            }
        });
        let known = REPETITIONS as f64 * UNIT * uneven_wait(threads);
        assert_only(&outcome, &[(Some(WaitAtExplicitOmpBarrier), known)]);
        assert!(outcome.waits.iter().all(|wait| wait.call_path == ["!$omp parallel", "!$omp barrier"]));
    }
}

#[test]
fn a_master_keeps_the_others_waiting_at_the_next_barrier() {
    for threads in TEAMS {
        let outcome = region_of(threads, |t| {
            for _ in 0..REPETITIONS {
                t.master(|| do_work(UNIT));
                t.barrier();
            }
        });
        let each = REPETITIONS as f64 * UNIT;
        assert_only(&outcome, &[(Some(WaitAtExplicitOmpBarrier), (threads - 1) as f64 * each)]);
        for thread in 1..threads {
            assert_close(outcome.waiting_time_at(WaitAtExplicitOmpBarrier, 0, thread), each);
        }
        assert_eq!(outcome.counts["!$omp master"].calls, REPETITIONS as u64);
    }
}

#[test]
fn visits_without_time_are_counted() {
    let (target, sum) = (AtomicU64::new(0), Reduction::default());
    let outcome = region_of(5, |t| {
        t.atomic(&target, |value| value + 2);
        t.reduce(0.5, &sum);
        t.flush();
        t.taskwait();
    });
    assert_eq!((target.load(Ordering::Relaxed), sum.get()), (10, 2.5));
    assert_only(&outcome, &[]);
    for construct in ["!$omp atomic", "!$omp reduction", "!$omp flush", "!$omp taskwait"] {
        assert_eq!(outcome.counts[construct].calls, 5, "{construct}");
    }
}

#[test]
fn inner_teams_wait_for_their_own_members() {
    for outer in [1, 2, 3, 5] {
        for inner in [1, 2, 4, 7] {
            let outcome = run(outer, |team| {
                team.parallel(outer, |_| {
                    for _ in 0..REPETITIONS {
                        team.parallel(inner, uneven);
                    }
                });
            });
            let known = (outer * REPETITIONS) as f64 * UNIT * uneven_wait(inner);
            assert_close(outcome.waiting_time(WaitAtImplicitOmpBarrier), known);
            assert_close(outcome.ends[0], REPETITIONS as f64 * UNIT * inner as f64);
            for wait in outcome.waits.iter().filter(|wait| wait.state == Some(WaitAtImplicitOmpBarrier)) {
                let inner = ["!$omp parallel", "!$omp parallel", "!$omp implicit barrier"];
                assert_eq!(wait.call_path, inner);
                assert_eq!(wait.exchangeable, wait.thread >= outer, "{wait:?}");
            }
            assert_eq!(
                outcome.locations.len(),
                outer * inner,
                "members of inner teams are the same threads again"
            );
        }
    }
}

#[test]
fn without_accounts_times_are_the_same() {
    let program = |_: &dyn ats_mpi::Communicator, team: &VirtualTeam| {
        do_work(UNIT);
        team.parallel(3, |t| {
            uneven(t);
            t.critical("one", || do_work(UNIT));
            t.barrier();
        });
    };
    let simulation = || Simulation::new(2).threads(3);
    let bare = simulation().without_accounts().run_with_team(program).unwrap();
    let full = simulation().run_with_team(program).unwrap();
    assert_eq!((&bare.ends, &bare.counts, bare.operations), (&full.ends, &full.counts, full.operations));
    assert_eq!(bare.ends, [0.05, 0.05]);
    assert_only(&bare, &[]);
}

#[test]
fn a_team_may_be_larger_than_its_process_was() {
    let outcome = run(2, |team| {
        for threads in [4, 1, 3] {
            team.parallel(threads, uneven);
        }
    });
    assert_close(outcome.waiting_time(WaitAtImplicitOmpBarrier), UNIT * (6.0 + 3.0));
    let threads: Vec<usize> = outcome.locations.iter().map(|location| location.thread).collect();
    assert_eq!(threads, [0, 1, 2, 3]);
}
