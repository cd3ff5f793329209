//! Requests: from MPI's handle to the operation that was started.
//!
//! A handle that MPI gives out again stands for a complete operation, even where the program has not waited for it yet:
//! Open MPI and MPICH have one handle for all sends that are complete when they return.
//!
//! A request that the program frees while it is active is freed by the recorder when it is complete, so that its message
//! is not lost.

use std::sync::Mutex;

use ats_model::Event;
use ats_model::event::CommunicatorRef;
use mpi::ffi::MPI_Request;
use rustc_hash::FxHashMap;

use crate::buffer::lock;

/// What a request does when it is started.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Operation {
    Send { receiver: u32, communicator: CommunicatorRef, tag: u32, bytes: u64 },
    Receive { communicator: CommunicatorRef },
}

/// A request that is followed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Pending {
    /// Identifies the started operation in the trace; none while a persistent request is inactive.
    pub(crate) id: Option<u64>,
    pub(crate) operation: Operation,
    persistent: bool,
}

impl Pending {
    /// The event of its start.
    pub(crate) fn started(&self) -> Option<Event> {
        let request = self.id?;
        Some(match self.operation {
            Operation::Send { receiver, communicator, tag, bytes } => {
                Event::MpiIsend { receiver, communicator, tag, bytes, request }
            }
            Operation::Receive { .. } => Event::MpiIrecvRequest { request },
        })
    }
}

#[derive(Default)]
struct Table {
    started: u64,
    pending: FxHashMap<usize, Pending>,
}

impl Table {
    fn next_id(&mut self) -> u64 {
        self.started += 1;
        self.started
    }
}

static TABLE: Mutex<Option<Table>> = Mutex::new(None);

fn key(request: MPI_Request) -> usize {
    request.0 as usize
}

/// Follows an operation that was started. Also yields the one that its handle stood for until now, if there is one.
pub(crate) fn start(request: MPI_Request, operation: Operation) -> (Pending, Option<Pending>) {
    let mut table = lock(&TABLE);
    let table = table.get_or_insert_default();
    let pending = Pending { id: Some(table.next_id()), operation, persistent: false };
    (pending, table.pending.insert(key(request), pending))
}

/// Follows a persistent request, which is not active yet.
pub(crate) fn prepare(request: MPI_Request, operation: Operation) {
    let pending = Pending { id: None, operation, persistent: true };
    lock(&TABLE).get_or_insert_default().pending.insert(key(request), pending);
}

/// Activates a persistent request, if it is followed.
pub(crate) fn restart(request: MPI_Request) -> Option<Pending> {
    let mut table = lock(&TABLE);
    let table = table.as_mut()?;
    let id = table.next_id();
    let pending = table.pending.get_mut(&key(request))?;
    pending.id = Some(id);
    Some(*pending)
}

/// The active operation behind a request, if it is followed.
pub(crate) fn find(request: MPI_Request) -> Option<Pending> {
    lock(&TABLE).as_ref()?.pending.get(&key(request)).copied().filter(|pending| pending.id.is_some())
}

/// Notes that the operation is complete: a persistent request becomes inactive, any other is forgotten. Yields whether
/// that was not known before.
pub(crate) fn complete(request: MPI_Request, completed: &Pending) -> bool {
    let mut table = lock(&TABLE);
    let Some(table) = table.as_mut() else { return false };
    let Some(pending) = table.pending.get_mut(&key(request)) else { return false };
    let is_new = pending.id == completed.id;
    if is_new && pending.persistent {
        pending.id = None;
    } else if is_new {
        table.pending.remove(&key(request));
    }
    is_new
}

/// Forgets a request that the program frees. Yields what it stands for, if that is still active.
pub(crate) fn forget(request: MPI_Request) -> Option<Pending> {
    let forgotten = lock(&TABLE).as_mut()?.pending.remove(&key(request));
    forgotten.filter(|pending| pending.id.is_some())
}

/// Requests that the program freed while they were active, by their handles. MPI completes them, unseen by the program.
static FREED: Mutex<Vec<(usize, Pending)>> = Mutex::new(Vec::new());

/// Keeps a request that the program has freed while it was active.
pub(crate) fn keep(request: MPI_Request, pending: Pending) {
    lock(&FREED).push((key(request), pending));
}

/// The requests that are kept, in the order in which they were freed; those for which `is_active` holds stay.
pub(crate) fn retain(mut is_active: impl FnMut(MPI_Request, &Pending) -> bool) {
    lock(&FREED).retain(|(key, pending)| is_active(MPI_Request(*key as _), pending));
}
