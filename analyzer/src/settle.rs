//! Long traces: while one is read, what is over is judged and forgotten, so that memory holds what is under way.
//!
//! In OpenMP a team is over when all its members have left it, a barrier when all have come, and a lock's hold when the lock
//! is given back and those before are over.
//!
//! In MPI a call is over when its messages are known: both their ends are, and nothing is under way that was started before
//! either of them and might turn out to be of the same channel. Threads of a process may start such as far as one of them
//! is behind the others in the trace, or is in a call.
//!
//! Where the trace has not measured its clocks, their correction is derived from a sample ([`crate::sample`]), and the trace
//! is read again.

use std::collections::BTreeMap;

use ats_model::Definitions;
use rayon::prelude::*;
use rustc_hash::FxHashMap;

use crate::{
    clock::{Correction, Violations, durations},
    collective::Instances,
    damage::Damages,
    ledger::Ledger,
    merge::{Shares, merge},
    openmp::OpenMp,
    point_to_point::{self, Peer, Peers},
    process::{Completion, KnownBases, Message, Process, Records, Times},
    processes::{Processes, locations_by_rank},
    retain::{numbers, retain},
    sample::Sample,
    scan::{OpenRecords, RecordNumbers, Scanner},
    threads::Progress,
    waits,
    wrong_order::History,
};

/// What was judged and forgotten.
#[derive(Default)]
pub(crate) struct Settled {
    /// By rank.
    of_processes: FxHashMap<u32, (Ledger, History)>,
    /// By rank.
    of_threads: BTreeMap<u32, OpenMp>,
    pub(crate) damages: Damages,
    pub(crate) violations: Violations,
    /// How many records of MPI.
    records: usize,
    /// Of them, where clocks may have to be derived.
    sample: Option<Sample>,
    /// What the ledgers begin with.
    waits: waits::Kept,
}

impl Settled {
    /// Nothing; single waits are kept as in `waits`.
    pub(crate) fn keeping(waits: waits::Kept) -> Self {
        Settled { waits, ..Settled::default() }
    }

    /// From now on takes a sample of about so many records.
    pub(crate) fn take_sample(&mut self, records: usize) {
        self.sample = Some(Sample::new(records));
    }

    /// What clocks can be derived from; none where there is no sample, or so little is forgotten that all can be kept.
    pub(crate) fn into_sample(self) -> Option<Sample> {
        const FEW: usize = 100_000;
        self.sample.filter(|_| self.records > FEW)
    }

    /// The late receives of a process that may still turn out to be of wrong order.
    pub(crate) fn history(&self, rank: u32) -> History {
        self.of_processes.get(&rank).map(|(_, history)| history.clone()).unwrap_or_default()
    }

    /// Whether nothing of MPI was judged and forgotten.
    pub(crate) fn is_empty(&self) -> bool {
        self.of_processes.is_empty()
    }

    /// The OpenMP of a process so far.
    pub(crate) fn take_openmp(&mut self, rank: u32) -> Option<OpenMp> {
        self.of_threads.remove(&rank)
    }

    /// Whether there were teams.
    pub(crate) fn has_teams(&self) -> bool {
        self.of_threads.values().any(|openmp| openmp.has_teams)
    }

    /// Gives places the bases that are known by now.
    pub(crate) fn renumber(&mut self, known: &KnownBases) {
        for (ledger, history) in self.of_processes.values_mut() {
            ledger.renumber(known);
            history.renumber(known);
        }
    }

    /// What was booked, by rank.
    pub(crate) fn into_ledgers(self) -> impl Iterator<Item = (u32, Ledger)> {
        self.of_processes.into_iter().map(|(rank, (ledger, _))| (rank, ledger))
    }
}

/// Judges and forgets what is over on all locations, by corrected times where there is a `correction`. Each of them is read
/// up to the time in `until`; those that are read to their end are for all times.
pub(crate) fn settle(
    definitions: &Definitions,
    scanners: &mut [&mut Scanner<'_>],
    until: &[u64],
    correction: Option<&Correction>,
    settled: &mut Settled,
) {
    settle_threads(definitions, scanners, until, settled);
    settle_records(definitions, scanners, until, correction, settled);
}

fn settle_threads(
    definitions: &Definitions,
    scanners: &mut [&mut Scanner<'_>],
    until: &[u64],
    settled: &mut Settled,
) {
    let mut taken = Vec::new();
    for (rank, locations) in locations_by_rank(definitions) {
        let openmp = settled.of_threads.remove(&rank);
        if openmp.is_none() && locations.iter().all(|&location| scanners[location].threads().is_empty()) {
            continue;
        }
        let (threads, open) = locations.iter().map(|&location| scanners[location].take_threads()).unzip();
        let until = locations.iter().map(|&location| until[location]).min().unwrap_or(u64::MAX);
        let openmp = openmp.unwrap_or_else(|| OpenMp::new(locations, settled.waits.clone()));
        taken.push((rank, openmp, threads, Progress { open, until, is_end: false }));
    }
    let judge = |(rank, mut openmp, threads, progress): (u32, OpenMp, Vec<_>, Progress)| {
        let left = openmp.judge(definitions, threads, progress);
        (rank, openmp, left)
    };
    let judged: Vec<_> = taken.into_par_iter().map(judge).collect();
    let mut known = KnownBases::default();
    for (rank, openmp, left) in judged {
        for (&location, (threads, numbers)) in openmp.locations().iter().zip(left) {
            scanners[location].put_back_threads(threads, &numbers);
            scanners[location].renumber(&numbers.bases);
            known.insert(location as u32, numbers.bases);
        }
        settled.of_threads.insert(rank, openmp);
    }
    settled.renumber(&known);
}

/// What of a process is under way.
struct Open {
    /// Calls that are needed: indices into [`Records::calls`].
    calls: Vec<u32>,
    /// Sends that are not complete: indices into [`Records::sends`].
    sends: Vec<u32>,
    /// What this call and those after it started may have something before it that is not known yet.
    first: u32,
    /// What is completed then or later, likewise.
    until: u64,
}

/// By send or receive, its other end: an index into the processes, and one into the receives or sends of that.
type Matches = Vec<Option<(usize, u32)>>;

/// What of a process is over.
struct Over {
    completions: Vec<bool>,
    sends: Vec<bool>,
    receives: Vec<bool>,
}

fn settle_records(
    definitions: &Definitions,
    scanners: &mut [&mut Scanner<'_>],
    until: &[u64],
    correction: Option<&Correction>,
    settled: &mut Settled,
) {
    let mut taken = Vec::new();
    for (rank, locations) in locations_by_rank(definitions) {
        let is_several = locations.len() > 1;
        let until = locations.iter().map(|&location| until[location]).min().unwrap_or(u64::MAX);
        let take = |location: usize| {
            let scanner = &mut scanners[location];
            (!scanner.records().is_empty()).then(|| (location, scanner.take_records()))
        };
        let records: Vec<(usize, (Records, OpenRecords))> = locations.into_iter().filter_map(take).collect();
        if !records.is_empty() {
            taken.push((rank, is_several.then_some(until), records));
        }
    }
    let ranks: Vec<u32> = taken.iter().map(|&(rank, ..)| rank).collect();
    let merged = taken.into_par_iter().map(|(rank, until, records)| process(rank, until, records));
    let (processes, (open, shares)): (Vec<Process>, (Vec<Open>, Vec<Shares>)) = merged.unzip();
    let mut processes = Processes::new(processes);
    let known: Vec<(Matches, Matches, Over)> = processes
        .list()
        .par_iter()
        .enumerate()
        .map(|(index, process)| {
            let (senders, receivers) = matches(&processes, &open, index, process);
            let over = over(process, &open[index], &senders, &receivers);
            (senders, receivers, over)
        })
        .collect();
    let recorded: Vec<Times> = match correction {
        Some(Correction { clocks, .. }) => processes
            .list_mut()
            .par_iter_mut()
            .map(|process| {
                let (rank, recorded) = (process.rank, process.times());
                process.retime(|time| clocks.apply(rank, time));
                recorded
            })
            .collect(),
        None => Vec::new(),
    };
    let instances = Instances::complete(definitions, &processes, &mut settled.damages);
    let are_comparable = correction.is_none_or(|correction| correction.contradiction.is_none());

    let nothing = || (Ledger::keeping(settled.waits.clone()), History::default());
    let before: Vec<(Ledger, History)> =
        ranks.iter().map(|rank| settled.of_processes.remove(rank).unwrap_or_else(nothing)).collect();
    let judged: Vec<_> = before
        .into_par_iter()
        .zip(processes.list())
        .zip(known)
        .map(|(((mut ledger, mut history), process), (senders, receivers, over))| {
            let peers = peers(&processes, &senders, &receivers);
            let (mut violations, mut damages) = (Violations::default(), Damages::default());
            let completions = process.completions.iter().zip(&over.completions);
            let completions: Vec<Completion> =
                completions.filter(|(_, is_over)| **is_over).map(|(completion, _)| *completion).collect();
            if are_comparable {
                let (ledger, violations) = (&mut ledger, &mut violations);
                point_to_point::judge(process, &completions, &peers, &mut history, ledger, violations);
                instances.judge(process, ledger, violations);
            } else {
                durations::judge(process, &completions, &peers, &mut ledger);
                instances.judge_durations(process, &mut ledger);
            }
            instances.note_strangers(definitions, process, &mut damages);
            ((senders, receivers, over), (ledger, history), violations, damages)
        })
        .collect();
    let mut overs = Vec::with_capacity(judged.len());
    let mut others = Vec::with_capacity(judged.len());
    for (&rank, ((senders, receivers, over), booked, violations, damages)) in ranks.iter().zip(judged) {
        settled.of_processes.insert(rank, booked);
        settled.violations.absorb(&violations);
        settled.damages.absorb(&damages);
        overs.push(over);
        others.push((senders, receivers));
    }
    let kept: Vec<Kept> = processes
        .list()
        .par_iter()
        .enumerate()
        .map(|(index, process)| {
            let (senders, receivers) = &others[index];
            Kept::new(process, &open[index], index, &overs, senders, receivers, &instances)
        })
        .collect();
    for (process, recorded) in processes.list_mut().iter_mut().zip(recorded) {
        process.set_times(recorded);
    }
    if let Some(sample) = &mut settled.sample {
        let links = processes.list().iter().map(Process::links).sum();
        let of_process = |per_link: usize| {
            let of_each = |((process, kept), over)| (process, kept, over);
            let all = processes.list().par_iter().zip(&kept).zip(&overs).map(of_each);
            all.map(|(process, kept, over)| (process.rank, forgotten(process, kept, over, per_link)))
                .collect()
        };
        sample.add(links, of_process);
    }
    let left: Vec<_> = processes
        .into_list()
        .into_par_iter()
        .zip(open)
        .zip(kept)
        .zip(overs)
        .zip(shares)
        .map(|((((process, open), kept), over), shares)| {
            let records = process.into_records();
            let before = records.count();
            let (records, numbers) = forget(records, &open, &kept, &over);
            (before, shares.split(records, numbers))
        })
        .collect();
    settled.records += left.iter().map(|(before, _)| before).sum::<usize>();
    for (location, records, numbers) in left.into_iter().flat_map(|(_, left)| left) {
        settled.records -= records.count();
        scanners[location].put_back(records, &numbers);
    }
}

/// A process from the records of its threads. If it has several, they are read `until` then.
fn process(
    rank: u32,
    until: Option<u64>,
    threads: Vec<(usize, (Records, OpenRecords))>,
) -> (Process, (Open, Shares)) {
    let main_location = threads[0].0;
    let (records, opens): (Vec<_>, Vec<_>) = threads
        .into_iter()
        .map(|(location, (records, open))| ((location, records), (location, open)))
        .unzip();
    let (records, shares) = merge(records);
    let mut open = Open { calls: Vec::new(), sends: Vec::new(), first: u32::MAX, until: u64::MAX };
    let mut since = until.unwrap_or(u64::MAX);
    for (location, of_thread) in opens {
        let (call, send) = shares.numbers(location);
        open.calls.extend(of_thread.calls.into_iter().map(call));
        open.sends.extend(of_thread.sends.into_iter().map(send));
        open.first = open.first.min(of_thread.first);
        since = since.min(of_thread.since);
    }
    if let Some(until) = until {
        open.first = records.calls.partition_point(|call| call.enter < since) as u32;
        open.until = until;
    }
    let mut process = Process::new(rank, main_location, records);
    if until.is_some() {
        process.collectives_until = since;
    }
    (process, (open, shares))
}

/// The other ends of the receives and the sends of a process, as far as they are known for sure.
fn matches(processes: &Processes, open: &[Open], index: usize, process: &Process) -> (Matches, Matches) {
    let (mut senders, mut receivers) = (vec![None; process.receives.len()], vec![None; process.sends.len()]);
    let is_sure = |start: u32, peer: usize, other: u32| start < open[index].first && other < open[peer].first;
    for (receive, sender) in processes.senders(process) {
        senders[receive as usize] = sender.filter(|&(peer, send)| {
            let other = processes.list()[peer].sends[send as usize].start;
            is_sure(process.receives[receive as usize].start, peer, other)
        });
    }
    for (send, receiver) in processes.receivers(process) {
        receivers[send as usize] = receiver.filter(|&(peer, receive)| {
            let other = processes.list()[peer].receives[receive as usize].start;
            is_sure(process.sends[send as usize].start, peer, other)
        });
    }
    (senders, receivers)
}

/// The calls that are left and have messages of which all is known, and receive nothing out of order.
fn over(process: &Process, open: &Open, senders: &Matches, receivers: &Matches) -> Over {
    let mut over = Over {
        completions: Vec::with_capacity(process.completions.len()),
        sends: vec![false; process.sends.len()],
        receives: vec![false; process.receives.len()],
    };
    let mut is_in_order = true;
    for completions in process.completions.chunk_by(|a, b| a.call == b.call) {
        let is_known = completions.iter().all(|completion| match completion.message {
            Message::Send(send) => {
                process.sends[send as usize].channel.is_none() || receivers[send as usize].is_some()
            }
            Message::Receive(receive) => {
                process.receives[receive as usize].channel.is_none() || senders[receive as usize].is_some()
            }
        });
        let receives = completions.iter().any(|completion| matches!(completion.message, Message::Receive(_)));
        let is_left = process.calls[completions[0].call as usize].leave < open.until;
        let is_over = is_known && is_left && (is_in_order || !receives);
        is_in_order &= is_over || !receives;
        over.completions.extend(completions.iter().map(|_| is_over));
        for completion in completions.iter().filter(|_| is_over) {
            match completion.message {
                Message::Send(send) => over.sends[send as usize] = true,
                Message::Receive(receive) => over.receives[receive as usize] = true,
            }
        }
    }
    over
}

fn peers(processes: &Processes, senders: &Matches, receivers: &Matches) -> Peers {
    let sender = |&(peer, send): &(usize, u32)| {
        let (peer, end) = (&processes.list()[peer], processes.list()[peer].sends[send as usize]);
        Some(Peer::new(peer.sends_by_channel.key(end.channel?), peer, end))
    };
    let receiver = |&(peer, receive): &(usize, u32)| {
        let (peer, end) = (&processes.list()[peer], processes.list()[peer].receives[receive as usize]);
        Some(Peer::new(peer.receives_by_channel.key(end.channel?), peer, end))
    };
    Peers {
        senders: senders.iter().map(|other| other.as_ref().and_then(sender)).collect(),
        receivers: receivers.iter().map(|other| other.as_ref().and_then(receiver)).collect(),
    }
}

/// What of a process's records is not settled.
struct Kept {
    sends: Vec<bool>,
    receives: Vec<bool>,
    collectives: Vec<bool>,
}

impl Kept {
    /// A message is forgotten when both its ends are over.
    fn new(
        process: &Process,
        open: &Open,
        index: usize,
        overs: &[Over],
        senders: &Matches,
        receivers: &Matches,
        instances: &Instances<'_>,
    ) -> Self {
        let over = &overs[index];
        let mut is_awaited = vec![false; process.sends.len()];
        open.sends.iter().for_each(|&send| is_awaited[send as usize] = true);
        for (completion, _) in process.completions.iter().zip(&over.completions).filter(|(_, over)| !**over) {
            if let Message::Send(send) = completion.message {
                is_awaited[send as usize] = true;
            }
        }
        let of_send = |(send, other): (usize, &Option<(usize, u32)>)| match *other {
            Some((peer, receive)) => !(over.sends[send] && overs[peer].receives[receive as usize]),
            None => process.sends[send].channel.is_some() || is_awaited[send],
        };
        let of_receive = |(receive, other): (usize, &Option<(usize, u32)>)| {
            let is_over = match *other {
                Some((peer, send)) => overs[peer].sends[send as usize],
                None => process.receives[receive].channel.is_none(),
            };
            !(over.receives[receive] && is_over)
        };
        Kept {
            sends: receivers.iter().enumerate().map(of_send).collect(),
            receives: senders.iter().enumerate().map(of_receive).collect(),
            collectives: unsettled_collectives(process, instances),
        }
    }
}

fn unsettled_collectives(process: &Process, instances: &Instances<'_>) -> Vec<bool> {
    let mut kept = vec![true; process.collectives.len()];
    for (communicator, operations) in process.collectives_by_communicator.iter() {
        // What is done alone, or as a stranger, nobody waits for.
        let settled = instances.count(communicator, process.rank).unwrap_or(operations.len());
        operations.iter().take(settled).for_each(|&operation| kept[operation as usize] = false);
    }
    kept
}

/// Rids records of what is settled; also what the others are called now.
fn forget(mut records: Records, open: &Open, kept: &Kept, over: &Over) -> (Records, RecordNumbers) {
    let completions: Vec<bool> = over.completions.iter().map(|is_over| !is_over).collect();
    let numbers = keep(&mut records, kept, &completions, &open.calls);
    (records, numbers)
}

/// What is forgotten of a process, so much of each channel and communicator, for a sample: of calls that complete messages
/// all of them or none.
fn forgotten(process: &Process, kept: &Kept, over: &Over, per_link: usize) -> Records {
    let first = |groups: &mut dyn Iterator<Item = &[u32]>, kept: &[bool]| {
        let mut is_taken = vec![false; kept.len()];
        for group in groups {
            let gone = group.iter().filter(|&&item| !kept[item as usize]).take(per_link);
            gone.for_each(|&item| is_taken[item as usize] = true);
        }
        is_taken
    };
    let taken = Kept {
        sends: first(&mut process.sends_by_channel.iter().map(|(_, group)| group), &kept.sends),
        receives: first(&mut process.receives_by_channel.iter().map(|(_, group)| group), &kept.receives),
        collectives: first(
            &mut process.collectives_by_communicator.iter().map(|(_, group)| group),
            &kept.collectives,
        ),
    };
    let mut completions = Vec::with_capacity(process.completions.len());
    for of_call in process.completions.chunk_by(|a, b| a.call == b.call) {
        let is_whole = over.completions[completions.len()]
            && of_call.iter().all(|completion| match completion.message {
                Message::Send(send) => taken.sends[send as usize],
                Message::Receive(receive) => taken.receives[receive as usize],
            });
        completions.extend(of_call.iter().map(|_| is_whole));
    }
    let mut records = process.to_records();
    keep(&mut records, &taken, &completions, &[]);
    records.shrink_to_fit();
    records
}

/// Rids records of all but what is kept, these completions and calls, and the calls that belong to them; also what these are
/// called now.
fn keep(records: &mut Records, kept: &Kept, completions: &[bool], calls: &[u32]) -> RecordNumbers {
    retain(&mut records.completions, completions);
    let mut needed = vec![false; records.calls.len()];
    calls.iter().for_each(|&call| needed[call as usize] = true);
    let sends = records.sends.iter().zip(&kept.sends);
    let receives = records.receives.iter().zip(&kept.receives);
    sends.chain(receives).filter(|(_, kept)| **kept).for_each(|(end, _)| needed[end.start as usize] = true);
    records.completions.iter().for_each(|completion| needed[completion.call as usize] = true);
    let new = RecordNumbers {
        calls: numbers(&needed),
        sends: numbers(&kept.sends),
        receives: numbers(&kept.receives),
    };
    retain(&mut records.calls, &needed);
    retain(&mut records.sends, &kept.sends);
    retain(&mut records.receives, &kept.receives);
    retain(&mut records.collectives, &kept.collectives);
    for end in records.sends.iter_mut().chain(&mut records.receives) {
        end.start = new.calls[end.start as usize];
    }
    for completion in &mut records.completions {
        completion.call = new.calls[completion.call as usize];
        completion.message = match completion.message {
            Message::Send(send) => Message::Send(new.sends[send as usize]),
            Message::Receive(receive) => Message::Receive(new.receives[receive as usize]),
        };
    }
    new
}
