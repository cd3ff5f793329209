//! Calls of MPI inside of other calls: in the callbacks of an attribute, an error handler or a generalized request.
//!
//! What such a call waits for is its own. The call around it waits in the rest of its time.

use rustc_hash::FxHashMap;

use super::{KeptRecord, MpiCall};
use crate::words::place::Place;

/// A call of MPI that has records and lies inside another one, in a callback of that.
#[derive(Clone, Copy, Debug)]
pub(crate) struct InnerCall {
    /// The place of the call around it.
    pub(crate) outer: Place,
    pub(crate) enter: u64,
    pub(crate) leave: u64,
}

impl KeptRecord for InnerCall {
    type Groups = ();

    fn location(&self, _calls: &[MpiCall]) -> u32 {
        self.outer.location
    }

    fn place_mut(&mut self) -> Option<&mut Place> {
        Some(&mut self.outer)
    }

    fn times_mut(&mut self) -> impl Iterator<Item = &mut u64> {
        [&mut self.enter, &mut self.leave].into_iter()
    }
}

/// The inner calls of a process, by the place of the calls around them.
#[derive(Clone, Debug, Default)]
pub(crate) struct InnerCalls(FxHashMap<Place, Vec<(u64, u64)>>);

impl InnerCalls {
    /// Those of a process.
    pub(crate) fn new(all: &[InnerCall]) -> Self {
        let mut by_place: FxHashMap<Place, Vec<(u64, u64)>> = FxHashMap::default();
        for &InnerCall { outer, enter, leave } in all {
            by_place.entry(outer).or_default().push((enter, leave));
        }
        by_place.values_mut().for_each(|spans| spans.sort_unstable());
        InnerCalls(by_place)
    }

    /// The time that calls at a place spend in none of them, of `ticks` from `begin` on.
    #[inline]
    pub(crate) fn outside(&self, place: Place, begin: u64, ticks: u64) -> u64 {
        if self.0.is_empty() { ticks } else { self.time_outside(place, begin, ticks) }
    }

    #[cold]
    fn time_outside(&self, place: Place, begin: u64, ticks: u64) -> u64 {
        let end = begin.saturating_add(ticks);
        let spans = self.0.get(&place).map_or(&[][..], |spans| spans);
        let (mut outside, mut at) = (0, begin);
        let first = spans.partition_point(|&(_, leave)| leave <= begin);
        for &(enter, leave) in spans[first..].iter().take_while(|&&(enter, _)| enter < end) {
            outside += enter.saturating_sub(at);
            at = at.max(leave.min(end));
        }
        outside + end.saturating_sub(at)
    }
}

#[cfg(test)]
mod tests {
    use ats_model::CallPathId;

    use super::{InnerCall, InnerCalls};
    use crate::words::place::{Base, Place};

    #[test]
    fn the_time_in_inner_calls_is_not_that_of_the_call_around_them() {
        let outer = Place { location: 0, path: CallPathId::ROOT, base: Base::NOTHING };
        let spans = [(20, 25), (2, 4), (6, 9)];
        let all = spans.map(|(enter, leave)| InnerCall { outer, enter, leave });
        let inner = InnerCalls::new(&all);
        for (begin, ticks, outside) in [(0, 10, 5), (3, 4, 2), (7, 2, 0), (4, 2, 2), (10, 10, 10), (21, 0, 0)]
        {
            assert_eq!(inner.outside(outer, begin, ticks), outside, "{begin} {ticks}");
        }
        assert_eq!(inner.outside(Place { location: 1, ..outer }, 0, 10), 10);
        assert_eq!(InnerCalls::default().outside(outer, 0, 10), 10);
    }
}
