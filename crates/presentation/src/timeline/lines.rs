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

/// The messages between rows; of too many, evenly chosen ones.
pub(super) fn messages(rows: &[&Stamps], limit: usize, detail: &mut Detail) -> Vec<Message> {
    let ends = |of: fn(&Stamps) -> &[MessageEnd]| {
        let of_row = |(row, stamps)| of(stamps).iter().map(move |&end| (row, end));
        rows.iter().copied().enumerate().flat_map(of_row).collect::<Vec<(usize, MessageEnd)>>()
    };
    let (sends, receives) = (ends(|stamps| &stamps.sends), ends(|stamps| &stamps.receives));
    let sent = by_channel(sends.iter().map(|(_, end)| end));
    let received = by_channel(receives.iter().map(|(_, end)| end));
    let message = |(send, receive): (u32, Option<((), u32)>)| {
        let (_, receive) = receive?;
        let ((from, send), (to, receive)) = (sends[send as usize], receives[receive as usize]);
        let (sent, received, tag) = (send.at, receive.at, send.channel.tag);
        Some((send.channel, Message { from, sent, to, received, bytes: send.bytes, tag }))
    };
    let messages = matched(&sent, |channel| Some(((), received.of(channel)))).filter_map(message);
    let is_drawn =
        |(_, message): &(Channel, Message)| detail.lines_until.is_none_or(|until| message.received < until);
    let mut messages: Vec<(Channel, Message)> = messages.filter(is_drawn).collect();
    messages.sort_by_key(|(channel, message)| (message.sent, message.from, message.to, *channel));
    let mut messages: Vec<Message> = messages.into_iter().map(|(_, message)| message).collect();
    detail.messages = thin(&mut messages, limit);
    messages
}

/// The collective operations that at least two rows take part in; of too many, evenly chosen ones.
pub(super) fn collectives(rows: &[&Stamps], limit: usize, detail: &mut Detail) -> Vec<Collective> {
    let mut all: BTreeMap<(CommunicatorRef, usize), Vec<(usize, CollectivePart)>> = BTreeMap::new();
    for (row, stamps) in rows.iter().enumerate() {
        let mut numbers: HashMap<CommunicatorRef, usize> = HashMap::new();
        for &part in &stamps.collectives {
            let number = numbers.entry(part.communicator).or_default();
            all.entry((part.communicator, *number)).or_default().push((row, part));
            *number += 1;
        }
    }
    let is_drawn = |parts: &[(usize, CollectivePart)]| {
        parts.len() > 1
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
    let mut marks: Vec<MarkedWait> = waits.iter().filter_map(mark).collect();
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
