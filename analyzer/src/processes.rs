//! All processes of a trace, found by their rank.

use std::collections::BTreeMap;

use ats_model::{Definitions, messages::matched};
use rustc_hash::FxHashMap;

use crate::process::Process;

/// The locations of each process, as indices into the trace's.
pub(crate) fn locations_by_rank(definitions: &Definitions) -> BTreeMap<u32, Vec<usize>> {
    let mut locations: BTreeMap<u32, Vec<usize>> = BTreeMap::new();
    for (index, location) in definitions.locations.iter().enumerate() {
        locations.entry(location.rank).or_default().push(index);
    }
    locations
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

    /// The receives of a process, and the send of each where there is one: whose, as an index into the processes, and an
    /// index into the sends of that.
    pub(crate) fn senders<'a>(
        &'a self,
        process: &'a Process,
    ) -> impl Iterator<Item = (u32, Option<(usize, u32)>)> + 'a {
        matched(&process.receives_by_channel, move |channel| {
            let peer = *self.by_rank.get(&channel.from)?;
            Some((peer, self.list[peer].sends_by_channel.of(channel)))
        })
    }

    /// The sends of a process, and the receive of each, as in [`Processes::senders`].
    pub(crate) fn receivers<'a>(
        &'a self,
        process: &'a Process,
    ) -> impl Iterator<Item = (u32, Option<(usize, u32)>)> + 'a {
        matched(&process.sends_by_channel, move |channel| {
            let peer = *self.by_rank.get(&channel.to)?;
            Some((peer, self.list[peer].receives_by_channel.of(channel)))
        })
    }

    pub(crate) fn of_rank(&self, rank: u32) -> Option<&Process> {
        self.by_rank.get(&rank).map(|&index| &self.list[index])
    }
}
