//! Calls of MPI: what their records say is done in the engine, and they take what they took beside.

use ats_model::event::{CollectiveOperation, CommunicatorRef, RegionRef};
use ats_model::mpi::{Form, Function, Kind};
use ats_model::{Event, EventSource};
use ats_mpi::Request;
use ats_virtual::{RecordedCommunicator, RecordedOperation, complete_recorded};

use super::Interpreter;
use crate::call::{Call, Step};
use crate::evidence::Sent;
use crate::reader::Completion;
use crate::state::{Deferred, State};
use crate::survey::{Channel, End};
use crate::tables::RegionKind;

impl<'a, S: EventSource> Interpreter<'a, S> {
    /// The location makes a call.
    pub(super) fn call(&self, state: &mut State<'a, S>, function: Function, region: RegionRef, enter: u64) {
        state.work_until(enter);
        self.catch_up(state);
        state.enter(region, RegionKind::Mpi(function));
        let call = state.read_call(function, enter);
        if function == Function::Recv && state.pace.is_overlapped() {
            state.defer(region, call);
        } else {
            self.make(state, region, &call);
        }
        state.leave(region);
    }

    /// The location makes the call that it has put off, if it has.
    pub(super) fn catch_up(&self, state: &mut State<'a, S>) {
        if let Some(Deferred { region, call, attributes }) = state.deferred.take() {
            let of_next = state.exchange_attributes(attributes);
            self.make(state, region, &call);
            state.exchange_attributes(of_next);
        }
    }

    /// What a call does.
    fn make(&self, state: &mut State<'a, S>, region: RegionRef, call: &Call) {
        state.emit(Event::Enter { region });
        let entered = state.now();
        state.prepare(call.function);
        let steps = call.steps(&self.own, state.prepared);
        state.note_tests(call);
        if !steps.is_empty() {
            state.flush();
            self.start_all(state, call, &steps);
        }
        if steps.iter().all(Step::is_start) {
            self.pass_alone(state, call, &steps);
        } else {
            self.wait_for_all(state, call, &steps);
            let of_network = call.of_network().map(|is_whole| if is_whole { u64::MAX } else { self.meeting });
            state.settle(call.leave, of_network.unwrap_or(0));
        }
        state.emit_call(call, entered);
    }

    /// The call waits for no other location: it takes what it took, unless a network says what it takes.
    fn pass_alone(&self, state: &mut State<'a, S>, call: &Call, steps: &[Step]) {
        if !steps.is_empty() {
            state.synchronize();
        }
        if call.of_network().is_some() && state.pace.models_network() {
            state.skip_until(call.leave);
        } else {
            state.pass_until(call.leave);
        }
        if call.is_unknown() {
            state.unknown = state.unknown.saturating_add(call.leave.saturating_sub(call.enter));
        }
    }

    /// The communicator of an operation, as the location sees it.
    pub(super) fn communicator(
        &self,
        state: &State<'a, S>,
        communicator: CommunicatorRef,
    ) -> Option<RecordedCommunicator> {
        RecordedCommunicator::new(self.tables.number(communicator, state.rank))
    }

    /// Starts operations under requests.
    fn start_all(&self, state: &mut State<'a, S>, call: &Call, steps: &[Step]) {
        for step in steps {
            let mut function = call.function;
            let (communicator, operation, request) = match *step {
                Step::Isend(communicator, send, request) => (communicator, send, request),
                Step::Irecv(request) => match state.reader.completion(request) {
                    Some(Completion::Message { sender: from, communicator, tag }) => {
                        (communicator, RecordedOperation::Receive { from, tag }, request)
                    }
                    _ => continue,
                },
                Step::Icollective(neighbors, request) => match state.reader.completion(request) {
                    Some(Completion::Collective { operation, communicator, root, sent, received }) => {
                        function = started(call.function, operation);
                        let collective = RecordedOperation::Collective { root, sent, received };
                        (neighbors.unwrap_or(communicator), collective, request)
                    }
                    _ => continue,
                },
                _ => continue,
            };
            if state.pace.is_removed() {
                continue;
            }
            let Some(known) = self.communicator(state, communicator) else { continue };
            if let Some(operation) = self.allowed(state, &known, function, (communicator, operation)) {
                self.witness(&known, call, (communicator, operation));
                let started = known.start(function, &operation);
                state.requests.insert(request, started);
            }
        }
    }

    /// Does what the call waits for: operations of its own, and requests.
    fn wait_for_all(&self, state: &mut State<'a, S>, call: &Call, steps: &[Step]) {
        let mut completed: Vec<Request> = Vec::new();
        let mut operations: Vec<RecordedOperation> = Vec::new();
        let mut on = None;
        for step in steps {
            match *step {
                Step::Complete(request) => completed.extend(state.requests.remove(&request)),
                Step::Operation(communicator, operation) if !state.pace.is_removed() => {
                    let Some(known) = self.communicator(state, communicator) else { continue };
                    let allowed = self.allowed(state, &known, call.function, (communicator, operation));
                    if allowed.is_some() {
                        self.witness(&known, call, (communicator, operation));
                    }
                    operations.extend(allowed);
                    on = Some(known);
                }
                Step::Probe(communicator, from, tag) if !state.pace.is_removed() => {
                    if let Some(known) = self.communicator(state, communicator) {
                        let channel = Channel { communicator: communicator.0, from, to: known.rank(), tag };
                        if from < known.size() && self.survey.is_even(channel) {
                            known.probe(from, tag);
                        }
                    }
                }
                _ => {}
            }
        }
        if let Some(on) = on
            && !operations.is_empty()
        {
            on.call(call.function, &operations);
        }
        if !completed.is_empty() {
            complete_recorded(completed);
        }
    }

    /// Keeps what an end of a message shows of the eager limit.
    fn witness(
        &self,
        known: &RecordedCommunicator,
        call: &Call,
        (communicator, operation): (CommunicatorRef, RecordedOperation),
    ) {
        let Some(evidence) = self.evidence else { return };
        let mut evidence = evidence.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
        let (communicator, own) = (communicator.0, known.rank());
        match operation {
            RecordedOperation::Send { to, tag, bytes, .. } => {
                let sent = Sent { bytes, enter: call.enter, leave: call.leave };
                let is_standard = call.function == Function::Send;
                evidence.sent(Channel { communicator, from: own, to, tag }, is_standard.then_some(sent));
            }
            RecordedOperation::Receive { from, tag } => {
                evidence.posted(Channel { communicator, from, to: own, tag }, call.enter);
            }
            RecordedOperation::Collective { .. } => {}
        }
    }

    /// The operation, unless the trace lacks its other end.
    fn allowed(
        &self,
        state: &mut State<'a, S>,
        known: &RecordedCommunicator,
        function: Function,
        (communicator, operation): (CommunicatorRef, RecordedOperation),
    ) -> Option<RecordedOperation> {
        let own = known.rank();
        if other_end(&operation).is_some_and(|rank| rank >= known.size()) {
            return None;
        }
        let is_there = match operation {
            RecordedOperation::Collective { .. } => {
                let has_neighbors = function.among_neighbors().is_none() || known.has_topology();
                has_neighbors && self.survey.has_part(communicator, &mut state.counted)
            }
            RecordedOperation::Receive { from, tag } => {
                let channel = Channel { communicator: communicator.0, from, to: own, tag };
                self.survey.has_end(channel, End::Receive, &mut state.counted)
            }
            RecordedOperation::Send { to, tag, .. } => {
                let channel = Channel { communicator: communicator.0, from: own, to, tag };
                self.survey.has_end(channel, End::Send, &mut state.counted)
            }
        };
        is_there.then_some(operation)
    }
}

/// The rank that an operation names.
fn other_end(operation: &RecordedOperation) -> Option<u32> {
    match *operation {
        RecordedOperation::Send { to, .. } => Some(to),
        RecordedOperation::Receive { from, .. } => Some(from),
        RecordedOperation::Collective { root, .. } => root,
    }
}

/// The function of a collective operation that a call starts: `MPI_Start` starts any.
fn started(call: Function, operation: CollectiveOperation) -> Function {
    let is_it = |function: &&Function| {
        function.form() == Form::Nonblocking && function.operation() == Some(operation)
    };
    match call.kind() {
        Kind::Start => Function::ALL.iter().find(is_it).copied().unwrap_or(call),
        _ => call,
    }
}

impl Call {
    /// Whether a network decides what it takes, and then whether all of it: processes do more than meet where MPI begins and
    /// ends.
    fn of_network(&self) -> Option<bool> {
        use Kind::{
            Collective, Communicator, Completion, Finalize, Initialize, Neighborhood, Probe, Receive, Send,
            SendReceive, Start,
        };
        match self.function.kind() {
            Send(_)
            | Receive
            | SendReceive
            | Probe
            | Start
            | Completion { .. }
            | Collective(_)
            | Neighborhood(_)
            | Communicator(Some(_)) => Some(true),
            Initialize | Finalize => Some(false),
            _ => None,
        }
    }
}
