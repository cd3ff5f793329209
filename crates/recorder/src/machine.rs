#![allow(unsafe_code, reason = "asks the system for the counters of the thread")]
//! The machine's work for a thread: samples of the system's counters, as metrics among its events.
//!
//! A sample costs two system calls. So it is taken at an event only if the last one is [`PERIOD_NS`] old, and at the next
//! event: then code between two long calls has one at both its ends, however short it is.

use std::mem::MaybeUninit;

use ats_model::Event;
use ats_model::own_metric::OwnMetric;

use crate::buffer::{Buffer, Frame};
use crate::clock;

/// The time between two pairs of samples. The scheduler gives threads that share a processor turns of some milliseconds;
/// two samples of 1 µs in each of them are 0.2 % of the run.
const PERIOD_NS: u64 = 1_000_000;

/// The counters of a thread at one moment, in the order of the metrics.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Counters([u64; OwnMetric::ALL.len()]);

impl Counters {
    /// Those of this thread, now; `None` if the system does not tell.
    pub(crate) fn now() -> Option<Self> {
        let mut time = libc::timespec { tv_sec: 0, tv_nsec: 0 };
        let mut used = MaybeUninit::<libc::rusage>::zeroed();
        // SAFETY: both results are ours, and of the types that are filled in; one of zeros is valid.
        let used = unsafe {
            if libc::clock_gettime(libc::CLOCK_THREAD_CPUTIME_ID, &mut time) != 0
                || libc::getrusage(libc::RUSAGE_THREAD, used.as_mut_ptr()) != 0
            {
                return None;
            }
            used.assume_init()
        };
        // SAFETY: takes nothing; negative where the system does not know.
        let processor = unsafe { libc::sched_getcpu() };
        Some(Counters(OwnMetric::ALL.map(|metric| match metric {
            OwnMetric::ProcessorTime => time.tv_sec as u64 * 1_000_000_000 + time.tv_nsec as u64,
            OwnMetric::InvoluntarySwitches => used.ru_nivcsw as u64,
            OwnMetric::VoluntarySwitches => used.ru_nvcsw as u64,
            OwnMetric::PageFaults => (used.ru_minflt + used.ru_majflt) as u64,
            OwnMetric::Processor => processor.max(0) as u64,
        })))
    }

    /// The samples, as events.
    pub(crate) fn events(self) -> impl Iterator<Item = Event> {
        OwnMetric::ALL.into_iter().zip(self.0).map(|(metric, value)| metric.sampled(value))
    }

    /// With what was counted for a thread before, except its processor.
    fn after(self, earlier: Counters) -> Self {
        Counters(OwnMetric::ALL.map(|metric| {
            let [own, before] = [self.0[metric as usize], earlier.0[metric as usize]];
            if metric == OwnMetric::Processor { own } else { own + before }
        }))
    }
}

/// The sampling of a thread.
#[derive(Debug, Default)]
pub(crate) struct Sampling {
    /// The earliest time of an event with a sample, in ticks.
    due: u64,
    /// The time when the last sample becomes old.
    old_at: u64,
    last: Counters,
    /// The counters of the threads that the track had before.
    earlier: Counters,
}

impl Sampling {
    /// Whether an event at this time has a sample.
    #[inline(always)]
    fn is_due(&self, ticks: u64) -> bool {
        ticks >= self.due
    }

    /// Adds a sample to the events of this thread, if it is due at the last one, which was at this time.
    #[inline]
    pub(crate) fn after<F: Frame>(&mut self, ticks: u64, buffer: &mut Buffer<F>) {
        if self.is_due(ticks) {
            self.add(ticks, buffer, || ticks);
        }
    }

    /// As [`Sampling::after`], before the event that leaves a region. Returns the time of that event: asking for the counters
    /// lets the system give the processor to another thread whose turn it is, and the region keeps the seconds without it.
    #[inline]
    pub(crate) fn within<F: Frame>(&mut self, ticks: u64, buffer: &mut Buffer<F>) -> u64 {
        if self.is_due(ticks) { self.add(ticks, buffer, clock::now) } else { ticks }
    }

    /// Adds a sample that is asked for at `ticks`, with the time that there is afterwards; returns that.
    #[cold]
    pub(crate) fn add<F: Frame>(
        &mut self,
        ticks: u64,
        buffer: &mut Buffer<F>,
        time: impl FnOnce() -> u64,
    ) -> u64 {
        let events = self.take(ticks);
        let time = time();
        events.for_each(|event| buffer.push(time, event));
        time
    }

    /// Takes a sample at this time.
    fn take(&mut self, ticks: u64) -> impl Iterator<Item = Event> + use<> {
        let counters = Counters::now().map(|own| own.after(self.earlier));
        let was_old = ticks >= self.old_at;
        self.old_at = ticks.saturating_add(clock::ticks(PERIOD_NS));
        self.due = match counters {
            None => u64::MAX,
            Some(_) if was_old => 0,
            Some(_) => self.old_at,
        };
        self.last = counters.unwrap_or(self.last);
        counters.into_iter().flat_map(Counters::events)
    }

    /// That of another thread, which goes on with the track: at the same pace, however many threads come and go.
    pub(crate) fn of_successor(&self) -> Self {
        Sampling { earlier: self.last, ..*self }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use ats_model::event::MetricRef;

    fn values(events: impl Iterator<Item = Event>) -> Vec<u64> {
        let value = |(metric, event): (u32, Event)| match event {
            Event::Metric { metric: MetricRef(of), value } if of == metric => value.bits,
            other => panic!("{other:?}"),
        };
        (0..).zip(events).map(value).collect()
    }

    #[test]
    fn samples_come_in_pairs_and_never_fall() {
        clock::calibrate();
        std::thread::sleep(std::time::Duration::from_millis(2));
        let mut sampling = Sampling::default();
        let now = clock::now();
        assert!(sampling.is_due(0));
        let first = values(sampling.take(now));
        assert!(sampling.is_due(now), "the next event has one, too");
        let second = values(sampling.take(now + 1));
        assert!(!sampling.is_due(now + 2) && sampling.is_due(now + 2 * clock::ticks(PERIOD_NS)));
        assert_eq!(first.len(), OwnMetric::ALL.len());
        assert!(first[0] > 0 && first[..4].iter().zip(&second).all(|(first, second)| first <= second));
        let late = now + 2 * clock::ticks(PERIOD_NS);
        sampling.take(late).for_each(drop);
        sampling.take(3 * late).for_each(drop);
        assert!(sampling.is_due(3 * late + 1), "the one before was old, whether in a pair or not");
        let third = values(sampling.of_successor().take(now));
        assert!((0..4).all(|metric| third[metric] >= first[metric] + second[metric]));
    }
}
