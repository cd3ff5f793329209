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
    track.is_on(ticks);
}

impl Track {
    /// Whether a call of MPI, or a region of the program, is recorded that begins now. If that has changed since the last
    /// one of this thread, it is noted.
    #[inline]
    pub(crate) fn is_on(&mut self, ticks: u64) -> bool {
        let is_off = IS_OFF.load(Ordering::Relaxed);
        if is_off != self.is_off {
            self.switch(ticks, is_off);
        }
        !is_off
    }

    /// Notes that recording is switched off, or on again, between two samples of the machine's counters.
    #[cold]
    fn switch(&mut self, ticks: u64, is_off: bool) {
        self.is_off = is_off;
        if is_off {
            self.sample_now(ticks);
            self.buffer.push(ticks, Event::MeasurementOnOff { mode: MeasurementMode::Off });
        } else {
            self.buffer.push(ticks, Event::MeasurementOnOff { mode: MeasurementMode::On });
            self.sample_now(ticks);
        }
    }
}
