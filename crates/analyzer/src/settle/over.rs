//! Known messages of a process, and its records that are over.

use std::hash::Hash;

use ats_model::{groups::Groups, messages::Channel};

use crate::{
    clock::durations,
    judge::{
        account::Account,
        collective::{Dues, Extent},
        point_to_point::{self, Matches},
        violations::Measure,
    },
    records::{
        Completion, EarlyWaits, InnerCall, KeptFlags, Message, MessageEnd,
        process::Process,
        processes::{OtherEnd, Processes},
    },
    words::damage::{Damage, Damages},
};

/// The messages of a process that are known for sure, and the records that are over.
pub(super) struct KnownMessages {
    matches: Matches,
    dues: Dues,
    /// Flags by completion, by send and by receive; empty if all are known.
    completions: Vec<bool>,
    sends: Vec<bool>,
    receives: Vec<bool>,
}

impl KnownMessages {
    /// Finds the other ends of a process's messages, and the records that are over: so far the calls that are left,
    /// have only fully known messages and receive nothing out of order; with `All`, everything.
    pub(super) fn new(
        processes: &Processes,
        process: &Process,
        extent: Extent,
        dues: Dues,
        damages: &mut Damages,
    ) -> Self {
        let mut known = KnownMessages {
            dues,
            matches: match extent {
                Extent::All => all_matches(processes, process, damages),
                Extent::Complete => sure_matches(processes, process),
            },
            completions: Vec::new(),
            sends: Vec::new(),
            receives: Vec::new(),
        };
        if extent == Extent::Complete {
            known.find_over(process);
        }
        known
    }

    fn find_over(&mut self, process: &Process) {
        self.sends = vec![false; process.sends.len()];
        self.receives = vec![false; process.receives.len()];
        self.completions.reserve(process.completions.len());
        let mut is_in_order = true;
        for completions in process.completions.chunk_by(|a, b| a.call == b.call) {
            let is_known = completions.iter().all(|completion| match completion.message {
                Message::Collective(requested) => self.dues.is_known(requested),
                Message::Send(send) => {
                    let send = send as usize;
                    process.sends[send].channel.is_none() || self.matches.receivers[send].is_some()
                }
                Message::Receive(receive) => {
                    let receive = receive as usize;
                    process.receives[receive].channel.is_none() || self.matches.senders[receive].is_some()
                }
            });
            let receives = completions.iter().any(|it| matches!(it.message, Message::Receive(_)));
            let is_left = process.calls[completions[0].call as usize].leave < process.frontier.until;
            let is_over = is_known && is_left && (is_in_order || !receives);
            is_in_order &= is_over || !receives;
            self.completions.extend(completions.iter().map(|_| is_over));
            for completion in completions.iter().filter(|_| is_over) {
                match completion.message {
                    Message::Send(send) => self.sends[send as usize] = true,
                    Message::Receive(receive) => self.receives[receive as usize] = true,
                    Message::Collective(_) => {}
                }
            }
        }
    }

    /// Books the waits in calls that complete messages and are over.
    #[inline(never)]
    pub(super) fn judge(
        &self,
        processes: &Processes,
        process: &Process,
        measure: Measure,
        account: &mut Account,
    ) {
        let early = &EarlyWaits::new(&process.early);
        let messages =
            point_to_point::Messages { processes, process, matches: &self.matches, dues: &self.dues, early };
        for (first, completions) in calls(process) {
            match measure {
                _ if self.completions.get(first) == Some(&false) => {}
                Measure::Times => {
                    messages.judge_early(completions, account);
                    messages.judge_call(completions, account);
                }
                Measure::Durations => durations::judge_call(&messages, completions, &mut account.ledger),
            }
        }
    }

    /// The collective operations to keep: those that are not summed up, and those that are open in a gap.
    pub(super) fn unsettled_collectives(&self, process: &Process) -> Vec<bool> {
        let mut kept = self.dues.unsettled.clone();
        let open = process.gaps.iter().filter_map(|gap| gap.open_operation);
        open.for_each(|operation| kept[operation as usize] = true);
        let is_needed = self.unsettled_requested(process);
        for (requested, _) in process.requested.iter().zip(&is_needed).filter(|(_, is_needed)| **is_needed) {
            if let Some(part) = requested.part {
                kept[part as usize] |= process.collectives[part as usize].communicator.is_none();
            }
        }
        kept
    }

    /// The requests of collective operations to keep: those whose completion is to come, or not judged.
    pub(super) fn unsettled_requested(&self, process: &Process) -> Vec<bool> {
        let mut kept = vec![false; process.requested.len()];
        process.frontier.requested.iter().for_each(|&requested| kept[requested as usize] = true);
        for (completion, _) in
            process.completions.iter().zip(&self.completions).filter(|(_, is_over)| !**is_over)
        {
            if let Message::Collective(requested) = completion.message {
                kept[requested as usize] = true;
            }
        }
        kept
    }

    /// Waits of completions of collective operations.
    pub(super) fn into_dues(self) -> Dues {
        self.dues
    }

    pub(super) fn unsettled_completions(&self) -> Vec<bool> {
        self.completions.iter().map(|is_over| !is_over).collect()
    }

    /// The sends to keep. A message is forgotten when both its ends are over; a cancelled send when it is not needed
    /// any more.
    pub(super) fn unsettled_sends(&self, process: &Process, all: &[KnownMessages]) -> Vec<bool> {
        let mut is_awaited = vec![false; process.sends.len()];
        process.frontier.sends.iter().for_each(|&send| is_awaited[send as usize] = true);
        for (completion, _) in
            process.completions.iter().zip(&self.completions).filter(|(_, is_over)| !**is_over)
        {
            if let Message::Send(send) = completion.message {
                is_awaited[send as usize] = true;
            }
        }
        let is_kept = |(send, other): (usize, &Option<OtherEnd>)| match *other {
            Some(OtherEnd { process, end }) => {
                !(self.sends[send] && all[process as usize].receives[end as usize])
            }
            None => process.sends[send].channel.is_some() || is_awaited[send],
        };
        self.matches.receivers.iter().enumerate().map(is_kept).collect()
    }

    /// The receives to keep, as [`KnownMessages::unsettled_sends`].
    pub(super) fn unsettled_receives(&self, process: &Process, all: &[KnownMessages]) -> Vec<bool> {
        let is_kept = |(receive, other): (usize, &Option<OtherEnd>)| {
            let is_over = match *other {
                Some(OtherEnd { process, end }) => all[process as usize].sends[end as usize],
                None => process.receives[receive].channel.is_none(),
            };
            !(self.receives[receive] && is_over)
        };
        self.matches.senders.iter().enumerate().map(is_kept).collect()
    }

    /// The early waits to keep: those whose receives are not judged.
    pub(super) fn unsettled_early(&self, process: &Process) -> Vec<bool> {
        process.early.iter().map(|early| !self.receives[early.receive as usize]).collect()
    }

    /// The calls inside of others to keep: those that may be in a call that is not judged. The calls of the end are.
    pub(super) fn unsettled_inner(&self, process: &Process) -> Vec<bool> {
        if process.inner.is_empty() {
            return Vec::new();
        }
        let collectives = process.collectives.iter().zip(self.unsettled_collectives(process));
        let begins = collectives.filter(|(_, is_kept)| *is_kept).map(|(part, _)| part.begin);
        let completions = process.completions.iter().zip(&self.completions).filter(|(_, is_over)| !**is_over);
        let enters = completions.map(|(completion, _)| process.calls[completion.call as usize].enter);
        let first = begins.chain(enters).min().unwrap_or(u64::MAX);
        let is_at_end = |inner: &InnerCall| process.spans.iter().any(|span| span.place == inner.outer);
        process.inner.iter().map(|inner| inner.leave > first || is_at_end(inner)).collect()
    }

    /// The completions that are over in calls with only taken messages.
    pub(super) fn completions_of(&self, process: &Process, taken: &KeptFlags) -> Vec<bool> {
        let mut completions = Vec::with_capacity(process.completions.len());
        for (first, of_call) in calls(process) {
            let is_whole = self.completions[first]
                && of_call.iter().all(|completion| match completion.message {
                    Message::Send(send) => taken.sends[send as usize],
                    Message::Receive(receive) => taken.receives[receive as usize],
                    Message::Collective(_) => false,
                });
            completions.extend(of_call.iter().map(|_| is_whole));
        }
        completions
    }
}

/// The completions of each call, and the number of the first of them.
fn calls(process: &Process) -> impl Iterator<Item = (usize, &[Completion])> {
    let mut next = 0;
    process.completions.chunk_by(|a, b| a.call == b.call).map(move |completions| {
        next += completions.len();
        (next - completions.len(), completions)
    })
}

/// All messages that have another end; counts those without one.
fn all_matches(processes: &Processes, process: &Process, damages: &mut Damages) -> Matches {
    let mut matches = Matches::none(process);
    let mut unmatched = |damage: Damage, end: MessageEnd, channel: Option<Channel>| {
        let call = process.calls[end.start as usize];
        let is_doubtful = channel.is_some_and(|channel| processes.is_doubtful(channel));
        let is_misplaced = channel.is_some_and(|channel| processes.are_misplaced(channel));
        let damage = match damage {
            _ if is_misplaced => Damage::MessageMisplaced,
            damage if is_doubtful => damage.with_recording_off(),
            damage => damage,
        };
        damages.add(damage, call.place.location as usize, call.enter);
    };
    processes.senders(process).for_each(|(receive, sender)| {
        matches.senders[receive as usize] = sender;
        if sender.is_none() {
            let end = process.receives[receive as usize];
            let channel = end.channel.map(|channel| process.receives.groups.key(channel));
            unmatched(Damage::ReceiveNotSent, end, channel);
        }
    });
    processes.receivers(process).for_each(|(send, receiver)| {
        matches.receivers[send as usize] = receiver;
        if receiver.is_none() {
            let end = process.sends[send as usize];
            let channel = end.channel.map(|channel| process.sends.groups.key(channel));
            unmatched(Damage::SendNotReceived, end, channel);
        }
    });
    matches
}

/// The messages whose other end cannot be one that is still to come.
fn sure_matches(processes: &Processes, process: &Process) -> Matches {
    let mut matches = Matches::none(process);
    processes.senders(process).for_each(|(receive, sender)| {
        let is_sure = process.receives[receive as usize].start < process.frontier.first;
        matches.senders[receive as usize] = sender.filter(|&other| {
            let peer = processes.process(other);
            is_sure && is_start_known(peer, peer.sends[other.end as usize].start)
        });
    });
    processes.receivers(process).for_each(|(send, receiver)| {
        let is_sure = process.sends[send as usize].start < process.frontier.first;
        matches.receivers[send as usize] = receiver.filter(|&other| {
            let peer = processes.process(other);
            is_sure && is_start_known(peer, peer.receives[other.end as usize].start)
        });
    });
    matches
}

/// Whether no message can come before that which a call of a process starts, and it is known when the process acts on it.
fn is_start_known(process: &Process, start: u32) -> bool {
    start < process.frontier.first && !process.calls[start as usize].awaits_next
}

/// The first records of each group that are not kept, up to a number.
pub(super) fn first_of_each_group<K: Copy + Eq + Hash>(
    groups: &Groups<K>,
    kept: &[bool],
    count: usize,
) -> Vec<bool> {
    let mut is_taken = vec![false; kept.len()];
    for (_, group) in groups.iter() {
        let gone = group.iter().filter(|&&item| !kept[item as usize]).take(count);
        gone.for_each(|&item| is_taken[item as usize] = true);
    }
    is_taken
}
