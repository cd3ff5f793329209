//! Reading a trace for its picture.

use ats_documents::finding::MEASURED_REGION;
use ats_model::{Definitions, EventSource};

use super::bars::Bars;
use crate::{
    calls::{self, Step},
    stamps::Stamps,
};

/// The part of one location that is read.
pub(super) struct Read {
    pub(super) bars: Bars,
    pub(super) stamps: Stamps,
    /// The time when stamps were no longer remembered.
    pub(super) stamps_until: Option<u64>,
    pub(super) span: Option<(u64, u64)>,
    pub(super) measured: Option<(u64, u64)>,
    pub(super) unreadable: Option<String>,
}

impl Read {
    /// Reads a location; its calls as far as they are in the window, and so many bars and stamps.
    pub(super) fn new<S: EventSource>(
        source: &S,
        location: usize,
        limits: (usize, usize),
        window: (u64, u64),
    ) -> Self {
        let (bars, stamps) = limits;
        let definitions: &Definitions = source.definitions();
        let definition = &definitions.locations[location];
        let mut read = Read {
            bars: Bars::new(bars, window),
            stamps: Stamps::new(definition.rank),
            stamps_until: None,
            span: None,
            measured: None,
            unreadable: None,
        };
        let is_measured =
            |region: u32| definitions.regions.get(region as usize).is_some_and(|r| r.name == MEASURED_REGION);
        let result = calls::read(source, location, |time, step| {
            let widen = |span: &mut Option<(u64, u64)>| span.get_or_insert((time, time)).1 = time;
            widen(&mut read.span);
            match step {
                Step::Open(region) => {
                    read.bars.open(time, region.0);
                    if is_measured(region.0) {
                        widen(&mut read.measured);
                    }
                }
                Step::Close(region) => {
                    read.bars.close(time);
                    if is_measured(region.0) {
                        widen(&mut read.measured);
                    }
                }
                Step::Other(event) if read.stamps.len() < stamps => {
                    read.stamps.visit(definitions, time, event);
                }
                Step::Other(_) => {
                    read.stamps_until.get_or_insert(time);
                }
            }
        });
        if let Err(error) = result {
            read.unreadable = Some(format!(
                "Rank {}, thread {} could only be read in part: {error}.",
                definition.rank, definition.thread
            ));
        }
        read
    }

    /// Brings every time to another clock.
    pub(super) fn retime(&mut self, clock: impl Fn(u64) -> u64) {
        self.bars.retime(&clock);
        self.stamps.retime(&clock);
        for (begin, end) in self.span.iter_mut().chain(&mut self.measured) {
            (*begin, *end) = (clock(*begin), clock(*end));
        }
        self.stamps_until = self.stamps_until.map(clock);
    }
}
