//! Access to the events of a trace.

use crate::{Definitions, Event};

/// A trace whose locations can be read one by one, in any order and in parallel.
///
/// `ats-trace` implements it for archives on disk, [`InMemory`] for traces written in a test.
pub trait EventSource: Sync {
    /// Why a location could not be read to its end.
    type Error: std::error::Error + Send + Sync + 'static;

    /// The definitions that the events refer to.
    fn definitions(&self) -> &Definitions;

    /// Whether the time stamps of different processes can be compared: they share a clock, or the trace measured how their
    /// clocks differ. Where they cannot, it is for the analysis to find out.
    fn has_common_clock(&self) -> bool {
        true
    }

    /// Whether it says which call completes a request that was started. Where it does not, a remark of its says so.
    fn tells_completions(&self) -> bool {
        true
    }

    /// Seconds that the recorder took of the program for each event: an estimate, which is too low on a machine with other
    /// load. `None` if that is not known of the recorder.
    fn cost_of_event(&self) -> Option<f64> {
        None
    }

    /// Remarks on the trace as a whole: limits of its format, and what was skipped in it.
    fn remarks(&self) -> Vec<String> {
        Vec::new()
    }

    /// Hands every event of location `index` (into [`Definitions::locations`]) to `visit`, in order,
    /// with its time stamp in ticks of [`Definitions::clock`], corrected to the trace's common clock.
    ///
    /// The trace is damaged. Events before the damage have been handed over.
    fn read_location(&self, index: usize, visit: impl FnMut(u64, Event)) -> Result<(), Self::Error>;

    /// Hands the events of a part of a location to `visit`, as [`EventSource::read_location`] those of the whole, and tells
    /// whether there are more. Parts count from 0 and are read in order; by default the first is all.
    ///
    /// # Errors
    /// As [`EventSource::read_location`].
    fn read_part(
        &self,
        index: usize,
        part: usize,
        visit: impl FnMut(u64, Event),
    ) -> Result<bool, Self::Error> {
        if part == 0 {
            self.read_location(index, visit)?;
        }
        Ok(false)
    }
}

/// A trace in memory.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct InMemory {
    /// Its definitions.
    pub definitions: Definitions,
    /// Per location, the events with their time stamps in ticks.
    pub events: Vec<Vec<(u64, Event)>>,
}

impl EventSource for InMemory {
    type Error = std::convert::Infallible;

    fn definitions(&self) -> &Definitions {
        &self.definitions
    }

    fn read_location(&self, index: usize, mut visit: impl FnMut(u64, Event)) -> Result<(), Self::Error> {
        for &(time, event) in &self.events[index] {
            visit(time, event);
        }
        Ok(())
    }
}

/// A trace that has not measured how the clocks of its processes differ.
#[derive(Clone, Debug)]
pub struct Unmeasured<S>(pub S);

impl<S: EventSource> EventSource for Unmeasured<S> {
    type Error = S::Error;

    fn definitions(&self) -> &Definitions {
        self.0.definitions()
    }

    fn has_common_clock(&self) -> bool {
        false
    }

    fn read_location(&self, index: usize, visit: impl FnMut(u64, Event)) -> Result<(), Self::Error> {
        self.0.read_location(index, visit)
    }
}
