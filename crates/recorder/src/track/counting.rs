//! Numbers of a thread: those that the program counts, and the machine's, as they are sampled or asked for.

use ats_model::event::MetricRef;

use super::Track;
use crate::clock;
use crate::openmp::thread::Thread;

impl Track {
    /// Samples the machine's counters at an event of this thread that was recorded just now, if they are due.
    #[inline]
    pub(crate) fn sample(&mut self, ticks: u64) {
        self.sampling.after(ticks, &mut self.buffer);
    }

    /// Samples them in any case.
    pub(super) fn sample_now(&mut self, ticks: u64) {
        self.sampling.add(ticks, &mut self.buffer, || ticks);
    }

    /// Samples them before the event that leaves a region, and returns its time.
    #[inline]
    pub(crate) fn sample_within(&mut self, ticks: u64) -> u64 {
        self.sampling.within(ticks, &mut self.buffer)
    }

    /// Notes that the program counts `number` more of a metric.
    pub(crate) fn count(&mut self, ticks: u64, metric: MetricRef, number: u64) {
        if self.note_switch(ticks) {
            self.counted.add(ticks, metric, number, &mut self.buffer);
            self.has_more = true;
        }
    }

    /// Writes what the program has counted, before an event at this time.
    pub(super) fn write_counted(&mut self, ticks: u64) {
        self.counted.settle(ticks, &mut self.buffer);
        self.look_for_more();
    }

    /// Gets ready for the event that enters a region of the program at `ticks`, and returns its time; `None` if
    /// the program has switched recording off.
    #[inline]
    pub(crate) fn enters(&mut self, ticks: u64) -> Option<u64> {
        if self.is_plain() { Some(ticks) } else { self.enters_with_more(ticks) }
    }

    #[cold]
    fn enters_with_more(&mut self, ticks: u64) -> Option<u64> {
        if !self.note_switch(ticks) {
            return None;
        }
        let ticks = self.metered(ticks);
        self.write_counted(ticks);
        Some(ticks)
    }

    /// As [`Track::enters`], of a function of the program, where no counters are read.
    #[inline]
    pub(super) fn enters_function(&mut self, ticks: u64) -> bool {
        if self.is_plain() {
            return true;
        }
        let is_on = self.note_switch(ticks);
        if is_on {
            self.write_counted(ticks);
        }
        is_on
    }

    /// As [`Track::enters`], for the event that leaves a region.
    #[inline]
    pub(crate) fn leaves(&mut self, ticks: u64) -> u64 {
        if self.is_plain() { self.sample_within(ticks) } else { self.leaves_with_more(ticks) }
    }

    #[cold]
    fn leaves_with_more(&mut self, ticks: u64) -> u64 {
        let mut time = ticks;
        if self.note_switch(ticks) {
            time = self.sample_within(ticks);
            time = self.metered(time);
        }
        self.write_counted(time);
        time
    }

    /// As [`Track::leaves`], of a function of the program, also when nothing else is recorded any more.
    #[inline]
    pub(super) fn leaves_function(&mut self, ticks: u64) -> u64 {
        if self.has_more {
            self.write_counted(ticks);
            if self.sealed {
                return ticks;
            }
        }
        self.sample_within(ticks)
    }

    /// Gets ready for an event of OpenMP at `ticks`, as [`super::with_thread`] says. Returns whether it is recorded.
    #[cold]
    pub(super) fn goes_on_with_more(&mut self, ticks: u64, is_metered: impl FnOnce(&Thread) -> bool) -> bool {
        if self.sealed {
            return false;
        }
        if self.meter.is_some() && is_metered(&self.openmp) {
            self.openmp.settle(&mut self.buffer);
            self.read_meter(ticks, || ticks);
        }
        self.write_counted(ticks);
        true
    }

    /// Reads the counters that are asked for, before an event that enters or leaves a region. Returns the time of that event:
    /// the region keeps the seconds and the counts without the reading.
    pub(crate) fn metered(&mut self, ticks: u64) -> u64 {
        self.read_meter(ticks, clock::now)
    }

    /// Whether counters are read at calls of MPI.
    #[inline]
    pub(crate) fn is_metered_at_calls(&self) -> bool {
        self.has_more && self.meter.as_ref().is_some_and(|meter| meter.at_calls)
    }

    /// As [`Track::metered`], before a call of MPI is entered or left.
    pub(crate) fn metered_at_call(&mut self, ticks: u64) {
        self.read_meter(ticks, || ticks);
    }

    pub(super) fn read_meter(&mut self, ticks: u64, time: impl FnOnce() -> u64) -> u64 {
        let Some(meter) = &mut self.meter else { return ticks };
        let values = meter.read();
        let time = time();
        values.for_each(|event| self.buffer.push(time, event));
        time
    }
}

/// Takes the last sample of this thread, if it is recorded.
pub(super) fn sample_last() {
    if let Some(mut track) = super::sealed()
        && !track.sealed
    {
        track.settle();
        let now = clock::now();
        // What has grown before the call, and is not known, is not the call's.
        let now = if track.is_in_call() { now } else { track.metered(now) };
        track.sample_now(now);
    }
}
