//! Messages and bytes from rank to rank.

use std::collections::{BTreeMap, HashMap};

use ats_documents::page::{Cells, Communication};
use ats_model::messages::Envelope;
use ats_model::{Definitions, Event, EventSource};
use rayon::prelude::*;

/// The largest number of rows and columns, as of the timeline's rows: more cells are too small to be told apart.
const MOST_BLOCKS: u32 = 64;

/// Messages and bytes by the ranks of sender and receiver.
type Sent = BTreeMap<(u32, u32), [u64; 2]>;

/// The sent messages of a trace by sender and receiver, without those that were cancelled. More than 64 ranks are in blocks of
/// neighbours, as large as it takes.
///
/// ```
/// let trace = ats_analyzer::notation::parse(
///     "0: 0..1 MPI_Send send 1 bytes 8; 1..2 MPI_Send send 1 bytes 4
///      1: 0..1 MPI_Recv recv 0 bytes 8; 1..2 MPI_Recv recv 0 bytes 4",
/// )?;
/// let sent = ats_presentation::communication(&trace);
/// assert_eq!((sent.ranks, sent.block), (2, 1));
/// assert_eq!((&sent.cells.sender[..], &sent.cells.receiver[..]), (&[0][..], &[1][..]));
/// assert_eq!((&sent.cells.messages[..], &sent.cells.bytes[..]), (&[2][..], &[12][..]));
/// # Ok::<(), ats_analyzer::notation::NotationError>(())
/// ```
pub fn communication<S: EventSource>(source: &S) -> Communication {
    let definitions = source.definitions();
    let ranks = definitions.locations.iter().map(|location| location.rank + 1).max().unwrap_or(0);
    let block = ranks.div_ceil(MOST_BLOCKS).max(1);
    let locations = (0..definitions.locations.len()).into_par_iter();
    let joined = |mut all: Sent, of: Sent| {
        of.into_iter().for_each(|(cell, amounts)| add(&mut all, cell, amounts));
        all
    };
    let sent = locations.map(|location| sent_by(source, location, block)).reduce(Sent::new, joined);
    let mut cells = Cells::default();
    for ((sender, receiver), [messages, bytes]) in sent.into_iter().filter(|(_, [messages, _])| *messages > 0)
    {
        cells.sender.push(sender);
        cells.receiver.push(receiver);
        cells.messages.push(messages);
        cells.bytes.push(bytes);
    }
    Communication { ranks, block, cells }
}

fn add(sent: &mut Sent, cell: (u32, u32), amounts: [u64; 2]) {
    let sums = sent.entry(cell).or_default();
    sums.iter_mut().zip(amounts).for_each(|(sum, amount)| *sum = sum.saturating_add(amount));
}

/// The messages that a location sends, by block, as far as it can be read.
fn sent_by<S: EventSource>(source: &S, location: usize, block: u32) -> Sent {
    let definitions: &Definitions = source.definitions();
    let rank = definitions.locations[location].rank;
    let mut sent = Sent::new();
    let mut started = HashMap::new();
    let visit = |_, event| match event {
        Event::MpiSend { receiver, communicator, tag, bytes }
        | Event::MpiIsend { receiver, communicator, tag, bytes, .. } => {
            let envelope = Envelope { communicator, peer: receiver, tag };
            let Some(channel) = envelope.sent_by(rank, definitions) else { return };
            let cell = (channel.from / block, channel.to / block);
            if let Event::MpiIsend { request, .. } = event {
                started.insert(request, (cell, bytes));
            }
            add(&mut sent, cell, [1, bytes]);
        }
        Event::MpiIsendComplete { request } => _ = started.remove(&request),
        Event::MpiRequestCancelled { request } => {
            if let Some((cell, bytes)) = started.remove(&request) {
                let sums = sent.entry(cell).or_default();
                sums.iter_mut().zip([1, bytes]).for_each(|(sum, amount)| *sum = sum.saturating_sub(amount));
            }
        }
        _ => {}
    };
    // The timeline says of a damaged location that it was read in part.
    _ = source.read_location(location, visit);
    sent
}
