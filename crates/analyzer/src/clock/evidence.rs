//! Evidence of messages and collective operations about the clocks of their processes.

use super::clocks::ProcessCorrection;
use crate::{
    judge::collective::{Leaves, Link},
    records::{Message, MpiCall, process::Process},
    words::regions::CallKind,
};

/// A call that completes a message.
#[derive(Clone, Copy)]
pub(super) struct End {
    /// Index into [`Process::calls`].
    call: u32,
    /// Whether it completes no other message.
    is_alone: bool,
}

/// The calls that complete the messages of a process, by send and by receive.
pub(super) struct Ends {
    pub(super) sends: Vec<Option<End>>,
    pub(super) receives: Vec<Option<End>>,
}

impl Ends {
    pub(super) fn new(process: &Process) -> Self {
        let mut ends =
            Ends { sends: vec![None; process.sends.len()], receives: vec![None; process.receives.len()] };
        for completions in process.completions.chunk_by(|a, b| a.call == b.call) {
            for completion in completions {
                let end = Some(End { call: completion.call, is_alone: completions.len() == 1 });
                match completion.message {
                    Message::Send(send) => ends.sends[send as usize] = end,
                    Message::Receive(receive) => ends.receives[receive as usize] = end,
                    Message::Collective(_) => {}
                }
            }
        }
        ends
    }
}

/// The ratio of durations above which a call counts as having waited for that of its partner.
const WAITED: u64 = 10;

/// The facts known of a message when its ends are seen together.
pub(super) struct Transfer {
    /// The call that sends.
    pub(super) send: MpiCall,
    /// The call that posts the receive.
    pub(super) receive: MpiCall,
    /// The call that completes the send.
    pub(super) sent: Option<MpiCall>,
    /// The call that completes the receive.
    pub(super) received: Option<MpiCall>,
    /// Whether the two are likely to end together: when that which sends, or completes the send, and that which
    /// completes the receive are left.
    pub(super) together: Option<(u64, u64)>,
}

impl Transfer {
    pub(super) fn new(
        (from, send, sent): (&Process, u32, Option<End>),
        (to, receive, received): (&Process, u32, Option<End>),
    ) -> Self {
        let start = from.calls[from.sends[send as usize].start as usize];
        let post = to.calls[to.receives[receive as usize].start as usize];
        let call = |process: &Process, end: End| process.calls[end.call as usize];
        let completed = received.filter(|end| end.is_alone).map(|end| call(to, end));
        let together = completed.filter(|call| call.kind.may_wait_for_receiver()).and_then(|completed| {
            if start.kind == CallKind::Synchronous {
                let sent = sent.filter(|end| end.is_alone).map(|end| call(from, end))?;
                return Some((sent.leave, completed.leave));
            }
            let has_waited = completed.duration() / WAITED > start.duration();
            has_waited.then_some((start.leave, completed.leave))
        });
        Transfer {
            send: start,
            receive: post,
            sent: sent.map(|end| call(from, end)),
            received: received.map(|end| call(to, end)),
            together,
        }
    }
}

/// The largest of some times, and the clock it is of, and the largest of the other clocks'.
#[derive(Clone, Copy, Default)]
pub(super) struct Largest {
    first: Option<(i128, usize)>,
    second: Option<i128>,
}

impl Largest {
    fn add(&mut self, time: i128, clock: usize) {
        match self.first {
            Some((first, of)) if of == clock => self.first = Some((first.max(time), clock)),
            Some((first, _)) if first >= time => self.second = self.second.max(Some(time)),
            first => {
                self.second = first.map(|(first, _)| first);
                self.first = Some((time, clock));
            }
        }
    }

    pub(super) fn without(&self, clock: usize) -> Option<i128> {
        match self.first {
            Some((_, of)) if of == clock => self.second,
            first => first.map(|(time, _)| time),
        }
    }
}

/// Parts of the processes with aligned clocks in a collective operation, in common time.
#[derive(Clone, Copy, Default)]
pub(super) struct Meeting {
    /// The begins of members that give something to the others.
    pub(super) givers: Largest,
    /// The ends of members that take something from them, negative: the earliest is the largest.
    pub(super) takers: Largest,
    /// The sum of the ends of members that leave with all others, and their number.
    ends: (i128, i128),
    /// The root's end, and how many ticks it took.
    root: Option<(i128, u64)>,
}

impl Meeting {
    pub(super) fn add(&mut self, link: &Link, clock: usize, correction: ProcessCorrection) {
        if link.gives {
            self.givers.add(correction.apply(link.begin), clock);
        }
        let end = correction.apply(link.end);
        if link.takes {
            self.takers.add(-end, clock);
        }
        match link.leaves {
            Leaves::WithAll => self.ends = (self.ends.0 + end, self.ends.1 + 1),
            Leaves::AsRoot => self.root = Some((end, link.duration())),
            Leaves::AfterRoot | Leaves::Alone => {}
        }
    }

    /// The likely end of a part.
    pub(super) fn likely_end(&self, link: &Link) -> Option<i128> {
        match (link.leaves, self.ends, self.root) {
            (Leaves::WithAll, (sum, count @ 1..), _) => Some(sum / count),
            (Leaves::AfterRoot, _, Some((end, duration))) => {
                (link.duration() / WAITED > duration).then_some(end)
            }
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Largest;

    #[test]
    fn the_second_is_the_largest_of_the_other_clocks() {
        let largest = |times: [(i128, usize); 4]| {
            let mut largest = Largest::default();
            times.into_iter().for_each(|(time, clock)| largest.add(time, clock));
            [0, 1, 2].map(|clock| largest.without(clock))
        };
        assert_eq!(largest([(5, 0), (3, 1), (4, 0), (6, 0)]), [Some(3), Some(6), Some(6)]);
        assert_eq!(largest([(4, 0), (5, 1), (6, 0), (2, 2)]), [Some(5), Some(6), Some(6)]);
        assert_eq!(largest([(1, 0), (2, 0), (2, 0), (0, 0)]), [None, Some(2), Some(2)]);
    }
}
