use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use ats_mpi::Communicator;
use ats_omp::{LockKind, Schedule, Team, Thread};
use ats_virtual::{Place, Simulation, SimulationError, VirtualTeam};
use ats_work::{do_work, region};

use super::{UNIT, region_of};

fn message(ranks: usize, program: impl Fn(&dyn Communicator, &VirtualTeam)) -> String {
    Simulation::new(ranks).threads(3).run_with_team(program).unwrap_err().to_string()
}

#[test]
fn a_simple_lock_taken_twice_is_a_deadlock() {
    let text = message(1, |_, team| {
        let lock = team.new_lock(LockKind::Simple);
        team.parallel(2, |t| {
            if t.number() == 1 {
                let _region = region("twice");
                t.with_lock(&lock, || t.with_lock(&lock, || ()));
            }
        });
    });
    assert_eq!(
        text,
        "deadlock: 1 of 1 ranks wait for one another
  rank 0 in !$omp parallel/!$omp implicit barrier waits for thread 1 of its team
  rank 0, thread 1 in !$omp parallel/twice/omp_set_lock waits for a lock that it has itself"
    );
}

#[test]
fn a_barrier_that_not_all_reach_is_a_deadlock() {
    let text = message(2, |c, team| {
        team.parallel(3, |t| {
            if c.rank() == 0 || t.number() != 1 {
                t.barrier();
            }
        });
    });
    assert_eq!(
        text,
        "deadlock: 1 of 2 ranks wait for one another
  rank 1 in !$omp parallel/!$omp barrier waits for thread 1 of its team
  rank 1, thread 1 in !$omp parallel/!$omp implicit barrier waits for thread 0, 2 of its team
  rank 1, thread 2 in !$omp parallel/!$omp barrier waits for thread 1 of its team"
    );
}

#[test]
fn locks_taken_crosswise_are_a_deadlock() {
    let text = message(1, |_, team| {
        let locks = [team.new_lock(LockKind::Simple), team.new_lock(LockKind::Simple)];
        team.parallel(2, |t| {
            let (first, second) = (&locks[t.number()], &locks[1 - t.number()]);
            t.with_lock(first, || {
                do_work(UNIT);
                t.with_lock(second, || ());
            });
        });
    });
    assert!(
        text.contains("rank 0 in !$omp parallel/omp_set_lock waits for a lock that thread 1 has"),
        "{text}"
    );
    assert!(
        text.contains("rank 0, thread 1 in !$omp parallel/omp_set_lock waits for a lock that thread 0 has")
    );
}

#[test]
fn different_constructs_are_refused() {
    let text = message(1, |_, team| {
        team.parallel(2, |t| match t.number() {
            0 => t.single(|| ()),
            _ => t.for_each(4, Schedule::Dynamic(1), |_| ()),
        });
    });
    assert_eq!(text, "rank 0, thread 1: !$omp for here, where thread 0 of the team is at !$omp single");
    let text = message(1, |_, team| {
        team.parallel(2, |t| match t.number() {
            0 => t.barrier(),
            _ => t.sections(4, |_| ()),
        });
    });
    assert!(
        text.ends_with("!$omp implicit barrier here, where thread 0 of the team is at !$omp barrier"),
        "{text}"
    );
}

/// Says when it is gone.
struct Gone<'a>(&'a AtomicBool);

impl Drop for Gone<'_> {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}

/// Must be gone first.
struct Before<'a>(&'a AtomicBool, &'a AtomicUsize);

impl Drop for Before<'_> {
    fn drop(&mut self) {
        assert!(!self.0.load(Ordering::Relaxed));
        self.1.fetch_add(1, Ordering::Relaxed);
    }
}

#[test]
fn a_panic_names_its_thread_and_members_are_unwound_before_masters() {
    for (panicking, nested) in [(0, false), (1, false), (2, false), (0, true), (1, true), (2, true)] {
        let dropped = AtomicUsize::new(0);
        let error = Simulation::new(1).threads(3).run_with_team(|_, team| {
            let gone = AtomicBool::new(false);
            let _gone = Gone(&gone);
            let body = |number: usize| {
                let _before = Before(&gone, &dropped);
                do_work(UNIT * number as f64);
                assert!(number != panicking, "thread {panicking} gives up");
            };
            team.parallel(3, |t| {
                let _before = Before(&gone, &dropped);
                if nested {
                    let gone_inside = AtomicBool::new(false);
                    let _gone_inside = Gone(&gone_inside);
                    team.parallel(3, |t| {
                        let _before = Before(&gone_inside, &dropped);
                        t.barrier();
                        body(t.number());
                        t.barrier();
                    });
                } else {
                    t.barrier();
                    body(t.number());
                    t.barrier();
                }
            });
        });
        let Err(SimulationError::Panic { place: Place { rank: 0, .. }, message }) = error else {
            panic!("{error:?}")
        };
        assert_eq!(message, format!("thread {panicking} gives up"));
        assert!(dropped.into_inner() > 3);
    }
}

#[test]
fn tasks_that_are_left_are_dropped_before_what_they_borrow() {
    let text = message(1, |_, team| {
        let text = String::from("borrowed");
        team.parallel_tasks(2, |t, tasks| {
            let text = &text;
            tasks.spawn(move || assert!(text.is_empty(), "a task gives up"));
            tasks.spawn(move || drop(text.clone()));
            t.barrier();
        });
    });
    assert!(text.ends_with("panicked: a task gives up"), "{text}");
}

#[test]
fn a_team_of_no_threads_is_refused() {
    let text = message(1, |_, team| team.parallel(0, |_| ()));
    assert_eq!(text, "rank 0: a team of 0 threads was asked for: it has at least one");
}

#[test]
fn a_simulation_can_follow_a_failed_one() {
    message(2, |_, team| team.parallel(3, |t| assert!(t.number() == 0)));
    region_of(3, |t| t.barrier());
}

#[test]
fn destructors_of_threads_and_tasks_do_not_wait_after_the_end() {
    struct AtEnd<F: Fn()>(F);
    impl<F: Fn()> Drop for AtEnd<F> {
        fn drop(&mut self) {
            (self.0)();
        }
    }
    let text = message(2, |c, team| {
        let lock = team.new_lock(LockKind::Simple);
        team.parallel_tasks(2, |t, tasks| {
            let _at_end = AtEnd(|| {
                t.barrier();
                t.taskwait();
                t.with_lock(&lock, || ());
            });
            if t.number() == 0 {
                let barrier = AtEnd(|| c.barrier());
                tasks.spawn(move || drop(barrier));
                let _region = region("alone");
                c.recv(ats_mpi::Source::Rank(c.rank()), ats_mpi::Tag::Is(0), &c.base_buf());
            } else {
                t.with_lock(&lock, || t.with_lock(&lock, || ()));
            }
        });
    });
    assert!(text.starts_with("deadlock: 2 of 2 ranks wait for one another\n  rank 0 in "), "{text}");
}

#[test]
fn a_thread_that_is_longer_than_the_clock_is_named() {
    let text = message(1, |_, team| team.parallel(2, |t| do_work(1e7 * (2 * t.number()) as f64)));
    assert!(text.starts_with("rank 0, thread 1 is beyond the 213 days"), "{text}");
}
