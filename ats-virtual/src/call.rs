//! Entering and leaving an MPI call or an OpenMP construct.

use std::panic::resume_unwind;

use crate::rules::{Blocked, Cause};
use ats_model::event::RegionRef;
use ats_model::openmp::Construct;
use ats_model::truth::CallCount;
use ats_mpi::{Choice, Outcome};

use crate::replay::Pin;
use crate::time::Picoseconds;
use crate::world::{World, world};

/// A call or construct that a location is in.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Frame {
    pub(crate) name: &'static str,
    pub(crate) region: RegionRef,
    pub(crate) enter: Picoseconds,
    /// Whether it completes operations that other calls have started.
    pub(crate) completes_requests: bool,
    pin: Option<Pin>,
}

impl Frame {
    /// The location that runs enters an MPI call.
    #[inline]
    pub(crate) fn enter(name: &'static str) -> Frame {
        world(|world| world.enter_call(name))
    }

    /// The location that runs enters a call that completes operations which others have started.
    pub(crate) fn enter_completion(name: &'static str) -> Frame {
        Frame { completes_requests: true, ..Frame::enter(name) }
    }

    /// The location that runs enters an OpenMP construct.
    pub(crate) fn construct(construct: Construct) -> Frame {
        world(|world| {
            let frame = world.begin_call(construct.region());
            world.operations += 1;
            world.enter_region(frame.region);
            frame
        })
    }

    /// The location that runs is about to enter a construct's region, but something else comes first.
    pub(crate) fn before(construct: Construct) -> Frame {
        world(|world| {
            world.operations += 1;
            world.begin_call(construct.region())
        })
    }

    /// Leaves a construct at the clock, or when a real run left it.
    pub(crate) fn leave(self) {
        world(|world| world.leave(&self));
    }

    /// When a real run left the call.
    pub(crate) fn pinned_leave(&self) -> Option<Picoseconds> {
        self.pin.map(|pin| pin.leave)
    }

    /// Whether a real run is replayed.
    pub(crate) fn is_pinned(&self) -> bool {
        self.pin.is_some()
    }

    /// What a real run chose in the call, in order; none where there is no real run.
    pub(crate) fn choices(&self) -> Option<Vec<u32>> {
        let call = self.pin?.call;
        world(|world| Some(world.here().pins.as_ref()?.choices(call).collect()))
    }

    /// What a real run chose in the call.
    pub(crate) fn choice(&self) -> Option<u32> {
        self.pin?;
        world(|world| world.choice(self))
    }

    /// What an MPI call found in a real run, if there is one and the call leaves something open.
    pub(crate) fn outcome(&self, choice: Option<Choice>) -> Option<Outcome> {
        let choice = choice?;
        Some(choice.outcome(self.choices()?.into_iter().map(|number| number as usize)))
    }

    /// Ends the simulation: what the real run did in the call, the program cannot do.
    #[cold]
    pub(crate) fn misfit(&self, reason: &str) -> ! {
        let call = self.pin.map_or(0, |pin| pin.call);
        let reason = format!("its call {call}, {}, {reason}", self.name);
        resume_unwind(Box::new(world(|world| world.misfit(world.current, reason))))
    }
}

impl World<'_> {
    #[inline(always)]
    pub(crate) fn enter_call(&mut self, name: &'static str) -> Frame {
        if self.current >= self.ranks {
            self.not_funneled(name);
        }
        let frame = self.begin_call(name);
        self.enter_region(frame.region);
        frame
    }

    /// Ends the simulation.
    #[cold]
    fn not_funneled(&self, name: &str) -> ! {
        resume_unwind(Box::new(self.misuse(format!(
            "{name} is called by a thread that is not the master of its process (MPI_THREAD_FUNNELED)"
        ))))
    }

    /// Counts a call and sets the clock to where a real run entered it.
    #[inline(always)]
    fn begin_call(&mut self, name: &'static str) -> Frame {
        let pin = if self.replays() { self.next_pin(name) } else { None };
        let enter = self.here().clock;
        let region = self.regions.get(name);
        let call = region.0 as usize;
        if self.counts.len() <= call {
            self.count_too(call);
        }
        self.counts[call].calls += 1;
        Frame { name, region, enter, completes_requests: false, pin }
    }

    /// Makes room for the counts of a call that is made for the first time.
    #[cold]
    fn count_too(&mut self, call: usize) {
        self.counts.resize(call + 1, CallCount::default());
    }

    /// Sets the clock to where a real run entered its next call; if that is another one the simulation ends.
    #[inline(never)]
    fn next_pin(&mut self, name: &str) -> Option<Pin> {
        let here = self.here();
        let pin = here.pins.as_mut()?.next(name);
        let (enter, pin) =
            pin.unwrap_or_else(|reason| resume_unwind(Box::new(self.misfit(self.current, reason))));
        self.here().clock = enter;
        Some(pin)
    }

    /// What a real run chose in a call.
    pub(crate) fn choice(&mut self, frame: &Frame) -> Option<u32> {
        let call = frame.pin?.call;
        self.here().pins.as_ref()?.choices(call).next()
    }

    /// Leaves a call at the clock, or when a real run left it.
    pub(crate) fn leave(&mut self, frame: &Frame) {
        if let Some(pin) = frame.pin {
            self.here().clock = pin.leave;
        }
        self.leave_region(frame.region);
    }

    /// Leaves a call that waited until `reached` for something that no metric counts.
    pub(crate) fn leave_blocked(&mut self, frame: &Frame, reached: Picoseconds, communicator: u32) {
        let ticks = reached.saturating_sub(frame.enter);
        let blocked = Blocked { cause: Cause::MessageNotSent, ticks };
        let path = self.here().call_path;
        self.here().account.blocked(frame.name, path, communicator, blocked, true);
        self.leave(frame);
    }

    /// Adds messages and bytes to what a call has sent.
    pub(crate) fn count_sent(&mut self, frame: &Frame, (messages, bytes): (u64, u64)) {
        let count = &mut self.counts[frame.region.0 as usize];
        count.messages += messages;
        count.bytes += bytes;
    }

    /// A test or probe found nothing: that takes time, or polling would never end.
    pub(crate) fn poll(&mut self) {
        self.advance(self.poll);
    }
}
