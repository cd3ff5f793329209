//! Contention: from the entry into a critical or a lock call until the lock was given back by who had it before.

use ats_model::WaitState;
use rustc_hash::FxHashMap;

use crate::{
    calls::ConstructKind,
    damage::{Damage, Damages},
    ledger::Ledger,
    teams::ThreadedProcess,
    threads::{Hold, Release},
};

pub(super) fn judge(process: &ThreadedProcess, ledger: &mut Ledger, damages: &mut Damages) {
    let mut holds: Vec<Hold> = process.threads.iter().flat_map(|threads| &threads.holds).copied().collect();
    holds.sort_by_key(|hold| (hold.lock, hold.order, hold.acquired));
    release_by_others(process, &mut holds, damages);
    for of_lock in holds.chunk_by(|a, b| a.lock == b.lock) {
        let mut last_release = None;
        for (index, hold) in of_lock.iter().enumerate() {
            let before = index.checked_sub(1).map(|index| of_lock[index]);
            if let (Some(state), Some(before)) = (state(hold.construct), before) {
                match last_release.max(before.released) {
                    Some(release) if before.released.is_some() => {
                        let wait = release.min(hold.acquired).saturating_sub(hold.enter);
                        ledger.add_from(hold.enter, state, hold.place, wait, None);
                    }
                    _ => damages.add(Damage::LockNotReleased, hold.place.location as usize, hold.acquired),
                }
            }
            last_release = last_release.max(hold.released);
        }
    }
}

fn state(construct: ConstructKind) -> Option<WaitState> {
    match construct {
        ConstructKind::Critical => Some(WaitState::OmpCriticalContention),
        ConstructKind::SetLock | ConstructKind::SetNestLock => Some(WaitState::OmpLockContention),
        _ => None,
    }
}

/// Locks that another thread than the one that had them gave back.
fn release_by_others(process: &ThreadedProcess, holds: &mut [Hold], damages: &mut Damages) {
    let releases = process.threads.iter().enumerate().flat_map(|(thread, threads)| {
        threads.foreign_releases.iter().map(move |release| (process.locations[thread], *release))
    });
    let releases: Vec<(usize, Release)> = releases.collect();
    if releases.is_empty() {
        return;
    }
    let open = holds.iter().enumerate().filter(|(_, hold)| hold.released.is_none());
    let mut open: FxHashMap<(u32, u32), usize> =
        open.map(|(index, hold)| ((hold.lock, hold.order), index)).collect();
    for (location, Release { lock, order, time }) in releases {
        match open.remove(&(lock, order)) {
            Some(hold) => holds[hold].released = Some(time),
            None => damages.add(Damage::ReleaseWithoutAcquire, location, time),
        }
    }
}
