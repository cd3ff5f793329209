//! Entering and leaving a call or a construct.

use std::panic::resume_unwind;

use ats_model::event::RegionRef;
use ats_model::traffic::CallCount;

use crate::kernel::error::SimulationError;
use crate::kernel::replay::Pin;
use crate::kernel::state::Kernel;
use crate::kernel::time::Picoseconds;

/// A call or construct that a location is in.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Frame {
    pub(crate) region: RegionRef,
    pub(crate) enter: Picoseconds,
    pin: Option<Pin>,
}

impl Frame {
    /// When a real run left the call.
    #[inline(always)]
    pub(crate) fn pinned_leave(&self) -> Option<Picoseconds> {
        self.pin.and_then(|pin| pin.leave)
    }

    /// Whether a real run is replayed.
    #[inline(always)]
    pub(crate) fn is_pinned(&self) -> bool {
        self.pin.is_some()
    }
}

impl Kernel<'_> {
    /// The location that runs enters a call.
    #[inline(always)]
    pub(crate) fn enter(&mut self, region: RegionRef) -> Frame {
        let frame = self.begin(region);
        self.enter_region(region);
        frame
    }

    /// The location that runs is about to enter the region of a call, but something else comes first. Counts the call and
    /// sets the clock to where a real run entered it.
    #[inline(always)]
    pub(crate) fn begin(&mut self, region: RegionRef) -> Frame {
        let pin = if self.replays() { self.next_pin(region) } else { None };
        let enter = self.now();
        if self.sink.is_some() && self.here().is_held {
            self.let_go(self.current, enter);
        }
        self.count(region).calls += 1;
        Frame { region, enter, pin }
    }

    /// The counts of a call.
    #[inline(always)]
    pub(crate) fn count(&mut self, call: RegionRef) -> &mut CallCount {
        let call = call.0 as usize;
        if self.counts.len() <= call {
            self.count_too(call);
        }
        &mut self.counts[call]
    }

    /// Makes room for the counts of a call that is made for the first time.
    #[cold]
    fn count_too(&mut self, call: usize) {
        self.counts.resize(call + 1, CallCount::default());
    }

    /// Sets the clock to where a real run entered its next call; if that is another one the simulation ends.
    #[inline(never)]
    fn next_pin(&mut self, region: RegionRef) -> Option<Pin> {
        let (name, now) = (self.regions.name(region), self.now());
        let pin = self.here().pins.as_mut()?.next(name, now);
        let (enter, pin) =
            pin.unwrap_or_else(|reason| resume_unwind(Box::new(self.misfit(self.current, reason))));
        self.here().clock = enter;
        Some(pin)
    }

    /// The choices that a real run made in a call, in order; `None` without a real run.
    pub(crate) fn choices(&self, frame: &Frame) -> Option<impl Iterator<Item = u32> + '_> {
        let call = frame.pin?.call;
        Some(self.locations[self.current].pins.as_ref()?.choices(call))
    }

    /// The choice that a real run made in a call that leaves one thing open.
    pub(crate) fn choice(&self, frame: &Frame) -> Option<u32> {
        self.choices(frame)?.next()
    }

    /// Leaves a call at `time`, which is when a real run left it if there is one.
    #[inline(always)]
    pub(crate) fn leave_at(&mut self, time: Picoseconds, frame: &Frame) {
        self.advance_to(time);
        self.leave_region(frame.region);
    }

    /// Leaves a call at the clock, or when a real run left it.
    pub(crate) fn leave(&mut self, frame: &Frame) {
        if let Some(leave) = frame.pinned_leave() {
            self.here().clock = leave;
        }
        self.leave_region(frame.region);
    }

    /// The error that the program cannot do what the real run did in a call.
    #[cold]
    pub(crate) fn misfit_in(&self, frame: &Frame, reason: &str) -> SimulationError {
        let call = frame.pin.map_or(0, |pin| pin.call);
        self.misfit(self.current, format!("its call {call}, {}, {reason}", self.regions.name(frame.region)))
    }
}
