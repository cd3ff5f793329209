//! Settling: while a trace is read, records that are over are judged and dropped, so that memory holds only those
//! under way. The last settling, at the end, judges all the rest.
//!
//! # When a record is over
//!
//! A record is over when nothing that is still to be read can change its wait. Reading ends at a different time on
//! each location, so this depends on the other locations too.
//!
//! *Messages.* MPI matches the sends and the receives of a channel in the order of their starts. The k-th send belongs
//! to the k-th receive, but only if both are known to be the k-th. Three things can still put another message before
//! them:
//! - A receive that is posted and not complete: its source, and so its channel, may be unknown until then.
//! - A send that is not complete: it may be cancelled.
//! - Another thread of the process, if it is behind in the trace or inside a call: it may turn out to have started a
//!   message earlier.
//!
//! Records outside every call may turn out to be those of a call that has lost its enter, and so its time; until then
//! they are unknown, too.
//!
//! The first call after which one of these is possible is the frontier of its process ([`Frontier`]); messages started
//! before the frontiers of both processes are matched for sure. A call is over when it has been left and all messages
//! that it completes are matched. If it receives, all receiving calls before it must be over too: whether messages
//! come in the wrong order depends on the ones before.
//!
//! A request that one thread starts and another completes gets one thread first, the one that completes it
//! (`scan/handed.rs`). That is possible when all threads of the process are read beyond its completion. Until then its
//! start is an open request.
//!
//! *Collective operations.* The k-th operations of all members of a communicator belong together. One is over when
//! every member has taken part.
//!
//! *OpenMP* (`threads`). A team is over when all its members have left it, and a barrier when all have reached it. A
//! hold of a lock is over when the lock is released and all holds before are over. Threads share no messages with
//! other processes, so each process settles by itself.
//!
//! # What is dropped
//!
//! Both ends of a message are dropped together, when the calls that complete them are over: the other end is needed to
//! judge either of them. A call stays as long as a record that belongs to it (`KeptRecord::call`), or while it is on
//! the stack or has an open request. The rest is split again into the records of each thread, which get new numbers
//! ([`Shares`]).
//!
//! # Requests that stay open
//!
//! A request that stays open for most of the run would keep everything after it. If settling does not help, the reader
//! therefore looks ahead once for the fate of such requests (`scan/lookahead.rs`).
//!
//! # Clocks
//!
//! If the trace has not measured its clocks, what is settled was judged by uncorrected times. Then a `sample` of the
//! dropped records is kept; the clocks are derived from it at the end, and the trace is read again with the
//! correction.
//!
//! [`Frontier`]: crate::records::process::Frontier
//! [`Shares`]: crate::records::merge::Shares

mod over;
mod sample;
mod settling;
mod threads;

use std::collections::{BTreeMap, BTreeSet};

use ats_model::Definitions;

pub(crate) use self::{settling::Settling, threads::finish_threads};
use crate::{
    causes::Tape,
    clock::Correction,
    judge::{
        account::Account,
        ledger::{Details, Ledger},
        openmp::OpenMp,
        proceeded::Proceeded,
        violations::{Measure, Violations},
        waits::{TimesOf, WaitSpool},
    },
    records::{process::Process, processes::locations_by_rank},
    scan::{self, Scanner},
    settle::sample::Sample,
    words::{damage::Damages, place::BasesByLocation},
};

/// The results of the records that were judged and forgotten.
#[derive(Default)]
pub(crate) struct Settled {
    /// The accounts, by rank.
    accounts: BTreeMap<u32, Account>,
    /// The results of OpenMP, by rank.
    of_threads: BTreeMap<u32, OpenMp>,
    /// The locations that have called MPI.
    callers: BTreeSet<usize>,
    /// The damage of operations that processes did together.
    damages: Damages,
    /// The number of MPI records forgotten.
    records: usize,
    /// A sample of them, if clocks may have to be derived.
    sample: Option<Sample>,
    /// The tape for root causes, if they are asked for.
    pub(crate) tape: Option<Tape>,
    /// The single waits that were taken from the ledgers, if they are asked for.
    pub(crate) waits: Option<WaitSpool>,
    /// The details that the ledgers begin with.
    details: Details,
    /// Whether the profile is kept.
    is_profiled: bool,
}

impl Settled {
    /// No settled records; the details are kept that are asked for.
    pub(crate) fn keeping(details: Details, is_profiled: bool) -> Self {
        Settled { details, is_profiled, ..Settled::default() }
    }

    /// The same with a tape for root causes and a spool for single waits.
    pub(crate) fn with(self, tape: Option<Tape>, waits: Option<WaitSpool>) -> Self {
        Settled { tape, waits, ..self }
    }

    /// Starts to take a sample of about `records` records.
    pub(crate) fn take_sample(&mut self, records: usize) {
        self.sample = Some(Sample::new(records));
    }

    /// The sample to derive clocks from; `None` if there is none, or if so few records are forgotten that all can be
    /// kept.
    pub(crate) fn into_sample(self) -> Option<Sample> {
        const FEW: usize = 100_000;
        self.sample.filter(|_| self.records > FEW)
    }

    /// Whether nothing of MPI was judged and forgotten.
    pub(crate) fn is_empty(&self) -> bool {
        self.accounts.is_empty()
    }

    /// The contradictions between the clocks of the processes.
    pub(crate) fn violations(&self) -> Violations {
        let mut violations = Violations::default();
        self.accounts.values().for_each(|account| violations.absorb(&account.violations));
        violations
    }

    /// The accounts of some processes, which are in the order of their ranks.
    fn accounts_of(&mut self, processes: &[Process]) -> Vec<&mut Account> {
        let new = processes.iter().filter(|process| !self.accounts.contains_key(&process.rank));
        let nothing = |process: &Process| (process.rank, Account::keeping(self.details.clone()));
        let mut new: BTreeMap<_, _> = new.map(nothing).collect();
        self.accounts.append(&mut new);
        let mut processes = processes.iter().map(|process| process.rank).peekable();
        let accounts = self.accounts.iter_mut().filter(|(rank, _)| processes.next_if_eq(*rank).is_some());
        accounts.map(|(_, account)| account).collect()
    }

    /// The ledgers, the damage of the trace, and what was taken from the ledgers before. The ranks in `unsure` were in
    /// calls of MPI that are not recorded.
    pub(crate) fn into_ledgers(
        self,
        definitions: &Definitions,
        unsure: &BTreeSet<u32>,
    ) -> (Vec<Ledger>, Damages, Option<Tape>, Option<WaitSpool>) {
        let mut damages = self.damages;
        // When a process was in MPI is known if one of its threads has called that, and was recorded all the time.
        let mut callers: BTreeMap<u32, usize> = BTreeMap::new();
        for &location in &self.callers {
            *callers.entry(definitions.locations[location].rank).or_default() += 1;
        }
        let is_witness = |rank: u32| callers.get(&rank) == Some(&1) && !unsure.contains(&rank);
        let mut proceeded = Proceeded::default();
        for (&rank, account) in &self.accounts {
            damages.absorb(&account.damages);
            let peers = account.unacted.proceeded().filter(|&(peer, _)| is_witness(rank) && is_witness(peer));
            peers.for_each(|(_, with_peer)| proceeded.absorb(with_peer));
        }
        let ledger = |mut account: Account| {
            account.unacted.book(&proceeded, &mut account.ledger);
            account.ledger
        };
        let ledgers = self.accounts.into_values().map(ledger).collect();
        (ledgers, damages, self.tape, self.waits.map(|waits| waits.with(proceeded)))
    }

    /// Takes the single waits with known places from the ledgers.
    fn spool_waits(&mut self) {
        let Some(waits) = &mut self.waits else { return };
        for account in self.accounts.values_mut() {
            waits.take_known(TimesOf::AllProcesses, &mut account.ledger.waits);
        }
        for openmp in self.of_threads.values_mut() {
            waits.take_known(TimesOf::OneProcess, &mut openmp.ledger.waits);
        }
    }

    /// Takes what is known of the causes of waits to the tape.
    fn record(&mut self, scanners: &[&mut Scanner<'_>]) {
        let Some(tape) = &mut self.tape else { return };
        let of_threads = self.of_threads.values_mut().map(|openmp| &mut openmp.ledger);
        let ledgers = self.accounts.values_mut().map(|account| &mut account.ledger).chain(of_threads);
        ledgers.for_each(|ledger| tape.take_points(&mut ledger.points));
        let mut open = vec![u32::MAX; scanners.len()];
        for scanner in scanners.iter() {
            scanner.each_open_stop(|location, stop| {
                let open = &mut open[location as usize];
                *open = stop.min(*open);
            });
        }
        tape.write_points(|location| open[location]);
    }

    /// Takes the stops of the scanners that are known to the tape.
    pub(crate) fn take_stops<'s, 'a: 's>(&mut self, scanners: impl Iterator<Item = &'s mut Scanner<'a>>) {
        let Some(tape) = &mut self.tape else { return };
        for (location, scanner) in scanners.enumerate() {
            if let Some(stops) = scanner.stops_mut() {
                tape.take_stops(location, stops, false);
            }
        }
    }

    /// Gives places the bases that are known by now.
    fn renumber(&mut self, known: &BasesByLocation) {
        for account in self.accounts.values_mut() {
            account.ledger.renumber(known);
            account.unacted.renumber(known);
            account.histories.values_mut().for_each(|history| history.renumber(known));
        }
    }
}

/// Judges and forgets the records that are over on all locations, by corrected times if there is a `correction`. Each
/// location is read up to its time in `until`; those that are read to their end are known for all times.
pub(crate) fn settle(
    definitions: &Definitions,
    scanners: &mut [&mut Scanner<'_>],
    until: &[u64],
    correction: Option<&Correction>,
    settled: &mut Settled,
) {
    join_requests(definitions, scanners, until);
    threads::settle_threads(definitions, scanners, until, settled);
    settle_records(definitions, scanners, until, correction, settled);
    settled.spool_waits();
    settled.record(scanners);
}

/// Joins the ends of requests that one thread of a process has started and another has completed, as far as all its
/// threads are read: each up to its time in `until`, and to the first record whose call is not known yet.
pub(crate) fn join_requests(definitions: &Definitions, scanners: &mut [&mut Scanner<'_>], until: &[u64]) {
    for threads in locations_by_rank(definitions).into_values() {
        let until = threads.iter().map(|&thread| until[thread].min(scanners[thread].outside_since()));
        let until = until.min().unwrap_or(u64::MAX);
        scan::join_requests(scanners, &threads, until);
    }
}

fn settle_records(
    definitions: &Definitions,
    scanners: &mut [&mut Scanner<'_>],
    until: &[u64],
    correction: Option<&Correction>,
    settled: &mut Settled,
) {
    let mut settling = Settling::so_far(definitions, scanners, until);
    let recorded = correction.map(|correction| settling.retime(&correction.clocks));
    let measure = match correction {
        Some(Correction { contradiction: Some(_), .. }) => Measure::Durations,
        _ => Measure::Times,
    };
    let judged = settling.judge(measure, settled);
    if let Some(recorded) = recorded {
        settling.set_times(&recorded);
    }
    let kept = settling.unsettled(&judged);
    if let Some(sample) = &mut settled.sample {
        let of_each_link = |per_link| settling.forgotten(&judged, &kept, per_link);
        sample.add(settling.links(), of_each_link);
    }
    settled.records += settling.count();
    for (location, records, numbers) in settling.forget(kept, judged.into_dues()) {
        settled.records -= records.count();
        scanners[location].put_back(records, &numbers);
    }
}
