//! Messages that have come to a process, and receives that it has posted (MPI 4.1, section 3.5).

use ats_mpi::{Source, Tag};
use smallvec::SmallVec;

use crate::kernel::time::Picoseconds;
use crate::mpi::message::Message;
use crate::mpi::starts::StartNumber;
use crate::mpi::unexpected::Unexpected;

/// A receive that waits for its message.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Posted {
    pub(crate) operation: u32,
    pub(crate) group: u32,
    pub(crate) from: Source,
    pub(crate) tag: Tag,
    pub(crate) posted: Picoseconds,
    pub(crate) capacity: usize,
    /// The time to unpack the message.
    pub(crate) unpacking: Picoseconds,
    /// Whether it takes messages in partitions, and no others.
    pub(crate) partitioned: bool,
    /// Its start, if it is not posted by a call that waits.
    pub(crate) start: Option<StartNumber>,
}

impl Posted {
    fn takes(&self, message: &Message) -> bool {
        let source = match self.from {
            Source::Rank(rank) => rank == message.source as usize,
            Source::Any => true,
        };
        source
            && (self.group, self.partitioned) == (message.group, message.partitioned)
            && takes_tag(self.tag, message.tag)
    }
}

fn takes_tag(wanted: Tag, tag: u32) -> bool {
    match wanted {
        Tag::Is(wanted) => wanted == tag,
        Tag::Any => true,
    }
}

/// Messages without a receive, and receives without a message, of one process.
#[derive(Debug, Default)]
pub(crate) struct Mailbox {
    unexpected: Unexpected,
    posted: SmallVec<[Posted; 1]>,
    /// Messages that matched probes have taken away.
    taken_away: Vec<Message>,
    /// The number of posted receives from any source: with such, matching happens in the order of time.
    wildcards: u32,
}

impl Mailbox {
    /// The message that would be received first among those that are there at `now`.
    fn earliest(
        &self,
        group: u32,
        from: Source,
        tag: Tag,
        partitioned: bool,
        now: Picoseconds,
    ) -> Option<Message> {
        let first = match from {
            Source::Rank(rank) => self
                .unexpected
                .sent_by(group, rank as u32)
                .find(|message| message.partitioned == partitioned && takes_tag(tag, message.tag)),
            Source::Any => self.earliest_of_any(group, tag),
        };
        first.filter(|message| message.arrives <= now).copied()
    }

    /// A message in partitions has no receive from any source.
    #[inline(never)]
    fn earliest_of_any(&self, group: u32, tag: Tag) -> Option<&Message> {
        let takes = |it: &&Message| it.group == group && !it.partitioned && takes_tag(tag, it.tag);
        self.unexpected.in_order().find(takes)
    }

    /// Whether a receive of this source has to be posted in the order of time.
    pub(crate) fn is_ordered(&self, from: Source) -> bool {
        from == Source::Any || self.wildcards > 0
    }

    /// Whether messages are matched in the order of time.
    pub(crate) fn has_wildcards(&self) -> bool {
        self.wildcards > 0
    }

    /// The message that can be probed first.
    pub(crate) fn probe(&self, group: u32, from: Source, tag: Tag) -> Option<Message> {
        self.earliest(group, from, tag, false, Picoseconds::MAX)
    }

    /// Takes the message away that can be probed first, until a matched receive takes it; its number.
    pub(crate) fn take_away(&mut self, group: u32, from: Source, tag: Tag) -> u64 {
        let Some(message) = self.probe(group, from, tag) else { return 0 };
        self.unexpected.remove(&message);
        self.taken_away.push(message);
        message.number
    }

    /// The message of a number that was taken away, for its receive.
    pub(crate) fn taken_away(&mut self, number: u64) -> Option<Message> {
        let at = self.taken_away.iter().position(|message| message.number == number)?;
        Some(self.taken_away.swap_remove(at))
    }

    /// A message comes: takes the receive that it matches out, or keeps it.
    #[inline(always)]
    pub(crate) fn put(&mut self, message: &Message) -> Option<Posted> {
        if self.wildcards == 0
            && let Some(at) = self.posted.iter().position(|posted| posted.takes(message))
        {
            return Some(self.posted.remove(at));
        }
        self.unexpected.push(message);
        None
    }

    /// A receive is posted at `now`: takes the message that it matches out, or keeps it.
    #[inline(always)]
    pub(crate) fn post(&mut self, posted: &Posted) -> Option<Message> {
        let &Posted { group, from, tag, partitioned, .. } = posted;
        let ordered = self.is_ordered(from);
        let visible_until = if ordered { posted.posted } else { Picoseconds::MAX };
        if let Some(message) = self.earliest(group, from, tag, partitioned, visible_until) {
            self.unexpected.remove(&message);
            return Some(message);
        }
        if posted.from == Source::Any {
            self.wildcards += 1;
        }
        self.posted.push(*posted);
        None
    }

    /// When messages that fit a receive arrive.
    pub(crate) fn arrivals(&self, posted: &Posted) -> Vec<Picoseconds> {
        let fitting = self.unexpected.in_order().filter(|message| posted.takes(message));
        fitting.map(|message| message.arrives).collect()
    }

    /// Takes out the message that has arrived first by `now` and that a posted receive accepts, with that receive.
    pub(crate) fn take_arrived(&mut self, now: Picoseconds) -> Option<(Message, Posted)> {
        let arrived = || self.unexpected.in_order().take_while(|message| message.arrives <= now);
        let (message, at) = arrived().find_map(|message| {
            let at = self.posted.iter().position(|posted| posted.takes(message))?;
            Some((*message, at))
        })?;
        self.unexpected.remove(&message);
        let posted = self.posted.remove(at);
        if posted.from == Source::Any {
            self.wildcards -= 1;
        }
        Some((message, posted))
    }
}
