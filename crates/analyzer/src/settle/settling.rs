//! One settling: the records of all processes, taken, judged as far as they are over, and forgotten.

use ats_model::Definitions;
use rayon::prelude::*;

use super::{
    Settled,
    over::{KnownMessages, first_of_each_group},
};
use crate::{
    clock::Clocks,
    judge::{
        account::Account,
        collective::{Dues, Extent, Instances},
        init_finalize::{CommonClock, InitFinalize},
        misplaced,
        violations::Measure,
    },
    records::{
        InnerCalls, KeptFlags, Records,
        gaps::Known,
        merge::{NewNumbers, Shares, merge},
        process::{Frontier, Process},
        processes::{Processes, locations_by_rank},
    },
    scan::{Scan, Scanner},
};

/// The records of all processes, and their owners.
pub(crate) struct Settling<'a> {
    definitions: &'a Definitions,
    pub(crate) processes: Processes,
    shares: Vec<Shares>,
    extent: Extent,
    clock: CommonClock,
}

/// The results of judging.
pub(crate) struct Judged<'a> {
    pub(crate) instances: Instances<'a>,
    /// The known messages by process; empty at the end, when nothing has to be kept.
    known: Vec<KnownMessages>,
}

impl<'a> Settling<'a> {
    /// Takes the records read so far: each location up to the time in `until`.
    pub(crate) fn so_far(
        definitions: &'a Definitions,
        scanners: &mut [&mut Scanner<'_>],
        until: &[u64],
    ) -> Self {
        let take = |location: usize, of_process: &mut Taken| {
            let scanner: &mut Scanner<'_> = scanners[location];
            if !scanner.records().is_empty() {
                let (records, frontier) = scanner.take_records();
                of_process.records.push((location, records));
                of_process.frontiers.push((location, frontier));
            }
        };
        Self::take(definitions, (Extent::Complete, CommonClock::Unknown), |location| until[location], take)
    }

    /// Takes the rest at the end.
    pub(crate) fn at_end(definitions: &'a Definitions, scans: &mut [Scan], clock: CommonClock) -> Self {
        let take = |location: usize, of_process: &mut Taken| {
            let records = &mut scans[location].records;
            if !records.is_empty() {
                of_process.records.push((location, std::mem::take(records)));
            }
        };
        let settling = Self::take(definitions, (Extent::All, clock), |_| u64::MAX, take);
        match clock {
            CommonClock::Measured => {
                Settling { processes: settling.processes.compared(misplaced::channels), ..settling }
            }
            CommonClock::Unknown => settling,
        }
    }

    fn take(
        definitions: &'a Definitions,
        (extent, clock): (Extent, CommonClock),
        until: impl Fn(usize) -> u64,
        mut take: impl FnMut(usize, &mut Taken),
    ) -> Self {
        let mut taken = Vec::new();
        for (rank, locations) in locations_by_rank(definitions) {
            let earliest = locations.iter().map(|&location| until(location)).min();
            let until = earliest.filter(|_| locations.len() > 1 && extent == Extent::Complete);
            let mut of_process = Taken::new(rank, locations[0], until, locations.len());
            locations.into_iter().for_each(|location| take(location, &mut of_process));
            if !of_process.records.is_empty() || extent == Extent::All {
                taken.push(of_process);
            }
        }
        let (mut processes, shares): (Vec<Process>, Vec<Shares>) =
            taken.into_par_iter().map(Taken::merged).unzip();
        for process in &mut processes {
            process.node = definitions.system_tree.shared_memory_of(process.rank);
        }
        let known = match extent {
            Extent::All => Known::All,
            Extent::Complete => Known::SoFar,
        };
        let processes = Processes::new(processes, known).timed_by(definitions.clock);
        Settling { definitions, processes, shares, extent, clock }
    }

    /// Brings all times to the common clock; returns the old ones by process.
    pub(crate) fn retime(&mut self, clocks: &Clocks) -> Vec<Vec<u64>> {
        let retime = |process: &mut Process| {
            let (rank, recorded) = (process.rank, process.times());
            process.retime(|time| clocks.apply(rank, time));
            recorded
        };
        self.processes.list_mut().par_iter_mut().map(retime).collect()
    }

    /// Takes [`Settling::retime`] back.
    pub(crate) fn set_times(&mut self, recorded: &[Vec<u64>]) {
        let processes = self.processes.list_mut().iter_mut().zip(recorded);
        processes.for_each(|(process, times)| process.set_times(times));
    }

    /// Books the waits of all processes in the records that are over.
    pub(crate) fn judge(&self, measure: Measure, settled: &mut Settled) -> Judged<'a> {
        let causes = settled.details.points.extent();
        let instances =
            Instances::new(self.definitions, &self.processes, self.extent, causes, &mut settled.damages);
        let init_finalize = (self.extent == Extent::All).then(|| self.init_finalize());
        let processes = self.processes.list();
        settled.callers.extend(self.shares.iter().flat_map(Shares::locations));
        let accounts = settled.accounts_of(processes);
        let judge = |(account, process): (&mut Account, &Process)| {
            account.ledger.inner = InnerCalls::new(&process.inner);
            let dues = Dues::new(&instances, process);
            let known = KnownMessages::new(&self.processes, process, self.extent, dues, &mut account.damages);
            known.judge(&self.processes, process, measure, account);
            instances.judge(process, measure, account);
            instances.note_strangers(self.definitions, process, &mut account.damages);
            if let Some(init_finalize) = &init_finalize {
                account.close();
                init_finalize.judge(process, measure, account);
            }
            account.ledger.inner = InnerCalls::default();
            (self.extent == Extent::Complete).then_some(known)
        };
        let known: Vec<_> = accounts.into_par_iter().zip(processes).map(judge).collect();
        Judged { instances, known: known.into_iter().flatten().collect() }
    }

    /// The parts of all processes in `MPI_Init` and `MPI_Finalize`.
    pub(crate) fn init_finalize(&self) -> InitFinalize {
        InitFinalize::new(self.definitions, &self.processes, self.clock)
    }

    /// The times in which processes did not record: rank, begin and end.
    pub(crate) fn gaps(&self) -> Vec<(u32, u64, u64)> {
        let processes = self.processes.list().iter();
        let of_process = |process: &Process| {
            let gaps: Vec<_> = process.gaps.iter().map(|gap| (process.rank, gap.begin, gap.end)).collect();
            gaps
        };
        processes.flat_map(of_process).collect()
    }

    /// The number of records.
    pub(super) fn count(&self) -> usize {
        self.processes.list().iter().map(|process| process.count()).sum()
    }

    /// The number of channels and communicators.
    pub(super) fn links(&self) -> usize {
        self.processes.list().iter().map(|process| process.groups()).sum()
    }

    /// The records that have to be kept, by process.
    pub(super) fn unsettled(&self, judged: &Judged<'_>) -> Vec<KeptFlags> {
        let of_process = |(process, known): (&Process, &KnownMessages)| KeptFlags {
            completions: known.unsettled_completions(),
            sends: known.unsettled_sends(process, &judged.known),
            receives: known.unsettled_receives(process, &judged.known),
            collectives: known.unsettled_collectives(process),
            requested: known.unsettled_requested(process),
            early: known.unsettled_early(process),
            inner: known.unsettled_inner(process),
            ..KeptFlags::default()
        };
        self.processes.list().par_iter().zip(&judged.known).map(of_process).collect()
    }

    /// A sample of the forgotten records, by rank, of each channel and communicator up to a number: of calls that
    /// complete messages all of them or none.
    pub(super) fn forgotten(
        &self,
        judged: &Judged<'_>,
        kept: &[KeptFlags],
        per_link: usize,
    ) -> Vec<(u32, Records)> {
        let of_process = |((process, known), kept): ((&Process, &KnownMessages), &KeptFlags)| {
            let mut taken = KeptFlags {
                sends: first_of_each_group(&process.sends.groups, &kept.sends, per_link),
                receives: first_of_each_group(&process.receives.groups, &kept.receives, per_link),
                collectives: first_of_each_group(&process.collectives.groups, &kept.collectives, per_link),
                ..process.none_kept()
            };
            taken.completions = known.completions_of(process, &taken);
            let mut records = process.records.clone();
            records.ungroup();
            records.retain(taken, &[]);
            records.shrink_to_fit();
            (process.rank, records)
        };
        self.processes.list().par_iter().zip(&judged.known).zip(kept).map(of_process).collect()
    }

    /// The rest of each location, with its new numbers.
    pub(super) fn forget(self, kept: Vec<KeptFlags>, dues: Vec<Dues>) -> Vec<(usize, Records, NewNumbers)> {
        let kept = kept.into_par_iter().zip(dues);
        let processes = self.processes.into_list().into_par_iter().zip(self.shares).zip(kept);
        let forget = |((mut process, shares), (kept, dues)): ((Process, Shares), (KeptFlags, Dues))| {
            dues.remember(&mut process.records.requested, &kept.collectives);
            let open = std::mem::take(&mut process.frontier.calls);
            let mut records = process.into_records();
            let retained = records.retain(kept, &open);
            shares.split(records, retained)
        };
        processes.flat_map_iter(forget).collect()
    }
}

impl Judged<'_> {
    /// Waits of completions of collective operations, by process.
    pub(super) fn into_dues(self) -> Vec<Dues> {
        self.known.into_iter().map(KnownMessages::into_dues).collect()
    }
}

/// The records taken of a process.
struct Taken {
    rank: u32,
    main_location: usize,
    /// The end of the part read of its threads, in ticks, if it has several.
    until: Option<u64>,
    /// The records by location, for locations that have any.
    records: Vec<(usize, Records)>,
    /// The frontiers by location; empty if all records are known.
    frontiers: Vec<(usize, Frontier)>,
}

impl Taken {
    fn new(rank: u32, main_location: usize, until: Option<u64>, locations: usize) -> Self {
        let records = Vec::with_capacity(locations);
        Taken { rank, main_location, until, records, frontiers: Vec::new() }
    }

    /// The process of its threads, and the owners of its records.
    fn merged(self) -> (Process, Shares) {
        let (records, shares) = merge(self.records);
        let mut all = Frontier::default();
        for (location, Frontier { calls, sends, requested, collectives, first, since, .. }) in self.frontiers
        {
            let numbers = shares.numbers(location);
            all.calls.extend(calls.into_iter().map(|call| numbers.number(|numbers| &numbers.calls, call)));
            all.sends.extend(sends.into_iter().map(|send| numbers.number(|numbers| &numbers.sends, send)));
            let requested = requested.into_iter();
            all.requested.extend(requested.map(|it| numbers.number(|numbers| &numbers.requested, it)));
            if collectives != u32::MAX {
                let collectives = numbers.number(|numbers| &numbers.collectives, collectives);
                all.collectives = all.collectives.min(collectives);
            }
            all.first = all.first.min(first);
            all.since = all.since.min(since);
        }
        match self.until {
            Some(until) => {
                all.until = until;
                all.since = all.since.min(until);
                all.first = records.calls.partition_point(|call| call.enter < all.since) as u32;
            }
            // What a single thread began is known.
            None => all.since = u64::MAX,
        }
        (Process::new(self.rank, self.main_location, records, all), shares)
    }
}
