//! Recording that the program switches off and on.

use std::sync::atomic::{AtomicBool, Ordering};

use ats_model::Event;
use ats_model::event::MeasurementMode;

use super::Track;

/// Whether the program has switched the recording of calls of MPI and of its regions off. Each thread notes that itself, at
/// its next one, so that one which makes none misses nothing.
static IS_OFF: AtomicBool = AtomicBool::new(false);

/// Switches the recording of calls of MPI, and of regions of the program, on or off in all threads. `track` is this
/// thread's.
pub(crate) fn switch(track: &mut Track, ticks: u64, is_on: bool) {
    IS_OFF.store(!is_on, Ordering::Relaxed);
    track.note_switch(ticks);
}

impl Track {
    /// Whether an event that begins now is recorded and nothing else is to be done: the program has not switched recording
    /// off, no counters are asked for, and nothing is counted that is not written. That is one test for all, so that none
    /// of these costs anything where it is not used.
    #[inline(always)]
    pub(crate) fn is_plain(&self) -> bool {
        !(self.has_more | IS_OFF.load(Ordering::Relaxed))
    }

    /// Whether a call of MPI, or a region of the program, is recorded that begins now. If that has changed since the last
    /// one of this thread, it is noted.
    #[inline]
    pub(crate) fn is_on(&mut self, ticks: u64) -> bool {
        self.is_plain() || self.note_switch(ticks)
    }

    /// Notes that recording is switched off, or on again, between two samples of the machine's counters. Returns whether it is
    /// on.
    #[cold]
    pub(super) fn note_switch(&mut self, ticks: u64) -> bool {
        let is_off = IS_OFF.load(Ordering::Relaxed);
        if is_off && !self.is_off {
            self.sample_now(ticks);
            self.buffer.push(ticks, Event::MeasurementOnOff { mode: MeasurementMode::Off });
        } else if self.is_off && !is_off {
            self.buffer.push(ticks, Event::MeasurementOnOff { mode: MeasurementMode::On });
            self.sample_now(ticks);
        }
        self.is_off = is_off;
        self.look_for_more();
        !is_off
    }

    /// Looks whether more is to be done at the next event than to record it.
    pub(super) fn look_for_more(&mut self) {
        self.has_more = self.sealed || self.is_off || self.meter.is_some() || self.counted.has_pending;
    }
}
