//! Destination of the events of a simulation.

use ats_model::definitions::LocationDefinition;
use ats_model::{Definitions, Event};

/// Takes the events of a simulation as they happen: in order for each location, in no order between them.
pub trait Sink {
    /// There is a location more. They count from 0: first the masters of all ranks, then the other threads.
    fn location(&mut self, definition: &LocationDefinition);

    /// Location `location` has an event at `time`, in ticks of [`crate::TICKS_PER_SECOND`].
    fn event(&mut self, location: usize, time: u64, event: Event);

    /// The simulation is over; these are the regions, communicators and teams that the events refer to.
    fn definitions(&mut self, definitions: Definitions);
}

impl Sink for ats_model::source::InMemory {
    fn location(&mut self, _: &LocationDefinition) {
        self.events.push(Vec::new());
    }

    fn event(&mut self, location: usize, time: u64, event: Event) {
        self.events[location].push((time, event));
    }

    fn definitions(&mut self, definitions: Definitions) {
        self.definitions = definitions;
    }
}
