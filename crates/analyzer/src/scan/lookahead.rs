//! Requests that are open for long: their fate is found by reading ahead, once.
//!
//! Messages on a channel match in the order of their starts. The channel of a posted receive is unknown before it is
//! complete, and a send may still be cancelled; so nothing that is started later is settled. A location's lookahead
//! knows the channels of requests that stay open for long, the only ones that matter.

use ats_model::{
    Event, EventSource,
    event::{CollectiveOperation, CommunicatorRef, Root},
    messages::Envelope,
};
use rustc_hash::FxHashMap;

/// The end of a part in a collective operation.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Ended {
    pub(crate) time: u64,
    pub(crate) operation: CollectiveOperation,
    pub(crate) communicator: CommunicatorRef,
    pub(crate) root: Root,
    /// Bytes that the process contributes.
    pub(crate) sent: u64,
    /// Bytes that the process gets.
    pub(crate) received: u64,
}

impl Ended {
    /// The end that an event tells of, if it does.
    pub(crate) fn from_event(time: u64, event: Event) -> Option<Self> {
        match event {
            Event::MpiCollectiveEnd { operation, communicator, root, sent, received } => {
                Some(Ended { time, operation, communicator, root: root.into(), sent, received })
            }
            Event::NonBlockingCollectiveComplete {
                operation, communicator, root, sent, received, ..
            } => {
                let (sent, received) = (sent.into(), received.into());
                Some(Ended { time, operation, communicator, root, sent, received })
            }
            _ => None,
        }
    }
}

/// The outcome of a request.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Fate {
    /// A receive of this message.
    Received(Envelope),
    /// A part in a collective operation that ends like this.
    Collective(Ended),
    /// A send that is cancelled.
    Cancelled,
    /// A send that is not cancelled, or a receive of nothing.
    Settled,
}

/// The fates of a location's requests that are open for long, each by how many were started before it.
#[derive(Debug, Default)]
pub(crate) struct Lookahead {
    fates: FxHashMap<u64, Fate>,
}

impl Lookahead {
    /// Reads ahead; requests are open for long if they are for more than `long` events. Events that cannot be read are
    /// not foreseen: they will not come. What a location does not complete comes to nothing if it `is_alone`; other
    /// threads of its process may complete it.
    pub(crate) fn new<S: EventSource>(source: &S, location: usize, long: u64, is_alone: bool) -> Self {
        let mut reader = Reader { long, is_alone, ..Reader::default() };
        _ = source.read_location(location, |time, event| reader.visit(time, event));
        if reader.is_alone {
            let open: Vec<u64> = reader.open.keys().copied().collect();
            open.into_iter().for_each(|request| reader.ends(request, |_| Fate::Settled));
        }
        Lookahead { fates: reader.fates }
    }

    /// The fate of the request with `number` requests started before it.
    pub(crate) fn fate(&self, number: u64) -> Option<Fate> {
        self.fates.get(&number).copied()
    }
}

#[derive(Clone, Copy)]
struct Started {
    number: u64,
    /// The number of events before it.
    events: u64,
    is_send: bool,
}

/// The most requests that are followed of a thread among others: those that the others complete have no end here.
const MOST: usize = 1 << 15;

#[derive(Default)]
struct Reader {
    long: u64,
    is_alone: bool,
    events: u64,
    /// The number of events up to the last that switches recording on or off.
    switched: u64,
    started: u64,
    open: FxHashMap<u64, Started>,
    fates: FxHashMap<u64, Fate>,
}

impl Reader {
    fn visit(&mut self, time: u64, event: Event) {
        self.events += 1;
        match event {
            Event::MpiIsend { request, .. } => self.starts(request, true),
            Event::MpiIrecvRequest { request } => self.starts(request, false),
            Event::MpiIrecv { sender, communicator, tag, request, .. } => {
                let received = Fate::Received(Envelope { communicator, peer: sender, tag });
                self.ends(request, |is_send| if is_send { Fate::Settled } else { received });
            }
            Event::NonBlockingCollectiveRequest { request } => self.starts(request, false),
            Event::NonBlockingCollectiveComplete { request, .. } => {
                let fate = Ended::from_event(time, event).map_or(Fate::Settled, Fate::Collective);
                self.ends(request, |_| fate);
            }
            Event::MpiIsendComplete { request } => self.ends(request, |_| Fate::Settled),
            Event::MpiRequestCancelled { request } => {
                self.ends(request, |is_send| if is_send { Fate::Cancelled } else { Fate::Settled });
            }
            // What is not complete after it may be complete.
            Event::MeasurementOnOff { .. } => (self.is_alone, self.switched) = (false, self.events),
            _ => {}
        }
    }

    fn starts(&mut self, request: u64, is_send: bool) {
        // One that was started before recording was switched off may be complete, too.
        if self.open.get(&request).is_some_and(|before| before.events > self.switched) {
            self.ends(request, |_| Fate::Settled);
        }
        let started = Started { number: self.started, events: self.events, is_send };
        self.open.insert(request, started);
        self.started += 1;
        if self.open.len() > MOST && !self.is_alone {
            let since = self.started - MOST as u64 / 2;
            self.open.retain(|_, started| started.number >= since);
        }
    }

    fn ends(&mut self, request: u64, fate: impl FnOnce(bool) -> Fate) {
        let Some(started) = self.open.remove(&request) else { return };
        if self.events - started.events > self.long {
            self.fates.insert(started.number, fate(started.is_send));
        }
    }
}
