//! The tick that a held send takes in a trace.
//!
//! Without latency a send that waits for its receive returns in the very instant in which that is entered. Tools cannot tell
//! that it was held: Scalasca wants it to return later. So it does, by one tick, which is taken from what its location does
//! next. Where that is another call or construct at once there is none to take: its wait would be a tick shorter.

use ats_model::Event;

use crate::kernel::location::Held;
use crate::kernel::state::Kernel;
use crate::kernel::time::Picoseconds;

impl Kernel<'_> {
    /// The location that runs is about to return from a call in which a send was held until then.
    #[cold]
    pub(crate) fn send_was_held(&mut self, until: Picoseconds) {
        self.here().held = Some(Box::new(Held { until, events: Vec::new() }));
    }

    /// An event of the location that runs, after a send of it was held.
    #[cold]
    pub(crate) fn event_after_held(&mut self, event: Event) {
        let now = self.now();
        let Some(held) = &mut self.here().held else { return };
        let has_left = !held.events.is_empty();
        match event {
            // The first region that is left is the call.
            Event::Leave { .. } if now == held.until => held.events.push(event),
            Event::Enter { .. } if now == held.until && has_left => held.events.push(event),
            _ => {
                if has_left {
                    self.let_go(self.current, now);
                }
                self.send_to_sink(self.current, now, event);
            }
        }
    }

    /// What a location did since its send was held is written, as the next thing happens there at `now`.
    #[cold]
    pub(crate) fn let_go(&mut self, location: usize, now: Picoseconds) {
        let Some(held) = self.locations[location].held.take() else { return };
        let time = now.min(held.until + 1);
        for event in held.events {
            self.send_to_sink(location, time, event);
        }
    }

    /// Nothing happens any more.
    pub(crate) fn let_all_go(&mut self) {
        for location in 0..self.locations.len() {
            let now = self.locations[location].clock;
            self.let_go(location, now);
        }
    }
}
