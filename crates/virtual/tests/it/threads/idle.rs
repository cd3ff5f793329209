use ats_model::WaitState::{IdleThreads, LimitedParallelism, WaitAtImplicitOmpBarrier};
use ats_omp::{Team, Thread};
use ats_virtual::Simulation;
use ats_work::{do_work, region};

use super::{REPETITIONS, TEAMS, UNIT, assert_close, assert_only, run};

#[test]
fn threads_idle_while_their_master_works_alone() {
    for threads in TEAMS {
        let outcome = run(threads, |team| {
            for _ in 0..REPETITIONS {
                {
                    let _serial = region("serial");
                    do_work(UNIT);
                }
                team.parallel(threads, |_| do_work(UNIT));
            }
        });
        let each = REPETITIONS as f64 * UNIT;
        assert_only(&outcome, &[(Some(IdleThreads), (threads - 1) as f64 * each)]);
        assert_eq!(outcome.waits.len(), threads - 1);
        for wait in &outcome.waits {
            assert_eq!(wait.call_path, ["serial"]);
            assert_close(wait.waiting_time, each);
            assert_eq!((wait.instances, wait.exchangeable), (REPETITIONS as u64, false));
        }
    }
}

#[test]
fn threads_that_a_region_leaves_out_idle_there() {
    for threads in TEAMS {
        for used in 1..=threads {
            let outcome =
                run(threads, |team| (0..REPETITIONS).for_each(|_| team.parallel(used, |_| do_work(UNIT))));
            let each = REPETITIONS as f64 * UNIT;
            assert_only(&outcome, &[(Some(LimitedParallelism), (threads - used) as f64 * each)]);
            for wait in &outcome.waits {
                assert!(wait.thread >= used);
                assert_eq!(wait.call_path, ["!$omp parallel"]);
            }
        }
    }
}

#[test]
fn exclusive_time_counts_where_it_is_spent() {
    let outcome = run(2, |team| {
        let _outer = region("outer");
        do_work(UNIT);
        {
            let _inner = region("inner");
            do_work(2.0 * UNIT);
        }
        do_work(3.0 * UNIT);
        team.parallel(2, |_| {
            let _parallel = region("parallel work");
            do_work(UNIT);
        });
        do_work(5.0 * UNIT);
    });
    let idle: Vec<_> = outcome.waits.iter().map(|wait| (&wait.call_path[..], wait.waiting_time)).collect();
    assert_eq!(idle, [(&["outer"][..], 9.0 * UNIT), (&["outer", "inner"], 2.0 * UNIT)]);
}

#[test]
fn members_of_inner_teams_idle_while_there_is_none() {
    let outcome = run(1, |team| {
        do_work(UNIT);
        team.parallel(2, |t| {
            do_work(2.0 * UNIT);
            if t.number() == 1 {
                team.parallel(2, |_| do_work(4.0 * UNIT));
            }
        });
    });
    let of = |state, thread| outcome.waiting_time_at(state, 0, thread);
    assert_close(of(IdleThreads, 1), UNIT);
    assert_close(of(IdleThreads, 2), UNIT);
    assert_close(of(LimitedParallelism, 1), 0.0);
    assert_close(of(LimitedParallelism, 2), 2.0 * UNIT);
    assert_close(of(WaitAtImplicitOmpBarrier, 0), 4.0 * UNIT);
}

#[test]
fn programs_without_teams_have_no_idle_threads() {
    let outcome = Simulation::new(2).run(|_| do_work(UNIT)).unwrap();
    assert_only(&outcome, &[]);
    let lonely = Simulation::new(2).run_with_team(|_, team| team.parallel(1, |_| do_work(UNIT))).unwrap();
    assert_only(&lonely, &[]);
}

#[test]
fn an_idle_thread_waits_once_for_every_region_that_leaves_it_out() {
    let outcome = run(3, |team| {
        for used in [1, 2, 3, 2] {
            let _region = region("phase");
            team.parallel(used, |_| do_work(UNIT));
            team.parallel(1, |_| ());
        }
    });
    let waits: Vec<_> = outcome.waits.iter().map(|wait| (wait.thread, wait.instances)).collect();
    assert_eq!(waits, [(1, 1), (2, 3)]);
}
