//! Messages: posting, matching, and when each side is done (MPI 4.1, sections 3.4, 3.5 and 3.7).

use crate::rules::{Blocked, Cause};
use ats_model::CallPathId;
use ats_mpi::{SendMode, Source, Tag};
use smallvec::SmallVec;

use crate::account::MessageWait;
use crate::time::Picoseconds;
use crate::unexpected::Unexpected;
use crate::world::{Due, World};

/// A started operation of a location.
#[derive(Clone, Debug)]
pub(crate) struct Operation {
    pub(crate) kind: Kind,
    pub(crate) group: u32,
    /// Whether the location waits for it right now.
    pub(crate) awaited: bool,
    pub(crate) persistent: bool,
    pub(crate) state: State,
}

/// What an operation is.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Kind {
    Send { mode: SendMode, to: u32, tag: u32, bytes: usize, message: u64 },
    Recv { from: Source, tag: Tag, capacity: usize },
    Collective { instance: u32, cause: Option<Cause> },
}

/// How far an operation is.
#[derive(Clone, Copy, Debug)]
pub(crate) enum State {
    /// Prepared, not started (persistent requests).
    Inactive,
    Started,
    Done(Done),
}

/// How an operation ended.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Done {
    /// When, at the earliest, its call can return.
    pub(crate) at: Picoseconds,
    /// When the partner did what this operation needs: the send began, the receive was posted, the last one came.
    pub(crate) partner: Option<Picoseconds>,
    /// When the first member left (collectives).
    pub(crate) earliest_end: Picoseconds,
    pub(crate) received: Received,
}

/// What a completed operation hands over.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Received {
    /// Rank of the sender in the communicator, or this rank in a new communicator.
    pub(crate) source: u32,
    pub(crate) tag: u32,
    /// Bytes received, or the number of a new communicator.
    pub(crate) bytes: usize,
}

/// A message on its way.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Message {
    pub(crate) number: u64,
    pub(crate) group: u32,
    pub(crate) source: u32,
    tag: u32,
    bytes: usize,
    sender: u32,
    operation: u32,
    eager: bool,
    sent: Picoseconds,
    arrives: Picoseconds,
}

/// A receive that waits for its message.
#[derive(Clone, Copy, Debug)]
struct Posted {
    operation: u32,
    group: u32,
    from: Source,
    tag: Tag,
    posted: Picoseconds,
    capacity: usize,
}

impl Posted {
    fn takes(&self, message: &Message) -> bool {
        let source = match self.from {
            Source::Rank(rank) => rank == message.source as usize,
            Source::Any => true,
        };
        source && self.group == message.group && takes_tag(self.tag, message.tag)
    }
}

fn takes_tag(wanted: Tag, tag: u32) -> bool {
    match wanted {
        Tag::Is(wanted) => wanted == tag,
        Tag::Any => true,
    }
}

/// What has come to a location, and what it is ready to receive.
#[derive(Debug, Default)]
pub(crate) struct Mailbox {
    unexpected: Unexpected,
    posted: SmallVec<[Posted; 1]>,
    /// How many of the posted receives take any source: then matching happens in the order of time.
    wildcards: u32,
}

impl Mailbox {
    /// The message that would be received first of those that are there at `now`.
    fn earliest(&self, group: u32, from: Source, tag: Tag, now: Picoseconds) -> Option<Message> {
        let first = match from {
            Source::Rank(rank) => {
                self.unexpected.of(group, rank as u32).find(|message| takes_tag(tag, message.tag))
            }
            Source::Any => self.earliest_of_any(group, tag),
        };
        first.filter(|message| message.arrives <= now).copied()
    }

    #[inline(never)]
    fn earliest_of_any(&self, group: u32, tag: Tag) -> Option<&Message> {
        let messages = self.unexpected.iter();
        messages
            .filter(|message| message.group == group && takes_tag(tag, message.tag))
            .min_by_key(|message| (message.arrives, message.source, message.number))
    }

    /// Whether a receive of this source has to be posted in the order of time.
    pub(crate) fn ordered(&self, from: Source) -> bool {
        from == Source::Any || self.wildcards > 0
    }

    /// When a message that can be probed arrives, and which.
    pub(crate) fn probe(&self, group: u32, from: Source, tag: Tag) -> Option<(Picoseconds, u32, u32, usize)> {
        self.earliest(group, from, tag, Picoseconds::MAX)
            .map(|message| (message.arrives, message.source, message.tag, message.bytes))
    }
}

/// The call that completed a send whose receive is not posted yet.
#[derive(Clone, Copy, Debug)]
pub(crate) struct CompletedSend {
    pub(crate) location: u32,
    pub(crate) call: &'static str,
    pub(crate) call_path: CallPathId,
    pub(crate) enter: Picoseconds,
    pub(crate) leave: Picoseconds,
    pub(crate) communicator: u32,
}

impl CompletedSend {
    /// How long it waited for a receive that was posted at `posted`.
    fn wait(&self, posted: Picoseconds) -> MessageWait {
        late_receiver(posted, self.enter, self.leave, self.communicator)
    }
}

/// The wait of a send-completing call for its receive.
pub(crate) fn late_receiver(
    posted: Picoseconds,
    enter: Picoseconds,
    leave: Picoseconds,
    communicator: u32,
) -> MessageWait {
    // A send that returned before the receive was posted did not wait for it, however long it took.
    let ticks = if leave >= posted { posted.saturating_sub(enter) } else { 0 };
    MessageWait {
        blocked: Blocked { cause: Cause::ReceiveNotPosted, ticks },
        source: 0,
        sent: 0,
        communicator,
    }
}

/// The wait of a receive-completing call for its send.
pub(crate) fn late_sender(
    sent: Picoseconds,
    source: u32,
    enter: Picoseconds,
    leave: Picoseconds,
    communicator: u32,
) -> MessageWait {
    let ticks = sent.min(leave).saturating_sub(enter);
    MessageWait { blocked: Blocked { cause: Cause::MessageNotSent, ticks }, source, sent, communicator }
}

impl World<'_> {
    /// Whether the location that runs has to wait for any of these, which it then does.
    #[inline(always)]
    pub(crate) fn awaits(&mut self, numbers: &[u32]) -> bool {
        let here = self.here();
        let mut awaits = 0;
        for &number in numbers {
            if let Some(operation) = here.operations.get_mut(number)
                && matches!(operation.state, State::Started)
            {
                operation.awaited = true;
                awaits += 1;
            }
        }
        here.awaits = awaits;
        awaits > 0
    }

    /// An operation of a location that is still kept.
    pub(crate) fn operation(&mut self, location: u32, number: u32) -> Option<&mut Operation> {
        self.locations[location as usize].operations.get_mut(number)
    }

    /// Whether an operation of the location that runs has to be started in the order of time.
    pub(crate) fn is_in_order(&mut self, kind: &Kind) -> bool {
        matches!(*kind, Kind::Recv { from, .. } if self.here().mailbox.ordered(from))
    }

    /// Starts a kept operation of the location that runs; `call` is its part if it is collective, and `leaves` when it
    /// will leave, if that is pinned.
    pub(crate) fn start(
        &mut self,
        number: u32,
        kind: &Kind,
        call: Option<&crate::collective::Call>,
        leaves: Option<Picoseconds>,
    ) {
        if let Some(call) = call {
            return self.start_collective(number, call, leaves);
        }
        match kind {
            Kind::Send { .. } => self.start_send(number),
            Kind::Recv { from, .. } => self.start_recv(number, *from),
            Kind::Collective { .. } => {}
        }
    }

    /// Starts a send of the location that runs.
    pub(crate) fn start_send(&mut self, number: u32) {
        let here = self.current as u32;
        let now = self.here().clock;
        let (eager_limit, overhead) = (self.costs.eager_limit, self.costs.overhead);
        self.operations += 1;
        let message_number = self.operations;
        let Some(operation) = self.operation(here, number) else { return };
        let group = operation.group;
        let Kind::Send { mode, to, tag, bytes, message } = &mut operation.kind else { return };
        *message = message_number;
        let (to, tag, bytes) = (*to, *tag, *bytes);
        let eager = match mode {
            SendMode::Synchronous => false,
            SendMode::Standard => bytes <= eager_limit,
            SendMode::Buffered | SendMode::Ready => true,
        };
        operation.state = if eager {
            let received = Received::default();
            State::Done(Done { at: now.saturating_add(overhead), partner: None, earliest_end: 0, received })
        } else {
            State::Started
        };
        let travel = self.costs.transfer(if eager { bytes } else { 0 });
        let source = self.groups[group as usize].rank_of(here);
        let message = Message {
            number: message_number,
            group,
            source,
            tag,
            bytes,
            sender: here,
            operation: number,
            eager,
            sent: now,
            arrives: now.saturating_add(overhead).saturating_add(travel),
        };
        self.deliver(self.groups[group as usize].members[to as usize], message);
    }

    fn deliver(&mut self, to: u32, message: Message) {
        let location = &mut self.locations[to as usize];
        let mailbox = &mut location.mailbox;
        if mailbox.wildcards == 0
            && let Some(at) = mailbox.posted.iter().position(|posted| posted.takes(&message))
        {
            let posted = mailbox.posted.remove(at);
            self.matched(to, &message, &posted);
            return;
        }
        mailbox.unexpected.push(&message);
        if mailbox.wildcards > 0 {
            self.push(message.arrives, Due::Match(to));
        } else if location.awaits_message {
            location.awaits_message = false;
            let time = message.arrives.max(location.clock);
            self.push(time, Due::Resume(to));
        }
    }

    /// Starts a receive of the location that runs, from a source that may be known better than when it was kept.
    pub(crate) fn start_recv(&mut self, number: u32, from: Source) {
        let here = self.current as u32;
        let now = self.here().clock;
        self.operations += 1;
        let Some(operation) = self.operation(here, number) else { return };
        operation.state = State::Started;
        let group = operation.group;
        let Kind::Recv { tag, capacity, .. } = operation.kind else { return };
        let posted = Posted { operation: number, group, from, tag, posted: now, capacity };
        let mailbox = &mut self.here().mailbox;
        let ordered = mailbox.ordered(from);
        let visible_until = if ordered { now } else { Picoseconds::MAX };
        if let Some(message) = mailbox.earliest(group, from, tag, visible_until) {
            mailbox.unexpected.remove(&message);
            self.matched(here, &message, &posted);
            return;
        }
        mailbox.posted.push(posted);
        if ordered {
            self.match_later(&posted);
        }
    }

    /// A receive of the location that runs was posted that takes what arrives first.
    #[inline(never)]
    fn match_later(&mut self, posted: &Posted) {
        let here = self.current as u32;
        let mailbox = &mut self.here().mailbox;
        if posted.from == Source::Any {
            mailbox.wildcards += 1;
        }
        let fitting = mailbox.unexpected.iter().filter(|message| posted.takes(message));
        let arrivals: Vec<_> = fitting.map(|message| message.arrives).collect();
        for arrives in arrivals {
            self.push(arrives, Due::Match(here));
        }
    }

    /// Matches what has arrived at a location by `now` with its receives; nothing can happen before `now` any more.
    pub(crate) fn match_wildcards(&mut self, location: usize, now: Picoseconds) {
        loop {
            let mailbox = &mut self.locations[location].mailbox;
            let arrived = mailbox.unexpected.iter().filter(|message| message.arrives <= now);
            let first = arrived
                .filter_map(|message| {
                    let at = mailbox.posted.iter().position(|posted| posted.takes(message))?;
                    Some((message.arrives, message.source, message.number, at, *message))
                })
                .min_by_key(|&(arrives, source, number, ..)| (arrives, source, number));
            let Some((.., at, message)) = first else { return };
            mailbox.unexpected.remove(&message);
            let posted = mailbox.posted.remove(at);
            if posted.from == Source::Any {
                mailbox.wildcards -= 1;
            }
            self.matched(location as u32, &message, &posted);
        }
    }

    /// A message has found its receive: from here on both sides' times are known.
    fn matched(&mut self, receiver: u32, message: &Message, posted: &Posted) {
        if message.bytes > posted.capacity {
            let (bytes, capacity, source) = (message.bytes, posted.capacity, message.source);
            let message = format!(
                "a message of {bytes} bytes from rank {source} does not fit the receive buffer of {capacity} bytes"
            );
            let place = self.place(receiver as usize);
            self.fail(crate::SimulationError::Misuse { place, message });
            return;
        }
        let begins = message.arrives.max(posted.posted.saturating_add(self.costs.overhead));
        let at =
            if message.eager { begins } else { begins.saturating_add(self.costs.transfer(message.bytes)) };
        let received = Received { source: message.source, tag: message.tag, bytes: message.bytes };
        let done = |partner| Done { at, partner: Some(partner), earliest_end: 0, received };
        self.done(receiver, posted.operation, done(message.sent));
        if !message.eager {
            self.done(message.sender, message.operation, done(posted.posted));
            return;
        }
        let operation = self.operation(message.sender, message.operation);
        if let Some(Operation { kind: Kind::Send { message: number, .. }, state: State::Done(done), .. }) =
            operation
            && *number == message.number
        {
            done.partner = Some(posted.posted);
        } else if let Some(completed) = self.completed_sends.remove(&message.number) {
            let wait = completed.wait(posted.posted);
            let account = &mut self.locations[completed.location as usize].account;
            account.messages(completed.call, completed.call_path, &[wait]);
        }
    }

    /// An operation is done; its location goes on if that was the last it waits for.
    pub(crate) fn done(&mut self, location: u32, number: u32, done: Done) {
        let Some(operation) = self.operation(location, number) else { return };
        operation.state = State::Done(done);
        if std::mem::take(&mut operation.awaited) {
            let waiting = &mut self.locations[location as usize];
            // One that waits for any of several may have been called already.
            if waiting.awaits > 0 {
                waiting.awaits -= 1;
                if waiting.awaits == 0 {
                    self.ready(location);
                }
            }
        }
    }
}
