//! Communication of a program that repeats a trace: by number of communicator and amount of bytes, as records tell it.

use std::sync::Arc;

use ats_model::event::Bytes;
use ats_model::mpi::{Form, Function, SendMode};
use ats_model::neighbors::Neighbors;
use ats_mpi::{Communicator, How, Request, Source, Tag};

use super::VirtualCommunicator;
use crate::mpi::call;
use crate::mpi::group::Group;
use crate::mpi::neighborhood::Topology;
use crate::mpi::operation::OperationKind;
use crate::mpi::part::Part;
use crate::program::{probes, requests};
use crate::world::mpi;

/// A communicator that is there from the begin of a simulation.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct CommunicatorGroup {
    /// Its name, for reports of deadlocks.
    pub name: String,
    /// Member *i* is the process of this rank.
    pub members: Vec<u32>,
    /// The neighbours of each member, if it has a topology.
    pub neighbors: Option<Vec<Neighbors>>,
}

impl CommunicatorGroup {
    /// The group of its members. It has no topology if members name different neighbours.
    pub(crate) fn group(self) -> Group {
        let mut group = Group::new(self.name, self.members.into());
        group.topology = self.neighbors.and_then(|neighbors| Topology::new(neighbors).ok()).map(Arc::new);
        group
    }
}

/// An operation of a trace.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum RecordedOperation {
    /// A message is sent.
    Send {
        /// The mode of the send.
        mode: SendMode,
        /// The receiver's rank in the communicator.
        to: u32,
        /// The tag.
        tag: u32,
        /// The payload in bytes.
        bytes: u64,
    },
    /// A message is received.
    Receive {
        /// The sender's rank in the communicator.
        from: u32,
        /// The tag.
        tag: u32,
    },
    /// A part of a collective operation.
    Collective {
        /// The root's rank in the communicator, if the operation has one.
        root: Option<u32>,
        /// Bytes that this member sends to all.
        sent: u64,
        /// Bytes that it receives from all.
        received: u64,
    },
}

/// A communicator of a trace, as the process of the location that runs sees it.
#[derive(Clone, Copy, Debug)]
pub struct RecordedCommunicator(VirtualCommunicator);

impl RecordedCommunicator {
    /// The communicator of this number: 0 is that of all processes, those of [`crate::Simulation::communicators`] follow.
    /// `None` if there is no such communicator, or the process is not a member.
    pub fn new(number: usize) -> Option<Self> {
        mpi(|mpi, kernel| {
            let group = mpi.groups.get(number)?;
            let process = kernel.rank() as u32;
            let rank = group.rank_of(process);
            if kernel.current >= kernel.ranks {
                mpi.make_caller(kernel.number());
            }
            let group = &mpi.groups[number];
            (group.members.get(rank as usize) == Some(&process)).then(|| {
                let (group, size) = (number as u32, group.members.len() as u32);
                RecordedCommunicator(VirtualCommunicator { group, rank, size })
            })
        })
    }

    /// The rank of the process in it.
    pub fn rank(&self) -> u32 {
        self.0.rank
    }

    /// The number of its members.
    pub fn size(&self) -> u32 {
        self.0.size
    }

    /// Whether it has a topology, which operations between neighbours need.
    pub fn has_topology(&self) -> bool {
        self.0.neighbors().is_some()
    }

    /// Makes a call of these operations, and returns when all are done.
    pub fn call(&self, function: Function, operations: &[RecordedOperation]) {
        if let [operation] = operations {
            return self.call_one(function, operation);
        }
        let frame = requests::enter(function);
        let numbers: Vec<u32> = operations
            .iter()
            .map(|operation| {
                let (kind, part) = self.kind(function, operation);
                let number = self.0.request(kind, part, false, 0);
                self.0.start_kept(number, &kind, part.as_ref(), &frame);
                number
            })
            .collect();
        requests::await_all(&numbers);
        mpi(|mpi, kernel| mpi.finish(kernel, &frame, &numbers, false));
    }

    fn call_one(&self, function: Function, operation: &RecordedOperation) {
        let (kind, part) = self.kind(function, operation);
        let _ = match (kind, part) {
            (OperationKind::Collective { .. }, Some(part)) => self.0.call_collective(&part),
            (OperationKind::Recv { from, .. }, _) => {
                self.0.call_one(function, kind, None, |mpi, kernel, _, number| {
                    mpi.start_recv(kernel, number, from)
                })
            }
            _ => {
                self.0.call_one(function, kind, None, |mpi, kernel, _, number| mpi.start_send(kernel, number))
            }
        };
    }

    /// Waits until a message can be received, and leaves it there.
    pub fn probe(&self, from: u32, tag: u32) {
        self.0.probe(Source::Rank(from as usize), Tag::Is(tag));
    }

    /// Waits in a call for the first message that comes from one of these ranks with the tag beside it; the index of that. It
    /// stays where it is, and the clock does not change: a receive may begin now.
    pub fn first_to_arrive(&self, wanted: &[(u32, u32)]) -> usize {
        let frame = requests::enter(Function::Probe);
        let wanted: Vec<(Source, Tag)> =
            wanted.iter().map(|&(from, tag)| (Source::Rank(from as usize), Tag::Is(tag))).collect();
        let first = probes::await_first(self.0.group, &wanted);
        mpi(|mpi, kernel| call::leave(mpi, kernel, &frame));
        first
    }

    /// Starts an operation.
    pub fn start(&self, function: Function, operation: &RecordedOperation) -> Request {
        let frame = requests::enter(function);
        let (kind, part) = self.kind(function, operation);
        let number = self.0.request(kind, part, false, 0);
        self.0.start_request(number, &kind, part.as_ref(), &frame);
        Request(u64::from(number))
    }

    fn kind(&self, function: Function, operation: &RecordedOperation) -> (OperationKind, Option<Part>) {
        match *operation {
            RecordedOperation::Send { mode, to, tag, bytes } => {
                let bytes = bytes.min(Bytes::MOST) as usize;
                (OperationKind::Send { mode, to, tag, bytes, message: 0 }, None)
            }
            RecordedOperation::Receive { from, tag } => {
                let from = Source::Rank(from as usize);
                (OperationKind::Recv { from, tag: Tag::Is(tag), capacity: usize::MAX }, None)
            }
            RecordedOperation::Collective { root, sent, received } => {
                let blocking = function.in_form(Form::Blocking).unwrap_or(function);
                let bytes = (sent.min(Bytes::MOST), received.min(Bytes::MOST));
                let part = Part::moving(blocking, root, bytes, self.0.rank);
                let part = Part { function, ..part };
                (self.0.collective(&part), Some(part))
            }
        }
    }
}

/// Waits in a call for the first of these that is done; its index. It is not completed, and the clock does not change.
pub fn first_to_complete<'r>(requests: impl Iterator<Item = &'r Request>) -> usize {
    let frame = requests::enter(Function::Request_get_status);
    let numbers: Vec<u32> = requests.map(|request| request.0 as u32).collect();
    let first = requests::first_of(&numbers);
    mpi(|mpi, kernel| call::leave(mpi, kernel, &frame));
    first
}

/// Waits until these are done.
pub fn complete_recorded(mut requests: Vec<Request>) {
    requests::complete(How::Waitall, &mut requests);
}
