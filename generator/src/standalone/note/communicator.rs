//! Communicators and processes whose calls are noted.

use ats_model::mpi::{Form, Function};
use ats_mpi::{
    BaseComm, Column, Communicator, Completion, DerivedType, Dimension, How, Matched, Memory, MpiBuf, Op,
    Process, Request, Source, Status, Tag,
};

use super::super::arguments::{Passed, WORLD, of_matched, of_probe};
use super::{MESSAGE, NO_STATUS, Noting, engine, noting};

/// A communicator whose calls are noted.
pub(super) struct Noted<C> {
    of_engine: C,
    origin: Origin,
}

/// The origin of a communicator.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Origin {
    World,
    /// The program has made it. Files can only free it.
    Made,
    /// The program has made it with a topology, of all ranks as they are in the world.
    WithTopology,
}

impl<C> Noted<C> {
    /// The world.
    pub(super) fn world(of_engine: C) -> Self {
        Noted { of_engine, origin: Origin::World }
    }

    /// Notes something that is done with it.
    fn note(&self, what: impl FnOnce(&mut Noting)) {
        noting(|noting| {
            if self.origin == Origin::Made {
                noting.unfit("it uses a communicator that it has made, other than to free it");
            }
            noting.on_made = self.origin == Origin::WithTopology;
            what(noting);
            noting.on_made = false;
        });
    }
}

/// A communicator that the program has made.
fn made(of_engine: Box<dyn Communicator>) -> Box<dyn Communicator> {
    Box::new(Noted { of_engine, origin: Origin::Made })
}

/// A communicator that the program has made with a topology.
fn with_topology(of_engine: Box<dyn Communicator>) -> Box<dyn Communicator> {
    Box::new(Noted { of_engine, origin: Origin::WithTopology })
}

/// Access to a communicator of the engine.
trait Handle: Sync {
    fn of_engine(&self) -> &dyn Communicator;
    /// Frees it, if it is the program's own.
    fn free(self);
}

impl Handle for &dyn Communicator {
    fn of_engine(&self) -> &dyn Communicator {
        *self
    }

    fn free(self) {}
}

impl Handle for Box<dyn Communicator> {
    fn of_engine(&self) -> &dyn Communicator {
        &**self
    }

    fn free(self) {
        Communicator::free(self);
    }
}

/// Notes a call of a function that no property of the suite calls, and that files cannot have.
fn unfit(function: Function) {
    noting(|noting| noting.unfit(&format!("it calls {function}")));
}

impl<C: Handle> Communicator for Noted<C> {
    fn rank(&self) -> usize {
        self.of_engine.of_engine().rank()
    }

    fn size(&self) -> usize {
        self.of_engine.of_engine().size()
    }

    fn allocate(&self, bytes: usize) -> Memory {
        self.of_engine.of_engine().allocate(bytes)
    }

    fn derive(&self, column: &Column) -> DerivedType {
        noting(|noting| noting.derives(column));
        Box::new(NotedType { _of_engine: engine(|| self.of_engine.of_engine().derive(column)) })
    }

    fn base_comm(&self) -> BaseComm {
        self.of_engine.of_engine().base_comm()
    }

    fn set_base_comm(&self, base: BaseComm) {
        self.of_engine.of_engine().set_base_comm(base);
    }

    fn eager_limit(&self) -> usize {
        self.of_engine.of_engine().eager_limit()
    }

    fn call(&self, op: Op) -> Status {
        self.note(|noting| noting.blocking(&op));
        let is_open =
            matches!(op, Op::Recv { from: Source::Any, .. } | Op::Sendrecv { from: Source::Any, .. });
        let status = engine(|| self.of_engine.of_engine().call(op));
        if is_open {
            noting(|noting| noting.rank().matched = Some(status.source));
        }
        status
    }

    fn start(&self, op: Op) -> Request {
        let request = engine(|| self.of_engine.of_engine().start(op.clone()));
        self.note(|noting| noting.requested(Form::Nonblocking, &op, &request));
        request
    }

    fn init(&self, op: Op) -> Request {
        let request = engine(|| self.of_engine.of_engine().init(op.clone()));
        self.note(|noting| noting.requested(Form::Persistent, &op, &request));
        request
    }

    fn init_partitioned(&self, op: Op, partitions: usize) -> Request {
        let request = engine(|| self.of_engine.of_engine().init_partitioned(op.clone(), partitions));
        self.note(|noting| noting.divided(&op, partitions, &request));
        request
    }

    fn pready(&self, request: &Request, partition: usize) {
        self.note(|noting| noting.ready(request, partition));
        engine(|| self.of_engine.of_engine().pready(request, partition));
    }

    fn restart(&self, request: &Request) {
        self.note(|noting| noting.restarted(request));
        engine(|| self.of_engine.of_engine().restart(request));
    }

    fn complete(&self, how: How, requests: &mut Vec<Request>) -> Completion {
        let tests = how.function().never_waits();
        let tested = noting(|noting| noting.places(requests));
        if !tests {
            self.note(|noting| noting.completes(how, requests));
        }
        let completion = engine(|| self.of_engine.of_engine().complete(how, requests));
        if tests {
            self.note(|noting| noting.tested(how, &tested, !completion.completed.is_empty()));
        }
        completion
    }

    fn probe(&self, from: Source, tag: Tag) -> Status {
        self.note(|noting| noting.call(Function::Probe.name(), of_probe(from, tag).word(NO_STATUS)));
        engine(|| self.of_engine.of_engine().probe(from, tag))
    }

    fn iprobe(&self, from: Source, tag: Tag) -> Option<Status> {
        unfit(Function::Iprobe);
        engine(|| self.of_engine.of_engine().iprobe(from, tag))
    }

    fn mprobe(&self, from: Source, tag: Tag) -> Matched {
        self.note(|noting| {
            noting.call(Function::Mprobe.name(), of_probe(from, tag).word(MESSAGE).word(NO_STATUS));
        });
        engine(|| self.of_engine.of_engine().mprobe(from, tag))
    }

    fn mrecv(&self, message: Matched, buf: &MpiBuf) -> Status {
        self.note(|noting| {
            noting.call(Function::Mrecv.name(), of_matched(buf).word(MESSAGE).word(NO_STATUS))
        });
        engine(|| self.of_engine.of_engine().mrecv(message, buf))
    }

    fn split(&self, color: Option<u32>, key: i32) -> Option<Box<dyn Communicator>> {
        self.note(|noting| match color {
            Some(color) => {
                let passed = Passed::default().word(WORLD).number("color", color as usize);
                noting.makes(Function::Comm_split, passed.number("key", key.max(0) as usize));
            }
            None => noting.unfit(&format!("it calls {} without a colour", Function::Comm_split)),
        });
        engine(|| self.of_engine.of_engine().split(color, key)).map(made)
    }

    fn dup(&self) -> Box<dyn Communicator> {
        self.note(|noting| noting.makes(Function::Comm_dup, Passed::default().word(WORLD)));
        made(engine(|| self.of_engine.of_engine().dup()))
    }

    fn create(&self, ranks: &[usize]) -> Option<Box<dyn Communicator>> {
        self.note(|noting| noting.creates(ranks));
        engine(|| self.of_engine.of_engine().create(ranks)).map(made)
    }

    fn cart(&self, grid: &[Dimension]) -> Option<Box<dyn Communicator>> {
        self.note(|noting| noting.makes_grid(grid));
        engine(|| self.of_engine.of_engine().cart(grid)).map(with_topology)
    }

    fn dist_graph(&self, sources: &[usize], destinations: &[usize]) -> Box<dyn Communicator> {
        self.note(|noting| noting.makes_graph(sources, destinations));
        with_topology(engine(|| self.of_engine.of_engine().dist_graph(sources, destinations)))
    }

    fn free(self: Box<Self>) {
        noting(Noting::frees);
        let of_engine = self.of_engine;
        engine(|| of_engine.free());
    }
}

/// A derived type; that it is freed is noted.
struct NotedType {
    /// Only there to be dropped.
    _of_engine: DerivedType,
}

impl Drop for NotedType {
    fn drop(&mut self) {
        noting(Noting::frees_type);
    }
}

/// A process whose calls are noted.
pub(super) struct NotedProcess<'a>(pub(super) &'a dyn Process);

impl Process for NotedProcess<'_> {
    fn rank(&self) -> usize {
        self.0.rank()
    }

    fn size(&self) -> usize {
        self.0.size()
    }

    fn init(&self) -> Box<dyn Communicator> {
        noting(Noting::begins_mpi);
        Box::new(Noted::world(engine(|| self.0.init())))
    }

    fn finalize(&self, world: Box<dyn Communicator>) {
        noting(|noting| noting.call(Function::Finalize.name(), Passed::default()));
        engine(|| self.0.finalize(world));
    }
}
