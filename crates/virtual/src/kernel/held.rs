//! The tick that a held send takes in a trace.
//!
//! Without latency a send that waits for its receive returns in the very instant in which the receive is entered.
//! Tools cannot see that it was held: Scalasca expects it to return later. So it returns one tick later, and the tick
//! is taken from the location's next activity. If that is another call or construct at once, there is no tick to take:
//! its wait would be a tick shorter.

use ats_model::Event;

use crate::kernel::location::Location;
use crate::kernel::state::Kernel;
use crate::kernel::time::Picoseconds;

impl Kernel<'_> {
    /// Notes that the running location is about to return from a call in which a send was held until then.
    #[inline(never)]
    pub(crate) fn send_was_held(&mut self, until: Picoseconds) {
        let here = self.here();
        here.is_held = true;
        here.held.get_or_insert_default().until = until;
    }

    /// An event of the location that runs, after a send of it was held.
    #[inline(never)]
    pub(crate) fn event_after_held(&mut self, event: Event) {
        let here = self.here();
        let (now, Some(held)) = (here.clock, &mut here.held) else { return };
        let has_left = !held.events.is_empty();
        // The first region that is left is the call.
        let is_unsure = match event {
            Event::Leave { .. } => true,
            Event::Enter { .. } => has_left,
            _ => false,
        };
        if is_unsure && now == held.until {
            held.events.push(event);
            return;
        }
        if has_left {
            self.let_go(self.current, now);
        }
        self.send_to_sink(self.current, now, event);
    }

    /// Writes the held events of a location, because its next event happens at `now`.
    #[inline(never)]
    pub(crate) fn let_go(&mut self, number: usize, now: Picoseconds) {
        let location = &mut self.locations[number];
        let (Some(sink), Some(held)) = (&mut self.sink, &mut location.held) else { return };
        location.is_held = false;
        let time = now.min(held.until + 1);
        for &event in &held.events {
            sink.event(number, time, event);
        }
        held.events.clear();
    }

    /// Nothing happens any more.
    pub(crate) fn let_all_go(&mut self) {
        for number in 0..self.locations.len() {
            let Location { is_held, clock, .. } = self.locations[number];
            if is_held {
                self.let_go(number, clock);
            }
        }
    }
}
