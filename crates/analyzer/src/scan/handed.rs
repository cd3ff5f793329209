//! Requests that one thread of a process starts and another completes, as MPI allows.
//!
//! Each location is read by itself, so it knows one end of such a request. The ends are joined by name when all threads
//! of the process are read so far: the thread that completes a request takes over the record of its start. Names of
//! recorders are unique in a process. Only the ends that are left are damage.

use ats_model::{CallPathId, messages::Channel};
use rustc_hash::FxHashMap;

use super::{
    Scanner,
    open_messages::{HandedEnd, Outcome, Request},
};
use crate::{
    records::{Message, MessageEnd, MpiCall},
    words::{
        damage::Damage,
        place::{Base, Place},
    },
};

/// The start of a request.
struct Start {
    call: MpiCall,
    /// The channel of a send.
    channel: Option<Channel>,
    /// The bytes of a send.
    bytes: u32,
    /// Whether it is of a collective operation between neighbours.
    is_among_neighbors: bool,
}

/// Joins the ends of the requests of a process: those that its threads, indices into `scanners`, have completed before
/// `until`. All of them are read up to that time, or to their end if it is [`u64::MAX`].
pub(crate) fn join_requests(scanners: &mut [&mut Scanner<'_>], threads: &[usize], until: u64) {
    let is_end = until == u64::MAX;
    let mut ends = Vec::new();
    for &thread in threads {
        let handed = scanners[thread].messages.handed.extract_if(.., |end| is_end || end.time < until);
        ends.extend(handed.map(|end| (thread, end)));
    }
    if !ends.is_empty() {
        join(scanners, threads, ends);
    }
    if is_end {
        threads.iter().for_each(|&thread| scanners[thread].drop_requests());
    }
}

fn join(scanners: &mut [&mut Scanner<'_>], threads: &[usize], ends: Vec<(usize, HandedEnd)>) {
    let mut starters: FxHashMap<u64, Vec<usize>> = FxHashMap::default();
    for &thread in threads {
        scanners[thread].messages.requests.keys().for_each(|&name| {
            starters.entry(name).or_default().push(thread);
        });
    }
    let have_gaps = threads.iter().any(|&thread| !scanners[thread].scan.records.gaps.is_empty());
    let mut joined = Vec::new();
    for (thread, end) in ends {
        let number = |other: usize| scanners[other].started(&end).filter(|_| other != thread);
        let mut others = starters.get(&end.name).into_iter().flatten();
        match others.find_map(|&other| Some((other, number(other)?))) {
            Some((other, number)) => joined.push((other, number, thread, end)),
            None => scanners[thread].end_unknown(&end, have_gaps),
        }
    }
    // In the order of the starts, by which MPI matches messages.
    joined.sort_by_key(|&(starter, number, ..)| (starter, number));
    for (starter, _, thread, end) in joined {
        match scanners[starter].hand_over(&end) {
            Some(start) => scanners[thread].take_over(start, end.outcome),
            None => scanners[thread].end_unknown(&end, have_gaps),
        }
    }
}

impl Scanner<'_> {
    /// The number of requests started before the one that has this end; none if it is not such a one.
    fn started(&self, end: &HandedEnd) -> Option<u64> {
        let pending = self.messages.requests.get(&end.name).filter(|pending| !pending.is_sure)?;
        let is_of_its_kind = match (pending.request, end.outcome) {
            (Request::Send(_), Outcome::Sent { .. }) => true,
            (Request::Receive(_), Outcome::Received(_)) => true,
            (Request::Collective(_), Outcome::Collective(_)) => true,
            (_, outcome) => outcome == Outcome::Cancelled,
        };
        let call = pending.request.start(&self.scan.records);
        let is_before = self.scan.records.calls[call as usize].enter <= end.time;
        (is_of_its_kind && is_before).then_some(pending.number)
    }

    /// Gives a request away that it has started.
    fn hand_over(&mut self, end: &HandedEnd) -> Option<Start> {
        let request = self.messages.requests.remove(&end.name)?.request;
        let records = &mut self.scan.records;
        let call = records.calls[request.start(records) as usize];
        // Its call path is none of the other thread, which cannot keep it up to date.
        let place = Place { path: CallPathId::ROOT, base: Base::NOTHING, ..call.place };
        // The call that completes it is one of its process, too, which acts on it there.
        let next = call.next.min(end.enter);
        let call = MpiCall { place, next, awaits_next: false, ..call };
        let (channel, bytes) = match request {
            Request::Send(send) => {
                let end = &mut records.sends[send as usize];
                (end.channel.take(), end.bytes)
            }
            Request::Receive(_) | Request::Foreseen(_) | Request::Collective(_) => (None, 0),
        };
        let channel = channel.map(|channel| records.sends.groups.key(channel));
        let is_among_neighbors = match request {
            Request::Collective(requested) => {
                let part = records.requested[requested as usize].part;
                part.is_some_and(|part| records.collectives[part as usize].is_among_neighbors)
            }
            _ => false,
        };
        Some(Start { call, channel, bytes, is_among_neighbors })
    }

    /// Takes over a request that it has completed.
    fn take_over(&mut self, start: Start, outcome: Outcome) {
        let Start { call, channel, bytes, is_among_neighbors } = start;
        let (owner, records) = (self.location as u32, &mut self.scan.records);
        let mut start = || records.calls.push(MpiCall { owner, ..call });
        match outcome {
            Outcome::Received(receive) => records.receives[receive as usize].start = start(),
            Outcome::Collective(requested) => {
                let start = start();
                let requested = &mut records.requested[requested as usize];
                requested.start = start;
                if let Some(part) = requested.part {
                    let part = &mut records.collectives[part as usize];
                    part.begin = call.enter;
                    part.is_among_neighbors = is_among_neighbors;
                }
            }
            Outcome::Sent { call } => {
                let start = start();
                let channel = channel.map(|channel| records.sends.groups.number(channel));
                let send = records.sends.push(MessageEnd { start, channel, bytes });
                self.complete(call, Message::Send(send));
            }
            Outcome::Cancelled => {}
        }
    }

    fn end_unknown(&mut self, end: &HandedEnd, have_gaps: bool) {
        if have_gaps {
            self.forget_place(end);
        }
        if end.outcome != Outcome::Cancelled {
            self.damage(Damage::UnknownRequest, end.time);
        }
    }

    /// Drops the requests without a completion.
    fn drop_requests(&mut self) {
        for (_, pending) in std::mem::take(&mut self.messages.requests) {
            self.leave_unfinished(&pending);
            let call = pending.request.start(&self.scan.records);
            self.damage(Damage::RequestNotCompleted, self.scan.records.calls[call as usize].enter);
        }
    }
}
