//! Entering and leaving an MPI call.

use ats_model::event::RegionRef;
use ats_model::rules::{Blocked, Cause};
use ats_model::truth::CallCount;
use ats_mpi::Source;

use crate::replay::Pin;
use crate::time::Picoseconds;
use crate::world::{World, world};

/// A call that a location is in.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Frame {
    pub(crate) name: &'static str,
    region: RegionRef,
    pub(crate) enter: Picoseconds,
    /// Whether it completes operations that other calls have started.
    pub(crate) completes_requests: bool,
    pin: Option<Pin>,
}

impl Frame {
    /// The location that runs enters a call.
    pub(crate) fn enter(name: &'static str) -> Frame {
        let frame = world(|world| world.enter_call(name));
        frame.unwrap_or_else(|failure| std::panic::resume_unwind(Box::new(failure)))
    }

    /// The location that runs enters a call that completes operations which others have started.
    pub(crate) fn enter_completion(name: &'static str) -> Frame {
        Frame { completes_requests: true, ..Frame::enter(name) }
    }

    /// When a real run left the call.
    pub(crate) fn pinned_leave(&self) -> Option<Picoseconds> {
        self.pin.map(|pin| pin.leave)
    }

    /// What a real run chose in the call.
    pub(crate) fn choice(&self) -> Option<u32> {
        self.pin.and_then(|pin| pin.choice)
    }

    /// The source to receive from: that of the real run where a wildcard is given.
    pub(crate) fn chosen(&self, from: Source) -> Source {
        match (from, self.choice()) {
            (Source::Any, Some(source)) => Source::Rank(source as usize),
            _ => from,
        }
    }
}

impl World<'_> {
    fn enter_call(&mut self, name: &'static str) -> Result<Frame, crate::SimulationError> {
        let rank = self.current;
        let here = self.here();
        let pin = match &mut here.pins {
            Some(pins) => {
                let pin =
                    pins.next(name).map_err(|reason| crate::SimulationError::Replay { rank, reason })?;
                here.clock = pin.enter;
                Some(pin)
            }
            None => None,
        };
        let enter = here.clock;
        let region = self.regions.get(name);
        self.enter_region(region);
        let call = region.0 as usize;
        if self.counts.len() <= call {
            self.counts.resize(call + 1, CallCount::default());
        }
        self.counts[call].calls += 1;
        Ok(Frame { name, region, enter, completes_requests: false, pin })
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
        let poll = self.poll;
        self.here().clock += poll;
    }
}
