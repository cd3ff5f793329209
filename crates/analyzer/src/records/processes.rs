//! All processes of a trace, found by their rank, and the messages between them.

use std::collections::BTreeMap;

use ats_model::{
    Definitions,
    definitions::Clock,
    groups::Groups,
    messages::{Channel, matched},
};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::records::{
    gaps::{Known, MISSING, Sequence, aligned, first_open},
    process::Process,
};

/// The locations of each process, as indices into the trace's.
pub(crate) fn locations_by_rank(definitions: &Definitions) -> BTreeMap<u32, Vec<usize>> {
    let mut locations: BTreeMap<u32, Vec<usize>> = BTreeMap::new();
    for (index, location) in definitions.locations.iter().enumerate() {
        locations.entry(location.rank).or_default().push(index);
    }
    locations
}

/// The main thread of a process: an index into its locations.
pub(crate) fn main_of(definitions: &Definitions, locations: &[usize]) -> usize {
    let main = (0..locations.len()).min_by_key(|&index| definitions.locations[locations[index]].thread);
    main.unwrap_or(0)
}

/// Whether each location is the main thread of a process with several.
pub(crate) fn mains_of_several(definitions: &Definitions) -> Vec<bool> {
    let mut mains = vec![false; definitions.locations.len()];
    for locations in locations_by_rank(definitions).into_values().filter(|locations| locations.len() > 1) {
        mains[locations[main_of(definitions, &locations)]] = true;
    }
    mains
}

/// The other end of a message.
#[derive(Clone, Copy, Debug)]
pub(crate) struct OtherEnd {
    /// Index into [`Processes::list`].
    pub(crate) process: u32,
    /// Index into the sends, or receives, of that.
    pub(crate) end: u32,
}

/// The processes, by rising rank.
pub(crate) struct Processes {
    list: Vec<Process>,
    by_rank: FxHashMap<u32, usize>,
    known: Known,
    /// Whether one of them did not record all the time.
    have_gaps: bool,
    /// Whether all is known, and the trace has measured how their clocks differ.
    are_comparable: bool,
    clock_error: u64,
    /// The channels whose messages have no known places.
    misplaced: FxHashSet<Channel>,
}

impl Processes {
    pub(crate) fn new(list: Vec<Process>, known: Known) -> Self {
        let by_rank = list.iter().enumerate().map(|(index, process)| (process.rank, index)).collect();
        let have_gaps = list.iter().any(Process::has_gaps);
        let misplaced = FxHashSet::default();
        Processes { list, by_rank, known, have_gaps, are_comparable: false, clock_error: 0, misplaced }
    }

    /// All processes, whose times can be compared as they are. Messages on channels that `misplaced` returns have no other
    /// end.
    pub(crate) fn compared(self, misplaced: impl Fn(&Self) -> FxHashSet<Channel>) -> Self {
        Processes { are_comparable: true, misplaced: misplaced(&self), ..self }
    }

    /// The processes, with times of this clock.
    pub(crate) fn timed_by(self, clock: Clock) -> Self {
        // Measured offsets of two machines are off by some microseconds, and more where networks are busy.
        const CLOCK_ERROR: f64 = 100e-6;
        Processes { clock_error: (CLOCK_ERROR * clock.resolution as f64) as u64, ..self }
    }

    /// The ticks that clocks of different nodes may differ by though they are corrected.
    pub(crate) fn clock_error(&self) -> u64 {
        self.clock_error
    }

    /// Whether all is known, and the trace has measured how their clocks differ.
    pub(crate) fn are_comparable(&self) -> bool {
        self.are_comparable
    }

    /// Whether the places of messages on a channel are not known, since one before them is missing.
    pub(crate) fn are_misplaced(&self, channel: Channel) -> bool {
        self.misplaced.contains(&channel)
    }

    /// How much of the trace is known.
    pub(crate) fn known(&self) -> Known {
        self.known
    }

    pub(crate) fn list(&self) -> &[Process] {
        &self.list
    }

    pub(crate) fn into_list(self) -> Vec<Process> {
        self.list
    }

    pub(crate) fn list_mut(&mut self) -> &mut [Process] {
        &mut self.list
    }

    /// Index into [`Processes::list`].
    pub(crate) fn index_of(&self, rank: u32) -> Option<usize> {
        self.by_rank.get(&rank).copied()
    }

    pub(crate) fn of_rank(&self, rank: u32) -> Option<&Process> {
        self.index_of(rank).map(|index| &self.list[index])
    }

    /// The process of another end.
    pub(crate) fn process(&self, other: OtherEnd) -> &Process {
        &self.list[other.process as usize]
    }

    /// The receives of a process on every channel, each with its send if it has one.
    pub(crate) fn senders<'a>(
        &'a self,
        process: &'a Process,
    ) -> impl Iterator<Item = (u32, Option<OtherEnd>)> + 'a {
        let sends = move |channel: Channel| {
            let peer = self.index_of(channel.from).filter(|_| !self.are_misplaced(channel))?;
            Some((peer, self.list[peer].sends.groups.members(channel)))
        };
        self.other_ends(&process.receives.groups, sends, process, [Ends::Receives, Ends::Sends])
    }

    /// The sends of a process on every channel, each with its receive if it has one.
    pub(crate) fn receivers<'a>(
        &'a self,
        process: &'a Process,
    ) -> impl Iterator<Item = (u32, Option<OtherEnd>)> + 'a {
        let receives = move |channel: Channel| {
            let peer = self.index_of(channel.to).filter(|_| !self.are_misplaced(channel))?;
            Some((peer, self.list[peer].receives.groups.members(channel)))
        };
        self.other_ends(&process.sends.groups, receives, process, [Ends::Sends, Ends::Receives])
    }

    fn other_ends<'a>(
        &'a self,
        own: &'a Groups<Channel>,
        others: impl Fn(Channel) -> Option<(usize, &'a [u32])> + 'a,
        process: &'a Process,
        [of_own, of_others]: [Ends; 2],
    ) -> impl Iterator<Item = (u32, Option<OtherEnd>)> + 'a {
        let (plain, gapped) = match self.have_gaps {
            false => (Some(matched(own, others).map(other_end)), None),
            true => {
                let matched = own.iter().flat_map(move |(channel, ends)| match others(channel) {
                    Some((peer, others)) if process.has_gaps() || self.list[peer].has_gaps() => {
                        let (peer_of, own) = (&self.list[peer], of_own.sequence(process, ends));
                        let sequences = [own, of_others.sequence(peer_of, others)];
                        matched_by_places(ends, &aligned(&sequences, self.known), peer)
                    }
                    other => {
                        let other = |k| {
                            let (process, ends) = other?;
                            Some(OtherEnd { process: process as u32, end: *ends.get(k)? })
                        };
                        ends.iter().enumerate().map(|(k, &end)| (end, other(k))).collect()
                    }
                });
                (None, Some(matched))
            }
        };
        plain.into_iter().flatten().chain(gapped.into_iter().flatten())
    }

    /// Whether the messages of a channel may lack an end because one of its processes did not record all the time.
    pub(crate) fn is_doubtful(&self, channel: Channel) -> bool {
        let has_gaps = |rank| self.of_rank(rank).is_some_and(Process::has_gaps);
        self.have_gaps && (has_gaps(channel.from) || has_gaps(channel.to))
    }
}

/// The ends of messages at one side.
#[derive(Clone, Copy)]
enum Ends {
    Sends,
    Receives,
}

impl Ends {
    fn sequence<'p>(self, process: &Process, ends: &'p [u32]) -> Sequence<'p> {
        let (of_process, open) = match self {
            Ends::Sends => (&process.sends, u32::MAX),
            Ends::Receives => (&process.receives, first_open(process, |gap| gap.open_receive)),
        };
        let start = |end: u32| of_process[end as usize].start;
        let enter = |end: u32| process.calls[start(end) as usize].enter;
        Sequence::new(process, ends, enter, |end| start(end) < open)
    }
}

/// Each of the `ends` of a process on a channel, with that of the `peer` at its place.
fn matched_by_places(ends: &[u32], places: &[Vec<u32>], peer: usize) -> Vec<(u32, Option<OtherEnd>)> {
    let [own, others] = places else { return Vec::new() };
    let mut found: FxHashMap<u32, OtherEnd> = FxHashMap::default();
    for (&own, &end) in own.iter().zip(others).filter(|(own, end)| **own != MISSING && **end != MISSING) {
        found.insert(own, OtherEnd { process: peer as u32, end });
    }
    ends.iter().map(|&end| (end, found.get(&end).copied())).collect()
}

fn other_end((end, other): (u32, Option<(usize, u32)>)) -> (u32, Option<OtherEnd>) {
    (end, other.map(|(process, end)| OtherEnd { process: process as u32, end }))
}
