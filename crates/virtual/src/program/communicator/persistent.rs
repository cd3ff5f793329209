//! Persistent requests, and messages in partitions.

use ats_model::mpi::{Form, Function};
use ats_mpi::{NO_PARTITIONS, Op, Partitions, Request};

use super::packing::packing;
use super::{VirtualCommunicator, misuse};
use crate::mpi::call;
use crate::mpi::operation::{Operation, OperationKind, Progress};
use crate::mpi::part::Part;
use crate::program::requests;
use crate::world::{in_order, mpi};

/// A persistent request that is to be started.
struct Known {
    kind: OperationKind,
    part: Option<Part>,
    is_inactive: bool,
    has_partitions: bool,
}

impl VirtualCommunicator {
    /// The persistent request of an operation.
    pub(super) fn prepared(&self, op: &Op) -> Request {
        let Some(function) = op.init_function() else {
            misuse(format!("{} has no persistent form", op.function()));
        };
        let frame = requests::enter(function);
        let (kind, part) = self.kind(op, Form::Persistent);
        let number = self.request(kind, part, true, packing(op));
        mpi(|mpi, kernel| call::leave(mpi, kernel, &frame));
        Request(u64::from(number))
    }

    /// The persistent request of a message in so many partitions.
    pub(super) fn prepared_in(&self, op: &Op, partitions: usize) -> Request {
        let (function, partitions) =
            Partitions::divide(op, partitions).unwrap_or_else(|problem| misuse(problem));
        let frame = requests::enter(function);
        let (kind, _) = self.kind(op, Form::Partitioned);
        let operation = Operation { partitioned: true, ..self.operation(kind, true) };
        let number = mpi(|mpi, kernel| {
            let process = mpi.here(kernel);
            let number = process.operations.keep(operation);
            if matches!(kind, OperationKind::Send { .. }) {
                process.partitions.insert(number, partitions);
            }
            call::leave(mpi, kernel, &frame);
            number
        });
        Request(u64::from(number))
    }

    /// `MPI_Start` of a request. A send in partitions is sent later.
    pub(super) fn started_again(&self, number: u32) {
        let frame = requests::enter(Function::Start);
        let known = mpi(|mpi, kernel| {
            let process = mpi.here(kernel);
            let operation = process.operations.get_mut(number).filter(|operation| operation.persistent)?;
            let is_inactive = matches!(operation.progress, Progress::Inactive);
            let kind = operation.kind;
            let part = process.parts.get(&number).copied();
            let has_partitions = process.partitions.contains_key(&number);
            Some(Known { kind, part, is_inactive, has_partitions })
        });
        match known {
            Some(Known { is_inactive: true, has_partitions: true, .. }) => mpi(|mpi, kernel| {
                let process = mpi.here(kernel);
                process.partitions.entry(number).and_modify(Partitions::start);
                if let Some(operation) = process.operations.get_mut(number) {
                    operation.is_to_be_ready();
                }
                call::leave(mpi, kernel, &frame);
            }),
            Some(Known { kind, part, is_inactive: true, .. }) => {
                self.start_request(number, &kind, part.as_ref(), &frame);
            }
            Some(_) => misuse("MPI_Start: the request is started already; complete it first".to_owned()),
            None => misuse("MPI_Start: the request is not persistent".to_owned()),
        }
    }

    /// `MPI_Pready`: with the last partition the message is sent.
    pub(super) fn ready(&self, number: u32, partition: usize) {
        let frame = requests::enter(Function::Pready);
        if mpi(|mpi, kernel| mpi.starts_in_order(kernel)) {
            in_order();
        }
        let said = mpi(|mpi, kernel| {
            let process = mpi.here(kernel);
            let operation = process.operations.get_mut(number);
            let (Some(operation), Some(partitions)) = (operation, process.partitions.get_mut(&number)) else {
                return Err(NO_PARTITIONS.to_owned());
            };
            let is_started = !matches!(operation.progress, Progress::Inactive);
            partitions.ready(partition, is_started).map(|is_last| is_last.then_some(operation.kind))
        });
        match said {
            Err(problem) => misuse(format!("{}: {problem}", Function::Pready)),
            Ok(None) => mpi(|mpi, kernel| call::leave(mpi, kernel, &frame)),
            Ok(Some(kind)) => {
                self.start_request(number, &kind, None, &frame);
                // Another thread may have waited for the message to be sent.
                mpi(|mpi, kernel| mpi.was_sent(kernel, number));
            }
        }
    }
}
