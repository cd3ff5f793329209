//! Locks and critical sections: who gave them back last.

use std::{collections::BTreeMap, rc::Rc};

use ats_model::{delay::Delay, openmp::Construct};

use super::{Causing, Met, SyncPoint, Timeline, ticks};
use crate::causes::timeline::{LockStep, LockUse};

/// A thread has a lock.
struct Hold {
    location: usize,
    acquired: LockStep,
    /// When and where it is given back.
    released: Option<(usize, LockStep)>,
}

/// The holds of each lock of each process, by the numbers of their acquisitions.
fn holds(lines: &[Timeline]) -> BTreeMap<(u32, u32), Vec<Hold>> {
    let mut holds: BTreeMap<(u32, u32), Vec<Hold>> = BTreeMap::new();
    let mut by_others = Vec::new();
    for (location, line) in lines.iter().enumerate() {
        // The locks that it has: how often, and the hold.
        let mut has: BTreeMap<u32, (usize, usize)> = BTreeMap::new();
        for step in &line.locks {
            let of_lock = holds.entry((line.rank, step.lock)).or_default();
            match (step.does, has.get_mut(&step.lock)) {
                (LockUse::Acquire(_), Some((times, _))) => *times += 1,
                (LockUse::Acquire(_), None) => {
                    has.insert(step.lock, (1, of_lock.len()));
                    of_lock.push(Hold { location, acquired: *step, released: None });
                }
                (LockUse::Release(_), Some((1, hold))) => {
                    of_lock[*hold].released = Some((location, *step));
                    has.remove(&step.lock);
                }
                (LockUse::Release(_), Some((times, _))) => *times -= 1,
                (LockUse::Release(_), None) => by_others.push((location, *step)),
            }
        }
    }
    for (location, step) in by_others {
        let of_lock = holds.entry((lines[location].rank, step.lock)).or_default();
        let is_it = |hold: &&mut Hold| hold.released.is_none() && hold.acquired.order == step.order;
        if let Some(hold) = of_lock.iter_mut().find(is_it) {
            hold.released = Some((location, step));
        }
    }
    holds.values_mut().for_each(|holds| holds.sort_by_key(|hold| hold.acquired.order));
    holds
}

/// Finds the waits for locks.
pub(super) fn find(lines: &[Timeline], met: &mut Met) {
    for holds in holds(lines).values() {
        for (before, hold) in (1..).zip(&holds[1..]) {
            let earlier = &holds[..before];
            let released = earlier.iter().filter_map(|hold| Some((hold.released?, hold.location)));
            let last = released.max_by_key(|&((_, step), location)| (step.time, location));
            if let Some((release, _)) = last.filter(|_| earlier[before - 1].released.is_some()) {
                wait(lines, hold, release, met);
            }
        }
    }
}

/// Adds a wait for a lock, if there is one.
fn wait(lines: &[Timeline], hold: &Hold, (by, release): (usize, LockStep), met: &mut Met) {
    let LockUse::Acquire(Some((visit, construct))) = hold.acquired.does else { return };
    let LockUse::Release(released) = release.does else { return };
    let kind = match construct {
        Construct::Critical => Delay::OmpCritical,
        Construct::SetLock | Construct::SetNestLock => Delay::OmpLock,
        _ => return,
    };
    let wait = ticks(lines[hold.location].visits[visit].enter, release.time.min(hold.acquired.time));
    if wait == 0 {
        return;
    }
    if hold.acquired.is_in_barrier || release.is_in_barrier {
        let cell = (hold.location, lines[hold.location].visits[visit].path);
        met.nowhere.push((kind, cell, wait));
        return;
    }
    // Several threads may wait for one release.
    let mut point = |location: usize, visit, wait, partner| {
        let key = (visit, usize::MAX);
        let point = met.points[location].entry(key).or_insert_with(|| {
            let partners = Rc::default();
            SyncPoint { visit, event: usize::MAX, wait, completion: 0, partners }
        });
        Rc::make_mut(&mut point.partners).insert(partner);
        (location, key)
    };
    let waits = point(hold.location, visit, wait, by);
    let late = point(by, released, 0, hold.location);
    met.causings.push(Causing { kind, waits, late });
}
