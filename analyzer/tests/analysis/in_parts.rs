//! Traces that are read piece by piece.

use std::convert::Infallible;

use ats_model::{Definitions, Event, EventSource, source::InMemory};

/// A trace that is read so many events at a time.
pub(crate) struct InParts {
    pub(crate) trace: InMemory,
    pub(crate) part: usize,
    pub(crate) has_common_clock: bool,
}

impl EventSource for InParts {
    type Error = Infallible;

    fn definitions(&self) -> &Definitions {
        self.trace.definitions()
    }

    fn read_location(&self, index: usize, visit: impl FnMut(u64, Event)) -> Result<(), Infallible> {
        self.trace.read_location(index, visit)
    }

    fn has_common_clock(&self) -> bool {
        self.has_common_clock
    }

    fn read_part(
        &self,
        index: usize,
        part: usize,
        mut visit: impl FnMut(u64, Event),
    ) -> Result<bool, Infallible> {
        let mut parts = self.trace.events[index].chunks(self.part).skip(part);
        parts.next().into_iter().flatten().for_each(|&(time, event)| visit(time, event));
        Ok(parts.next().is_some())
    }
}
