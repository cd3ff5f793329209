//! Matching of sends and receives: MPI keeps the messages of a channel in order, so the *k*-th send matches the *k*-th
//! posted receive. Analysis and drawing both find a message's other end by [`matched`] alone.

use crate::{Definitions, event::CommunicatorRef, groups::Groups};

/// The way from one process to another; MPI keeps its messages in order. Ranks are those of `MPI_COMM_WORLD`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Channel {
    /// The communicator of the messages.
    pub communicator: CommunicatorRef,
    /// The sender's rank.
    pub from: u32,
    /// The receiver's rank.
    pub to: u32,
    /// Their tag.
    pub tag: u32,
}

/// A message as the event at one of its ends names it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Envelope {
    /// Its communicator.
    pub communicator: CommunicatorRef,
    /// The rank of the other end in that communicator.
    pub peer: u32,
    /// Its tag.
    pub tag: u32,
}

impl Envelope {
    /// The channel of a message that the process of rank `own` sends; `None` if the peer is not defined.
    pub fn sent_by(self, own: u32, definitions: &Definitions) -> Option<Channel> {
        let Envelope { communicator, peer, tag } = self;
        let to = definitions.world_rank(communicator, own, peer)?;
        Some(Channel { communicator, from: own, to, tag })
    }

    /// The channel of a message that the process of rank `own` receives; `None` if the peer is not defined.
    pub fn received_by(self, own: u32, definitions: &Definitions) -> Option<Channel> {
        let Envelope { communicator, peer, tag } = self;
        let from = definitions.world_rank(communicator, own, peer)?;
        Some(Channel { communicator, from, to: own, tag })
    }
}

/// Each of the `ends` of messages, and its other end if there is one. `other_side` returns, for a channel, the owner
/// of the other ends, and these in order.
///
/// ```
/// use ats_model::{event::CommunicatorRef, groups::Groups, messages::{Channel, matched}};
/// let channel = |tag| Channel { communicator: CommunicatorRef(0), from: 0, to: 1, tag };
/// let sends = Groups::by_key([channel(7), channel(8), channel(7)].into_iter());
/// let receives = Groups::by_key([channel(8), channel(7)].into_iter());
/// let found = matched(&sends, |channel| Some(("rank 1", receives.members(channel))));
/// let expected = [(0, Some(("rank 1", 1))), (2, None), (1, Some(("rank 1", 0)))];
/// assert_eq!(found.collect::<Vec<_>>(), expected);
/// ```
pub fn matched<'a, P: Copy>(
    ends: &'a Groups<Channel>,
    other_side: impl Fn(Channel) -> Option<(P, &'a [u32])>,
) -> impl Iterator<Item = (u32, Option<(P, u32)>)> {
    ends.iter().flat_map(move |(channel, ends)| {
        let others = other_side(channel);
        let other = move |k: usize| others.and_then(|(peer, ends)| Some((peer, *ends.get(k)?)));
        ends.iter().enumerate().map(move |(k, &end)| (end, other(k)))
    })
}
