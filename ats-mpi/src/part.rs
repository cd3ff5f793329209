//! Data that a rank's part in an operation reads and writes: the source of all facts about it for both engines, the
//! check of buffers and the checksum.

use ats_model::mpi::{Function, Member, Payload};

use crate::{Counts, Datatype, MpiBuf, Op};

/// A rank's part in an operation.
#[derive(Clone, Copy, Debug)]
pub struct Part<'a> {
    /// The MPI function of the blocking call.
    pub function: Function,
    /// The rank in the communicator, how many there are, and the root.
    pub member: Member,
    /// The data that is read.
    pub send: Side<'a>,
    /// The data that is written.
    pub receive: Side<'a>,
}

/// The data that a rank reads or writes.
#[derive(Clone, Copy, Debug)]
pub struct Side<'a> {
    /// Its buffer; `None` if there is no data, or the program has given no buffer.
    pub buf: Option<&'a MpiBuf>,
    /// The data that has to be there.
    pub pieces: Pieces<'a>,
}

/// The contents of a buffer for the members of a communicator.
#[derive(Clone, Copy, Debug)]
pub enum Pieces<'a> {
    /// No data.
    None,
    /// One piece of this many bytes, for any member.
    One(usize),
    /// A piece of this many bytes for each member.
    Each(usize),
    /// A piece for each member, with its number of elements.
    Counts(&'a Counts, Datatype),
}

impl<'a> Side<'a> {
    const NONE: Self = Side { buf: None, pieces: Pieces::None };

    /// A whole buffer.
    fn whole(buf: &'a MpiBuf) -> Self {
        Side { buf: Some(buf), pieces: Pieces::One(buf.bytes()) }
    }

    /// Data that only the root has.
    fn of_root(is_root: bool, buf: &'a Option<MpiBuf>, pieces: Pieces<'a>) -> Self {
        if is_root { Side { buf: buf.as_ref(), pieces } } else { Side::NONE }
    }

    fn new(buf: &'a MpiBuf, pieces: Pieces<'a>) -> Self {
        Side { buf: Some(buf), pieces }
    }
}

impl Pieces<'_> {
    /// All bytes of a buffer that has them; as many as there can be, if they are more.
    pub fn bytes(self, size: usize) -> usize {
        match self {
            Pieces::None => 0,
            Pieces::One(bytes) => bytes,
            Pieces::Each(bytes) => bytes.saturating_mul(size),
            Pieces::Counts(counts, datatype) => counts.sum().saturating_mul(datatype.size()),
        }
    }

    fn payload(self, member: Member) -> Payload {
        match self {
            Pieces::None => Payload::default(),
            Pieces::One(bytes) | Pieces::Each(bytes) => Payload::each(bytes as u64, member.size),
            Pieces::Counts(counts, datatype) => {
                let own =
                    counts.get(member.rank as usize).map_or(0, |count| count.saturating_mul(datatype.size()));
                Payload { all: self.bytes(counts.len()) as u64, own: own as u64 }
            }
        }
    }
}

impl Part<'_> {
    /// The bytes that are sent and received if the operation is collective, as Score-P counts them.
    pub fn bytes(&self) -> (u64, u64) {
        let payload = |side: &Side| side.pieces.payload(self.member);
        self.function.operation().map_or((0, 0), |operation| {
            operation.bytes(self.member, false, || payload(&self.send), || payload(&self.receive))
        })
    }
}

impl Op {
    /// The part of rank `rank` of `size`.
    pub fn part(&self, rank: usize, size: usize) -> Part<'_> {
        // Counts of elements of the type that both sides are handed to MPI with.
        let own = |counts: &Counts, buf: &MpiBuf| {
            Pieces::One(counts.get(rank).map_or(0, |count| count.saturating_mul(buf.datatype().size())))
        };
        let (root, send, receive) = match self {
            Op::Send { buf, .. } => (None, Side::whole(buf), Side::NONE),
            Op::Recv { buf, .. } => (None, Side::NONE, Side::whole(buf)),
            Op::Sendrecv { send, recv, .. } => (None, Side::whole(send), Side::whole(recv)),
            Op::Barrier => (None, Side::NONE, Side::NONE),
            Op::Bcast { root, buf } if rank == *root => (Some(*root), Side::whole(buf), Side::NONE),
            Op::Bcast { root, buf } => (Some(*root), Side::NONE, Side::whole(buf)),
            Op::Scatter { root, send, recv } => (
                Some(*root),
                Side::of_root(rank == *root, send, Pieces::Each(recv.bytes())),
                Side::whole(recv),
            ),
            Op::Scatterv { root, buf } => {
                let all = Pieces::Counts(&buf.counts, buf.own.datatype());
                (Some(*root), Side::of_root(rank == *root, &buf.all, all), Side::whole(&buf.own))
            }
            Op::Gather { root, send, recv } => (
                Some(*root),
                Side::whole(send),
                Side::of_root(rank == *root, recv, Pieces::Each(send.bytes())),
            ),
            Op::Gatherv { root, buf } => {
                let all = Pieces::Counts(&buf.counts, buf.own.datatype());
                (Some(*root), Side::whole(&buf.own), Side::of_root(rank == *root, &buf.all, all))
            }
            Op::Reduce { root, send, recv, .. } => (
                Some(*root),
                Side::whole(send),
                Side::of_root(rank == *root, recv, Pieces::One(send.bytes())),
            ),
            Op::Allreduce { send, recv, .. }
            | Op::Scan { send, recv, .. }
            | Op::Exscan { send, recv, .. } => {
                (None, Side::whole(send), Side::new(recv, Pieces::One(send.bytes())))
            }
            Op::Allgather { send, recv } => {
                (None, Side::whole(send), Side::new(recv, Pieces::Each(send.bytes())))
            }
            Op::Allgatherv { send, recv, counts } => {
                let all = Pieces::Counts(counts, send.datatype());
                (None, Side::new(send, own(counts, send)), Side::new(recv, all))
            }
            Op::Alltoall { send, recv } => {
                let each = Pieces::Each(send.datatype().bytes(send.count() / size));
                (None, Side::new(send, each), Side::new(recv, each))
            }
            Op::Alltoallv { send, send_counts, recv, recv_counts }
            | Op::Alltoallw { send, send_counts, recv, recv_counts } => (
                None,
                Side::new(send, Pieces::Counts(send_counts, send.datatype())),
                Side::new(recv, Pieces::Counts(recv_counts, recv.datatype())),
            ),
            Op::ReduceScatter { send, recv, counts, .. } => {
                let all = Pieces::Counts(counts, send.datatype());
                (None, Side::new(send, all), Side::new(recv, own(counts, send)))
            }
            Op::ReduceScatterBlock { send, recv, .. } => {
                (None, Side::new(send, Pieces::Each(recv.bytes())), Side::whole(recv))
            }
            // Of one neighbour: how many there are is a question of the communicator.
            Op::NeighborAlltoall { send, recv, count } => {
                let each = |buf: &MpiBuf| Pieces::One(buf.datatype().bytes(*count));
                (None, Side::new(send, each(send)), Side::new(recv, each(recv)))
            }
        };
        let member = Member { rank: rank as u32, size: size as u32, root: root.map(|root| root as u32) };
        Part { function: self.function(), member, send, receive }
    }
}

#[cfg(test)]
mod tests {
    use ats_model::mpi::{Flow, SendMode};

    use super::*;
    use crate::{Memory, ReduceOp, Source, Tag};

    fn ints(count: usize) -> MpiBuf {
        MpiBuf::new(Memory::length_only(count * 4), Datatype::Int, count)
    }

    /// One of each, for rank 1 of 3, which is the root.
    fn operations() -> Vec<Op> {
        let (root, op) = (1, ReduceOp::Sum);
        let (send, recv, counts) = (ints(6), ints(6), Counts::from(vec![1, 2, 3]));
        let (two, vector) =
            (ints(2), crate::MpiVBuf::new(Datatype::Int, 1, 3, 1, |rank| rank + 1, Memory::length_only));
        vec![
            Op::Send { mode: SendMode::Standard, to: 0, tag: 0, buf: send.clone() },
            Op::Recv { from: Source::Any, tag: Tag::Any, buf: recv.clone() },
            Op::Barrier,
            Op::Bcast { root, buf: send.clone() },
            Op::Scatter { root, send: Some(send.clone()), recv: two.clone() },
            Op::Scatterv { root, buf: vector.clone() },
            Op::Gather { root, send: two.clone(), recv: Some(recv.clone()) },
            Op::Gatherv { root, buf: vector },
            Op::Reduce { root, op, send: send.clone(), recv: Some(recv.clone()) },
            Op::Allreduce { op, send: send.clone(), recv: recv.clone() },
            Op::Allgather { send: two.clone(), recv: recv.clone() },
            Op::Allgatherv { send: two.clone(), recv: recv.clone(), counts: counts.clone() },
            Op::Alltoall { send: send.clone(), recv: recv.clone() },
            Op::Alltoallv {
                send: send.clone(),
                send_counts: counts.clone(),
                recv: recv.clone(),
                recv_counts: counts.clone(),
            },
            Op::Alltoallw {
                send: send.clone(),
                send_counts: counts.clone(),
                recv: recv.clone(),
                recv_counts: counts.clone(),
            },
            Op::ReduceScatter { op, send: send.clone(), recv: two.clone(), counts },
            Op::ReduceScatterBlock { op, send: send.clone(), recv: two.clone() },
            Op::Scan { op, send: send.clone(), recv: recv.clone() },
            Op::Exscan { op, send: send.clone(), recv: recv.clone() },
            Op::NeighborAlltoall { send, recv, count: 3 },
        ]
    }

    #[test]
    fn parts_are_what_the_table_says_of_their_functions() {
        for op in operations() {
            let part = op.part(1, 3);
            for side in [part.send, part.receive] {
                let has = side.buf.map_or(0, MpiBuf::bytes);
                assert!(has >= side.pieces.bytes(3), "{}: {has} bytes for {:?}", part.function, side.pieces);
            }
            let Some(collective) = part.function.collective() else { continue };
            assert_eq!(part.member.root.is_some(), collective.flow.is_rooted(), "{}", part.function);
            assert_eq!(part.bytes() == (0, 0), collective.flow == Flow::Barrier, "{}", part.function);
            let elsewhere = op.part(0, 3);
            match collective.flow {
                Flow::OneToAll => assert!(matches!(elsewhere.send.pieces, Pieces::None), "{}", part.function),
                Flow::AllToOne => {
                    assert!(matches!(elsewhere.receive.pieces, Pieces::None), "{}", part.function)
                }
                _ => {}
            }
        }
    }
}
