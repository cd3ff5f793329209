//! Where the events of a simulation go.

use ats_model::{Definitions, Event};

/// Takes the events of a simulation as they happen: in order for each location, in no order between them.
pub trait Sink {
    /// Location `location` (its rank) has an event at `time`, in ticks of [`crate::TICKS_PER_SECOND`].
    fn event(&mut self, location: usize, time: u64, event: Event);

    /// The simulation is over; these are the regions and communicators that the events refer to.
    fn definitions(&mut self, definitions: Definitions);
}

impl Sink for ats_model::source::InMemory {
    fn event(&mut self, location: usize, time: u64, event: Event) {
        if self.events.len() <= location {
            self.events.resize_with(location + 1, Vec::new);
        }
        self.events[location].push((time, event));
    }

    fn definitions(&mut self, definitions: Definitions) {
        self.events.resize_with(definitions.locations.len(), Vec::new);
        self.definitions = definitions;
    }
}
