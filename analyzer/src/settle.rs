//! Long traces: while one is read, calls whose messages and operations are all known are judged and forgotten, so that
//! memory holds what is under way and not what is over.
//!
//! A message is known when both its ends are, and no call or request that was started before either of them is open: what
//! is still to come of it might turn out to be of the same channel. Nothing is forgotten while a process has MPI calls on
//! several threads, or in teams that its main thread has not started. Where the clocks turn out to need a correction, for
//! which all is needed, the trace is read again and kept.

use std::collections::BTreeMap;

use ats_model::Definitions;
use rayon::prelude::*;
use rustc_hash::FxHashMap;

use crate::{
    clock::Violations,
    collective::Instances,
    damage::Damages,
    ledger::Ledger,
    point_to_point::{self, Peer, Peers},
    process::{Message, Process, Records},
    processes::Processes,
    scan::Scanner,
    waits,
    wrong_order::History,
};

/// What was judged and forgotten.
#[derive(Default)]
pub(crate) struct Settled {
    /// By rank.
    of_processes: FxHashMap<u32, (Ledger, History)>,
    pub(crate) damages: Damages,
    pub(crate) violations: Violations,
    /// What the ledgers begin with.
    waits: waits::Kept,
}

impl Settled {
    /// Nothing; single waits are kept as in `waits`.
    pub(crate) fn keeping(waits: waits::Kept) -> Self {
        Settled { waits, ..Settled::default() }
    }

    /// The late receives of a process that may still turn out to be of wrong order.
    pub(crate) fn history(&self, rank: u32) -> History {
        self.of_processes.get(&rank).map(|(_, history)| history.clone()).unwrap_or_default()
    }

    /// Whether nothing was judged and forgotten.
    pub(crate) fn is_empty(&self) -> bool {
        self.of_processes.is_empty()
    }

    /// What was booked.
    pub(crate) fn into_ledgers(self) -> impl Iterator<Item = Ledger> {
        self.of_processes.into_values().map(|(ledger, _)| ledger)
    }
}

/// What of a process is not over.
struct Open {
    /// Calls that are needed: indices into [`Records::calls`].
    calls: Vec<u32>,
    /// The first call in which something is not complete: it is not left, or has started a request.
    first: u32,
}

/// By send or receive, its other end: an index into the processes, and one into the receives or sends of that.
type Matches = Vec<Option<(usize, u32)>>;

/// What of a process is over.
struct Over {
    completions: usize,
    sends: Vec<bool>,
    receives: Vec<bool>,
}

/// Judges and forgets what is settled of all locations.
pub(crate) fn settle(definitions: &Definitions, scanners: &mut [&mut Scanner<'_>], settled: &mut Settled) {
    let mut locations: BTreeMap<u32, usize> = BTreeMap::new();
    for (location, scanner) in scanners.iter().enumerate() {
        if scanner.records().is_empty() {
            continue;
        }
        let is_simple = scanner.records().places().all(|place| place.base == 0);
        if !is_simple || locations.insert(definitions.locations[location].rank, location).is_some() {
            return;
        }
    }
    let locations: Vec<(u32, usize)> = locations.into_iter().collect();
    let open: Vec<Open> = locations.iter().map(|&(_, location)| open(scanners[location])).collect();
    let taken: Vec<(u32, usize, Records)> = locations
        .iter()
        .map(|&(rank, location)| (rank, location, scanners[location].take_records()))
        .collect();
    let processes: Vec<Process> = taken
        .into_par_iter()
        .map(|(rank, location, records)| Process::new(rank, location, records))
        .collect();
    let processes = Processes::new(processes);
    let instances = Instances::complete(definitions, &processes, &mut settled.damages);
    let indices: FxHashMap<u32, usize> =
        locations.iter().enumerate().map(|(index, &(rank, _))| (rank, index)).collect();
    let (senders, receivers): (Vec<Matches>, Vec<Matches>) = processes
        .list()
        .par_iter()
        .enumerate()
        .map(|(index, process)| matches(&processes, &indices, &open, index, process))
        .unzip();

    let nothing = || (Ledger::keeping(settled.waits.clone()), History::default());
    let before: Vec<(Ledger, History)> =
        locations.iter().map(|(rank, _)| settled.of_processes.remove(rank).unwrap_or_else(nothing)).collect();
    let judged: Vec<_> = before
        .into_par_iter()
        .zip(processes.list())
        .enumerate()
        .map(|(index, ((mut ledger, mut history), process))| {
            let over = over(process, &open[index], &senders[index], &receivers[index]);
            let peers = peers(&processes, &senders[index], &receivers[index]);
            let (mut violations, mut damages) = (Violations::default(), Damages::default());
            let completions = &process.completions[..over.completions];
            point_to_point::judge(process, completions, &peers, &mut history, &mut ledger, &mut violations);
            instances.judge(process, &mut ledger, &mut violations);
            instances.note_strangers(definitions, process, &mut damages);
            (over, (ledger, history), violations, damages)
        })
        .collect();
    let mut overs = Vec::with_capacity(judged.len());
    for (&(rank, _), (over, booked, violations, damages)) in locations.iter().zip(judged) {
        settled.of_processes.insert(rank, booked);
        settled.violations.absorb(&violations);
        settled.damages.absorb(&damages);
        overs.push(over);
    }
    let kept: Vec<Kept> = processes
        .list()
        .par_iter()
        .enumerate()
        .map(|(index, process)| {
            Kept::new(process, &overs[index], &overs, &senders[index], &receivers[index], &instances)
        })
        .collect();
    for ((((_, location), open), (process, kept)), over) in
        locations.into_iter().zip(open).zip(processes.into_list().into_iter().zip(kept)).zip(overs)
    {
        let (records, calls, sends) = forget(process.into_records(), &open, &kept, over.completions);
        scanners[location].put_back(records, &calls, &sends);
    }
}

fn open(scanner: &Scanner<'_>) -> Open {
    let calls: Vec<u32> = scanner.open_calls().chain(scanner.open_requests()).collect();
    Open { first: calls.iter().copied().min().unwrap_or(u32::MAX), calls }
}

/// The other ends of the receives and the sends of a process, as far as they are known for sure.
fn matches(
    processes: &Processes,
    indices: &FxHashMap<u32, usize>,
    open: &[Open],
    index: usize,
    process: &Process,
) -> (Matches, Matches) {
    let (mut senders, mut receivers) = (vec![None; process.receives.len()], vec![None; process.sends.len()]);
    for (channel, receives) in process.receives_by_channel.iter() {
        let Some(&peer) = indices.get(&channel.from) else { continue };
        let from = &processes.list()[peer];
        for (&receive, &send) in receives.iter().zip(from.sends_by_channel.of(channel)) {
            if process.receives[receive as usize].start < open[index].first
                && from.sends[send as usize].start < open[peer].first
            {
                senders[receive as usize] = Some((peer, send));
            }
        }
    }
    for (channel, sends) in process.sends_by_channel.iter() {
        let Some(&peer) = indices.get(&channel.to) else { continue };
        let to = &processes.list()[peer];
        for (&send, &receive) in sends.iter().zip(to.receives_by_channel.of(channel)) {
            if process.sends[send as usize].start < open[index].first
                && to.receives[receive as usize].start < open[peer].first
            {
                receivers[send as usize] = Some((peer, receive));
            }
        }
    }
    (senders, receivers)
}

/// The calls from the first on that are left and have messages of which all is known.
fn over(process: &Process, open: &Open, senders: &Matches, receivers: &Matches) -> Over {
    let mut over = Over {
        completions: 0,
        sends: vec![false; process.sends.len()],
        receives: vec![false; process.receives.len()],
    };
    for completions in process.completions.chunk_by(|a, b| a.call == b.call) {
        let is_known = completions.iter().all(|completion| match completion.message {
            Message::Send(send) => {
                process.sends[send as usize].channel.is_none() || receivers[send as usize].is_some()
            }
            Message::Receive(receive) => {
                process.receives[receive as usize].channel.is_none() || senders[receive as usize].is_some()
            }
        });
        if !is_known || open.calls.contains(&completions[0].call) {
            break;
        }
        over.completions += completions.len();
        for completion in completions {
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
        over: &Over,
        overs: &[Over],
        senders: &Matches,
        receivers: &Matches,
        instances: &Instances<'_>,
    ) -> Self {
        let of_send = |(send, other): (usize, &Option<(usize, u32)>)| {
            let is_over = match *other {
                Some((peer, receive)) => overs[peer].receives[receive as usize],
                None => process.sends[send].channel.is_none(),
            };
            !(over.sends[send] && is_over)
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

/// Rids records of what is settled; also the new numbers of calls and sends.
fn forget(records: Records, open: &Open, kept: &Kept, completions: usize) -> (Records, Vec<u32>, Vec<u32>) {
    let mut needed = vec![false; records.calls.len()];
    open.calls.iter().for_each(|&call| needed[call as usize] = true);
    let sends = records.sends.iter().zip(&kept.sends);
    let receives = records.receives.iter().zip(&kept.receives);
    sends.chain(receives).filter(|(_, kept)| **kept).for_each(|(end, _)| needed[end.start as usize] = true);
    records.completions[completions..].iter().for_each(|completion| needed[completion.call as usize] = true);
    let (calls, sends, receives) = (numbers(&needed), numbers(&kept.sends), numbers(&kept.receives));

    let mut records = records;
    retain(&mut records.calls, &needed);
    retain(&mut records.sends, &kept.sends);
    retain(&mut records.receives, &kept.receives);
    retain(&mut records.collectives, &kept.collectives);
    records.completions.drain(..completions);
    for end in records.sends.iter_mut().chain(&mut records.receives) {
        end.start = calls[end.start as usize];
    }
    for completion in &mut records.completions {
        completion.call = calls[completion.call as usize];
        completion.message = match completion.message {
            Message::Send(send) => Message::Send(sends[send as usize]),
            Message::Receive(receive) => Message::Receive(receives[receive as usize]),
        };
    }
    (records, calls, sends)
}

/// The numbers that items have when those that are not kept are gone.
fn numbers(kept: &[bool]) -> Vec<u32> {
    let mut next = 0;
    let number = |&is_kept: &bool| {
        let number = next;
        next += u32::from(is_kept);
        number
    };
    kept.iter().map(number).collect()
}

fn retain<T>(items: &mut Vec<T>, kept: &[bool]) {
    let mut kept = kept.iter();
    items.retain(|_| kept.next().copied().unwrap_or(true));
    if items.capacity() > 4 * items.len() + 1024 {
        items.shrink_to(2 * items.len());
    }
}
