#![allow(unsafe_code, reason = "makes MPI calls through mpi::ffi")]
//! The trait on a communicator of MPI.

use std::ffi::c_int;
use std::sync::{Mutex, MutexGuard, OnceLock, PoisonError};

use ats_model::mpi::{Form, Function};
use ats_work::log;
use mpi::ffi::{self, MPI_Comm};

use super::arguments::{Arrays, int, source_of, status_of, tag_of};
use super::collective::{self, Called};
use super::derived::Vector;
use super::failure::{check, fatal, unsupported};
use super::handle::{Handle, finalized};
use super::member::Member;
use super::outcome::{logged, note};
use super::requests::{self, Table, empty_status};
use super::{delivery, partitioned, point_to_point, topology};
use crate::{
    BaseComm, Column, Communicator, Completion, DerivedType, Dimension, How, Matched, Memory, MpiBuf, Op,
    Partitions, Request, Source, Status, Tag,
};

/// A communicator of MPI. Its requests are its own: complete them on the communicator that started them. Calls are for
/// the threads that the thread level allows; another one ends the process with a message.
pub struct MpiCommunicator {
    handle: Handle<MPI_Comm>,
    rank: usize,
    size: usize,
    owned: bool,
    /// The places for neighbours, if this engine has made the topology.
    degrees: Option<[usize; 2]>,
    requests: Mutex<Table>,
    quiet: OnceLock<Handle<MPI_Comm>>,
}

impl MpiCommunicator {
    /// `MPI_COMM_WORLD` in a process whose program has initialised MPI itself; `None` before and after that.
    pub fn world() -> Option<Self> {
        let mut initialized = 0;
        // SAFETY: allowed at any time; the flag is ours.
        unsafe { ffi::PMPI_Initialized(&mut initialized) };
        // SAFETY: predefined, and MPI is initialised.
        (initialized != 0 && !finalized()).then(|| unsafe { Self::borrowed(ffi::RSMPI_COMM_WORLD) })
    }

    /// A communicator of a program that has initialised MPI itself; it stays when this is dropped.
    ///
    /// # Safety
    /// MPI is initialised, and `comm` is an intracommunicator for as long as this lives.
    pub unsafe fn borrowed(comm: MPI_Comm) -> Self {
        Self::new(comm, false, None)
    }

    fn new(comm: MPI_Comm, owned: bool, degrees: Option<[usize; 2]>) -> Self {
        let (mut rank, mut size) = (0, 0);
        // SAFETY: the results are ours, the communicator is one. Any thread may be here, to say who it is in a message; these
        // two only read what never changes.
        unsafe {
            check(Function::Comm_rank, ffi::PMPI_Comm_rank(comm, &mut rank));
            check(Function::Comm_size, ffi::PMPI_Comm_size(comm, &mut size));
        }
        MpiCommunicator {
            handle: Handle::new(comm),
            rank: rank as usize,
            size: size as usize,
            owned,
            degrees,
            requests: Mutex::default(),
            quiet: OnceLock::new(),
        }
    }

    /// A duplicate for the messages of a harness or a recorder, to be used with `PMPI_` calls and only while `self`
    /// lives. The first call is collective.
    pub fn quiet(&self) -> MPI_Comm {
        self.quiet
            .get_or_init(|| {
                // SAFETY: a constant of the library, then the place for the result.
                let mut duplicate = unsafe { ffi::RSMPI_COMM_NULL };
                // SAFETY: as above.
                check(Function::Comm_dup, unsafe {
                    ffi::PMPI_Comm_dup(self.comm(Function::Comm_dup), &mut duplicate)
                });
                Handle::new(duplicate)
            })
            .for_call("a call of the harness")
    }

    /// The handle, for a call.
    fn comm(&self, function: Function) -> MPI_Comm {
        self.handle.for_call(function)
    }

    fn member(&self, function: Function) -> Member {
        Member { comm: self.comm(function), rank: self.rank, size: self.size, degrees: self.degrees }
    }

    fn table(&self) -> MutexGuard<'_, Table> {
        self.requests.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// A communicator made by a call, which fills in its handle.
    fn made(
        &self,
        function: Function,
        degrees: Option<[usize; 2]>,
        call: impl FnOnce(*mut MPI_Comm) -> c_int,
    ) -> Option<Box<dyn Communicator>> {
        // SAFETY: a constant of the library.
        let null = unsafe { ffi::RSMPI_COMM_NULL };
        let mut new = null;
        check(function, log::construct(function.name(), || call(&mut new)));
        (new != null).then(|| Box::new(MpiCommunicator::new(new, true, degrees)) as Box<dyn Communicator>)
    }
}

impl Communicator for MpiCommunicator {
    fn rank(&self) -> usize {
        self.rank
    }

    fn size(&self) -> usize {
        self.size
    }

    fn allocate(&self, bytes: usize) -> Memory {
        Memory::zeroed(bytes)
    }

    fn derive(&self, column: &Column) -> DerivedType {
        Box::new(Vector::new(column))
    }

    fn base_comm(&self) -> BaseComm {
        base_comm().unwrap_or_default()
    }

    fn set_base_comm(&self, base: BaseComm) {
        set_base_comm(base);
    }

    fn eager_limit(&self) -> usize {
        let known = *eager_limit();
        known.unwrap_or_else(|| {
            let fix = "has not been probed; let ats_begin know that it is needed, or give a number of bytes";
            fatal("the eager limit", fix)
        })
    }

    fn call(&self, op: Op) -> Status {
        let function = op.function();
        let member = self.member(function);
        let arrays = Arrays::from_part(&op.part(member.rank, member.size));
        let mut status = empty_status();
        delivery::prepare(&op, member);
        let (call, code) = logged(function, || {
            point_to_point::call(&op, member.comm, &mut status)
                .or_else(|| collective::call(&op, &arrays, member, Called::Blocking))
        });
        check(function, code.expect("every operation is the one or the other"));
        let status = match op {
            Op::Recv { from, .. } | Op::Sendrecv { from, .. } => {
                let status = status_of(&status);
                note(call, from.choice(), [status.source]);
                status
            }
            _ => Status::default(),
        };
        delivery::add(&op, member, status);
        status
    }

    fn start(&self, op: Op) -> Request {
        let function = op.function().in_form(Form::Nonblocking).expect("every operation has one");
        let member = self.member(function);
        let arrays = Arrays::from_part(&op.part(member.rank, member.size));
        // SAFETY: a constant of the library.
        let mut request = unsafe { ffi::RSMPI_REQUEST_NULL };
        delivery::prepare(&op, member);
        let (call, code) = logged(function, || {
            point_to_point::start(&op, member.comm, &mut request)
                .or_else(|| collective::call(&op, &arrays, member, Called::Started(&mut request)))
        });
        match code {
            Some(code) => check(function, code),
            None => unsupported(function),
        }
        let mut table = self.table();
        let started = table.add(request, op, arrays, false);
        table.activate(&started, call, member);
        started
    }

    fn init(&self, op: Op) -> Request {
        let Some(function) = op.init_function() else {
            fatal(op.function(), "has no persistent request");
        };
        let member = self.member(function);
        let arrays = Arrays::from_part(&op.part(member.rank, member.size));
        // SAFETY: a constant of the library.
        let mut request = unsafe { ffi::RSMPI_REQUEST_NULL };
        let code = log::construct(function.name(), || {
            point_to_point::init(&op, member.comm, &mut request)
                .or_else(|| collective::call(&op, &arrays, member, Called::Prepared(&mut request)))
        });
        check(function, code.expect("a send-receive has no such function"));
        self.table().add(request, op, arrays, true)
    }

    fn init_partitioned(&self, op: Op, partitions: usize) -> Request {
        let (function, partitions) =
            Partitions::divide(&op, partitions).unwrap_or_else(|problem| fatal("MPI", &problem));
        let member = self.member(function);
        let handle = partitioned::init(function, &op, partitions.count(), member.comm);
        let sends = matches!(op, Op::Send { .. });
        let mut table = self.table();
        let request = table.add(handle, op, Arrays::default(), true);
        if sends {
            table.divide(&request, partitions);
        }
        request
    }

    fn pready(&self, request: &Request, partition: usize) {
        let handle = self.table().ready(Function::Pready, request, partition);
        partitioned::ready(handle, partition);
    }

    fn restart(&self, request: &Request) {
        let member = self.member(Function::Start);
        let mut table = self.table();
        let mut handle = table.inactive(Function::Start, request);
        delivery::prepare(table.op(request), member);
        // SAFETY: a persistent request that is not active; its buffer lives as long as it. MPI does not change its handle.
        let (call, code) = logged(Function::Start, || unsafe { ffi::MPI_Start(&mut handle) });
        check(Function::Start, code);
        table.activate(request, call, member);
    }

    fn complete(&self, how: How, requests: &mut Vec<Request>) -> Completion {
        let function = how.function();
        let member = self.member(function);
        if matches!(how, How::Wait | How::Test) && requests.len() != 1 {
            fatal(function, &format!("takes one request, not {}", requests.len()));
        }
        let mut handles = self.table().handles(function, requests);
        let completed = requests::complete(how, &mut handles);
        Completion { completed: self.table().settle(&completed, requests, member) }
    }

    fn probe(&self, from: Source, tag: Tag) -> Status {
        let comm = self.comm(Function::Probe);
        let mut status = empty_status();
        // SAFETY: the status is ours.
        let (call, code) = logged(Function::Probe, || unsafe {
            ffi::MPI_Probe(source_of(from), tag_of(tag), comm, &mut status)
        });
        check(Function::Probe, code);
        let status = status_of(&status);
        note(call, from.choice(), [status.source]);
        status
    }

    fn iprobe(&self, from: Source, tag: Tag) -> Option<Status> {
        let comm = self.comm(Function::Iprobe);
        let (mut status, mut flag) = (empty_status(), 0);
        // SAFETY: status and flag are ours.
        let (call, code) = logged(Function::Iprobe, || unsafe {
            ffi::MPI_Iprobe(source_of(from), tag_of(tag), comm, &mut flag, &mut status)
        });
        check(Function::Iprobe, code);
        let found = (flag != 0).then(|| status_of(&status));
        note(call, Some(from.choice_of_iprobe()), found.map(|status| status.source));
        found
    }

    fn mprobe(&self, from: Source, tag: Tag) -> Matched {
        let comm = self.comm(Function::Mprobe);
        let mut status = empty_status();
        // SAFETY: a constant of the library.
        let mut message = unsafe { ffi::RSMPI_MESSAGE_NULL };
        // SAFETY: message and status are ours.
        let (call, code) = logged(Function::Mprobe, || unsafe {
            ffi::MPI_Mprobe(source_of(from), tag_of(tag), comm, &mut message, &mut status)
        });
        check(Function::Mprobe, code);
        let status = status_of(&status);
        note(call, from.choice(), [status.source]);
        Matched { status, handle: message.0 as usize as u64 }
    }

    fn mrecv(&self, Matched { status, handle }: Matched, buf: &MpiBuf) -> Status {
        let member = self.member(Function::Mrecv);
        let (from, tag) = (Source::Rank(status.source), Tag::Is(status.tag));
        let op = Op::Recv { from, tag, buf: buf.clone() };
        delivery::prepare(&op, member);
        let mut status = empty_status();
        let code = log::construct(Function::Mrecv.name(), || {
            point_to_point::receive_matched(buf, ffi::MPI_Message(handle as usize as _), &mut status)
        });
        check(Function::Mrecv, code);
        let status = status_of(&status);
        delivery::add(&op, member, status);
        status
    }

    fn split(&self, color: Option<u32>, key: i32) -> Option<Box<dyn Communicator>> {
        let comm = self.comm(Function::Comm_split);
        // SAFETY: a constant of the library.
        let color = color.map_or(unsafe { ffi::RSMPI_UNDEFINED }, |color| int(color as usize));
        self.made(Function::Comm_split, None, |new| {
            // SAFETY: `new` is the place for the result.
            unsafe { ffi::MPI_Comm_split(comm, color, key, new) }
        })
    }

    fn dup(&self) -> Box<dyn Communicator> {
        let comm = self.comm(Function::Comm_dup);
        // SAFETY: `new` is the place for the result.
        self.made(Function::Comm_dup, self.degrees, |new| unsafe { ffi::MPI_Comm_dup(comm, new) })
            .expect("MPI_Comm_dup yields a communicator on every rank")
    }

    fn create(&self, ranks: &[usize]) -> Option<Box<dyn Communicator>> {
        let comm = self.comm(Function::Comm_create);
        let ranks: Vec<c_int> = ranks.iter().map(|&rank| int(rank)).collect();
        // SAFETY: constants of the library.
        let (mut all, mut group) = unsafe { (ffi::RSMPI_GROUP_NULL, ffi::RSMPI_GROUP_NULL) };
        // SAFETY: a communicator, as many ranks as said, and places for the results.
        unsafe {
            check(Function::Comm_group, ffi::PMPI_Comm_group(comm, &mut all));
            let count = int(ranks.len());
            check(Function::Group_incl, ffi::PMPI_Group_incl(all, count, ranks.as_ptr(), &mut group));
        }
        let made = self.made(Function::Comm_create, None, |new| {
            // SAFETY: a group of members; `new` is the place for the result.
            unsafe { ffi::MPI_Comm_create(comm, group, new) }
        });
        // An empty group is a constant, and not to be freed.
        for mut group in [all].into_iter().chain((!ranks.is_empty()).then_some(group)) {
            // SAFETY: our own group, used no more.
            check(Function::Group_free, unsafe { ffi::PMPI_Group_free(&mut group) });
        }
        made
    }

    fn cart(&self, grid: &[Dimension]) -> Option<Box<dyn Communicator>> {
        let function = Function::Cart_create;
        let comm = self.comm(function);
        topology::require_grid(grid, self.size);
        let dims: Vec<c_int> = grid.iter().map(|dimension| int(dimension.extent)).collect();
        let periods: Vec<c_int> = grid.iter().map(|dimension| dimension.periodic.into()).collect();
        let count = int(grid.len());
        self.made(function, Some([2 * grid.len(); 2]), |new| {
            // SAFETY: both lists have an element for each dimension; `new` is the place for the result.
            unsafe { ffi::MPI_Cart_create(comm, count, dims.as_ptr(), periods.as_ptr(), 0, new) }
        })
    }

    fn dist_graph(&self, sources: &[usize], destinations: &[usize]) -> Box<dyn Communicator> {
        let function = Function::Dist_graph_create_adjacent;
        let comm = self.comm(function);
        let [from, to] = [sources, destinations].map(|ranks| topology::neighbors(ranks, self.size));
        // All edges weigh the same: the constant for none is no constant of the library's type everywhere.
        let [of_from, of_to] = [&from, &to].map(|ranks| vec![1; ranks.len()]);
        self.made(function, Some([from.len(), to.len()]), |new| {
            // SAFETY: as many ranks and weights as said; `new` is the place for the result.
            unsafe {
                let (indegree, sources, weights) = (int(from.len()), from.as_ptr(), of_from.as_ptr());
                let (outdegree, destinations, of_destinations) = (int(to.len()), to.as_ptr(), of_to.as_ptr());
                ffi::MPI_Dist_graph_create_adjacent(
                    comm,
                    indegree,
                    sources,
                    weights,
                    outdegree,
                    destinations,
                    of_destinations,
                    ffi::RSMPI_INFO_NULL,
                    0,
                    new,
                )
            }
        })
        .expect("MPI_Dist_graph_create_adjacent yields a communicator on every rank")
    }

    fn free(self: Box<Self>) {
        drop(self);
    }
}

/// Sets the default type and count of all communicators of this process, also of those to come.
pub fn set_base_comm(base: BaseComm) {
    *base_comm() = Some(base);
}

/// The default type and count, which are state of the process.
fn base_comm() -> MutexGuard<'static, Option<BaseComm>> {
    static BASE: Mutex<Option<BaseComm>> = Mutex::new(None);
    BASE.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Sets the eager limit of all communicators of this process, in bytes, as it was probed.
pub(super) fn set_eager_limit(limit: usize) {
    *eager_limit() = Some(limit);
}

/// The eager limit, where it was probed.
fn eager_limit() -> MutexGuard<'static, Option<usize>> {
    static LIMIT: Mutex<Option<usize>> = Mutex::new(None);
    LIMIT.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Drop for MpiCommunicator {
    fn drop(&mut self) {
        // After MPI_Finalize there is nothing to free; while panicking the ranks are not together any more.
        if finalized() || std::thread::panicking() {
            return;
        }
        let mut comm = self.comm(Function::Comm_free);
        self.table().free_persistent();
        if let Some(quiet) = self.quiet.get() {
            let mut quiet = quiet.for_call(Function::Comm_free);
            // SAFETY: our own duplicate, used by nobody else.
            check(Function::Comm_free, unsafe { ffi::PMPI_Comm_free(&mut quiet) });
        }
        if self.owned {
            // SAFETY: our own communicator, dropped.
            let free = || unsafe { ffi::MPI_Comm_free(&mut comm) };
            check(Function::Comm_free, log::construct(Function::Comm_free.name(), free));
        }
    }
}
