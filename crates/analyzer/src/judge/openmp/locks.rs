//! Contention: from the entry into a critical or a lock call until the previous holder gave the lock back.

use ats_model::WaitState;
use rustc_hash::FxHashMap;

use crate::{
    judge::{
        ledger::Ledger,
        points::{At, Point, Points, Stage},
    },
    records::{
        Arrival,
        teams::ThreadedProcess,
        threads::{Hold, Release, Threads},
    },
    words::{
        damage::{Damage, Damages},
        place::{NO_STOP, Place},
        regions::ConstructKind,
    },
};

/// For each lock, its last release by forgotten holds.
pub(super) type LastReleases = FxHashMap<u32, LastRelease>;

/// The last release of a lock.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct LastRelease {
    /// Its time, and who had the lock.
    was: Arrival,
    /// Its point, if it has one.
    at: Option<At>,
}

/// The holds and releases that are not judged yet, by thread.
pub(super) struct KeptLocks {
    pub(super) holds: Vec<Vec<bool>>,
    pub(super) foreign_releases: Vec<Vec<bool>>,
}

/// A hold and its place in the records.
struct Held {
    thread: usize,
    /// Index into the holds of the thread.
    index: usize,
    hold: Hold,
    /// Its release, if by another thread: the number of that thread, and an index into its releases.
    release: Option<(usize, usize)>,
}

impl Held {
    fn released(&self, process: &ThreadedProcess<'_>) -> Option<LastRelease> {
        let Hold { place: Place { location, .. }, released, release: stop, .. } = self.hold;
        let by = self.release.map_or(location, |(thread, _)| process.locations[thread] as u32);
        let at = stop.map(|stop| At { location: by, stop, stage: Stage::End });
        let stop = stop.unwrap_or(NO_STOP);
        released.map(|time| LastRelease { was: Arrival { time, location, stop }, at })
    }
}

/// Adds the sync points of a thread that waited for a lock and of the one that released it.
fn meet(state: WaitState, hold: &Hold, wait: u64, released: Option<At>, points: &mut Points) {
    // In a barrier there is no stop: the barrier's wait would be a cause of itself.
    let (Some(stop), Some(released)) = (hold.stop, released.filter(|_| wait > 0)) else { return };
    let at = At { location: hold.place.location, stop, stage: Stage::End };
    points.add(Point::with_partner(at, state, wait, released.location, Some(released)));
    points.add(Point::with_partner(released, state, 0, at.location, None));
}

/// Judges the holds that are over once all earlier ones of the same lock are, too. `last_releases` has the data needed
/// of forgotten ones.
pub(super) fn judge(
    process: &ThreadedProcess<'_>,
    last_releases: &mut LastReleases,
    ledger: &mut Ledger,
    damages: &mut Damages,
) -> KeptLocks {
    let all = |count: fn(&Threads) -> usize| {
        process.threads.iter().map(|threads| vec![true; count(threads)]).collect::<Vec<_>>()
    };
    let mut kept = KeptLocks {
        holds: all(|threads| threads.holds.len()),
        foreign_releases: all(|threads| threads.foreign_releases.len()),
    };
    let mut holds = holds(process);
    release_by_others(process, &mut holds, damages);
    for of_lock in holds.chunk_by(|a, b| a.hold.lock == b.hold.lock) {
        let lock = of_lock[0].hold.lock;
        let mut last_release = last_releases.get(&lock).copied();
        let mut was_released = last_release.map(|_| true);
        for held in of_lock {
            if !is_over(process, held) {
                break;
            }
            let Held { hold, thread, index, release } = held;
            if let (Some(state), Some(was_released)) = (state(hold.construct), was_released) {
                match last_release {
                    Some(LastRelease { was, at }) if was_released => {
                        let wait = was.time.min(hold.acquired).saturating_sub(hold.enter);
                        ledger.add_from((hold.enter, Some(was.location)), state, hold.place, wait, None);
                        meet(state, hold, wait, at, &mut ledger.points);
                    }
                    _ => damages.add(Damage::LockNotReleased, hold.place.location as usize, hold.acquired),
                }
            }
            last_release = last_release.max(held.released(process));
            was_released = Some(hold.released.is_some());
            kept.holds[*thread][*index] = false;
            if let &Some((thread, release)) = release {
                kept.foreign_releases[thread][release] = false;
            }
        }
        last_release.map(|release| last_releases.insert(lock, release));
    }
    kept
}

/// All holds, by lock and in order.
fn holds(process: &ThreadedProcess<'_>) -> Vec<Held> {
    let of_thread = |(thread, threads): (usize, &Threads)| {
        let held = move |(index, &hold): (usize, &Hold)| Held { thread, index, hold, release: None };
        threads.holds.iter().enumerate().map(held).collect::<Vec<_>>()
    };
    let mut holds: Vec<Held> = process.threads.iter().enumerate().flat_map(of_thread).collect();
    holds.sort_by_key(|Held { hold, .. }| (hold.lock, hold.order, hold.acquired));
    holds
}

/// Whether nothing can come before a hold any more, and nothing of it is to come.
fn is_over(process: &ThreadedProcess<'_>, Held { thread, index, hold, .. }: &Held) -> bool {
    let progress = &process.progress;
    progress.is_end
        || hold.released.is_some()
            && hold.acquired < progress.until
            && !progress.open[*thread].holds.contains(&(*index as u32))
}

fn state(construct: ConstructKind) -> Option<WaitState> {
    match construct {
        ConstructKind::Critical => Some(WaitState::OmpCriticalContention),
        ConstructKind::SetLock | ConstructKind::SetNestLock => Some(WaitState::OmpLockContention),
        _ => None,
    }
}

/// Locks that another thread than the one that had them gave back.
fn release_by_others(process: &ThreadedProcess<'_>, holds: &mut [Held], damages: &mut Damages) {
    if process.threads.iter().all(|threads| threads.foreign_releases.is_empty()) {
        return;
    }
    let open = holds.iter().enumerate().filter(|(_, held)| held.hold.released.is_none());
    let mut open: FxHashMap<(u32, u32), usize> =
        open.map(|(index, Held { hold, .. })| ((hold.lock, hold.order), index)).collect();
    for (thread, threads) in process.threads.iter().enumerate() {
        for (index, &Release { lock, order, time, stop }) in threads.foreign_releases.iter().enumerate() {
            match open.remove(&(lock, order)) {
                Some(hold) => {
                    (holds[hold].hold.released, holds[hold].hold.release) = (Some(time), stop);
                    holds[hold].release = Some((thread, index));
                }
                None if process.progress.is_end => {
                    damages.add(Damage::ReleaseWithoutAcquire, process.locations[thread], time);
                }
                None => {}
            }
        }
    }
}
