//! The events of a location, part by part, and what they say ahead: the message that completes a request.

use std::collections::VecDeque;

use ats_model::event::{CollectiveOperation, CommunicatorRef, RegionRef};
use ats_model::{Event, EventSource};
use ats_trace::packed::Queue;
use rustc_hash::FxHashMap;

use crate::clock::ClockOfLocation;

/// The number of events that are unpacked at once.
const AT_ONCE: usize = 64;

/// The operation that completes a request.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Completion {
    /// A message from `sender`.
    Message { sender: u32, communicator: CommunicatorRef, tag: u32 },
    /// A part of a collective operation.
    Collective {
        operation: CollectiveOperation,
        communicator: CommunicatorRef,
        root: Option<u32>,
        sent: u64,
        received: u64,
    },
    /// It is cancelled.
    Cancelled,
}

/// Reads a location from its begin to its end.
pub(crate) struct Reader<'s, S> {
    source: &'s S,
    location: usize,
    clock: ClockOfLocation,
    /// The next part to read; `None` after the last one.
    next_part: Option<usize>,
    /// Events that are read and not unpacked, with their times in ticks.
    packed: Queue,
    /// Events that are unpacked and not taken, with their times in picoseconds.
    events: VecDeque<(u64, Event)>,
    /// The number of `events` that were searched for completions.
    searched: usize,
    /// By request: its completions among the events searched.
    completions: FxHashMap<u64, VecDeque<Completion>>,
    /// Why the location could not be read to its end.
    pub(crate) damage: Option<String>,
}

impl<'s, S: EventSource> Reader<'s, S> {
    pub(crate) fn new(source: &'s S, location: usize, clock: ClockOfLocation) -> Self {
        Reader {
            source,
            location,
            clock,
            next_part: Some(0),
            packed: Queue::default(),
            events: VecDeque::new(),
            searched: 0,
            completions: FxHashMap::default(),
            damage: None,
        }
    }

    /// A time stamp in picoseconds.
    pub(crate) fn picoseconds(&self, ticks: u64) -> u64 {
        self.clock.picoseconds(ticks)
    }

    /// The least difference between time stamps, in picoseconds.
    pub(crate) fn tick(&self) -> u64 {
        self.clock.tick
    }

    /// Unpacks more events; returns whether there are more. A part of an archive has a megabyte, and ten of them unpacked.
    fn read(&mut self) -> bool {
        let before = self.events.len();
        loop {
            let next = std::iter::from_fn(|| self.packed.pop()).take(AT_ONCE);
            self.events.extend(next.map(|(ticks, event)| (self.clock.picoseconds(ticks), event)));
            if self.events.len() > before {
                return true;
            }
            let Some(part) = self.next_part else { return false };
            let Reader { source, location, packed, .. } = self;
            match source.read_part(*location, part, |ticks, event| packed.push(ticks, event)) {
                Ok(more) => self.next_part = more.then_some(part + 1),
                Err(error) => {
                    self.damage = Some(error.to_string());
                    self.next_part = None;
                }
            }
        }
    }

    /// Takes the next event, with its time in picoseconds.
    pub(crate) fn next(&mut self) -> Option<(u64, Event)> {
        if self.events.is_empty() && !self.read() {
            return None;
        }
        self.searched = self.searched.saturating_sub(1);
        self.events.pop_front()
    }

    /// The event that comes after so many others.
    pub(crate) fn event(&mut self, index: usize) -> Option<(u64, Event)> {
        while index >= self.events.len() && self.read() {}
        self.events.get(index).copied()
    }

    /// Makes an event the next one, which was taken.
    pub(crate) fn put_back(&mut self, time: u64, event: Event) {
        self.searched += usize::from(self.searched > 0);
        self.events.push_front((time, event));
    }

    /// The next events, to be put in another order.
    pub(crate) fn next_events(&mut self, number: usize) -> &mut [(u64, Event)] {
        // What is searched stays in front of what is not.
        while self.searched < number {
            self.search();
        }
        &mut self.events.make_contiguous()[..number]
    }

    /// The first event from here on that is neither an attribute nor a value of a metric.
    pub(crate) fn peek(&mut self) -> Option<(u64, Event)> {
        let mut at = 0;
        loop {
            match self.events.get(at).copied() {
                Some((_, Event::Attribute { .. } | Event::Metric { .. })) => at += 1,
                None if self.read() => {}
                event => return event,
            }
        }
    }

    /// The first region from here on that is entered and that `is_one`.
    pub(crate) fn next_entered(&mut self, is_one: impl Fn(RegionRef) -> bool) -> Option<RegionRef> {
        let mut at = 0;
        loop {
            match self.events.get(at).copied() {
                Some((_, Event::Enter { region })) if is_one(region) => return Some(region),
                Some(_) => at += 1,
                None if self.read() => {}
                None => return None,
            }
        }
    }

    /// Takes the completion of a request that is started here; `None` if there is none.
    pub(crate) fn completion(&mut self, request: u64) -> Option<Completion> {
        loop {
            if let Some(completions) = self.completions.get_mut(&request)
                && let Some(completion) = completions.pop_front()
            {
                if completions.is_empty() {
                    self.completions.remove(&request);
                }
                return Some(completion);
            }
            if self.searched == self.events.len() && !self.read() {
                return None;
            }
            self.search();
        }
    }

    /// Searches the next event for a completion.
    fn search(&mut self) {
        let Some(&(_, event)) = self.events.get(self.searched) else { return };
        self.searched += 1;
        let (request, completion) = match event {
            Event::MpiIrecv { sender, communicator, tag, request, .. } => {
                (request, Completion::Message { sender, communicator, tag })
            }
            Event::NonBlockingCollectiveComplete {
                operation,
                communicator,
                root,
                sent,
                received,
                request,
            } => {
                let (root, sent, received) = (root.rank(), sent.into(), received.into());
                (request, Completion::Collective { operation, communicator, root, sent, received })
            }
            Event::MpiRequestCancelled { request } => (request, Completion::Cancelled),
            _ => return,
        };
        self.completions.entry(request).or_default().push_back(completion);
    }
}
