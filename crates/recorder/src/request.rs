//! Requests: from MPI's handle to the operation that was started.
//!
//! A handle that MPI gives out again stands for a complete operation, even where the program has not waited for it yet:
//! Open MPI and MPICH have one handle for all sends, or collective operations, that are complete when they return.
//!
//! A request that the program frees while it is active is freed by the recorder when it is complete, so that its
//! message is not lost.

use std::collections::hash_map::Entry;
use std::ffi::c_int;
use std::sync::Mutex;

use ats_model::Event;
use ats_model::definitions::RegionRole;
use ats_model::event::CommunicatorRef;
use ats_model::mpi::Function;
use ats_model::own_attribute::Own;
use mpi::ffi::{MPI_Request, MPI_Status};
use rustc_hash::{FxBuildHasher, FxHashMap};

use crate::collective::Part;
use crate::lock::{Shared, Taken, lock};
use crate::status::{has_message, size_of_message, was_cancelled};

/// So many requests need no allocation.
pub(crate) const FEW: usize = 8;

/// The operation that a request starts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Operation {
    Send {
        receiver: u32,
        communicator: CommunicatorRef,
        tag: u32,
        bytes: u64,
    },
    Receive {
        communicator: CommunicatorRef,
    },
    Collective(Part),
    /// On a file or a window, or a collective that is not followed: no events, only the role of the calls that complete it.
    Other(RegionRole),
}

impl Operation {
    /// A part in a collective, if it is followed, by a function whose requests have this role.
    pub(crate) fn of_collective(part: Option<Part>, role: Option<RegionRole>) -> Option<Self> {
        match part {
            Some(part) => Some(Operation::Collective(part.in_role(role))),
            None => role.map(Operation::Other),
        }
    }

    /// The event of its start.
    fn started(self, request: u64) -> Option<Event> {
        match self {
            Operation::Send { receiver, communicator, tag, bytes } => {
                Some(Event::MpiIsend { receiver, communicator, tag, bytes, request })
            }
            Operation::Receive { .. } => Some(Event::MpiIrecvRequest { request }),
            Operation::Collective(_) => Some(Event::NonBlockingCollectiveRequest { request }),
            Operation::Other(_) => None,
        }
    }

    fn role(self) -> Option<RegionRole> {
        match self {
            Operation::Collective(part) => part.role(),
            Operation::Other(role) => Some(role),
            Operation::Send { .. } | Operation::Receive { .. } => None,
        }
    }

    /// A note on that event.
    fn note(self) -> Option<Event> {
        match self {
            Operation::Collective(part) => part.note(),
            Operation::Send { .. } | Operation::Receive { .. } | Operation::Other(_) => None,
        }
    }
}

/// An active operation behind a request that is followed.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Pending {
    /// Identifies it in the trace.
    id: u64,
    completes: Completes,
    /// The number of calls that have found it not complete.
    failed_tests: u32,
}

/// The part of an operation that its completion needs.
#[derive(Clone, Copy, Debug)]
enum Completes {
    Send,
    Receive(CommunicatorRef),
    Collective(Part),
    Other(RegionRole),
}

impl Pending {
    /// The event of its completion with this code.
    #[inline]
    pub(crate) fn completed(self, code: c_int, status: &MPI_Status) -> Option<Event> {
        let Completes::Receive(communicator) = self.completes else { return self.ended(code, status) };
        if !has_message(code) || was_cancelled(status) {
            return self.came_to_nothing();
        }
        let sender = u32::try_from(status.MPI_SOURCE).ok()?;
        let (tag, bytes) = (status.MPI_TAG as u32, size_of_message(status));
        Some(Event::MpiIrecv { sender, communicator, tag, bytes, request: self.id })
    }

    /// As [`Pending::completed`], of something else than a receive. A collective operation cannot be cancelled, and leaves
    /// its status undefined.
    fn ended(self, code: c_int, status: &MPI_Status) -> Option<Event> {
        match self.completes {
            Completes::Collective(_) if has_message(code) => self.succeeded(),
            Completes::Send if has_message(code) && !was_cancelled(status) => self.succeeded(),
            _ => self.came_to_nothing(),
        }
    }

    /// The event of its completion, if it is no receive.
    fn succeeded(self) -> Option<Event> {
        let request = self.id;
        match self.completes {
            Completes::Collective(part) => Some(part.completed(request)),
            Completes::Send => Some(Event::MpiIsendComplete { request }),
            Completes::Receive(_) | Completes::Other(_) => None,
        }
    }

    /// The event of the first call that finds it not complete; none if there was one before.
    pub(crate) fn tested(self) -> Option<Event> {
        (self.failed_tests == 0 && self.is_recorded()).then_some(Event::MpiRequestTest { request: self.id })
    }

    /// A note on the event of its completion, if calls have tested it in vain.
    #[inline]
    pub(crate) fn note(self) -> Option<Event> {
        (self.failed_tests > 0).then(|| Own::FailedTests.noted(self.failed_tests.into()))
    }

    fn is_receive(self) -> bool {
        matches!(self.completes, Completes::Receive(_))
    }

    /// The event of its end without a message.
    pub(crate) fn came_to_nothing(self) -> Option<Event> {
        self.is_recorded().then_some(Event::MpiRequestCancelled { request: self.id })
    }

    /// Whether it has events.
    pub(crate) fn is_recorded(self) -> bool {
        !matches!(self.completes, Completes::Other(_))
    }

    /// The role of a call that completes only such requests; `None` if it is the one of the call's name.
    pub(crate) fn role(self) -> Option<RegionRole> {
        match self.completes {
            Completes::Collective(part) => part.role(),
            Completes::Other(role) => Some(role),
            Completes::Send | Completes::Receive(_) => None,
        }
    }
}

/// The partitions of a message: how many there are, and how many of them are ready since its last start.
#[cfg_attr(not(has_partitions), allow(dead_code, reason = "this library has none"))]
#[derive(Clone, Copy, Debug)]
struct Partitions {
    count: u32,
    ready: u32,
    /// Identifies the operation that was started last in the trace.
    id: u64,
}

/// The requests that are followed.
pub(crate) struct Table {
    started: u64,
    active: FxHashMap<usize, Pending>,
    persistent: FxHashMap<usize, Operation>,
    /// Of sends among the persistent ones.
    partitions: FxHashMap<usize, Partitions>,
}

impl Table {
    /// Also yields the operation that the handle stood for until now, if there is one.
    #[inline]
    fn start(&mut self, key: usize, operation: Operation) -> (u64, Option<Pending>) {
        self.started += 1;
        let completes = match operation {
            Operation::Send { .. } => Completes::Send,
            Operation::Receive { communicator } => Completes::Receive(communicator),
            Operation::Collective(part) => Completes::Collective(part),
            Operation::Other(role) => Completes::Other(role),
        };
        (self.started, self.active.insert(key, Pending { id: self.started, completes, failed_tests: 0 }))
    }

    /// The active operation behind a request, if it is followed.
    #[inline]
    pub(crate) fn find(&self, request: MPI_Request) -> Option<Pending> {
        self.active.get(&key(request)).copied()
    }

    /// Counts a call that has found an operation not complete.
    pub(crate) fn count_failed_test(&mut self, request: MPI_Request, tested: Pending) {
        if let Some(pending) = self.active.get_mut(&key(request)).filter(|pending| pending.id == tested.id) {
            pending.failed_tests = pending.failed_tests.saturating_add(1);
        }
    }

    /// Whether a request is persistent, and followed.
    pub(crate) fn is_persistent(&self, request: MPI_Request) -> bool {
        self.persistent.contains_key(&key(request))
    }

    /// As [`Pending::role`], of a persistent request that is not active.
    pub(crate) fn role_of_persistent(&self, request: MPI_Request) -> Option<RegionRole> {
        self.persistent.get(&key(request)).and_then(|operation| operation.role())
    }

    /// Forgets a persistent request that MPI has freed.
    pub(crate) fn forget_persistent(&mut self, request: MPI_Request) {
        self.persistent.remove(&key(request));
        self.partitions.remove(&key(request));
    }

    /// Forgets an operation that is complete. Yields whether that is to be recorded: when MPI is done with it, another
    /// thread may start one that gets the same handle, and then records what it stood for as complete, unless that was a
    /// receive.
    #[inline]
    pub(crate) fn complete(&mut self, request: MPI_Request, completed: Pending) -> bool {
        match self.active.entry(key(request)) {
            Entry::Occupied(entry) if entry.get().id == completed.id => {
                entry.remove();
                true
            }
            _ => completed.is_receive(),
        }
    }
}

static TABLE: Shared<Table> = Shared::new(Table {
    started: 0,
    active: FxHashMap::with_hasher(FxBuildHasher),
    persistent: FxHashMap::with_hasher(FxBuildHasher),
    partitions: FxHashMap::with_hasher(FxBuildHasher),
});

/// The requests that are followed. While they are held, no buffer is asked for.
#[inline]
pub(crate) fn table() -> Taken<Table> {
    TABLE.lock()
}

fn key(request: MPI_Request) -> usize {
    request.0 as usize
}

/// Follows an operation that was started. Yields the event of its start with its note, and before it that of the completion
/// of the operation that its handle stood for until now, if there is one.
#[inline]
pub(crate) fn start(request: MPI_Request, operation: Operation) -> impl Iterator<Item = Event> {
    let (id, before) = table().start(key(request), operation);
    let before = before.and_then(Pending::succeeded);
    [before, operation.note(), operation.started(id)].into_iter().flatten()
}

/// The role of calls that complete only requests of this function of MPI; `None` if it is the one of their names.
pub(crate) fn role_of(function: &str) -> Option<RegionRole> {
    Function::of_spelling(function)?.role_of_requests()
}

/// Follows a persistent request, which is not active yet.
pub(crate) fn prepare(request: MPI_Request, operation: Operation) {
    table().persistent.insert(key(request), operation);
}

/// The same of a send in so many partitions.
#[cfg_attr(not(has_partitions), allow(dead_code, reason = "this library has none"))]
pub(crate) fn divide(request: MPI_Request, operation: Operation, count: u32) {
    let mut table = table();
    table.persistent.insert(key(request), operation);
    table.partitions.insert(key(request), Partitions { count, ready: 0, id: 0 });
}

/// Activates a persistent request, if it is followed. Yields the event of its start with its note; none of a send in
/// partitions, which is not sent before they are ready.
pub(crate) fn restart(request: MPI_Request) -> impl Iterator<Item = Event> {
    let mut table = table();
    let started = table.persistent.get(&key(request)).copied().map(|operation| {
        let (id, _) = table.start(key(request), operation);
        if let Some(partitions) = table.partitions.get_mut(&key(request)) {
            *partitions = Partitions { ready: 0, id, ..*partitions };
            return [None, None];
        }
        [operation.note(), operation.started(id)]
    });
    started.into_iter().flatten().flatten()
}

/// So many more partitions of a started send are ready. Yields the event of its start if they are the last.
#[cfg_attr(not(has_partitions), allow(dead_code, reason = "this library has none"))]
pub(crate) fn ready(request: MPI_Request, more: u32) -> Option<Event> {
    let mut table = table();
    let operation = *table.persistent.get(&key(request))?;
    let partitions = table.partitions.get_mut(&key(request))?;
    let before = partitions.ready;
    partitions.ready = before.saturating_add(more);
    let is_last = before < partitions.count && partitions.ready >= partitions.count;
    if is_last { operation.started(partitions.id) } else { None }
}

/// Forgets a request that the program frees. Yields what it does when it is started, if it is persistent, and what it
/// stands for, if that is still active.
pub(crate) fn forget(request: MPI_Request) -> (Option<Operation>, Option<Pending>) {
    let mut table = table();
    table.partitions.remove(&key(request));
    (table.persistent.remove(&key(request)), table.active.remove(&key(request)))
}

/// Forgets what is known of the role of a handle, which now stands for an operation that is not followed.
pub(crate) fn forget_role(request: MPI_Request) {
    if let Entry::Occupied(entry) = table().active.entry(key(request))
        && !entry.get().is_recorded()
    {
        entry.remove();
    }
}

/// Requests that the program freed while they were active, by their handles. MPI completes them, unseen by the program.
static FREED: Mutex<Vec<(usize, Pending)>> = Mutex::new(Vec::new());

/// Keeps a request that the program has freed while it was active.
pub(crate) fn keep(request: MPI_Request, pending: Pending) {
    lock(&FREED).push((key(request), pending));
}

/// Visits the kept requests in the order in which they were freed, and drops those that are no longer active.
pub(crate) fn retain(mut is_active: impl FnMut(MPI_Request, &Pending) -> bool) {
    lock(&FREED).retain(|(key, pending)| is_active(MPI_Request(*key as _), pending));
}
