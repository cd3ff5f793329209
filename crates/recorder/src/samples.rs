//! The samples of a track, in the order of their times, until they are written among its events. A [`sampler`] brings them
//! from the thread's handler of signals. What takes them is [`crate::sampling`].

pub(crate) mod sampler;

use std::collections::{BTreeMap, VecDeque};
use std::iter::from_fn;
use std::ptr;
use std::sync::OnceLock;

use ats_model::Event;
use ats_model::event::{CallingContextRef, InterruptGeneratorRef};
use ats_trace::parts::{Local, calling_context};
use ats_work::say;

use crate::stack;
use sampler::Sampler;

/// Samples of each thread, per second of its processor time; none where it is not set.
const VARIABLE: &str = "ATS_RECORDER_SAMPLE";

/// No kernel looks at the timers more often.
const MOST_HZ: u64 = 10_000;

/// The processor time between two samples of a thread, in nanoseconds; none if there are to be none.
pub(crate) fn period_ns() -> Option<u64> {
    static PERIOD: OnceLock<Option<u64>> = OnceLock::new();
    *PERIOD.get_or_init(|| {
        let wanted = std::env::var(VARIABLE).ok().filter(|wanted| !wanted.is_empty() && wanted != "0")?;
        let hz = wanted.parse().ok().filter(|hz| (1..=MOST_HZ).contains(hz));
        if hz.is_none() {
            say(format_args!(
                "ats-recorder: {VARIABLE} is `{wanted}`, so nothing is sampled; give it a number from 1 to {MOST_HZ}"
            ));
        }
        Some(1_000_000_000 / hz?)
    })
}

/// The definitions of a process that are about samples, with their places, after so many were lost.
pub(crate) fn described(samples: BTreeMap<u32, u32>, lost: u64) -> Local {
    Local { samples, sample_period_ns: period_ns(), lost_samples: lost, ..Local::default() }
}

/// The samples of a thread.
#[derive(Debug, Default)]
pub(crate) struct Samples {
    /// The place where the thread leaves them, while it is sampled.
    source: Option<&'static Sampler>,
    /// Their times, and the calls that they were taken in.
    kept: VecDeque<(u64, u32)>,
    /// The number of those that were taken away.
    taken: u64,
    /// The number of those that there was no room for.
    pub(crate) lost: u64,
}

impl Samples {
    /// Samples come from there from now on.
    pub(crate) fn attach(&mut self, source: &'static Sampler) {
        self.gather();
        self.source = Some(source);
    }

    /// Gathers the last ones of `source`, from where there come no more.
    pub(crate) fn detach(&mut self, source: &Sampler) {
        if self.source.is_some_and(|own| ptr::eq(own, source)) {
            self.close();
        }
    }

    /// Gathers the last ones.
    pub(crate) fn close(&mut self) {
        self.gather();
        self.source = None;
    }

    /// Gathers those that have been taken.
    pub(crate) fn gather(&mut self) {
        let Some(source) = self.source else { return };
        let kept = &mut self.kept;
        source.take(|ticks, addresses| {
            kept.extend(stack::sampled(addresses).map(|call| (ticks, call)));
        });
        self.lost += source.take_lost();
    }

    /// The number of all so far, as far as they are gathered.
    pub(crate) fn count(&self) -> u64 {
        self.taken + self.kept.len() as u64
    }

    /// Takes those away that are not later than `ticks`.
    pub(crate) fn take_until(&mut self, ticks: u64) -> VecDeque<(u64, u32)> {
        let later = self.kept.partition_point(|&(of, _)| of <= ticks);
        let later = self.kept.split_off(later);
        let taken = std::mem::replace(&mut self.kept, later);
        self.taken += taken.len() as u64;
        taken
    }
}

/// Events with the samples between them.
pub(crate) fn merged(
    events: impl IntoIterator<Item = (u64, Event)>,
    mut samples: VecDeque<(u64, u32)>,
) -> impl Iterator<Item = (u64, Event)> {
    let mut events = events.into_iter().peekable();
    from_fn(move || {
        let next = events.peek().map_or(u64::MAX, |(ticks, _)| *ticks);
        if samples.front().is_none_or(|(ticks, _)| *ticks > next) {
            return events.next();
        }
        samples.pop_front().map(|(ticks, call)| (ticks, event(call)))
    })
}

/// The event of a sample that was taken in this call.
fn event(call: u32) -> Event {
    Event::CallingContextSample {
        context: CallingContextRef(calling_context::of_call(call)),
        // The calls that it shares with the one before are not compared.
        unwind_distance: u32::MAX,
        interrupts: InterruptGeneratorRef(0),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use ats_model::event::RegionRef;

    #[test]
    fn samples_stand_before_the_events_that_are_later() {
        let mut samples = Samples { kept: [(1, 0), (3, 1), (5, 2), (6, 3)].into(), ..Samples::default() };
        let enter = |region| Event::Enter { region: RegionRef(region) };
        let first = samples.take_until(5);
        assert_eq!(samples.count(), 4);
        let all: Vec<_> = merged([(3, enter(0)), (4, enter(1))], first).collect();
        assert_eq!(all, [(1, event(0)), (3, event(1)), (3, enter(0)), (4, enter(1)), (5, event(2))]);
        let rest: Vec<_> = merged([], samples.take_until(u64::MAX)).collect();
        assert_eq!((rest, samples.count()), (vec![(6, event(3))], 4));
    }
}
