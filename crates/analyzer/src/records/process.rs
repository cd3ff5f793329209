//! A process, with its records in MPI's order, and how far they are known.

use std::ops::Deref;

use crate::{
    records::{Records, Span},
    words::regions::CallKind,
};

/// The frontier of the known records of a location, or of a process; at the end of a trace all are.
#[derive(Clone, Debug)]
pub(crate) struct Frontier {
    /// Calls that are not left, or have started a request that is not complete: indices into [`Records::calls`].
    pub(crate) calls: Vec<u32>,
    /// Sends that are not complete: indices into [`Records::sends`].
    pub(crate) sends: Vec<u32>,
    /// Collective operations with requests that are not complete: indices into [`Records::requested`].
    pub(crate) requested: Vec<u32>,
    /// The first collective operation whose communicator is not known: index into [`Records::collectives`].
    pub(crate) collectives: u32,
    /// The first call whose requests may have unknown predecessors; so may those of later calls.
    pub(crate) first: u32,
    /// The time after which begins may have unknown predecessors.
    pub(crate) since: u64,
    /// The begin of the time in which completions may have unknown predecessors.
    pub(crate) until: u64,
}

impl Default for Frontier {
    /// All is known.
    fn default() -> Self {
        Frontier {
            calls: Vec::new(),
            sends: Vec::new(),
            requested: Vec::new(),
            collectives: u32::MAX,
            first: u32::MAX,
            since: u64::MAX,
            until: u64::MAX,
        }
    }
}

/// A process with its records, grouped: messages by channel in MPI's order, collectives by communicator.
#[derive(Debug)]
pub(crate) struct Process {
    pub(crate) rank: u32,
    /// Its first location: index into the trace's locations.
    pub(crate) main_location: usize,
    /// Its node, if the trace names nodes.
    pub(crate) node: Option<u32>,
    pub(crate) records: Records,
    pub(crate) frontier: Frontier,
}

impl Deref for Process {
    type Target = Records;

    fn deref(&self) -> &Records {
        &self.records
    }
}

impl Process {
    pub(crate) fn new(rank: u32, main_location: usize, mut records: Records, frontier: Frontier) -> Self {
        records.group();
        Process { rank, main_location, node: None, records, frontier }
    }

    /// Its `MPI_Init` or `MPI_Finalize`.
    pub(crate) fn span(&self, kind: CallKind) -> Option<Span> {
        self.spans.iter().find(|span| span.kind == kind).copied()
    }

    /// Whether it did not record all the time.
    pub(crate) fn has_gaps(&self) -> bool {
        !self.gaps.is_empty()
    }

    /// The records that it was made of.
    pub(crate) fn into_records(self) -> Records {
        let mut records = self.records;
        records.ungroup();
        records
    }

    /// Brings every time of the process to another clock.
    pub(crate) fn retime(&mut self, clock: impl Fn(u64) -> u64) {
        // What is not over has no time yet.
        let retime = |time: &mut u64| *time = if *time == u64::MAX { *time } else { clock(*time) };
        self.records.each_time(retime);
        [&mut self.frontier.since, &mut self.frontier.until].into_iter().for_each(retime);
    }

    /// Every time of its records, in an order of their own.
    pub(crate) fn times(&mut self) -> Vec<u64> {
        let mut times = Vec::new();
        self.records.each_time(|time| times.push(*time));
        times
    }

    /// Gives its records the [`Process::times`] that they had.
    pub(crate) fn set_times(&mut self, times: &[u64]) {
        let mut times = times.iter();
        self.records.each_time(|time| *time = times.next().copied().unwrap_or(*time));
    }
}
