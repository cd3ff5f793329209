//! Results that each construct computes.

use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};

use ats_omp::{LockKind, Reduction, Schedule, Team, Thread};

const SCHEDULES: [Schedule; 8] = [
    Schedule::Static,
    Schedule::StaticChunk(0),
    Schedule::StaticChunk(3),
    Schedule::Dynamic(1),
    Schedule::Dynamic(4),
    Schedule::DynamicNonmonotonic(2),
    Schedule::Guided(0),
    Schedule::Guided(5),
];

pub(crate) fn conform(team: &impl Team, threads: usize) {
    regions(team, threads);
    barriers(team, threads);
    for schedule in SCHEDULES {
        for iterations in [0, 1, threads, 50] {
            loops(team, threads, schedule, iterations);
            ordered(team, threads, schedule, iterations);
        }
    }
    for count in [0, 1, 2, threads, 11] {
        sections(team, threads, count);
    }
    single(team, threads);
    critical(team, threads);
    locks(team, threads);
    nested_locks(team, threads);
    atomic_and_reduction(team, threads);
    tasks(team, threads);
}

fn counters(number: usize) -> Vec<AtomicUsize> {
    (0..number).map(|_| AtomicUsize::new(0)).collect()
}

fn values(counters: &[AtomicUsize]) -> Vec<usize> {
    counters.iter().map(|counter| counter.load(Ordering::SeqCst)).collect()
}

/// Adds one such that an addition at the same time is lost.
fn add_unprotected(counter: &AtomicUsize) {
    let value = counter.load(Ordering::SeqCst);
    std::hint::spin_loop();
    counter.store(value + 1, Ordering::SeqCst);
}

fn regions(team: &impl Team, threads: usize) {
    assert!(team.max_threads() > 0);
    let (came, systems) = (counters(threads), Mutex::new(Vec::new()));
    team.parallel(threads, |t| {
        assert_eq!(t.threads(), threads);
        came[t.number()].fetch_add(1, Ordering::SeqCst);
        systems.lock().unwrap().push((t.number(), std::thread::current().id()));
        t.flush();
    });
    assert_eq!(values(&came), vec![1; threads]);
    let systems = systems.into_inner().unwrap();
    assert!(systems.contains(&(0, std::thread::current().id())), "the starting thread is the master");
    let distinct: std::collections::HashSet<_> = systems.iter().map(|(_, id)| id).collect();
    assert_eq!(distinct.len(), threads);
}

fn barriers(team: &impl Team, threads: usize) {
    let came = AtomicUsize::new(0);
    team.parallel(threads, |t| {
        for round in 1..=20 {
            came.fetch_add(1, Ordering::SeqCst);
            t.barrier();
            assert_eq!(came.load(Ordering::SeqCst), round * threads);
            t.barrier();
        }
    });
}

/// The thread that has the iteration when they are shared out as one block each.
fn block(iteration: usize, iterations: usize, threads: usize) -> usize {
    let (length, longer) = (iterations / threads, iterations % threads);
    (0..threads).find(|&t| iteration < (t + 1) * length + longer.min(t + 1)).unwrap()
}

fn loops(team: &impl Team, threads: usize, schedule: Schedule, iterations: usize) {
    let (first, second) = (counters(iterations), counters(iterations));
    let owner = counters(iterations);
    team.parallel(threads, |t| {
        t.for_each(iterations, schedule, |i| {
            first[i].fetch_add(1, Ordering::SeqCst);
            owner[i].store(t.number(), Ordering::SeqCst);
        });
        assert_eq!(values(&first), vec![1; iterations], "all wait at the end of {schedule:?}");
        for _ in 0..10 {
            t.for_each_nowait(iterations, schedule, |i| {
                second[i].fetch_add(1, Ordering::SeqCst);
            });
        }
    });
    assert_eq!(values(&second), vec![10; iterations], "{schedule:?}");
    for (iteration, owner) in values(&owner).into_iter().enumerate() {
        match schedule {
            Schedule::Static => assert_eq!(owner, block(iteration, iterations, threads)),
            Schedule::StaticChunk(chunk) => assert_eq!(owner, iteration / chunk.max(1) % threads),
            _ => {}
        }
    }
}

fn ordered(team: &impl Team, threads: usize, schedule: Schedule, iterations: usize) {
    let (prepared, order) = (counters(iterations), Mutex::new(Vec::new()));
    team.parallel(threads, |t| {
        for _ in 0..2 {
            t.for_ordered(
                iterations,
                schedule,
                |i| {
                    prepared[i].fetch_add(1, Ordering::SeqCst);
                },
                |i| {
                    assert!(prepared[i].load(Ordering::SeqCst) > 0);
                    order.lock().unwrap().push(i);
                },
            );
            assert!(order.lock().unwrap().len() >= iterations, "all wait at the end");
        }
    });
    assert_eq!(values(&prepared), vec![2; iterations]);
    let twice: Vec<_> = (0..iterations).chain(0..iterations).collect();
    assert_eq!(order.into_inner().unwrap(), twice, "{schedule:?}, {threads} threads");
}

fn sections(team: &impl Team, threads: usize, count: usize) {
    let (executed, owner) = (counters(count), counters(count));
    team.parallel(threads, |t| {
        t.sections(count, |section| {
            executed[section].fetch_add(1, Ordering::SeqCst);
            owner[section].store(t.number(), Ordering::SeqCst);
        });
        assert_eq!(values(&executed), vec![1; count], "all wait at the end");
        t.barrier();
        t.sections_nowait(count, |section| {
            executed[section].fetch_add(1, Ordering::SeqCst);
        });
    });
    assert_eq!(values(&executed), vec![2; count]);
    for (section, owner) in values(&owner).into_iter().enumerate() {
        assert_eq!(owner, block(section, count, threads));
    }
}

fn single(team: &impl Team, threads: usize) {
    let (singles, nowait, masters) = (AtomicUsize::new(0), AtomicUsize::new(0), AtomicUsize::new(0));
    team.parallel(threads, |t| {
        for round in 1..=10 {
            t.single(|| {
                singles.fetch_add(1, Ordering::SeqCst);
            });
            assert_eq!(singles.load(Ordering::SeqCst), round, "all wait at the end");
            t.barrier();
        }
        for _ in 0..10 {
            t.single_nowait(|| {
                nowait.fetch_add(1, Ordering::SeqCst);
            });
        }
        t.master(|| {
            assert_eq!(t.number(), 0);
            masters.fetch_add(1, Ordering::SeqCst);
        });
    });
    assert_eq!(nowait.into_inner(), 10);
    assert_eq!(masters.into_inner(), 1);
}

fn critical(team: &impl Team, threads: usize) {
    let (sum, other) = (AtomicUsize::new(0), AtomicUsize::new(0));
    let same_name: &'static str = String::from("sum").leak();
    team.parallel(threads, |t| {
        let name = if t.number() % 2 == 0 { "sum" } else { same_name };
        for _ in 0..200 {
            let seen = t.critical(name, || {
                add_unprotected(&sum);
                t.critical("other", || add_unprotected(&other));
                sum.load(Ordering::SeqCst)
            });
            assert!(seen <= 200 * threads);
        }
    });
    assert_eq!((sum.into_inner(), other.into_inner()), (200 * threads, 200 * threads));
}

fn locks(team: &impl Team, threads: usize) {
    let (lock, sum) = (team.new_lock(LockKind::Simple), AtomicUsize::new(0));
    assert_eq!(lock.kind(), LockKind::Simple);
    team.parallel(threads, |t| {
        for _ in 0..200 {
            t.with_lock(&lock, || add_unprotected(&sum));
            while t.try_with_lock(&lock, || add_unprotected(&sum)).is_none() {
                std::thread::yield_now();
            }
        }
        t.barrier();
        let meet = || (t.barrier(), t.barrier());
        if t.number() == 0 {
            t.with_lock(&lock, meet);
        } else {
            t.barrier();
            assert_eq!(t.try_with_lock(&lock, || 0), None, "another thread has it");
            t.barrier();
        }
    });
    assert_eq!(sum.into_inner(), 400 * threads);
}

fn nested_locks(team: &impl Team, threads: usize) {
    let (lock, sum) = (team.new_lock(LockKind::Nested), AtomicUsize::new(0));
    team.parallel(threads, |t| {
        for _ in 0..100 {
            t.with_lock(&lock, || {
                add_unprotected(&sum);
                t.with_lock(&lock, || add_unprotected(&sum));
                let again = t.try_with_lock(&lock, || add_unprotected(&sum));
                assert!(again.is_some(), "who has it may take it again");
                add_unprotected(&sum);
            });
        }
        t.barrier();
        if t.number() == 0 {
            t.with_lock(&lock, || {
                t.with_lock(&lock, || ());
                t.barrier();
                t.barrier();
            });
        } else {
            t.barrier();
            assert_eq!(t.try_with_lock(&lock, || 0), None, "another thread still has it");
            t.barrier();
        }
    });
    assert_eq!(sum.into_inner(), 400 * threads);
}

fn atomic_and_reduction(team: &impl Team, threads: usize) {
    let (counter, sum) = (AtomicU64::new(0), Reduction::default());
    team.parallel(threads, |t| {
        for _ in 0..100 {
            t.atomic(&counter, |value| value + 2);
            t.reduce((t.number() + 1) as f64, &sum);
        }
        t.barrier();
        assert_eq!(sum.get(), 50.0 * (threads * (threads + 1)) as f64);
    });
    assert_eq!(counter.into_inner(), 200 * threads as u64);
}

fn tasks(team: &impl Team, threads: usize) {
    let (all, of_thread) = (counters(40), counters(threads));
    team.parallel_tasks(threads, |t, tasks| {
        t.single_nowait(|| {
            for counter in &all {
                tasks.spawn(|| {
                    counter.fetch_add(1, Ordering::SeqCst);
                });
            }
        });
        for _ in 0..10 {
            let counter = &of_thread[t.number()];
            tasks.spawn(move || {
                std::thread::yield_now();
                counter.fetch_add(1, Ordering::SeqCst);
            });
        }
        t.taskwait();
        assert_eq!(of_thread[t.number()].load(Ordering::SeqCst), 10, "the tasks that it created are done");
        t.barrier();
        assert_eq!(values(&all), vec![1; 40], "a barrier completes tasks");
        t.barrier();
        tasks.spawn(|| {
            all[0].fetch_add(1, Ordering::SeqCst);
        });
    });
    assert_eq!(all[0].load(Ordering::SeqCst), 1 + threads, "the region's end completes tasks");
}

pub(crate) fn nest(team: &impl Team) {
    for (outer, inner) in [(1, 3), (2, 2), (3, 4), (4, 1)] {
        let (came, meetings) = (counters(outer * inner), counters(outer));
        let deepest = AtomicUsize::new(0);
        team.parallel(outer, |t| {
            let group = t.number();
            for _ in 0..3 {
                team.parallel(inner, |t| {
                    assert_eq!(t.threads(), inner);
                    came[group * inner + t.number()].fetch_add(1, Ordering::SeqCst);
                    meetings[group].fetch_add(1, Ordering::SeqCst);
                    t.barrier();
                    assert_eq!(meetings[group].load(Ordering::SeqCst) % inner, 0);
                    t.barrier();
                    t.single(|| {
                        team.parallel(2, |t| {
                            t.barrier();
                            deepest.fetch_add(1, Ordering::SeqCst);
                        });
                    });
                });
                t.barrier();
            }
            assert_eq!(t.number(), group);
        });
        assert_eq!(values(&came), vec![3; outer * inner]);
        assert_eq!(deepest.into_inner(), 3 * outer * 2);
    }
}
