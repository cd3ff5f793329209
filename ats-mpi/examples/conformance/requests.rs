//! Every completion call, and persistent requests.

use ats_model::mpi::Function;
use ats_mpi::{Communicator, Datatype, How, MpiBuf, Op, Request, SendMode, Source, Tag};

use crate::check::{holds, ints, signed};

pub(crate) fn check(c: &dyn Communicator) {
    let waiting = [How::Wait, How::Waitany, How::Waitsome, How::Waitall];
    for how in waiting.into_iter().chain([How::Test, How::Testany, How::Testsome, How::Testall]) {
        gather_by(c, how);
    }
    persistent(c);
    if ats_mpi::real::has(Function::Psend_init) {
        partitioned(c);
    }
    abandoned(c);
    assert!(c.complete(How::Waitany, &mut Vec::new()).completed.is_empty(), "nothing to wait for");
}

/// Rank 0 receives from every rank; requests are completed by one call alone.
fn gather_by(c: &dyn Communicator, how: How) {
    if c.rank() > 0 {
        c.send(0, 3, &ints(c, &signed(c.rank(), 3)));
    } else {
        let buffers: Vec<MpiBuf> = (1..c.size()).map(|_| ints(c, &[-1; 3])).collect();
        let mut sources: Vec<usize> = (1..c.size()).collect();
        let mut pending: Vec<Request> = sources
            .iter()
            .zip(&buffers)
            .map(|(&from, buf)| c.irecv(Source::Rank(from), Tag::Is(3), buf))
            .collect();
        while !pending.is_empty() {
            if matches!(how, How::Wait | How::Test) {
                let mut one = vec![pending.remove(0)];
                while !one.is_empty() {
                    let completion = c.complete(how, &mut one);
                    assert_eq!(completion.completed.len(), 1 - one.len());
                }
                continue;
            }
            let before = pending.len();
            let completion = c.complete(how, &mut pending);
            assert_eq!(
                pending.len(),
                before - completion.completed.len(),
                "completed requests are taken out"
            );
            for (index, status) in &completion.completed {
                assert_eq!((status.source, status.tag, status.bytes), (sources[*index], 3, 12), "{how:?}");
            }
            let done: Vec<usize> = completion.completed.iter().map(|(index, _)| *index).collect();
            let mut index = 0;
            sources.retain(|_| {
                index += 1;
                !done.contains(&(index - 1))
            });
        }
        for (from, buf) in (1..).zip(&buffers) {
            holds(how.name(), buf, &signed(from, 3));
        }
    }
    c.barrier();
}

fn persistent(c: &dyn Communicator) {
    let (above, below) = ((c.rank() + 1) % c.size(), (c.rank() + c.size() - 1) % c.size());
    for mode in [SendMode::Standard, SendMode::Synchronous, SendMode::Buffered, SendMode::Ready] {
        let send = ints(c, &[0]);
        let recv = ints(c, &[0]);
        let receiving = c.init(Op::Recv { from: Source::Rank(below), tag: Tag::Is(9), buf: recv.clone() });
        let sending = c.init(Op::Send { mode, to: above, tag: 9, buf: send.clone() });
        let mut both = vec![receiving, sending];
        for round in 0..3 {
            send.memory().fill(&(c.rank() as i32 * 10 + round).to_ne_bytes());
            c.restart(&both[0]);
            c.barrier();
            c.restart(&both[1]);
            assert_eq!(c.complete(How::Waitall, &mut both).completed.len(), 2);
            assert_eq!(both.len(), 2, "persistent requests stay");
            holds("persistent", &recv, &[below as i32 * 10 + round]);
        }
    }
}

/// Each rank sends three partitions of two integers to the one above it, in an order of its own.
fn partitioned(c: &dyn Communicator) {
    let (above, below) = ((c.rank() + 1) % c.size(), (c.rank() + c.size() - 1) % c.size());
    let (send, recv) = (ints(c, &[0; 6]), ints(c, &[0; 6]));
    let mut both = vec![c.precv_init(3, below, 8, &recv), c.psend_init(3, above, 8, &send)];
    for round in 0..3 {
        send.memory().fill(&(c.rank() as i32 * 10 + round).to_ne_bytes());
        both.iter().for_each(|request| c.restart(request));
        (0..3).for_each(|partition| c.pready(&both[1], (partition + c.rank()) % 3));
        let completion = c.complete(How::Waitall, &mut both);
        let (_, status) = completion.completed[0];
        assert_eq!((status.source, status.tag, status.bytes, both.len()), (below, 8, 24, 2));
        holds("partitioned", &recv, &[below as i32 * 10 + round; 6]);
    }
}

/// A receive whose communicator was dropped still has its buffer: nothing else is written into.
fn abandoned(c: &dyn Communicator) {
    const BYTES: usize = 256;
    // Of messages that no call completes.
    const TAG: u32 = 199;
    let other = c.dup();
    if c.rank() == 0 && c.size() > 1 {
        let receive = |_| other.irecv(Source::Any, Tag::Any, &other.alloc_mpi_buf(Datatype::Byte, BYTES));
        let _lost: Vec<Request> = (0..8).map(receive).collect();
        drop(other);
        // Allocated where freed buffers would have been.
        let others = vec![vec![7u8; BYTES]; 8];
        c.barrier();
        c.recv(Source::Rank(1), Tag::Is(1), &ints(c, &[0]));
        assert_eq!(others, vec![vec![7; BYTES]; 8], "a message was received into freed memory");
    } else {
        c.barrier();
        if c.rank() == 1 {
            let buf = other.alloc_mpi_buf(Datatype::Byte, BYTES);
            (0..8).for_each(|_| other.send(0, TAG, &buf));
            c.send(0, 1, &ints(c, &[0]));
        }
    }
    c.barrier();
}
