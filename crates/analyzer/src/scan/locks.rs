//! The part of pass 1 that follows a location through locks.

use super::Scanner;
use crate::words::place::NO_STOP;
use crate::{
    records::threads::{Hold, Release},
    words::{damage::Damage, regions::ConstructKind},
};

impl Scanner<'_> {
    /// The location acquires a lock.
    pub(super) fn acquire(&mut self, time: u64, lock: u32, order: u32) {
        let frame = self.stack[self.open.bottom..].last();
        let construct = frame.map_or(ConstructKind::Plain, |frame| frame.traits.construct);
        if let Some((hold, times)) = self.open.holds.get_mut(&lock)
            && (construct == ConstructKind::SetNestLock
                || self.scan.threads.holds[*hold as usize].order == order)
        {
            *times += 1;
            return;
        }
        let enter = frame.map_or(time, |frame| frame.enter);
        let stop = frame.map(|frame| frame.stop).filter(|&stop| stop != NO_STOP);
        let place = self.current_place();
        if matches!(
            construct,
            ConstructKind::Plain
                | ConstructKind::Parallel
                | ConstructKind::Barrier
                | ConstructKind::ImplicitBarrier
                | ConstructKind::Task
        ) {
            self.damage(Damage::LockOutsideConstruct, time);
        }
        let holds = &mut self.scan.threads.holds;
        self.open.holds.insert(lock, (holds.len() as u32, 1));
        holds.push(Hold {
            lock,
            order,
            enter,
            acquired: time,
            released: None,
            construct,
            place,
            stop,
            release: None,
        });
    }

    /// The location gives a lock back.
    pub(super) fn release(&mut self, time: u64, lock: u32, order: u32) {
        let Some((hold, times)) = self.open.holds.get_mut(&lock) else {
            let stop = self.follow_release(time);
            self.scan.threads.foreign_releases.push(Release { lock, order, time, stop });
            return;
        };
        *times -= 1;
        if *times == 0 {
            let hold = *hold as usize;
            self.open.holds.remove(&lock);
            self.scan.threads.holds[hold].released = Some(time);
            self.scan.threads.holds[hold].release = self.follow_release(time);
        }
    }
}
