//! The eager limit of the network that a trace was recorded on, as its standard sends show it.

use std::collections::VecDeque;

use rustc_hash::FxHashMap;

use crate::survey::Channel;

/// The most sizes of messages that are kept apart.
const MOST_SIZES: usize = 1 << 16;

/// An end of a message whose other end has not come yet.
#[derive(Clone, Copy, Debug)]
enum End {
    Sent(Option<Sent>),
    /// Its receive is posted then.
    Posted(u64),
}

/// A blocking standard send.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Sent {
    pub(crate) bytes: u64,
    pub(crate) enter: u64,
    pub(crate) leave: u64,
}

/// The least part of the sends of a size, as a divisor, that have to wait if it is not by chance: a process that loses its
/// processor in a send seems to wait, too.
const LEAST_WAITING: u64 = 10;

/// The sends of one size, those of them that left before their receives were posted, and those that waited for them.
#[derive(Clone, Copy, Debug, Default)]
struct Votes {
    all: u64,
    left: u64,
    waited: u64,
}

/// The evidence of standard sends.
#[derive(Debug, Default)]
pub(crate) struct Evidence {
    /// By channel, in order; all of them are of one kind.
    open: FxHashMap<Channel, VecDeque<End>>,
    by_size: FxHashMap<u64, Votes>,
}

/// The sizes that show an eager limit, in bytes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct EagerSizes {
    /// The largest standard send that left before its receive was posted.
    pub largest_left: Option<u64>,
    /// The smallest that waited for its receive.
    pub smallest_waiting: Option<u64>,
}

impl Evidence {
    /// A message is sent; by a blocking standard send, if that is given.
    pub(crate) fn sent(&mut self, channel: Channel, sent: Option<Sent>) {
        self.meet(channel, End::Sent(sent));
    }

    /// A receive is posted.
    pub(crate) fn posted(&mut self, channel: Channel, time: u64) {
        self.meet(channel, End::Posted(time));
    }

    fn meet(&mut self, channel: Channel, end: End) {
        let open = self.open.entry(channel).or_default();
        let (sent, posted) = match (open.front().copied(), end) {
            (Some(End::Posted(posted)), End::Sent(sent)) | (Some(End::Sent(sent)), End::Posted(posted)) => {
                open.pop_front();
                (sent, posted)
            }
            _ => return open.push_back(end),
        };
        let Some(Sent { bytes, enter, leave }) = sent else { return };
        if self.by_size.len() >= MOST_SIZES && !self.by_size.contains_key(&bytes) {
            return;
        }
        let took = leave.saturating_sub(enter);
        let votes = self.by_size.entry(bytes).or_default();
        votes.all += 1;
        // Clocks may be off: what is clear is longer than the call is, or than its rest.
        votes.left += u64::from(posted.saturating_sub(leave) > took);
        votes.waited += u64::from(posted < leave && posted.saturating_sub(enter) > took / 2);
    }

    /// The sizes of sends that left mostly, and of those that mostly waited. Single ones do either by chance.
    pub(crate) fn sizes(&self) -> EagerSizes {
        let sizes = |is_one: fn(&Votes) -> bool| {
            let ones = self.by_size.iter().filter(move |(_, votes)| is_one(votes));
            ones.map(|(bytes, _)| *bytes)
        };
        EagerSizes {
            largest_left: sizes(|votes| votes.left > votes.waited).max(),
            smallest_waiting: sizes(|votes| votes.waited > votes.left.max(votes.all / LEAST_WAITING)).min(),
        }
    }
}

impl EagerSizes {
    /// The limit next to `usual` that they allow; `None` if they contradict each other, or show nothing.
    pub(crate) fn limit(&self, usual: usize) -> Option<usize> {
        let least = self.largest_left.map_or(0, |bytes| bytes as usize);
        let most = self.smallest_waiting.map_or(usize::MAX, |bytes| (bytes as usize).saturating_sub(1));
        let shows = self.largest_left.is_some() || self.smallest_waiting.is_some();
        (shows && least <= most).then(|| usual.clamp(least, most))
    }
}
