//! Times in which recording was off, and the order of what was recorded before and after them.
//!
//! MPI matches the *k*-th items of several sequences: the sends and the receives of a channel, the collective operations
//! of all members of a communicator. Where recording was off, a sequence lacks an unknown number of items. Those before
//! the first gap still count from the begin, and those after the last one from the end, if the process came to its
//! `MPI_Finalize`: nothing is under way then. The place of the others is not known, unless nothing can be missing.

use super::{KeptRecord, MpiCall, Numbers, process::Process};
use crate::words::regions::CallKind;

/// A time in which a location did not record.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Gap {
    /// Index into the trace's locations.
    pub(crate) location: u32,
    /// When recording was switched off; 0 if it was off from the begin.
    pub(crate) begin: u64,
    /// When it was switched on again; [`u64::MAX`] if it was not.
    pub(crate) end: u64,
    /// The first call of the location that posts a receive that is never complete as far as is recorded: its channel is
    /// not known. Index into [`super::Records::calls`].
    pub(crate) open_receive: Option<u32>,
    /// The first collective operation of the location that is never complete as far as is recorded: its communicator is
    /// not known. Index into [`super::Records::collectives`].
    pub(crate) open_operation: Option<u32>,
}

impl Gap {
    /// A gap that is not over.
    pub(crate) fn new(location: usize, begin: u64) -> Self {
        Gap { location: location as u32, begin, end: u64::MAX, open_receive: None, open_operation: None }
    }
}

impl KeptRecord for Gap {
    type Groups = ();

    fn location(&self, _calls: &[MpiCall]) -> u32 {
        self.location
    }

    fn call(&self) -> Option<u32> {
        self.open_receive
    }

    fn times_mut(&mut self) -> impl Iterator<Item = &mut u64> {
        [&mut self.begin, &mut self.end].into_iter()
    }

    fn order(&self, _calls: &[MpiCall]) -> (u64, u32) {
        (self.begin, self.location)
    }

    fn renumber(&mut self, numbers: &Numbers) {
        self.open_receive = self.open_receive.map(|call| numbers.calls.new_number(call));
        self.open_operation = self.open_operation.map(|operation| numbers.collectives.new_number(operation));
    }
}

/// How much of a trace is known.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Known {
    /// As much as is read so far.
    SoFar,
    All,
}

/// The first of the records that are open in the gaps of a process; the number after all records if none is.
pub(crate) fn first_open(process: &Process, open: impl Fn(&Gap) -> Option<u32>) -> u32 {
    process.gaps.iter().filter_map(open).min().unwrap_or(u32::MAX)
}

/// A place among the items of a sequence that has no item.
pub(crate) const MISSING: u32 = u32::MAX;

/// The items of a process on a channel or a communicator, in order.
pub(crate) struct Sequence<'p> {
    items: &'p [u32],
    /// The number of items before the first gap, between each two, and after the last.
    counts: Vec<usize>,
    /// The number of items at the begin whose places are sure.
    first: usize,
    /// Whether the process is there to the end.
    is_whole: bool,
}

impl<'p> Sequence<'p> {
    /// The items of a process that are started at these times. The place of one that is not sure to come before all that
    /// are open is not known.
    pub(crate) fn new(
        process: &Process,
        items: &'p [u32],
        start: impl Fn(u32) -> u64,
        is_sure: impl Fn(u32) -> bool,
    ) -> Self {
        let gaps = &process.gaps;
        let mut counts = vec![0; gaps.len() + 1];
        let mut first = 0;
        for &item in items {
            let time = start(item);
            let segment = gaps.partition_point(|gap| gap.begin < time);
            counts[segment] += 1;
            first += usize::from(segment == 0 && is_sure(item));
        }
        Sequence { items, counts, first, is_whole: process.span(CallKind::Finalize).is_some() }
    }

    fn has_gaps(&self) -> bool {
        self.counts.len() > 1
    }

    /// The number of items after the last gap, if their places are known from the end.
    fn last(&self) -> usize {
        self.counts.last().copied().filter(|_| self.is_whole).unwrap_or(0)
    }
}

/// The items of sequences by their places, [`MISSING`] where one has none; an item whose place is not known has none.
pub(crate) fn aligned(sequences: &[Sequence<'_>], known: Known) -> Vec<Vec<u32>> {
    let total = |sequence: &Sequence<'_>| sequence.items.len();
    let whole = sequences.iter().filter(|sequence| !sequence.has_gaps()).map(total).max();
    let is_at_end = known == Known::All && sequences.iter().all(|sequence| sequence.is_whole);
    let longest = sequences.iter().map(total).max().unwrap_or(0);
    if is_at_end && lacks_nothing(sequences) {
        return sequences.iter().map(|sequence| sequence.items.to_vec()).collect();
    }
    // If each lacks something, what counts from the begin and what counts from the end are not compared.
    let end = whole.map_or(2 * longest, |whole| whole.max(longest));
    let can_count_back = is_at_end && whole.is_none_or(|whole| whole == longest);
    let place = |sequence: &Sequence<'_>| {
        let mut places = vec![MISSING; end];
        let (items, total) = (sequence.items, sequence.items.len());
        let is_known = !sequence.has_gaps() || is_at_end && whole == Some(total);
        let first = if is_known { total } else { sequence.first };
        places[..first].copy_from_slice(&items[..first]);
        if !is_known && can_count_back {
            let last = sequence.last();
            places[end - last..].copy_from_slice(&items[total - last..]);
        }
        places
    };
    sequences.iter().map(place).collect()
}

/// Whether nothing can be missing in sequences that are known to their ends: all have as many items, and one of them has
/// no gap, or all have as many between their gaps.
fn lacks_nothing(sequences: &[Sequence<'_>]) -> bool {
    let mut pairs = sequences.windows(2);
    if sequences.iter().any(|sequence| !sequence.has_gaps()) {
        pairs.all(|pair| pair[0].items.len() == pair[1].items.len())
    } else {
        pairs.all(|pair| pair[0].counts == pair[1].counts)
    }
}
