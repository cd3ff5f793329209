//! Every send mode against every way to receive, wildcards and probes.

use ats_mpi::{Column, Communicator, Datatype, Op, SendMode, Source, Status, Tag};

use crate::check::{holds, ints, signed};

const MODES: [SendMode; 4] = [SendMode::Standard, SendMode::Synchronous, SendMode::Buffered, SendMode::Ready];

pub(crate) fn check(c: &dyn Communicator) {
    for mode in MODES {
        for count in [1, 20_000] {
            pairs(c, mode, count);
        }
    }
    sendrecv(c);
    columns(c);
    wildcards(c);
}

fn pairs(c: &dyn Communicator, mode: SendMode, count: usize) {
    let partner = c.rank() ^ 1;
    if partner < c.size() {
        let expected = signed(partner, count);
        let from_partner = Status { source: partner, tag: 5, bytes: count * 4 };
        if c.rank() < partner {
            let buf = ints(c, &signed(c.rank(), count));
            // The receiver says when its receive is posted, which a ready send needs.
            c.recv(Source::Rank(partner), Tag::Is(4), &ints(c, &[0]));
            c.send_as(mode, partner, 5, &buf);
            c.recv(Source::Rank(partner), Tag::Is(4), &ints(c, &[0]));
            let sending = c.isend_as(mode, partner, 5, &buf);
            c.wait(sending);
        } else {
            for _ in 0..2 {
                let into = ints(c, &vec![-1; count]);
                let receiving = c.irecv(Source::Rank(partner), Tag::Is(5), &into);
                c.send(partner, 4, &ints(c, &[0]));
                assert_eq!(c.wait(receiving), from_partner, "status of {mode:?}");
                holds("message", &into, &expected);
            }
        }
    }
    c.barrier();
}

fn sendrecv(c: &dyn Communicator) {
    let (above, below) = ((c.rank() + 1) % c.size(), (c.rank() + c.size() - 1) % c.size());
    let recv = ints(c, &[0, 0]);
    let status = c.call(Op::Sendrecv {
        to: above,
        send_tag: 8,
        send: ints(c, &signed(c.rank(), 2)),
        from: Source::Rank(below),
        recv_tag: Tag::Is(8),
        recv: recv.clone(),
    });
    assert_eq!(status, Status { source: below, tag: 8, bytes: 8 });
    holds("sendrecv", &recv, &signed(below, 2));
}

/// Each rank sends a column of a matrix with three columns to the next one, which receives it into another column.
fn columns(c: &dyn Communicator) {
    const ROWS: usize = 1000;
    let column = Column { datatype: Datatype::Int, count: ROWS, stride: 3 };
    let (above, below) = ((c.rank() + 1) % c.size(), (c.rank() + c.size() - 1) % c.size());
    let matrix = ints(c, &signed(c.rank(), 3 * ROWS));
    let blank = ints(c, &vec![-1; 3 * ROWS]);
    let into = c.column_buf(blank.memory(), column);
    let receiving = c.irecv(Source::Rank(below), Tag::Is(9), &into);
    c.send(above, 9, &c.column_buf(matrix.memory(), column));
    assert_eq!(c.wait(receiving), Status { source: below, tag: 9, bytes: 4 * ROWS });
    let of_below = signed(below, 3 * ROWS);
    let expected = |at: usize| if at.is_multiple_of(3) { of_below[at] } else { -1 };
    holds("column", &blank, &(0..3 * ROWS).map(expected).collect::<Vec<_>>());
    // The other side may be without gaps.
    let packed = ints(c, &[0; ROWS]);
    let receiving = c.irecv(Source::Rank(below), Tag::Is(9), &packed);
    c.send(above, 9, &into);
    c.wait(receiving);
    let below_that = signed((below + c.size() - 1) % c.size(), 3 * ROWS);
    holds("packed", &packed, &below_that.into_iter().step_by(3).collect::<Vec<_>>());
}

fn wildcards(c: &dyn Communicator) {
    if c.rank() > 0 {
        c.ssend(0, 100 + c.rank() as u32, &ints(c, &signed(c.rank(), c.rank())));
    } else {
        let mut seen = vec![false; c.size()];
        for _ in 1..c.size() {
            let probed = c.probe(Source::Any, Tag::Any);
            let again = c.iprobe(Source::Rank(probed.source), Tag::Is(probed.tag));
            assert_eq!(again, Some(probed), "a probed message stays");
            let into = ints(c, &vec![0; c.size()]);
            let status = c.recv(Source::Any, Tag::Is(probed.tag), &into);
            assert_eq!(
                status,
                Status { source: probed.source, tag: 100 + probed.source as u32, bytes: probed.source * 4 }
            );
            assert_eq!(crate::check::values(&into)[..probed.source], signed(probed.source, probed.source));
            assert!(!std::mem::replace(&mut seen[probed.source], true), "each sends once");
        }
        assert_eq!(c.iprobe(Source::Any, Tag::Is(99)), None, "nobody sends with this tag");
    }
    c.barrier();
}
