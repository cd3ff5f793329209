//! All processes of a trace, found by their rank, and the messages between them.

use std::collections::BTreeMap;

use ats_model::{
    Definitions,
    messages::{Channel, matched},
};
use rustc_hash::FxHashMap;

use crate::records::process::Process;

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
}

impl Processes {
    pub(crate) fn new(list: Vec<Process>) -> Self {
        let by_rank = list.iter().enumerate().map(|(index, process)| (process.rank, index)).collect();
        Processes { list, by_rank }
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
    pub(crate) fn of(&self, other: OtherEnd) -> &Process {
        &self.list[other.process as usize]
    }

    /// The receives of a process on every channel, each with its send if it has one.
    pub(crate) fn senders<'a>(
        &'a self,
        process: &'a Process,
    ) -> impl Iterator<Item = (u32, Option<OtherEnd>)> + 'a {
        let sends = move |channel: Channel| {
            let peer = self.index_of(channel.from)?;
            Some((peer, self.list[peer].sends.groups.of(channel)))
        };
        matched(&process.receives.groups, sends).map(other_end)
    }

    /// The sends of a process on every channel, each with its receive if it has one.
    pub(crate) fn receivers<'a>(
        &'a self,
        process: &'a Process,
    ) -> impl Iterator<Item = (u32, Option<OtherEnd>)> + 'a {
        let receives = move |channel: Channel| {
            let peer = self.index_of(channel.to)?;
            Some((peer, self.list[peer].receives.groups.of(channel)))
        };
        matched(&process.sends.groups, receives).map(other_end)
    }
}

fn other_end((end, other): (u32, Option<(usize, u32)>)) -> (u32, Option<OtherEnd>) {
    (end, other.map(|(process, end)| OtherEnd { process: process as u32, end }))
}
