//! The trait that engines implement, and the calls by name.

use ats_distr::Distribution;

use crate::{
    BaseComm, Column, Completion, Datatype, DerivedType, Dimension, How, Matched, Memory, MpiBuf, MpiVBuf,
    Op, ReduceOp, Request, SendMode, Source, Status, Tag,
};

/// A communicator of MPI as one of its members sees it.
///
/// The required methods are few, since MPI's calls are data; properties use the named methods on
/// `dyn Communicator`. Errors of MPI end the program with a message, as `MPI_ERRORS_ARE_FATAL` does.
pub trait Communicator: Sync {
    /// This member's rank.
    fn rank(&self) -> usize;
    /// The number of members.
    fn size(&self) -> usize;
    /// Memory for messages; the virtual engine's has a length only.
    fn allocate(&self, bytes: usize) -> Memory;
    /// Makes the derived type of a column (`MPI_Type_vector`, `MPI_Type_commit`).
    fn derive(&self, column: &Column) -> DerivedType;
    /// The default type and count for messages, set per process.
    fn base_comm(&self) -> BaseComm;
    /// Sets the default type and count for messages (report, section 3.1.3).
    fn set_base_comm(&self, base: BaseComm);
    /// The largest message of a standard send, in bytes, that is sent without waiting for its receive: the model's, or the
    /// library's as the ranks have probed it. A program that has not probed it ends with a message.
    fn eager_limit(&self) -> usize;
    /// Makes the blocking call. The status is that of the received message, if there is one.
    fn call(&self, op: Op) -> Status;
    /// Makes the non-blocking call.
    fn start(&self, op: Op) -> Request;
    /// Prepares a persistent request; [`Op::init_function`] says which operations have one.
    fn init(&self, op: Op) -> Request;
    /// Prepares a persistent request of a message in so many equal partitions: `MPI_Psend_init`, `MPI_Precv_init`. `op` is a
    /// standard send, or a receive from one rank with one tag. Libraries match such messages in the order in which they
    /// are prepared, the virtual engine in that in which they are sent: of those with one tag start one at a time.
    fn init_partitioned(&self, op: Op, partitions: usize) -> Request;
    /// `MPI_Pready`: a partition of a started send, from 0 on, is ready; with the last one the message is sent.
    fn pready(&self, request: &Request, partition: usize);
    /// `MPI_Start` on a persistent request.
    fn restart(&self, request: &Request);
    /// Completes requests. Completed ones are taken out of the list, persistent ones stay for the next `restart`.
    fn complete(&self, how: How, requests: &mut Vec<Request>) -> Completion;
    /// `MPI_Probe`: waits until a message can be received, and leaves it there.
    fn probe(&self, from: Source, tag: Tag) -> Status;
    /// `MPI_Iprobe`: whether a message can be received now.
    fn iprobe(&self, from: Source, tag: Tag) -> Option<Status>;
    /// `MPI_Mprobe`: waits until a message can be received, and takes it away for [`Communicator::mrecv`].
    fn mprobe(&self, from: Source, tag: Tag) -> Matched;
    /// `MPI_Mrecv`: receives a message that was taken away.
    fn mrecv(&self, message: Matched, buf: &MpiBuf) -> Status;
    /// `MPI_Comm_split`; `None` as colour is `MPI_UNDEFINED` and yields no communicator.
    fn split(&self, color: Option<u32>, key: i32) -> Option<Box<dyn Communicator>>;
    /// Duplicates it (`MPI_Comm_dup`).
    fn dup(&self) -> Box<dyn Communicator>;
    /// `MPI_Comm_create` with the group of these members, in this order; it yields a communicator to these alone.
    fn create(&self, ranks: &[usize]) -> Option<Box<dyn Communicator>>;
    /// `MPI_Cart_create` without reordering: its first ranks get a communicator that is a grid of them, with these dimensions.
    fn cart(&self, grid: &[Dimension]) -> Option<Box<dyn Communicator>>;
    /// `MPI_Dist_graph_create_adjacent` without weights and reordering: this member receives from `sources` and sends to
    /// `destinations`; whoever is a source of another has that as a destination.
    fn dist_graph(&self, sources: &[usize], destinations: &[usize]) -> Box<dyn Communicator>;
    /// Frees it (`MPI_Comm_free`).
    fn free(self: Box<Self>);
    /// Makes the blocking call of a collective operation, and returns `delay` seconds after it could. No program can ask its
    /// library for that: it is for ideal traces, and for the virtual engine.
    ///
    /// # Panics
    /// The engine is a real one.
    fn call_delayed(&self, op: Op, delay: f64) {
        panic!("{} cannot be told to return {delay} s late: only the virtual engine can", op.function());
    }
}

/// The calls by name.
impl dyn Communicator + '_ {
    /// A buffer of `count` elements.
    pub fn alloc_mpi_buf(&self, datatype: Datatype, count: usize) -> MpiBuf {
        MpiBuf::new(self.allocate(datatype.bytes(count)), datatype, count)
    }

    /// A buffer of a column that begins where the memory does. Only sends and receives take it.
    ///
    /// # Panics
    /// The memory is too small.
    pub fn column_buf(&self, memory: &Memory, column: Column) -> MpiBuf {
        MpiBuf::of_column(memory.clone(), column, self.derive(&column))
    }

    /// A buffer of the default type and count.
    pub fn base_buf(&self) -> MpiBuf {
        let BaseComm { datatype, count } = self.base_comm();
        self.alloc_mpi_buf(datatype, count)
    }

    /// A buffer with one default block per member.
    pub fn base_buf_per_rank(&self) -> MpiBuf {
        let BaseComm { datatype, count } = self.base_comm();
        self.alloc_mpi_buf(datatype, count * self.size())
    }

    /// A buffer with a part of its own size for every member, all of them at the root; the sizes are the whole parts
    /// of a distribution's values (report, section 3.1.3).
    pub fn alloc_mpi_vbuf(&self, datatype: Datatype, counts: &Distribution, root: usize) -> MpiVBuf {
        let count = |rank: usize| counts.value(rank, self.size(), 1.0) as usize;
        MpiVBuf::new(datatype, self.rank(), self.size(), root, count, |bytes| self.allocate(bytes))
    }

    /// Sends a message (`MPI_Send`).
    pub fn send(&self, to: usize, tag: u32, buf: &MpiBuf) {
        self.send_as(SendMode::Standard, to, tag, buf);
    }
    /// Sends a message synchronously (`MPI_Ssend`).
    pub fn ssend(&self, to: usize, tag: u32, buf: &MpiBuf) {
        self.send_as(SendMode::Synchronous, to, tag, buf);
    }
    /// Sends a message through the buffer (`MPI_Bsend`).
    pub fn bsend(&self, to: usize, tag: u32, buf: &MpiBuf) {
        self.send_as(SendMode::Buffered, to, tag, buf);
    }
    /// Sends a message whose receive has been posted (`MPI_Rsend`).
    pub fn rsend(&self, to: usize, tag: u32, buf: &MpiBuf) {
        self.send_as(SendMode::Ready, to, tag, buf);
    }
    /// The blocking send of a mode.
    pub fn send_as(&self, mode: SendMode, to: usize, tag: u32, buf: &MpiBuf) {
        self.call(Op::Send { mode, to, tag, buf: buf.clone() });
    }
    /// The non-blocking send of a mode (`MPI_Isend`, `MPI_Issend`, `MPI_Ibsend`, `MPI_Irsend`).
    pub fn isend_as(&self, mode: SendMode, to: usize, tag: u32, buf: &MpiBuf) -> Request {
        self.start(Op::Send { mode, to, tag, buf: buf.clone() })
    }
    /// Receives a message (`MPI_Recv`).
    pub fn recv(&self, from: Source, tag: Tag, buf: &MpiBuf) -> Status {
        self.call(Op::Recv { from, tag, buf: buf.clone() })
    }
    /// Starts to receive a message (`MPI_Irecv`).
    pub fn irecv(&self, from: Source, tag: Tag, buf: &MpiBuf) -> Request {
        self.start(Op::Recv { from, tag, buf: buf.clone() })
    }
    /// Prepares a send in partitions (`MPI_Psend_init`).
    pub fn psend_init(&self, partitions: usize, to: usize, tag: u32, buf: &MpiBuf) -> Request {
        self.init_partitioned(Op::Send { mode: SendMode::Standard, to, tag, buf: buf.clone() }, partitions)
    }
    /// Prepares a receive in partitions (`MPI_Precv_init`).
    pub fn precv_init(&self, partitions: usize, from: usize, tag: u32, buf: &MpiBuf) -> Request {
        let (from, tag) = (Source::Rank(from), Tag::Is(tag));
        self.init_partitioned(Op::Recv { from, tag, buf: buf.clone() }, partitions)
    }
    /// Waits for a request (`MPI_Wait`).
    pub fn wait(&self, request: Request) -> Status {
        self.complete(How::Wait, &mut vec![request]).completed[0].1
    }
    /// Waits for all requests (`MPI_Waitall`).
    pub fn waitall(&self, mut requests: Vec<Request>) -> Completion {
        self.complete(How::Waitall, &mut requests)
    }
    /// Waits for all members (`MPI_Barrier`).
    pub fn barrier(&self) {
        self.call(Op::Barrier);
    }
    /// Sends the root's message to all members (`MPI_Bcast`).
    pub fn bcast(&self, root: usize, buf: &MpiBuf) {
        self.call(Op::Bcast { root, buf: buf.clone() });
    }
    /// `MPI_Scatter`; the root has `send`, one block per member.
    pub fn scatter(&self, root: usize, send: Option<&MpiBuf>, recv: &MpiBuf) {
        self.call(Op::Scatter { root, send: send.cloned(), recv: recv.clone() });
    }
    /// Sends parts of the root's data to the members (`MPI_Scatterv`).
    pub fn scatterv(&self, buf: &MpiVBuf) {
        self.call(Op::Scatterv { root: buf.root(), buf: buf.clone() });
    }
    /// `MPI_Gather`; the root has `recv`, one block per member.
    pub fn gather(&self, root: usize, send: &MpiBuf, recv: Option<&MpiBuf>) {
        self.call(Op::Gather { root, send: send.clone(), recv: recv.cloned() });
    }
    /// Collects the members' parts at the root (`MPI_Gatherv`).
    pub fn gatherv(&self, buf: &MpiVBuf) {
        self.call(Op::Gatherv { root: buf.root(), buf: buf.clone() });
    }
    /// `MPI_Reduce`; the root has `recv`.
    pub fn reduce(&self, op: ReduceOp, root: usize, send: &MpiBuf, recv: Option<&MpiBuf>) {
        self.call(Op::Reduce { root, op, send: send.clone(), recv: recv.cloned() });
    }
    /// Combines the values of all members for all (`MPI_Allreduce`).
    pub fn allreduce(&self, op: ReduceOp, send: &MpiBuf, recv: &MpiBuf) {
        self.call(Op::Allreduce { op, send: send.clone(), recv: recv.clone() });
    }
    /// `MPI_Alltoall`; both buffers hold one block per member.
    pub fn alltoall(&self, send: &MpiBuf, recv: &MpiBuf) {
        self.call(Op::Alltoall { send: send.clone(), recv: recv.clone() });
    }
}
