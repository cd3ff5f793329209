//! Pass 1: the events of one location, read once; only events of MPI, OpenMP and the basis are kept.

mod closing;
mod code;
mod collectives;
mod following;
mod gaps;
mod handed;
mod inner;
mod locks;
pub(crate) mod lookahead;
mod machine;
mod messages;
mod open_messages;
mod outside;
mod paths;
mod polling;
mod polls;
mod probes;
mod probing;
mod recorder;
mod repeated;
mod result;
mod samples;
mod spent;
pub(crate) mod stops;
mod taking;
mod threads;
mod unfollowed;

use ats_model::{
    CallPathId, CallTree, Definitions, Event, Traffic, event::CommunicatorRef, event::RegionRef,
    messages::Envelope,
};

pub(crate) use self::handed::join_requests;
use self::lookahead::Ended;
use self::open_messages::{OpenMessages, Outside, Request};
pub(crate) use self::paths::{Paths, Trees, continued};
pub(crate) use self::result::{Scan, Wants, is_outside, is_outside_of};
pub(crate) use self::spent::{Program, Samples, Spent};
use self::stops::Stops;
pub(crate) use self::unfollowed::CallTime;
use crate::{
    records::{Message, MpiCall, Records, threads::Threads},
    words::{
        damage::Damage,
        place::{Base, NO_STOP, Place},
        regions::{CallKind, ConstructKind, RegionTraits, Regions},
        visits::Visits,
    },
};

/// A region that is entered and not yet left.
#[derive(Clone, Copy)]
struct Frame {
    region: RegionRef,
    path: CallPathId,
    /// The calling context whose functions are in its path, if those of what is entered in it follow.
    around: Option<u32>,
    enter: u64,
    /// Its entry in [`Records::calls`], once it has one.
    call: Option<u32>,
    /// Whether the call has a record of its own, beside those of messages that it starts or completes.
    is_recorded: bool,
    /// The number of its stop.
    stop: u32,
    /// Whether it is inside a call of MPI.
    is_inner: bool,
    traits: RegionTraits,
}

impl Frame {
    /// Whether an event that leaves this region leaves the frame.
    #[inline(always)]
    fn is_left_as(&self, left: RegionRef) -> bool {
        self.region == left || self.traits.function == Some(left)
    }
}

/// Reads the events of one location.
pub(crate) struct Scanner<'a> {
    definitions: &'a Definitions,
    regions: &'a Regions,
    location: usize,
    rank: u32,
    stack: Vec<Frame>,
    /// Its call paths, until it is read.
    tree: CallTree<RegionRef>,
    /// Per call path the child that was entered last.
    last_child: Vec<(RegionRef, CallPathId)>,
    messages: OpenMessages,
    in_calls: inner::InCalls,
    /// The communicator of an operation between neighbours, as the recorder notes it before the event that it belongs to.
    neighborhood: Option<CommunicatorRef>,
    unfollowed: unfollowed::Unfollowed,
    /// Since when the location is in code behind a test in vain of something else than a receive.
    in_vain_since: Option<u64>,
    last_time: u64,
    /// The number of events before the next whose time is kept.
    next_mark: u64,
    /// Whether the location is the main thread of a process with several.
    is_main_of_several: bool,
    open: threads::OpenOmp,
    code: code::Code,
    /// None if the trace has none.
    samples: Option<machine::Samples>,
    beside: spent::Beside,
    /// Whether the next enter or leave has anything to do with it.
    has_beside: bool,
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
        wants: Wants,
    ) -> Self {
        let rank = definitions.locations[location].rank;
        Scanner {
            definitions,
            regions,
            location,
            rank,
            stack: Vec::new(),
            tree: CallTree::default(),
            last_child: vec![NO_CHILD],
            messages: OpenMessages::new(&definitions.attributes),
            in_calls: inner::InCalls::default(),
            neighborhood: None,
            unfollowed: unfollowed::Unfollowed::default(),
            in_vain_since: None,
            last_time: 0,
            next_mark: 0,
            is_main_of_several,
            open: threads::OpenOmp::new(regions.first_phase(), definitions.openmp_ended.get(&rank)),
            code: code::Code::at_begin(definitions.locations[location].thread == 0),
            samples: machine::Samples::new(definitions, location),
            beside: spent::Beside::default(),
            has_beside: false,
            is_over: false,
            scan: Scan::new(wants),
        }
    }

    /// Takes the next event.
    pub(crate) fn visit(&mut self, time: u64, event: Event) {
        if !self.code.is_between() || !self.passes_code(time, event) {
            self.take(time, event);
        }
    }

    /// Counts a message to another location.
    fn sent(&mut self, communicator: CommunicatorRef, receiver: u32, bytes: u64) {
        self.count_moved(Traffic::message_sent(bytes));
        self.scan.repeated.iter_mut().for_each(|of| of.sent(communicator, receiver));
    }

    /// Counts a message from another location.
    fn received(&mut self, bytes: u64) {
        self.count_moved(Traffic::message_received(bytes));
        self.came();
    }

    /// Counts something that has come from others.
    fn came(&mut self) {
        self.scan.repeated.iter_mut().for_each(repeated::Repeated::came);
    }

    /// Takes an event when it is known in which code the location was before.
    #[inline]
    fn take(&mut self, time: u64, event: Event) {
        if time < self.last_time {
            self.distrust(time);
        }
        if self.scan.events == self.next_mark {
            self.mark(time);
        }
        if time >= self.open.recorded_until && self.scan.events > 0 {
            self.end_threads();
        }
        self.scan.events += 1;
        self.last_time = time;
        match event {
            Event::Enter { region } => self.enter(time, region),
            Event::Leave { region } => self.leave(time, region),
            Event::MpiSend { receiver, communicator, tag, bytes } => {
                self.sent(communicator, receiver, bytes);
                let call = self.call(time);
                let send = self.send(time, call, Envelope { communicator, peer: receiver, tag }, bytes);
                self.complete(call, Message::Send(send));
            }
            Event::MpiIsend { receiver, communicator, tag, bytes, request } => {
                self.sent(communicator, receiver, bytes);
                let call = self.call(time);
                let send = self.send(time, call, Envelope { communicator, peer: receiver, tag }, bytes);
                self.start(time, request, Request::Send(send));
            }
            Event::MpiIrecvRequest { request } => {
                let call = self.call(time);
                self.post(time, request, call);
            }
            Event::MpiIsendComplete { request } => self.send_complete(time, request),
            Event::MpiRecv { sender, communicator, tag, bytes } => {
                self.received(bytes);
                self.receive_now(time, Envelope { communicator, peer: sender, tag }, bytes);
            }
            Event::MpiIrecv { sender: peer, communicator, tag, bytes, request } => {
                self.received(bytes);
                self.receive_complete(time, (request, bytes), Envelope { communicator, peer, tag });
            }
            Event::MpiRequestCancelled { request } => self.cancel(time, request),
            Event::MpiCollectiveBegin => self.collective_begin(time),
            Event::MpiCollectiveEnd { .. } => {
                self.came();
                if let Some(ended) = Ended::from_event(time, event) {
                    self.collective(ended);
                }
            }
            Event::NonBlockingCollectiveRequest { request } => self.start_collective(time, request),
            Event::NonBlockingCollectiveComplete { request, .. } => {
                self.came();
                if let Some(ended) = Ended::from_event(time, event) {
                    self.collective_complete(time, request, ended);
                }
            }
            Event::MpiRequestTest { request } => self.tested(request),
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
            Event::CallingContextSample { context, .. } => self.found_in(context),
            Event::Metric { metric, value } => {
                if !self.sampled(time, metric, value) {
                    self.measured(time, metric, value);
                }
            }
            Event::Attribute { attribute, value } => self.attribute(time, attribute, value),
            Event::BufferFlush { stop } => self.flush(time, stop),
            Event::MeasurementOnOff { mode } => self.switch(time, mode),
            Event::ProgramBegin { program } => self.program_begin(time, program),
            Event::ProgramEnd { .. } => self.program_end(time),
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

    /// The records of MPI so far.
    pub(crate) fn records(&self) -> &Records {
        &self.scan.records
    }

    /// The records of OpenMP so far.
    pub(crate) fn threads(&self) -> &Threads {
        &self.scan.threads
    }

    /// The number of records so far, of all kinds.
    pub(crate) fn count(&self) -> usize {
        let spent = self.scan.spent.as_ref().map_or(0, |spent| spent.visits.scattered());
        let stops = self.scan.stops.as_ref().map_or(0, Stops::count);
        self.scan.records.count() + self.scan.threads.count() + spent + stops
    }

    /// Gives the places of the location the bases that are known by now.
    pub(crate) fn renumber(&mut self, bases: &[Base]) {
        self.scan.renumber(bases);
        self.messages.polls.renumber(bases);
        self.messages.probes.renumber(bases);
    }

    /// The results of the pass.
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
        if self.has_beside {
            self.count_beside(time, Some(region));
        }
        let traits = self.regions.traits(region);
        if traits.makes_progress && !self.messages.unacted.is_empty() {
            self.act(time);
        }
        if traits.is_mpi {
            self.messages.outside = None;
        }
        if let Some(since) = self.in_vain_since.take() {
            self.count_polled(since, time, traits);
        }
        if self.open.base.is_phase() {
            self.scan.threads.has_root = true;
            if traits.call == CallKind::Finalize {
                self.open.base = Base::AFTER_FINALIZE;
            }
        }
        let context = self.code.take_context();
        let (parent, around, is_inner) = match self.innermost() {
            Some(&frame) => {
                let (parent, around) = self.enter_code_within(frame, context);
                (parent, around, frame.is_inner || frame.traits.is_mpi)
            }
            None if self.open.base.is_phase() => (self.enter_code(context), context, false),
            // The functions that lead to a team are in the place where it was started.
            None => (CallPathId::ROOT, context, false),
        };
        let (last_region, last_path) = self.last_child[parent.0 as usize];
        let path = if last_region == region { last_path } else { self.child(parent, region) };
        let stop = if self.scan.stops.is_some() { self.follow_in(time, path, traits) } else { NO_STOP };
        self.stack.push(Frame {
            region,
            path,
            around: around.filter(|_| traits.has_functions),
            enter: time,
            call: None,
            is_recorded: false,
            stop,
            is_inner,
            traits,
        });
        if self.messages.polls.are_open() {
            self.follow_polls(time);
        }
        if traits.is_counted {
            self.scan.visits.add(self.open.base, path, 1);
        }
        if traits.construct != ConstructKind::Plain {
            self.enter_construct(time, path, traits.construct);
            self.follow_construct();
        }
        self.follow_computing(time);
    }

    /// The innermost call moves this.
    #[inline(always)]
    fn count_moved(&mut self, moved: Traffic) {
        if let Some(&Frame { path, .. }) = self.innermost().filter(|frame| frame.traits.is_mpi) {
            self.scan.traffic.add(self.open.base, path, moved);
        }
    }

    /// Counts a visit, if the profile is kept.
    #[inline]
    fn count_visit(&mut self, path: CallPathId, visit: Visits) {
        if let Some(spent) = &mut self.scan.spent {
            spent.visits.add(self.open.base, path, visit);
        }
    }

    fn child(&mut self, parent: CallPathId, region: RegionRef) -> CallPathId {
        let path = self.tree.child(parent, region);
        self.last_child.resize(self.tree.len(), NO_CHILD);
        self.last_child[parent.0 as usize] = (region, path);
        path
    }

    fn leave(&mut self, time: u64, mut region: RegionRef) {
        self.count_serial(time);
        if self.has_beside {
            self.count_beside(time, None);
        }
        self.spend(time);
        self.in_vain_since = None;
        match self.innermost() {
            Some(&frame) if frame.is_left_as(region) => {
                self.stack.pop();
                self.close_frame(time, frame);
                region = frame.region;
            }
            _ => region = self.leave_outer(time, region),
        }
        if self.messages.outside.is_some_and(|outside| self.stack.len() < outside.depth) {
            self.messages.outside = None;
        }
        if self.messages.polls.are_open() {
            self.follow_polls(time);
        }
        self.follow();
        self.follow_computing(time);
        self.code_begins(time, region);
    }

    /// The innermost region as a call that has to do with messages; a call that takes no time if the region is not one
    /// of MPI.
    fn call(&mut self, time: u64) -> u32 {
        let calls = &mut self.scan.records.calls;
        let number = calls.len() as u32;
        let (location, base) = (self.location as u32, self.open.base);
        let innermost = self.stack[self.open.bottom..].last_mut();
        let path = innermost.as_ref().map_or(CallPathId::ROOT, |frame| frame.path);
        let Some(frame) = innermost.filter(|frame| frame.traits.is_mpi) else {
            let place = Place { location, path, base };
            calls.push(MpiCall::new((time, time), place, CallKind::Lost, NO_STOP));
            if self.regions.have_mpi() {
                let depth = self.stack.len();
                self.messages.outside.get_or_insert(Outside { first: number, time, depth });
            }
            self.damage(Damage::RecordOutsideCall, time);
            self.act_unseen();
            return number;
        };
        *frame.call.get_or_insert_with(|| {
            let place = Place { location, path: frame.path, base };
            calls.push(MpiCall::new((frame.enter, frame.enter), place, frame.traits.call, frame.stop));
            number
        })
    }
}
