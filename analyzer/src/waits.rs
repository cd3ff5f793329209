//! Single waits, for those who ask for them: each with its begin and its end.

use ats_model::{Wait, WaitState};

use crate::process::Place;

/// The single waits of a process, or nothing where nobody asks for them.
#[derive(Clone, Debug, Default)]
pub(crate) struct Kept(Option<Vec<(WaitState, Place, u64, u64)>>);

impl Kept {
    /// Keeps them, or does not.
    pub(crate) fn new(is_asked_for: bool) -> Self {
        Kept(is_asked_for.then(Vec::new))
    }

    /// Keeps one wait; nothing for one of no ticks.
    pub(crate) fn keep(&mut self, state: WaitState, place: Place, begin: u64, end: u64) {
        match &mut self.0 {
            Some(waits) if end > begin => waits.push((state, place, begin, end)),
            _ => {}
        }
    }

    /// Brings them to another clock.
    pub(crate) fn retime(&mut self, clock: impl Fn(u64) -> u64) {
        for (_, _, begin, end) in self.0.iter_mut().flatten() {
            (*begin, *end) = (clock(*begin), clock(*end));
        }
    }

    /// All of them; `finding` knows whose a wait is by its state and place.
    pub(crate) fn waits(
        &self,
        finding: impl Fn(WaitState, Place) -> Option<usize>,
    ) -> impl Iterator<Item = Wait> {
        self.0.iter().flatten().filter_map(move |&(state, place, begin, end)| {
            let finding = finding(state, place)?;
            Some(Wait { finding, location: place.location as usize, begin, end })
        })
    }
}
