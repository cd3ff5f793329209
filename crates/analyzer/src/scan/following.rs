//! The part of pass 1 that follows a location from stop to stop.

use ats_model::CallPathId;

use super::{Scanner, stops::Role};
use crate::words::{
    place::{Base, NO_STOP, Place},
    regions::{CallKind, ConstructKind, RegionTraits},
};

impl Scanner<'_> {
    /// Adds the time up to an event to where the location is.
    #[inline]
    pub(super) fn spend(&mut self, time: u64) {
        if let Some(stops) = &mut self.scan.stops {
            stops.spend(time);
        }
    }

    /// Follows the location into a region; returns the number of the stop that it makes there.
    pub(super) fn follow_in(&mut self, time: u64, path: CallPathId, traits: RegionTraits) -> u32 {
        let base = self.open.base;
        let is_first = traits.construct == ConstructKind::Parallel && self.is_first_parallel();
        let Some(stops) = &mut self.scan.stops else { return NO_STOP };
        let fork = stops.fork.take().filter(|_| is_first);
        match fork {
            Some(_) => stops.since = time,
            None => stops.spend(time),
        }
        let role = match (traits.construct, traits.call) {
            (ConstructKind::Parallel, _) if is_first => Some(Role::Fork),
            (ConstructKind::Barrier | ConstructKind::ImplicitBarrier, _) => Some(Role::Call),
            (ConstructKind::Critical | ConstructKind::SetLock | ConstructKind::SetNestLock, _)
                if stops.is_beyond && !self.open.is_in_barrier() =>
            {
                Some(Role::Instant)
            }
            (_, CallKind::Init | CallKind::Finalize) => Some(Role::Call),
            _ => traits.is_mpi.then_some(Role::Call),
        };
        let stop = role.map(|role| stops.stop(fork.unwrap_or(time), base, path, role));
        stops.go(Some((base, path)), stops.is_serial);
        stop.unwrap_or(NO_STOP)
    }

    /// Follows the location to where it is after an event.
    #[inline]
    pub(super) fn follow(&mut self) {
        if self.scan.stops.is_some() {
            self.follow_anywhere();
        }
    }

    /// Follows the location into or out of a construct that it is in already.
    pub(super) fn follow_construct(&mut self) {
        let is_serial = self.is_main_of_several && !self.open.is_in_team();
        if let Some(stops) = &mut self.scan.stops {
            stops.go(stops.at, is_serial);
        }
    }

    fn follow_anywhere(&mut self) {
        let at = self.whereabouts();
        let is_serial = self.is_main_of_several && !self.open.is_in_team();
        if let Some(stops) = &mut self.scan.stops {
            stops.go(at, is_serial);
        }
    }

    /// Follows the location out of a region.
    pub(super) fn follow_out(&mut self, time: u64, stop: u32) {
        if let Some(stops) = self.scan.stops.as_mut().filter(|_| stop != NO_STOP) {
            stops.leave(stop, time);
        }
    }

    /// Notes a fork: time from here to the entry into the parallel region belongs to that.
    pub(super) fn follow_fork(&mut self, time: u64) {
        if let Some(stops) = &mut self.scan.stops {
            stops.fork = Some(time);
        }
    }

    /// Follows the location to the release of a lock; returns the number of the stop that it makes there.
    pub(super) fn follow_release(&mut self, time: u64) -> Option<u32> {
        if self.scan.stops.is_none() || self.open.is_in_barrier() { None } else { self.follow_instant(time) }
    }

    /// Follows the location to the last of its joins; returns the number of the stop that it makes there.
    pub(super) fn follow_join(&mut self, time: u64) -> Option<u32> {
        if self.is_main_of_several && !self.open.is_in_team() { self.follow_instant(time) } else { None }
    }

    fn follow_instant(&mut self, time: u64) -> Option<u32> {
        self.scan.stops.as_ref().filter(|stops| stops.is_beyond)?;
        let Place { base, path, .. } = self.current_place();
        Some(self.scan.stops.as_mut()?.stop(time, base, path, Role::Instant))
    }

    /// Adds the time up to an event of threads.
    pub(super) fn spend_in_threads(&mut self, time: u64, begins_team: bool) {
        if let Some(stops) = &mut self.scan.stops
            && !(begins_team && stops.fork.is_some())
        {
            stops.fork = None;
            stops.spend(time);
        }
    }

    /// The call path where time passes: from the exit out of a parallel region to its join, that region.
    fn whereabouts(&self) -> Option<(Base, CallPathId)> {
        let base = self.open.base;
        let innermost = self.innermost().map(|frame| frame.path);
        if let Some(left) = self.open.left_region(self.stack.len()) {
            return Some((base, left));
        }
        let is_main = self.definitions.locations[self.location].thread == 0;
        innermost
            .map(|path| (base, path))
            .or((is_main && base.is_phase()).then_some((base, CallPathId::ROOT)))
    }
}
