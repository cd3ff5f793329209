//! Calls of safe code that MPI would answer with undefined behaviour: the engine ends the run with a message instead.

use std::thread;

use ats_mpi::real::MpiCommunicator;
use ats_mpi::{
    Column, Communicator, Counts, Datatype, Dimension, How, Op, ReduceOp, Request, SendMode, Source, Tag,
};

/// Does it, by name; at least two ranks.
pub(crate) fn by_name(world: &MpiCommunicator, name: &str) {
    let c: &dyn Communicator = world;
    let buf = |datatype, count| c.alloc_mpi_buf(datatype, count);
    let receive = || c.irecv(Source::Any, Tag::Any, &buf(Datatype::Int, 1));
    match name {
        "thread" => thread::scope(|scope| {
            scope.spawn(|| c.barrier());
        }),
        "drop-in-thread" => {
            let mine = MpiCommunicator::world().expect("MPI is initialised");
            thread::spawn(move || drop(mine)).join().expect("the process ends before")
        }
        "allgatherv" => {
            let counts = Counts::same(4, c.size());
            let (send, recv) = (buf(Datatype::Double, 4), buf(Datatype::Int, 4 * c.size()));
            c.call(Op::Allgatherv { send, recv, counts });
        }
        "reduce_scatter" => {
            let counts = Counts::same(4, c.size());
            let (send, recv) = (buf(Datatype::Double, 4 * c.size()), buf(Datatype::Int, 4));
            c.call(Op::ReduceScatter { op: ReduceOp::Sum, send, recv, counts });
        }
        "counts" => {
            let (send, recv) = (buf(Datatype::Int, 1), buf(Datatype::Int, 1));
            let counts = [vec![usize::MAX, 2], vec![0; c.size() - 2]].concat().into();
            c.call(Op::ReduceScatter { op: ReduceOp::Sum, send, recv, counts });
        }
        "twice" => {
            let request = receive();
            let again = Request(request.0);
            c.complete(How::Waitall, &mut vec![request, again]);
        }
        "elsewhere" => {
            let request = receive();
            let other = c.dup();
            let _own = other.irecv(Source::Any, Tag::Any, &buf(Datatype::Int, 1));
            other.complete(How::Wait, &mut vec![request]);
        }
        "started" | "not-persistent" => {
            let (mode, buf) = (SendMode::Standard, buf(Datatype::Int, 1));
            let op = Op::Send { mode, to: c.rank(), tag: 0, buf };
            let request = if name == "started" { c.init(op) } else { c.start(op) };
            c.restart(&request);
            c.restart(&request);
        }
        "partitions" => drop(c.psend_init(2, c.rank(), 0, &buf(Datatype::Int, 3))),
        "column" => {
            let column = Column { datatype: Datatype::Int, count: 2, stride: 2 };
            c.bcast(0, &c.column_buf(&c.allocate(12), column));
        }
        "column-in-partitions" => {
            let column = Column { datatype: Datatype::Int, count: 2, stride: 2 };
            drop(c.psend_init(2, c.rank(), 0, &c.column_buf(&c.allocate(12), column)));
        }
        "not-started" | "ready-twice" | "no-partition" | "not-partitioned" => {
            let part = buf(Datatype::Int, 2);
            let request = match name {
                "not-partitioned" => c.precv_init(2, c.rank(), 0, &part),
                _ => c.psend_init(2, c.rank(), 0, &part),
            };
            if name != "not-started" {
                c.restart(&request);
            }
            c.pready(&request, if name == "no-partition" { 2 } else { 1 });
            c.pready(&request, 1);
        }
        "no-rank" => drop(c.dist_graph(&[c.size()], &[])),
        "no-grid" => drop(c.cart(&[Dimension::ring(c.size() + 1)])),
        "no-topology" => {
            let (send, recv) = (buf(Datatype::Int, 2), buf(Datatype::Int, 2));
            c.call(Op::NeighborAlltoall { send, recv, count: 1 });
        }
        "neighbors" => {
            let ring = c.cart(&[Dimension::ring(c.size())]).expect("all are on it");
            let (send, recv) = (buf(Datatype::Int, 2), buf(Datatype::Int, 1));
            ring.call(Op::NeighborAlltoall { send, recv, count: 1 });
        }
        _ => panic!("there is no misuse {name}"),
    }
}
