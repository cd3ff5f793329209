//! The records of a process from those of its threads, as if one thread had made them all; and back.

use std::ops::Range;

use ats_model::{event::CommunicatorRef, groups::Interner, messages::Channel};
use rustc_hash::FxHashMap;

use crate::{
    process::{Collective, Completion, Message, MessageEnd, Records, Span},
    scan::RecordNumbers,
};

/// Which records of a process are whose.
pub(crate) enum Shares {
    /// All are of this location.
    Alone(usize),
    Several(Vec<Share>),
}

/// What a thread calls its records, and what the process does.
pub(crate) struct Share {
    /// Index into the trace's locations.
    location: usize,
    /// By call of the thread, that of the process.
    calls: Vec<u32>,
    sends: Range<u32>,
    receives: Range<u32>,
    /// The thread's own numbers.
    channels: (Interner<Channel>, Interner<Channel>),
    communicators: Interner<CommunicatorRef>,
    init: Option<Span>,
    finalize: Option<Span>,
}

/// The records of a process from those of its threads, each with its location.
pub(crate) fn merge(mut threads: Vec<(usize, Records)>) -> (Records, Shares) {
    if threads.len() == 1 {
        let (location, records) = threads.remove(0);
        return (records, Shares::Alone(location));
    }
    let mut process = Records::default();
    let append = |(location, thread)| append(&mut process, location, thread);
    let mut shares: Vec<Share> = threads.into_iter().map(append).collect();
    let renumbered = sort(&mut process);
    for call in shares.iter_mut().flat_map(|share| &mut share.calls) {
        *call = renumbered[*call as usize];
    }
    (process, Shares::Several(shares))
}

impl Shares {
    /// The process's number of a location's call, and of its send.
    pub(crate) fn numbers(&self, location: usize) -> (impl Fn(u32) -> u32, impl Fn(u32) -> u32) {
        let share = match self {
            Shares::Alone(_) => None,
            Shares::Several(shares) => shares.iter().find(|share| share.location == location),
        };
        let call = move |call: u32| share.map_or(call, |share| share.calls[call as usize]);
        let send = move |send: u32| share.map_or(send, |share| share.sends.start + send);
        (call, send)
    }

    /// What is left of a process's records, by location. `numbers` tells what those are called that there were, and then so
    /// does what is returned.
    pub(crate) fn split(self, left: Records, numbers: RecordNumbers) -> Vec<(usize, Records, RecordNumbers)> {
        let shares = match self {
            Shares::Alone(location) => return vec![(location, left, numbers)],
            Shares::Several(shares) => shares,
        };
        let places: FxHashMap<u32, usize> =
            shares.iter().zip(0..).map(|(share, thread)| (share.location as u32, thread)).collect();
        let thread_of_call: Vec<usize> = left.calls.iter().map(|call| places[&call.place.location]).collect();
        let thread_of = |end: &MessageEnd| thread_of_call[end.start as usize];
        let own_calls = own_numbers(thread_of_call.iter().copied(), shares.len());
        let own_sends = own_numbers(left.sends.iter().map(thread_of), shares.len());
        let own_receives = own_numbers(left.receives.iter().map(thread_of), shares.len());
        let mut threads: Vec<(usize, Records, RecordNumbers)> = shares
            .into_iter()
            .map(|share| {
                let composed = |of_process: &[u32], own: &[u32], number: u32| {
                    own.get(of_process[number as usize] as usize).copied().unwrap_or(0)
                };
                let numbers = RecordNumbers {
                    calls: share
                        .calls
                        .iter()
                        .map(|&call| composed(&numbers.calls, &own_calls, call))
                        .collect(),
                    sends: share.sends.map(|send| composed(&numbers.sends, &own_sends, send)).collect(),
                    receives: share
                        .receives
                        .map(|receive| composed(&numbers.receives, &own_receives, receive))
                        .collect(),
                };
                let records = Records {
                    send_channels: share.channels.0,
                    receive_channels: share.channels.1,
                    communicators: share.communicators,
                    init: share.init,
                    finalize: share.finalize,
                    ..Records::default()
                };
                (share.location, records, numbers)
            })
            .collect();
        let own_end = |end: &MessageEnd, own: &mut Interner<Channel>, all: &Interner<Channel>| MessageEnd {
            start: own_calls[end.start as usize],
            channel: end.channel.map(|channel| own.number(all.keys()[channel as usize])),
        };
        for (call, &thread) in left.calls.iter().zip(&thread_of_call) {
            threads[thread].1.calls.push(*call);
        }
        for end in &left.sends {
            let records = &mut threads[thread_of(end)].1;
            records.sends.push(own_end(end, &mut records.send_channels, &left.send_channels));
        }
        for end in &left.receives {
            let records = &mut threads[thread_of(end)].1;
            records.receives.push(own_end(end, &mut records.receive_channels, &left.receive_channels));
        }
        for completion in &left.completions {
            let message = match completion.message {
                Message::Send(send) => Message::Send(own_sends[send as usize]),
                Message::Receive(receive) => Message::Receive(own_receives[receive as usize]),
            };
            let completions = &mut threads[thread_of_call[completion.call as usize]].1.completions;
            completions.push(Completion { call: own_calls[completion.call as usize], message });
        }
        for collective in &left.collectives {
            let records = &mut threads[places[&collective.place.location]].1;
            let key = left.communicators.keys()[collective.communicator as usize];
            let communicator = records.communicators.number(key);
            records.collectives.push(Collective { communicator, ..*collective });
        }
        threads
    }
}

/// How many items of the same thread are before each.
fn own_numbers(threads: impl Iterator<Item = usize>, count: usize) -> Vec<u32> {
    let mut next = vec![0; count];
    let number = |thread: usize| {
        next[thread] += 1;
        next[thread] - 1
    };
    threads.map(number).collect()
}

/// Adds the records of a thread to those of a process, after all that it has.
pub(crate) fn append(process: &mut Records, location: usize, thread: Records) -> Share {
    let calls = process.calls.len() as u32;
    let (sends, receives) = (process.sends.len() as u32, process.receives.len() as u32);
    process.calls.extend(&thread.calls);
    append_ends(&mut process.sends, &mut process.send_channels, &thread.sends, &thread.send_channels, calls);
    append_ends(
        &mut process.receives,
        &mut process.receive_channels,
        &thread.receives,
        &thread.receive_channels,
        calls,
    );
    process.completions.extend(thread.completions.into_iter().map(|completion| Completion {
        call: completion.call + calls,
        message: match completion.message {
            Message::Send(index) => Message::Send(index + sends),
            Message::Receive(index) => Message::Receive(index + receives),
        },
    }));
    process.collectives.extend(thread.collectives.into_iter().map(|mut collective| {
        let key = thread.communicators.keys()[collective.communicator as usize];
        collective.communicator = process.communicators.number(key);
        collective
    }));
    process.init = process.init.or(thread.init);
    process.finalize = process.finalize.or(thread.finalize);
    Share {
        location,
        calls: (calls..process.calls.len() as u32).collect(),
        sends: sends..process.sends.len() as u32,
        receives: receives..process.receives.len() as u32,
        channels: (thread.send_channels, thread.receive_channels),
        communicators: thread.communicators,
        init: thread.init,
        finalize: thread.finalize,
    }
}

/// Puts the records of a process in order; also the new numbers of the calls.
fn sort(process: &mut Records) -> Vec<u32> {
    let mut order: Vec<u32> = (0..process.calls.len() as u32).collect();
    order.sort_by_key(|&call| process.calls[call as usize].enter);
    let mut renumbered = vec![0; order.len()];
    for (new, &old) in order.iter().enumerate() {
        renumbered[old as usize] = new as u32;
    }
    process.calls = order.iter().map(|&call| process.calls[call as usize]).collect();
    for end in process.sends.iter_mut().chain(&mut process.receives) {
        end.start = renumbered[end.start as usize];
    }
    for completion in &mut process.completions {
        completion.call = renumbered[completion.call as usize];
    }
    let calls = &process.calls;
    process.completions.sort_by_key(|completion| (calls[completion.call as usize].leave, completion.call));
    process.collectives.sort_by_key(|collective| collective.begin);
    renumbered
}

fn append_ends(
    ends: &mut Vec<MessageEnd>,
    channels: &mut Interner<Channel>,
    more: &[MessageEnd],
    more_channels: &Interner<Channel>,
    first_call: u32,
) {
    ends.extend(more.iter().map(|end| MessageEnd {
        start: end.start + first_call,
        channel: end.channel.map(|channel| channels.number(more_channels.keys()[channel as usize])),
    }));
}
