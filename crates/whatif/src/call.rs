//! A call of MPI as its records tell it.

use ats_model::attribute::AttributeValue;
use ats_model::event::{AttributeRef, CommunicatorRef};
use ats_model::mpi::{Function, Kind, SendMode};
use ats_model::own_attribute::Own;
use ats_model::{Definitions, Event};
use ats_virtual::RecordedOperation;

/// The records of a call, in picoseconds.
#[derive(Debug)]
pub(crate) struct Call {
    pub(crate) function: Function,
    pub(crate) enter: u64,
    pub(crate) leave: u64,
    /// The records between entry and exit.
    pub(crate) records: Vec<(u64, Event)>,
    /// The record that leaves it, if the trace has it.
    pub(crate) left: Option<Event>,
}

/// The attributes that tell of calls what no record of OTF2 does, by reference.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct OwnAttributes {
    pub(crate) neighborhood: Option<AttributeRef>,
    pub(crate) probed_source: Option<AttributeRef>,
    pub(crate) probed_tag: Option<AttributeRef>,
    pub(crate) probed_communicator: Option<AttributeRef>,
}

/// A step of a call, in order.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Step {
    /// An operation that the call waits for.
    Operation(CommunicatorRef, RecordedOperation),
    /// A message is sent under a request.
    Isend(CommunicatorRef, RecordedOperation, u64),
    /// A receive is posted under a request.
    Irecv(u64),
    /// A collective operation is started under a request, on a communicator if it is one between neighbours.
    Icollective(Option<CommunicatorRef>, u64),
    /// A request is found complete.
    Complete(u64),
    /// A message from this rank with this tag is found, and left where it is.
    Probe(CommunicatorRef, u32, u32),
}

impl Step {
    /// Whether it only starts an operation.
    pub(crate) fn is_start(&self) -> bool {
        matches!(self, Step::Isend(..) | Step::Irecv(_) | Step::Icollective(..))
    }
}

impl OwnAttributes {
    /// Those that a trace defines.
    pub(crate) fn new(definitions: &Definitions) -> Self {
        let reference = |own: Own| {
            let at = definitions.attributes.iter().position(|it| Own::from_definition(it) == Some(own));
            at.map(|at| AttributeRef(at as u32))
        };
        OwnAttributes {
            neighborhood: reference(Own::Neighborhood),
            probed_source: reference(Own::ProbedSource),
            probed_tag: reference(Own::ProbedTag),
            probed_communicator: reference(Own::ProbedCommunicator),
        }
    }
}

/// Whether calls of a function wait for others by the rules of MPI, which their records name.
pub(crate) fn is_collective(function: Function) -> bool {
    match function {
        // None waits for another: some leave before the others come.
        Function::Init | Function::Comm_free | Function::Comm_disconnect => false,
        function => {
            function.collective().is_some()
                || matches!(function.kind(), Kind::Communicator(Some(_)) | Kind::Initialize | Kind::Finalize)
        }
    }
}

impl Call {
    /// The mode of its sends. Persistent ones were prepared in the mode `prepared`.
    fn mode(&self, prepared: SendMode) -> SendMode {
        match self.function.kind() {
            Kind::Send(mode) => mode,
            Kind::Start => prepared,
            _ => SendMode::Standard,
        }
    }

    /// Its steps. Persistent sends were prepared in the mode `prepared`.
    pub(crate) fn steps(&self, own: &OwnAttributes, prepared: SendMode) -> Vec<Step> {
        let mode = self.mode(prepared);
        let mut steps = Vec::new();
        let mut neighborhood = None;
        for &(_, event) in &self.records {
            let step = match event {
                Event::Attribute { attribute, value: AttributeValue { bits, .. } } => {
                    if Some(attribute) == own.neighborhood {
                        neighborhood = Some(CommunicatorRef(bits as u32));
                    }
                    None
                }
                Event::MpiSend { receiver: to, communicator, tag, bytes } => {
                    Some(Step::Operation(communicator, RecordedOperation::Send { mode, to, tag, bytes }))
                }
                Event::MpiRecv { sender: from, communicator, tag, .. } => {
                    Some(Step::Operation(communicator, RecordedOperation::Receive { from, tag }))
                }
                Event::MpiIsend { receiver: to, communicator, tag, bytes, request } => {
                    let send = RecordedOperation::Send { mode, to, tag, bytes };
                    Some(Step::Isend(communicator, send, request))
                }
                Event::MpiIrecvRequest { request } => Some(Step::Irecv(request)),
                Event::NonBlockingCollectiveRequest { request } => {
                    Some(Step::Icollective(neighborhood.take(), request))
                }
                Event::MpiIsendComplete { request }
                | Event::MpiIrecv { request, .. }
                | Event::NonBlockingCollectiveComplete { request, .. } => Some(Step::Complete(request)),
                Event::MpiCollectiveEnd { communicator, root, sent, received, .. }
                    if is_collective(self.function) =>
                {
                    let collective = RecordedOperation::Collective { root, sent, received };
                    Some(Step::Operation(communicator, collective))
                }
                _ => None,
            };
            steps.extend(step);
        }
        // Behind the records, at the event that leaves the call.
        if let Some(communicator) = neighborhood
            && self.function.among_neighbors().is_some()
        {
            let collective = RecordedOperation::Collective { root: None, sent: 0, received: 0 };
            steps.push(Step::Operation(communicator, collective));
        }
        steps.extend(self.probed(own));
        steps
    }

    /// The message that a probe has found, if the trace tells it.
    fn probed(&self, own: &OwnAttributes) -> Option<Step> {
        if !self.is_blocking_probe() {
            return None;
        }
        let value = |wanted: Option<AttributeRef>| {
            self.records.iter().rev().find_map(|&(_, event)| match event {
                Event::Attribute { attribute, value } if Some(attribute) == wanted => Some(value.bits as u32),
                _ => None,
            })
        };
        let communicator = CommunicatorRef(value(own.probed_communicator)?);
        Some(Step::Probe(communicator, value(own.probed_source)?, value(own.probed_tag)?))
    }

    /// Whether others may wait for it, or it for them, and no record says so.
    pub(crate) fn is_unknown(&self) -> bool {
        matches!(
            self.function.kind(),
            Kind::OneSided
                | Kind::Window
                | Kind::WindowSynchronisation
                | Kind::File
                | Kind::FileAccess
                | Kind::Process
        ) || (self.function.collective().is_some() || self.function.among_neighbors().is_some())
            || self.is_blocking_probe()
    }

    fn is_blocking_probe(&self) -> bool {
        matches!(self.function, Function::Probe | Function::Mprobe)
    }
}
