//! Single waits, for callers that ask for them: each with its begin and its end.

use ats_documents::Wait;
use ats_model::WaitState;

use crate::words::place::{BasesByLocation, Place};

/// The single waits of a process, or nothing if the caller does not ask for them.
#[derive(Clone, Debug, Default)]
pub(crate) struct SingleWaits(Option<Singles>);

#[derive(Clone, Debug, Default)]
struct Singles {
    waits: Vec<Single>,
    /// The number of waits with known bases; later ones may continue an unknown place.
    known: usize,
}

#[derive(Clone, Copy, Debug)]
struct Single {
    state: WaitState,
    place: Place,
    begin: u64,
    end: u64,
    awaited: Option<u32>,
}

impl SingleWaits {
    /// Keeps them, or does not.
    pub(crate) fn new(is_asked_for: bool) -> Self {
        SingleWaits(is_asked_for.then(Singles::default))
    }

    /// Keeps one wait, and the location that it waits for; ignores waits of no ticks.
    pub(crate) fn keep(
        &mut self,
        state: WaitState,
        place: Place,
        (begin, end): (u64, u64),
        awaited: Option<u32>,
    ) {
        match &mut self.0 {
            Some(singles) if end > begin => singles.waits.push(Single { state, place, begin, end, awaited }),
            _ => {}
        }
    }

    /// Gives places the bases that are known by now.
    pub(crate) fn renumber(&mut self, known: &BasesByLocation) {
        let Some(Singles { waits, known: first }) = &mut self.0 else { return };
        waits[*first..].iter_mut().for_each(|wait| wait.place.renumber(known));
        waits[*first..].sort_by_key(|wait| wait.place.base.membership().is_some());
        *first = waits.partition_point(|wait| wait.place.base.membership().is_none());
    }

    /// Brings them to another clock.
    pub(crate) fn retime(&mut self, clock: impl Fn(u64) -> u64) {
        for wait in self.0.iter_mut().flat_map(|singles| &mut singles.waits) {
            (wait.begin, wait.end) = (clock(wait.begin), clock(wait.end));
        }
    }

    /// All waits; `finding` maps a state and place to the wait's finding.
    pub(crate) fn waits(
        &self,
        mut finding: impl FnMut(WaitState, Place) -> Option<usize>,
    ) -> impl Iterator<Item = Wait> {
        let waits = self.0.iter().flat_map(|singles| &singles.waits);
        waits.filter_map(move |&Single { state, place, begin, end, awaited }| {
            let finding = finding(state, place)?;
            let awaited = awaited.map(|location| location as usize);
            Some(Wait { finding, location: place.location as usize, begin, end, awaited })
        })
    }
}
