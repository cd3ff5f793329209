//! Pass 1: the events of one location, read once; only what concerns MPI, OpenMP and the basis is kept.

mod threads;

use ats_model::{
    CallPathId, CallTree, Definitions, Event,
    event::{CollectiveOperation, CommunicatorRef, Record, RegionRef},
    groups::Interner,
    messages::{Channel, Envelope},
};
use rustc_hash::FxHashMap;

use crate::{
    base::Base,
    calls::{CallKind, ConstructKind, RegionTraits, Regions},
    damage::{Damage, Damages},
    foresight::{Fate, Foresight},
    process::{Call, Collective, Completion, Message, MessageEnd, Place, Records, Span},
    threads::Threads,
    visits::Visits,
};

/// What pass 1 learns of a location.
#[derive(Debug, Default)]
pub(crate) struct Scan {
    pub(crate) tree: CallTree<RegionRef>,
    pub(crate) events: u64,
    /// The first and the last time stamp; none without events.
    pub(crate) time: Option<(u64, u64)>,
    /// First entry into the region of the basis and last exit from it.
    pub(crate) in_basis: Option<(u64, u64)>,
    pub(crate) records: Records,
    pub(crate) threads: Threads,
    /// Places that paths of this location continue: where its teams were started.
    pub(crate) bases: Vec<Place>,
    pub(crate) visits: Visits,
    pub(crate) damages: Damages,
}

impl Scan {
    /// Gives the places of the location the bases that are known by now.
    pub(crate) fn renumber(&mut self, bases: &[Base]) {
        self.visits.renumber(bases);
        self.records.places_mut().for_each(|place| place.base = place.base.renumbered(bases));
    }

    /// Brings the times that are kept of the location itself to another clock.
    pub(crate) fn retime(&mut self, clock: impl Fn(u64) -> u64) {
        for (first, last) in self.time.iter_mut().chain(&mut self.in_basis) {
            (*first, *last) = (clock(*first), clock(*last));
        }
    }
}

/// A region that is entered and not yet left.
#[derive(Clone, Copy)]
struct Frame {
    region: RegionRef,
    path: CallPathId,
    enter: u64,
    /// Its entry in [`Records::calls`], once it has one.
    call: Option<u32>,
    traits: RegionTraits,
}

/// What a pending request is.
#[derive(Clone, Copy)]
enum Request {
    /// A send: index into [`Records::sends`].
    Send(u32),
    /// A receive and the call that posted it: index into [`Records::calls`].
    Receive(u32),
    /// A receive whose channel is foreseen: index into [`Records::receives`].
    Foreseen(u32),
}

/// A request that is started and not complete.
#[derive(Clone, Copy)]
struct Pending {
    /// How many were started before it.
    number: u64,
    request: Request,
    /// Whether it is known what it does to its channel.
    is_sure: bool,
}

/// The channel of each envelope seen; none where the envelope cannot be right.
#[derive(Default)]
struct Channels {
    envelopes: Interner<Envelope>,
    numbers: Vec<Option<u32>>,
}

impl Channels {
    fn number(
        &mut self,
        channels: &mut Interner<Channel>,
        envelope: Envelope,
        channel: impl FnOnce() -> Option<Channel>,
    ) -> Option<u32> {
        let number = self.envelopes.number(envelope) as usize;
        if number == self.numbers.len() {
            self.numbers.push(channel().map(|channel| channels.number(channel)));
        }
        self.numbers[number]
    }

    /// The channel of a message that `rank` receives.
    fn receiving(
        &mut self,
        definitions: &Definitions,
        rank: u32,
        records: &mut Records,
        envelope: Envelope,
    ) -> Option<u32> {
        self.number(&mut records.receive_channels, envelope, || envelope.received_by(rank, definitions))
    }
}

/// What is under way of the MPI records of a location.
#[derive(Debug)]
pub(crate) struct OpenRecords {
    /// Calls that are not left, or have started what is not complete: indices into [`Records::calls`].
    pub(crate) calls: Vec<u32>,
    /// Sends that are not complete: indices into [`Records::sends`].
    pub(crate) sends: Vec<u32>,
    /// The first call that may start what is not known yet, as an index and in time.
    pub(crate) first: u32,
    pub(crate) since: u64,
}

impl Default for OpenRecords {
    fn default() -> Self {
        OpenRecords { calls: Vec::new(), sends: Vec::new(), first: u32::MAX, since: u64::MAX }
    }
}

/// What the records of a location are called when those that are settled are forgotten.
#[derive(Debug)]
pub(crate) struct RecordNumbers {
    pub(crate) calls: Vec<u32>,
    pub(crate) sends: Vec<u32>,
    pub(crate) receives: Vec<u32>,
}

/// Reads the events of one location.
pub(crate) struct Scanner<'a> {
    definitions: &'a Definitions,
    regions: &'a Regions,
    location: usize,
    rank: u32,
    stack: Vec<Frame>,
    /// Per call path the child that was entered last.
    last_child: Vec<(RegionRef, CallPathId)>,
    requests: FxHashMap<u64, Pending>,
    /// How many were started.
    started: u64,
    foresight: Foresight,
    sent_on: Channels,
    received_on: Channels,
    collective_begin: Option<u64>,
    last_time: u64,
    /// Whether the location is the main thread of a process with several.
    is_main_of_several: bool,
    open: threads::Open,
    /// Whether there are no more events.
    is_over: bool,
    scan: Scan,
}

const NO_CHILD: (RegionRef, CallPathId) = (RegionRef(u32::MAX), CallPathId::ROOT);

impl<'a> Scanner<'a> {
    pub(crate) fn new(
        definitions: &'a Definitions,
        regions: &'a Regions,
        location: usize,
        is_main_of_several: bool,
    ) -> Self {
        Scanner {
            definitions,
            regions,
            location,
            rank: definitions.locations[location].rank,
            stack: Vec::new(),
            last_child: vec![NO_CHILD],
            requests: FxHashMap::default(),
            started: 0,
            foresight: Foresight::default(),
            sent_on: Channels::default(),
            received_on: Channels::default(),
            collective_begin: None,
            last_time: 0,
            is_main_of_several,
            open: threads::Open::default(),
            is_over: false,
            scan: Scan::default(),
        }
    }

    /// Takes the next event.
    pub(crate) fn visit(&mut self, time: u64, event: Event) {
        if time < self.last_time {
            self.damage(Damage::TimeRunsBackwards, time);
        }
        if self.scan.events == 0 {
            self.scan.time = Some((time, time));
            self.open.serial_until = time;
        }
        self.scan.events += 1;
        self.last_time = time;
        match event {
            Event::Enter { region } => self.enter(time, region),
            Event::Leave { region } => self.leave(time, region),
            Event::MpiSend { receiver, communicator, tag, .. } => {
                let call = self.call(time);
                let send = self.send(time, call, Envelope { communicator, peer: receiver, tag });
                self.complete(call, Message::Send(send));
            }
            Event::MpiIsend { receiver, communicator, tag, request, .. } => {
                let call = self.call(time);
                let send = self.send(time, call, Envelope { communicator, peer: receiver, tag });
                self.start(time, request, Request::Send(send));
            }
            Event::MpiIrecvRequest { request } => {
                let call = self.call(time);
                self.start(time, request, Request::Receive(call));
            }
            Event::MpiIsendComplete { request } => self.send_complete(time, request),
            Event::MpiRecv { sender, communicator, tag, .. } => {
                let call = self.call(time);
                self.receive(time, call, call, Envelope { communicator, peer: sender, tag });
            }
            Event::MpiIrecv { sender, communicator, tag, request, .. } => {
                self.receive_complete(time, request, Envelope { communicator, peer: sender, tag });
            }
            Event::MpiRequestCancelled { request } => {
                if let Some(Pending { request: Request::Send(send), .. }) = self.requests.remove(&request) {
                    self.scan.records.sends[send as usize].channel = None;
                }
            }
            Event::MpiCollectiveBegin => {
                if let Some(begin) = self.collective_begin.replace(time) {
                    self.damage(Damage::CollectiveWithoutEnd, begin);
                }
            }
            Event::MpiCollectiveEnd { operation, communicator, root, sent, received } => {
                self.collective(time, operation, communicator, root, (sent > 0, received > 0));
            }
            Event::MpiRequestTest { .. } => {}
            Event::Other { record } => self.other(time, record),
            Event::ThreadFork { .. }
            | Event::ThreadJoin
            | Event::ThreadTeamBegin { .. }
            | Event::ThreadTeamEnd { .. }
            | Event::ThreadAcquireLock { .. }
            | Event::ThreadReleaseLock { .. }
            | Event::ThreadTaskCreate { .. }
            | Event::ThreadTaskSwitch { .. }
            | Event::ThreadTaskComplete { .. } => self.thread_event(time, event),
        }
    }

    /// The first time stamp; 0 before that.
    pub(crate) fn first_time(&self) -> u64 {
        self.scan.time.map_or(0, |(first, _)| first)
    }

    /// The last time stamp; 0 before the first.
    pub(crate) fn last_time(&self) -> u64 {
        self.last_time
    }

    /// What is kept of MPI so far.
    pub(crate) fn records(&self) -> &Records {
        &self.scan.records
    }

    /// What is kept of OpenMP so far.
    pub(crate) fn threads(&self) -> &Threads {
        &self.scan.threads
    }

    /// How much is kept so far, of all kinds.
    pub(crate) fn count(&self) -> usize {
        self.scan.records.count() + self.scan.threads.count()
    }

    /// Takes the records of MPI out, until they are put back; also what of them is under way. Calls that are not left end
    /// after all others.
    pub(crate) fn take_records(&mut self) -> (Records, OpenRecords) {
        let mut records = std::mem::take(&mut self.scan.records);
        let since = self.collective_begin.unwrap_or(u64::MAX);
        let mut open = OpenRecords { since, ..OpenRecords::default() };
        for frame in &self.stack {
            if frame.traits.is_mpi {
                open.since = open.since.min(frame.enter);
            }
            if let Some(call) = frame.call {
                records.calls[call as usize].leave = u64::MAX;
                open.calls.push(call);
                open.first = open.first.min(call);
            }
        }
        for pending in self.requests.values() {
            let call = match pending.request {
                Request::Send(send) => {
                    open.sends.push(send);
                    records.sends[send as usize].start
                }
                Request::Receive(call) => call,
                Request::Foreseen(receive) => records.receives[receive as usize].start,
            };
            open.calls.push(call);
            if !pending.is_sure {
                open.since = open.since.min(records.calls[call as usize].enter);
                open.first = open.first.min(call);
            }
        }
        (records, open)
    }

    /// Puts back what is left of the records, and gives what is under way the new numbers.
    pub(crate) fn put_back(&mut self, records: Records, numbers: &RecordNumbers) {
        self.scan.records = records;
        for call in self.stack.iter_mut().filter_map(|frame| frame.call.as_mut()) {
            *call = numbers.calls[*call as usize];
        }
        for pending in self.requests.values_mut() {
            match &mut pending.request {
                Request::Send(send) => *send = numbers.sends[*send as usize],
                Request::Receive(call) => *call = numbers.calls[*call as usize],
                Request::Foreseen(receive) => *receive = numbers.receives[*receive as usize],
            }
        }
    }

    /// Gives the places of the location the bases that are known by now.
    pub(crate) fn renumber(&mut self, bases: &[Base]) {
        self.scan.renumber(bases);
    }

    /// Whether there are requests of which it is not known what they do to their channels.
    pub(crate) fn has_unsure_requests(&self) -> bool {
        self.requests.values().any(|pending| !pending.is_sure)
    }

    /// Takes notice of what becomes of requests.
    pub(crate) fn foresee(&mut self, foresight: Foresight) {
        self.foresight = foresight;
        let mut requests = std::mem::take(&mut self.requests);
        requests.values_mut().for_each(|pending| *pending = self.foreseen(*pending));
        self.requests = requests;
    }

    /// A request, with what is known of its future.
    fn foreseen(&mut self, pending: Pending) -> Pending {
        let Some(fate) = self.foresight.fate(pending.number) else { return pending };
        let records = &mut self.scan.records;
        let request = match (pending.request, fate) {
            (Request::Receive(start), Fate::Received(envelope)) => {
                let channel = self.received_on.receiving(self.definitions, self.rank, records, envelope);
                records.receives.push(MessageEnd { start, channel });
                Request::Foreseen(records.receives.len() as u32 - 1)
            }
            (Request::Send(send), Fate::Cancelled) => {
                records.sends[send as usize].channel = None;
                pending.request
            }
            _ => pending.request,
        };
        Pending { request, is_sure: true, ..pending }
    }

    /// Names what a record that is not analyzed is about.
    #[cold]
    fn other(&mut self, time: u64, record: Record) {
        if let Some(damage) = Damage::of_unanalyzed(record) {
            self.damage(damage, time);
        }
    }

    /// There are no more events: closes what is open.
    pub(crate) fn close(&mut self) {
        let end = self.last_time;
        self.is_over = true;
        self.count_serial(end);
        while let Some(frame) = self.stack.pop() {
            self.damage(Damage::LeaveMissing, frame.enter);
            self.close_frame(end, frame);
        }
        if let Some(begin) = self.collective_begin {
            self.damage(Damage::CollectiveWithoutEnd, begin);
        }
        for pending in std::mem::take(&mut self.requests).into_values() {
            let call = match pending.request {
                Request::Send(send) => self.scan.records.sends[send as usize].start,
                Request::Receive(call) => call,
                Request::Foreseen(receive) => self.scan.records.receives[receive as usize].start,
            };
            self.damage(Damage::RequestNotCompleted, self.scan.records.calls[call as usize].enter);
        }
        if let Some((_, last)) = &mut self.scan.time {
            *last = end;
        }
    }

    /// What was learned.
    pub(crate) fn into_scan(self) -> Scan {
        self.scan
    }

    fn damage(&mut self, damage: Damage, time: u64) {
        self.scan.damages.add(damage, self.location, time);
    }

    fn place(&self, path: CallPathId) -> Place {
        Place { location: self.location as u32, path, base: self.open.base }
    }

    /// The innermost region of the current team.
    fn innermost(&self) -> Option<&Frame> {
        self.stack[self.open.bottom..].last()
    }

    fn enter(&mut self, time: u64, region: RegionRef) {
        self.count_serial(time);
        let parent = self.innermost().map_or(CallPathId::ROOT, |frame| frame.path);
        let (last_region, last_path) = self.last_child[parent.0 as usize];
        let path = if last_region == region { last_path } else { self.child(parent, region) };
        let traits = self.regions.traits(region);
        self.stack.push(Frame { region, path, enter: time, call: None, traits });
        if traits.is_counted {
            self.scan.visits.add(self.open.base, path);
        }
        if traits.construct != ConstructKind::Plain {
            self.enter_construct(time, path, traits.construct);
        }
    }

    fn child(&mut self, parent: CallPathId, region: RegionRef) -> CallPathId {
        let path = self.scan.tree.child(parent, region);
        self.last_child.resize(self.scan.tree.len(), NO_CHILD);
        self.last_child[parent.0 as usize] = (region, path);
        path
    }

    fn leave(&mut self, time: u64, region: RegionRef) {
        self.count_serial(time);
        match self.innermost() {
            Some(&frame) if frame.region == region => {
                self.stack.pop();
                self.close_frame(time, frame);
            }
            _ => self.leave_outer(time, region),
        }
    }

    /// Leaves a region that is not the innermost one: those inside it have lost their leave.
    #[cold]
    fn leave_outer(&mut self, time: u64, region: RegionRef) {
        let of_team = &self.stack[self.open.bottom..];
        let Some(depth) = of_team.iter().rposition(|frame| frame.region == region) else {
            self.damage(Damage::LeaveWithoutEnter, time);
            return;
        };
        for frame in self.stack.split_off(self.open.bottom + depth).into_iter().rev() {
            if frame.region != region {
                self.damage(Damage::LeaveMissing, frame.enter);
            }
            self.close_frame(time, frame);
        }
    }

    fn close_frame(&mut self, time: u64, frame: Frame) {
        if let Some(call) = frame.call {
            self.scan.records.calls[call as usize].leave = time;
        }
        if frame.traits.construct != ConstructKind::Plain {
            self.close_construct(time);
        }
        let span = || Span { enter: frame.enter, leave: time, place: self.place(frame.path) };
        match frame.traits.call {
            CallKind::Init if self.scan.records.init.is_none() => self.scan.records.init = Some(span()),
            CallKind::Finalize if self.scan.records.finalize.is_none() => {
                self.scan.records.finalize = Some(span());
            }
            _ => {}
        }
        if frame.traits.is_basis {
            let (first, last) = self.scan.in_basis.unwrap_or((frame.enter, time));
            self.scan.in_basis = Some((first.min(frame.enter), last.max(time)));
        }
    }

    /// The innermost region as a call that has to do with messages; a call that takes no time where that is none of MPI.
    fn call(&mut self, time: u64) -> u32 {
        let calls = &mut self.scan.records.calls;
        let number = calls.len() as u32;
        let (location, base) = (self.location as u32, self.open.base);
        let innermost = self.stack[self.open.bottom..].last_mut();
        let path = innermost.as_ref().map_or(CallPathId::ROOT, |frame| frame.path);
        let Some(frame) = innermost.filter(|frame| frame.traits.is_mpi) else {
            let place = Place { location, path, base };
            calls.push(Call { enter: time, leave: time, place, kind: CallKind::Lost });
            self.damage(Damage::RecordOutsideCall, time);
            return number;
        };
        *frame.call.get_or_insert_with(|| {
            let place = Place { location, path: frame.path, base };
            calls.push(Call { enter: frame.enter, leave: frame.enter, place, kind: frame.traits.call });
            number
        })
    }

    fn complete(&mut self, call: u32, message: Message) {
        self.scan.records.completions.push(Completion { call, message });
    }

    fn start(&mut self, time: u64, name: u64, request: Request) {
        let pending = Pending { number: self.started, request, is_sure: false };
        self.started += 1;
        let pending = self.foreseen(pending);
        if self.requests.insert(name, pending).is_some() {
            self.damage(Damage::RequestNotCompleted, time);
        }
    }

    fn send(&mut self, time: u64, call: u32, envelope: Envelope) -> u32 {
        let channel = self.sent_on.number(&mut self.scan.records.send_channels, envelope, || {
            envelope.sent_by(self.rank, self.definitions)
        });
        self.end_of_message(time, channel);
        let sends = &mut self.scan.records.sends;
        sends.push(MessageEnd { start: call, channel });
        sends.len() as u32 - 1
    }

    fn send_complete(&mut self, time: u64, request: u64) {
        match self.requests.remove(&request).map(|pending| pending.request) {
            Some(Request::Send(send)) => {
                let call = self.call(time);
                self.complete(call, Message::Send(send));
            }
            _ => self.damage(Damage::UnknownRequest, time),
        }
    }

    /// A message has come: its receive was posted in the call `posted` and completes in the call `call`.
    fn receive(&mut self, time: u64, posted: u32, call: u32, envelope: Envelope) {
        let records = &mut self.scan.records;
        let channel = self.received_on.receiving(self.definitions, self.rank, records, envelope);
        self.end_of_message(time, channel);
        let receives = &mut self.scan.records.receives;
        receives.push(MessageEnd { start: posted, channel });
        let receive = receives.len() as u32 - 1;
        self.complete(call, Message::Receive(receive));
    }

    fn receive_complete(&mut self, time: u64, request: u64, envelope: Envelope) {
        let call = self.call(time);
        let posted = match self.requests.remove(&request).map(|pending| pending.request) {
            Some(Request::Foreseen(receive)) => {
                self.end_of_message(time, self.scan.records.receives[receive as usize].channel);
                self.complete(call, Message::Receive(receive));
                return;
            }
            Some(Request::Receive(posted)) => posted,
            _ => {
                self.damage(Damage::UnknownRequest, time);
                call
            }
        };
        self.receive(time, posted, call, envelope);
    }

    fn end_of_message(&mut self, time: u64, channel: Option<u32>) {
        if channel.is_none() {
            self.damage(Damage::UnknownPeer, time);
        }
    }

    fn collective(
        &mut self,
        end: u64,
        operation: CollectiveOperation,
        communicator: CommunicatorRef,
        root: Option<u32>,
        (sends, receives): (bool, bool),
    ) {
        let begin = self.collective_begin.take();
        let Some(&frame) = self.innermost() else {
            self.damage(Damage::RecordOutsideCall, end);
            return;
        };
        let is_start_or_end = matches!(frame.traits.call, CallKind::Init | CallKind::Finalize);
        if is_start_or_end || !crate::collective::is_analyzed(operation) {
            return;
        }
        if begin.is_none() {
            self.damage(Damage::CollectiveWithoutBegin, end);
        }
        let records = &mut self.scan.records;
        records.collectives.push(Collective {
            begin: begin.unwrap_or(if frame.traits.is_mpi { frame.enter } else { end }),
            end,
            place: Place { location: self.location as u32, path: frame.path, base: self.open.base },
            communicator: records.communicators.number(communicator),
            root,
            operation,
            sends,
            receives,
        });
    }
}
