//! Communicators and processes whose calls are noted.

use ats_model::mpi::{Form, Function};
use ats_mpi::{BaseComm, Communicator, Completion, How, Memory, Op, Process, Request, Source, Status, Tag};

use super::super::arguments::Passed;
use super::super::step::Shape;
use super::{engine, noting};

/// A communicator whose calls are noted.
pub(super) struct Noted<C>(pub(super) C);

/// Access to a communicator of the engine.
trait Handle: Sync {
    fn of_engine(&self) -> &dyn Communicator;
}

impl Handle for &dyn Communicator {
    fn of_engine(&self) -> &dyn Communicator {
        *self
    }
}

impl Handle for Box<dyn Communicator> {
    fn of_engine(&self) -> &dyn Communicator {
        &**self
    }
}

/// Notes a call of a function that no property of the suite calls, and that files cannot have.
fn unfit(function: Function) {
    noting(|noting| noting.unfit(&format!("it calls {function}")));
}

impl<C: Handle> Communicator for Noted<C> {
    fn rank(&self) -> usize {
        self.0.of_engine().rank()
    }

    fn size(&self) -> usize {
        self.0.of_engine().size()
    }

    fn allocate(&self, bytes: usize) -> Memory {
        self.0.of_engine().allocate(bytes)
    }

    fn base_comm(&self) -> BaseComm {
        self.0.of_engine().base_comm()
    }

    fn set_base_comm(&self, base: BaseComm) {
        self.0.of_engine().set_base_comm(base);
    }

    fn eager_limit(&self) -> usize {
        self.0.of_engine().eager_limit()
    }

    fn call(&self, op: Op) -> Status {
        noting(|noting| noting.blocking(&op));
        let is_open =
            matches!(op, Op::Recv { from: Source::Any, .. } | Op::Sendrecv { from: Source::Any, .. });
        let status = engine(|| self.0.of_engine().call(op));
        if is_open {
            noting(|noting| noting.rank().matched = Some(status.source));
        }
        status
    }

    fn start(&self, op: Op) -> Request {
        let request = engine(|| self.0.of_engine().start(op.clone()));
        noting(|noting| noting.requested(Form::Nonblocking, &op, &request));
        request
    }

    fn init(&self, op: Op) -> Request {
        let request = engine(|| self.0.of_engine().init(op.clone()));
        noting(|noting| noting.requested(Form::Persistent, &op, &request));
        request
    }

    fn restart(&self, request: &Request) {
        noting(|noting| noting.restarted(request));
        engine(|| self.0.of_engine().restart(request));
    }

    fn complete(&self, how: How, requests: &mut Vec<Request>) -> Completion {
        noting(|noting| noting.completes(how, requests));
        engine(|| self.0.of_engine().complete(how, requests))
    }

    fn probe(&self, from: Source, tag: Tag) -> Status {
        unfit(Function::Probe);
        engine(|| self.0.of_engine().probe(from, tag))
    }

    fn iprobe(&self, from: Source, tag: Tag) -> Option<Status> {
        unfit(Function::Iprobe);
        engine(|| self.0.of_engine().iprobe(from, tag))
    }

    fn split(&self, color: Option<u32>, key: i32) -> Option<Box<dyn Communicator>> {
        unfit(Function::Comm_split);
        engine(|| self.0.of_engine().split(color, key))
    }

    fn dup(&self) -> Box<dyn Communicator> {
        unfit(Function::Comm_dup);
        engine(|| self.0.of_engine().dup())
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
        noting(|noting| noting.step(Shape::Init, Vec::new()));
        Box::new(Noted(engine(|| self.0.init())))
    }

    fn finalize(&self, world: Box<dyn Communicator>) {
        noting(|noting| noting.call(Function::Finalize.name(), Passed::default()));
        engine(|| self.0.finalize(world));
    }
}
