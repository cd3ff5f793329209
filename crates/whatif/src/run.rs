//! Runs of receives with nothing but work between them, whose messages may come in any order.

use ats_model::event::{CommunicatorRef, RegionRef};
use ats_model::mpi::{Function, Kind};
use ats_model::{Event, EventSource};

use crate::reader::Reader;
use crate::tables::{RegionKind, Tables};

/// The most receives that are looked at to find the one whose message comes first.
const LONGEST: usize = 256;

/// The most events that are looked at for that: they are in memory.
const MOST_EVENTS: usize = 1 << 16;

/// The message that a receive of a run takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Wanted {
    /// The next from this rank of a communicator with a tag, in a call that receives it.
    Message(CommunicatorRef, u32, u32),
    /// That of a request, which a call completes.
    Request(u64),
}

impl Wanted {
    /// Its communicator, sender and tag, in a call that receives it.
    pub(crate) fn message(self) -> Option<(CommunicatorRef, u32, u32)> {
        match self {
            Wanted::Message(communicator, from, tag) => Some((communicator, from, tag)),
            Wanted::Request(_) => None,
        }
    }

    /// The request that a call completes.
    pub(crate) fn request(self) -> Option<u64> {
        match self {
            Wanted::Message(..) => None,
            Wanted::Request(request) => Some(request),
        }
    }

    /// Whether receives that take one and the other can be exchanged.
    fn goes_with(self, other: Wanted) -> bool {
        match (self, other) {
            (Wanted::Message(one, ..), Wanted::Message(other, ..)) => one == other,
            (Wanted::Request(_), Wanted::Request(_)) => true,
            _ => false,
        }
    }
}

/// A receive of a run among the events ahead, with what goes with its message: the call and the work behind it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Receive {
    pub(crate) wanted: Wanted,
    /// The index of the first event on the way to the call: the regions that are entered before it.
    pub(crate) lead: usize,
    /// The index of the first event of the call.
    pub(crate) begin: usize,
    /// The index behind the last event that goes with the message.
    pub(crate) end: usize,
    /// When the call is entered and left, and when the work behind it ends.
    pub(crate) enter: u64,
    left: u64,
    pub(crate) until: u64,
}

impl Receive {
    /// Makes it the next one, with what goes with it: the others come later by as much as it takes. The call of the first is
    /// entered at `enter`, and the receive before it ends at `before`.
    pub(crate) fn bring<S: EventSource>(&self, reader: &mut Reader<'_, S>, enter: u64, before: u64) {
        let Receive { lead, begin, end, enter: was, until, .. } = *self;
        let (own, of_way) = (until.saturating_sub(was), was.saturating_sub(before));
        let run = reader.next_events(end);
        for (at, (time, _)) in run.iter_mut().enumerate() {
            *time = if at < lead {
                time.saturating_add(own).saturating_add(of_way)
            } else if at < begin {
                time.saturating_sub(before).saturating_add(enter).saturating_add(own)
            } else {
                time.saturating_add(enter).saturating_sub(was)
            };
        }
        run.rotate_right(end - lead);
        run[..end - lead].rotate_left(begin - lead);
    }
}

/// The work behind a call.
#[derive(Debug)]
struct Work {
    /// The index behind its last event, and when it ends.
    end: usize,
    until: u64,
    /// The regions that are entered from there to the next call.
    lead: Vec<RegionRef>,
    /// The index of the next call's first event; `None` if something else comes first.
    next: Option<usize>,
}

/// Finds runs among the events ahead.
pub(crate) struct Finder<'f, 's, S> {
    pub(crate) reader: &'f mut Reader<'s, S>,
    pub(crate) tables: &'f Tables<'f>,
}

impl<S: EventSource> Finder<'_, '_, S> {
    /// The receives of the run that begins with the call that is entered next, in regions `stack`. `may_change` tells which
    /// calls, entered at a time, may take other messages.
    pub(crate) fn run(
        &mut self,
        stack: &[RegionRef],
        may_change: impl Fn(RegionRef, u64, Wanted) -> bool,
    ) -> Vec<Receive> {
        let mut run: Vec<Receive> = Vec::new();
        let (mut lead, mut begin) = (0, 0);
        let mut way: Option<Vec<RegionRef>> = None;
        while run.len() < LONGEST && begin < MOST_EVENTS {
            let Some((receive, region)) = self.receive(lead, begin) else { break };
            let goes_along = run.first().is_none_or(|first| first.wanted.goes_with(receive.wanted));
            if !goes_along || !may_change(region, receive.enter, receive.wanted) {
                break;
            }
            let work = self.work(receive.end, way.as_ref().map(Vec::len));
            let Some(Work { end, until, lead: to_next, next }) = work else { break };
            run.push(Receive { end, until, ..receive });
            let is_same_way = match &way {
                None => stack.ends_with(&to_next),
                Some(way) => *way == to_next,
            };
            let Some(next) = next.filter(|_| is_same_way) else { break };
            way.get_or_insert(to_next);
            (lead, begin) = (end, next);
        }
        self.end(&mut run, way.map_or(0, |way| way.len()));
        run
    }

    /// The work behind the last receive of a run may need all that was received: it goes with the message if it is no more
    /// than twice as long as the work behind another. Else only the `below` regions around the call are left.
    fn end(&mut self, run: &mut [Receive], below: usize) {
        let Some((last, others)) = run.split_last_mut() else { return };
        let most = others.iter().map(|other| other.until.saturating_sub(other.left)).max().unwrap_or(0);
        if last.until.saturating_sub(last.left) <= most.saturating_mul(2) {
            return;
        }
        let mut depth = below;
        (last.end, last.until) = (last.begin, last.left);
        let mut is_left = false;
        while let Some((time, event)) = self.reader.event(last.end) {
            last.end += 1;
            last.until = time;
            match event {
                Event::Enter { .. } if is_left => depth += 1,
                Event::Leave { .. } if is_left => depth -= 1,
                Event::Leave { .. } => is_left = true,
                _ => {}
            }
            if is_left && depth == 0 {
                break;
            }
        }
    }

    /// The call that begins at an index, if it receives one message and does nothing else; and its region.
    fn receive(&mut self, lead: usize, begin: usize) -> Option<(Receive, RegionRef)> {
        let mut at = begin;
        let (enter, region) = loop {
            match self.reader.event(at)? {
                (_, Event::Attribute { .. } | Event::Metric { .. }) => at += 1,
                (enter, Event::Enter { region }) => break (enter, region),
                _ => return None,
            }
        };
        let RegionKind::Mpi(function) = self.tables.kind(region) else { return None };
        let completes = matches!(function.kind(), Kind::Completion { tests: false, .. });
        let mut wanted = None;
        loop {
            at += 1;
            let one = match self.reader.event(at)? {
                (_, Event::Attribute { .. } | Event::Metric { .. }) => continue,
                (left, Event::Leave { .. }) => {
                    let receive =
                        Receive { wanted: wanted?, lead, begin, end: at + 1, enter, left, until: left };
                    return Some((receive, region));
                }
                (_, Event::MpiRecv { sender, communicator, tag, .. }) if function == Function::Recv => {
                    Wanted::Message(communicator, sender, tag)
                }
                (_, Event::MpiIrecv { request, .. }) if completes => Wanted::Request(request),
                _ => return None,
            };
            if wanted.replace(one).is_some() {
                return None;
            }
        }
    }

    /// The work from an index on, at the lowest level of regions that it comes to, or `below` levels below the first one.
    /// `None` if it does not come there.
    fn work(&mut self, from: usize, below: Option<usize>) -> Option<Work> {
        let (mut depth, mut lowest) = (0_i64, below.map_or(0, |below| -(below as i64)));
        let mut is_there = lowest == 0;
        let (mut at, mut end, mut call) = (from, from, from);
        let mut lead = Vec::new();
        let next = loop {
            match self.reader.event(at).map(|(_, event)| event) {
                Some(Event::Attribute { .. } | Event::Metric { .. }) => {
                    at += 1;
                    continue;
                }
                Some(Event::Enter { region }) => match self.tables.kind(region) {
                    RegionKind::Plain => {
                        depth += 1;
                        lead.push(region);
                    }
                    RegionKind::Mpi(_) if depth == 0 => break Some(call),
                    _ => break None,
                },
                Some(Event::Leave { .. }) if below.is_some() && depth == lowest => break None,
                Some(Event::Leave { .. }) => {
                    depth -= 1;
                    lead.pop();
                    if depth <= lowest {
                        (lowest, end, is_there) = (depth, at + 1, true);
                        lead.clear();
                    }
                }
                _ => break None,
            }
            at += 1;
            call = at;
        };
        let until = match self.reader.event(end) {
            Some((time, _)) => time,
            None => self.reader.event(end.checked_sub(1)?)?.0,
        };
        is_there.then_some(Work { end, until, lead, next })
    }
}
