#![allow(unsafe_code, reason = "has memory of its own in a buffer")]
//! Data that is communicated once the program has a checksum. Run last: it cannot be stopped.

use ats_mpi::{Communicator, Datatype, How, Memory, MpiBuf, Op, SendMode, Source, Tag};
use ats_work::checksum;

pub(crate) fn check(c: &dyn Communicator) {
    let mut own = [7u8; 8];
    // SAFETY: `own` outlives the buffer, and no call on it is pending after the block.
    let borrowed = MpiBuf::new(unsafe { Memory::borrowed(own.as_mut_ptr(), 8) }, Datatype::Double, 1);
    checksum::start();
    for datatype in [Datatype::Byte, Datatype::Int, Datatype::Double] {
        contents(c, datatype);
    }
    let before = checksum::sum();
    shift(c, &borrowed, &c.alloc_mpi_buf(Datatype::Double, 1));
    assert_ne!(checksum::sum(), before);
    assert_eq!(borrowed.memory().to_vec(), [7; 8], "the program's memory is its own");
    pending(c);
    persistent(c);
}

/// Each message has contents of its own.
fn contents(c: &dyn Communicator, datatype: Datatype) {
    let (send, recv) = (c.alloc_mpi_buf(datatype, 8), c.alloc_mpi_buf(datatype, 8));
    let mut seen = Vec::new();
    for _ in 0..3 {
        let before = checksum::sum();
        shift(c, &send, &recv);
        assert_ne!(checksum::sum(), before, "what is received is added");
        let bits: Vec<u64> = (0..8).map(|at| recv.get(at)).collect();
        assert!(!seen.contains(&bits), "{bits:?} again");
        seen.push(bits);
    }
    c.bcast(0, &recv);
    assert!((0..8).any(|at| recv.get(at) != seen[2][at]), "so has that of a collective");
    let sum = c.alloc_mpi_buf(datatype, 8);
    c.allreduce(ats_mpi::ReduceOp::Sum, &send, &sum);
    assert!((0..8).all(|at| sum.get(at) != 0 || datatype == Datatype::Byte));
}

/// The data that a pending call sends is not touched, and counts when it is complete.
fn pending(c: &dyn Communicator) {
    let (above, below) = neighbours(c);
    let (buf, first, second) = (
        c.alloc_mpi_buf(Datatype::Int, 3),
        c.alloc_mpi_buf(Datatype::Int, 3),
        c.alloc_mpi_buf(Datatype::Int, 3),
    );
    let receives = [&first, &second].map(|buf| c.irecv(Source::Rank(below), Tag::Is(9), buf));
    let before = checksum::sum();
    let one = c.isend_as(SendMode::Standard, above, 9, &buf);
    let sent = buf.memory().to_vec();
    let two = c.isend_as(SendMode::Standard, above, 9, &buf);
    assert_eq!((buf.memory().to_vec(), checksum::sum()), (sent.clone(), before));
    c.waitall(receives.into_iter().chain([one, two]).collect());
    assert_eq!(first.memory().to_vec(), second.memory().to_vec(), "twice the same");
    assert_ne!(checksum::sum(), before);
    c.bcast(0, &buf);
    assert_ne!(buf.memory().to_vec(), sent, "it is free again");
}

/// A persistent request that was never started delivers nothing.
fn persistent(c: &dyn Communicator) {
    let (above, below) = neighbours(c);
    let (send, recv) = (c.alloc_mpi_buf(Datatype::Int, 1), c.alloc_mpi_buf(Datatype::Int, 1));
    let mut requests = vec![
        c.init(Op::Recv { from: Source::Rank(below), tag: Tag::Is(10), buf: recv.clone() }),
        c.init(Op::Send { mode: SendMode::Standard, to: above, tag: 10, buf: send.clone() }),
    ];
    let before = checksum::sum();
    c.complete(How::Waitall, &mut requests);
    assert_eq!(checksum::sum(), before);
    let mut sums = vec![before];
    for _ in 0..2 {
        requests.iter().for_each(|request| c.restart(request));
        c.complete(How::Waitall, &mut requests);
        assert!(!sums.contains(&checksum::sum()), "each has contents of its own");
        sums.push(checksum::sum());
    }
}

fn shift(c: &dyn Communicator, send: &MpiBuf, recv: &MpiBuf) {
    let (to, below) = neighbours(c);
    let (send, recv) = (send.clone(), recv.clone());
    let (from, recv_tag) = (Source::Rank(below), Tag::Is(8));
    c.call(Op::Sendrecv { to, send_tag: 8, send, from, recv_tag, recv });
}

fn neighbours(c: &dyn Communicator) -> (usize, usize) {
    ((c.rank() + 1) % c.size(), (c.rank() + c.size() - 1) % c.size())
}
