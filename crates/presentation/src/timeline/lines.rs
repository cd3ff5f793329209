//! Lines between rows, and marks on them.

use std::collections::{BTreeMap, HashMap};

use ats_documents::Wait;
use ats_model::{
    definitions::LocationDefinition,
    event::CommunicatorRef,
    messages::{Channel, matched},
};

use super::picture::{Collective, Detail, MarkedWait, Message, Part};
use crate::stamps::{CollectivePart, MessageEnd, Stamps, by_channel};

/// The parts of a trace whose order is known, since all processes recorded there.
struct Known {
    /// By rank.
    until: HashMap<u32, u64>,
}

impl Known {
    fn new(rows: &[&Stamps]) -> Self {
        let mut until = HashMap::new();
        for row in rows.iter().filter(|row| row.has_gap()) {
            let known = until.entry(row.rank()).or_insert(u64::MAX);
            *known = row.sure_until().min(*known);
        }
        Known { until }
    }

    /// The end of the time in which the places of a process's messages are known.
    fn until(&self, rank: u32) -> u64 {
        self.until.get(&rank).copied().unwrap_or(u64::MAX)
    }

    /// Whether nothing can be missing on a channel, or on a communicator: these ranks have as many items, and one of them
    /// recorded all the time. A recorder may also say at the begin that it goes on.
    fn lacks_nothing(&self, counts: &[(u32, usize)]) -> bool {
        let are_equal = counts.windows(2).all(|pair| pair[0].1 == pair[1].1);
        let is_whole = |&(rank, _): &(u32, usize)| !self.until.contains_key(&rank);
        are_equal && (counts.iter().any(is_whole) || counts.iter().all(|&(rank, _)| self.until(rank) == 0))
    }
}

/// The messages between rows whose ends surely belong together; of too many, evenly chosen ones.
pub(super) fn messages(
    rows: &[&Stamps],
    limit: usize,
    window: (u64, u64),
    detail: &mut Detail,
) -> Vec<Message> {
    let ends = |of: fn(&Stamps) -> &[MessageEnd]| {
        let of_row = |(row, stamps)| of(stamps).iter().map(move |&end| (row, end));
        rows.iter().copied().enumerate().flat_map(of_row).collect::<Vec<(usize, MessageEnd)>>()
    };
    let (sends, receives) = (ends(|stamps| &stamps.sends), ends(|stamps| &stamps.receives));
    let sent = by_channel(sends.iter().map(|(_, end)| end));
    let received = by_channel(receives.iter().map(|(_, end)| end));
    let known = Known::new(rows);
    let mut doubtful = 0;
    let message = |(send, receive): (u32, Option<((), u32)>)| {
        let (_, receive) = receive?;
        let ((from, send), (to, receive)) = (sends[send as usize], receives[receive as usize]);
        let channel = send.channel;
        let is_known = send.ordered < known.until(channel.from) && receive.ordered < known.until(channel.to)
            || known.lacks_nothing(&[
                (channel.from, sent.members(channel).len()),
                (channel.to, received.members(channel).len()),
            ]);
        if !is_known {
            doubtful += 1;
            return None;
        }
        let (sent, received, tag) = (send.at, receive.at, send.channel.tag);
        Some((send.channel, Message { from, sent, to, received, bytes: send.bytes, tag }))
    };
    let messages = matched(&sent, |channel| Some(((), received.members(channel)))).filter_map(message);
    let is_drawn = |(_, message): &(Channel, Message)| {
        message.received >= window.0
            && message.sent <= window.1
            && detail.lines_until.is_none_or(|until| message.received < until)
    };
    let mut messages: Vec<(Channel, Message)> = messages.filter(is_drawn).collect();
    messages.sort_by_key(|(channel, message)| (message.sent, message.from, message.to, *channel));
    let mut messages: Vec<Message> = messages.into_iter().map(|(_, message)| message).collect();
    detail.messages = thin(&mut messages, limit);
    detail.doubtful += doubtful;
    messages
}

/// The collective operations that at least two rows take part in; of too many, evenly chosen ones.
pub(super) fn collectives(
    rows: &[&Stamps],
    limit: usize,
    window: (u64, u64),
    detail: &mut Detail,
) -> Vec<Collective> {
    let mut all: BTreeMap<(CommunicatorRef, usize), Vec<(usize, CollectivePart)>> = BTreeMap::new();
    let mut counts: HashMap<CommunicatorRef, Vec<(u32, usize)>> = HashMap::new();
    for (row, stamps) in rows.iter().enumerate() {
        let mut numbers: HashMap<CommunicatorRef, usize> = HashMap::new();
        for &part in &stamps.collectives {
            let number = numbers.entry(part.communicator).or_default();
            all.entry((part.communicator, *number)).or_default().push((row, part));
            *number += 1;
        }
        for (communicator, count) in numbers {
            counts.entry(communicator).or_default().push((stamps.rank(), count));
        }
    }
    let known = Known::new(rows);
    let is_known = |(communicator, _): &(CommunicatorRef, usize), parts: &[(usize, CollectivePart)]| {
        parts.iter().all(|(row, part)| part.begin < known.until(rows[*row].rank()))
            || known.lacks_nothing(&counts[communicator])
    };
    let before = all.values().filter(|parts| parts.len() > 1).count();
    all.retain(|at, parts| is_known(at, parts));
    detail.doubtful += (before - all.values().filter(|parts| parts.len() > 1).count()) as u64;
    let is_drawn = |parts: &[(usize, CollectivePart)]| {
        parts.len() > 1
            && parts.iter().any(|(_, part)| part.end >= window.0 && part.begin <= window.1)
            && detail.lines_until.is_none_or(|until| parts.iter().all(|(_, part)| part.end < until))
    };
    let mut collectives: Vec<Collective> = all
        .into_values()
        .filter(|parts| is_drawn(parts))
        .map(|parts| Collective {
            operation: parts[0].1.operation,
            parts: parts
                .iter()
                .map(|&(row, CollectivePart { begin, end, .. })| Part { row, begin, end })
                .collect(),
        })
        .collect();
    collectives.sort_by_key(|collective| collective.parts.iter().map(|part| part.begin).min());
    detail.collectives = thin(&mut collectives, limit);
    collectives
}

/// The waits of the rows; if there are too many, those of one finding that lie close together share a mark.
pub(super) fn waits(
    waits: &[Wait],
    locations: &[LocationDefinition],
    shown: &[usize],
    clock: impl Fn(usize, u64) -> u64,
    limit: usize,
    window: (u64, u64),
    detail: &mut Detail,
) -> Vec<MarkedWait> {
    let rows: HashMap<usize, usize> = shown.iter().copied().zip(0..).collect();
    let mark = |wait: &Wait| {
        let row = *rows.get(&wait.location)?;
        let finding = wait.finding;
        let (begin, end) = (clock(row, wait.begin), clock(row, wait.end));
        let awaited = wait.awaited.and_then(|awaited| locations.get(awaited));
        let awaited = awaited.map(|location| (location.rank, location.thread));
        Some(MarkedWait { finding, row, begin, end, waits: 1, waited: end.saturating_sub(begin), awaited })
    };
    let is_seen = |mark: &MarkedWait| mark.end >= window.0 && mark.begin <= window.1;
    let mut marks: Vec<MarkedWait> = waits.iter().filter_map(mark).filter(is_seen).collect();
    marks.sort_by_key(|mark| (mark.row, mark.finding, mark.begin));
    let first = marks.iter().map(|mark| mark.begin).min().unwrap_or(0);
    let last = marks.iter().map(|mark| mark.end).max().unwrap_or(0);
    let (count, mut coarseness) = (marks.len(), ((last - first) / limit.max(1) as u64).max(1));
    while marks.len() > limit && coarseness / 2 <= last - first {
        marks.dedup_by(|next, mark| {
            let is_close = (next.row, next.finding) == (mark.row, mark.finding)
                && next.end.saturating_sub(mark.begin) <= coarseness;
            if is_close {
                mark.end = mark.end.max(next.end);
                mark.waits += next.waits;
                mark.waited += next.waited;
                mark.awaited = mark.awaited.filter(|_| mark.awaited == next.awaited);
            }
            is_close
        });
        coarseness = coarseness.saturating_mul(2);
    }
    detail.waits = (count - marks.len()) as u64;
    marks.sort_by_key(|mark| (mark.row, mark.begin, mark.finding));
    marks
}

/// Keeps `limit` of all, evenly; how many are gone.
fn thin<T>(all: &mut Vec<T>, limit: usize) -> u64 {
    let count = all.len();
    if count <= limit {
        return 0;
    }
    let mut index = 0;
    all.retain(|_| {
        // One of `limit` even intervals begins here.
        let is_kept = index * limit % count < limit;
        index += 1;
        is_kept
    });
    (count - all.len()) as u64
}
