//! Locks that go to the thread that asks first: the changed program is the truth.

use ats_model::Event;
use ats_model::source::InMemory;
use ats_omp::{LockKind, Team, Thread};
use ats_truth::TruthOptions;
use ats_virtual::Simulation;
use ats_whatif::{Changes, Speed};
use ats_work::do_work;

use crate::{TICK, ideal, planned, program, program_again, wall};

fn free(speeds: &[&str]) -> Changes {
    let speeds: Vec<Speed> = speeds.iter().map(|words| words.parse().unwrap()).collect();
    Changes { speeds, has_free_locks: true, ..Changes::default() }
}

/// The end of each location, in picoseconds.
fn ends(trace: &InMemory) -> Vec<u64> {
    trace.events.iter().map(|events| events.last().map_or(0, |event| event.0)).collect()
}

/// Random seconds, the same for the same seed.
fn seconds(seed: u64, choice: u64) -> f64 {
    let mixed = (seed * 1_000 + choice + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    ((mixed ^ mixed >> 29).wrapping_mul(0xbf58_476d_1ce4_e5b9) >> 33) as f64 / f64::from(u32::MAX)
}

/// Threads work, in critical sections and with a lock, too; each takes the part of its time that `part` tells.
fn contending(seed: u64, part: impl Fn(usize) -> f64 + Sync) -> InMemory {
    let mut trace = InMemory::default();
    let simulation = Simulation::new(2).threads(3).whole_program();
    let run = simulation.record(&mut trace).run_with_team(|c, team| {
        let lock = team.new_lock(LockKind::Nested);
        team.parallel(3, |t| {
            for round in 0..6 {
                let at = 100 * c.rank() as u64 + 10 * t.number() as u64 + round;
                let work = |choice: u64| do_work(part(t.number()) * seconds(seed, 1000 * choice + at));
                work(0);
                t.critical("one", || work(1));
                work(2);
                t.with_lock(&lock, || {
                    work(3);
                    t.with_lock(&lock, || work(4));
                });
            }
        });
        c.barrier();
    });
    run.unwrap();
    trace
}

#[test]
fn threads_of_another_speed_get_locks_as_they_ask() {
    for seed in 0..20 {
        let (recorded, changed) =
            (contending(seed, |_| 1.0), contending(seed, |thread| if thread == 1 { 0.25 } else { 1.0 }));
        let (_, replayed) = program(&recorded).run_in_memory(&free(&["thread:1=4"])).unwrap();
        let (is, should) = (ends(&replayed), ends(&changed));
        let off = is.iter().zip(&should).map(|(is, should)| is.abs_diff(*should)).max().unwrap();
        assert!(off < 1000, "seed {seed}: {is:?} instead of {should:?}");
        assert!(acquisitions(&replayed) == acquisitions(&changed), "seed {seed}");
    }
}

/// The numbers of acquisitions and releases of each location. Those of the locks themselves depend on who comes first.
fn acquisitions(trace: &InMemory) -> Vec<Vec<u32>> {
    let order = |(_, event): &(u64, Event)| match event {
        Event::ThreadAcquireLock { order, .. } | Event::ThreadReleaseLock { order, .. } => Some(*order),
        _ => None,
    };
    trace.events.iter().map(|events| events.iter().filter_map(order).collect()).collect()
}

#[test]
fn free_locks_of_properties_are_those_of_other_work() {
    let options = TruthOptions::default();
    for (name, inside, words) in [
        ("critical_section_contention", "criticalwork=0.005", "!$omp critical sblock=4"),
        ("critical_section_contention", "criticalwork=0.08", "!$omp critical sblock=0.25"),
        ("pairwise_lock_contention", "", ""),
        ("all_threads_lock_contention", "", ""),
        ("staggered_lock", "", ""),
    ] {
        let it = planned(name, &[], 1, 5);
        let parameters: Vec<&str> = Some(inside).filter(|inside| !inside.is_empty()).into_iter().collect();
        let changed = planned(name, &parameters, 1, 5);
        let speeds: Vec<&str> = Some(words).filter(|words| !words.is_empty()).into_iter().collect();
        let trace = ideal(&it, &options);
        let (_, replayed) = program_again(&trace, &it).run_in_memory(&free(&speeds)).unwrap();
        assert_eq!(ends(&replayed), ends(&ideal(&changed, &options)), "{name} {inside}");
    }
}

/// Thread 1 gets the lock second, and asks for it first if it is four times as fast.
const TRACE: &str = "team t 0 0.1
    0: 0 fork; 0 begin t; 0 enter $parallel-@a.c:3; 0..2 work; 2..2 omp_set_lock lock 1 order 1; 2..4 inside
    0: 4..4 omp_unset_lock unlock 1 order 1; 4 leave; 4 end t; 4 join
    0.1: 0 begin t; 0 enter $parallel-@a.c:3; 0..4 work; 4..4 omp_set_lock lock 1 order 2; 4..8 inside
    0.1: 8..8 omp_unset_lock unlock 1 order 2; 8 leave; 8 end t";

#[test]
fn recorded_locks_keep_their_order() {
    let faster = free(&["thread:1=4"]);
    assert_eq!(wall(TRACE, &Changes { has_free_locks: false, ..faster.clone() }), 5 * TICK);
    assert_eq!(wall(TRACE, &faster), 4 * TICK);
}
