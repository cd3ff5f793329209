//! Messages of a derived type.

use ats_mpi::{Column, Communicator, Datatype, Direction, Transfer, mpi_commpattern_sendrecv};
use ats_props::{Balance, Counter, MpiFunction, Seconds, do_work, property, region};

/// Pairs of ranks send a column of a matrix, which has to be packed and unpacked.
///
/// In each repetition every rank works `basework`. Then an even rank sends `blocks` numbers of 8 bytes synchronously to the odd
/// rank above it, in the region `strided`: they lie `stride` numbers apart, which a derived type of `MPI_Type_vector`
/// describes. In the region `contiguous` it sends as many bytes that lie side by side, by a type of the same kind. With an odd
/// number of ranks the last one only works. The twin sends the latter in both.
///
/// ```text
/// even  ├─ base ─┬─ strided: pack, MPI_Ssend ───────────┬─ contiguous ─┤
/// odd   ├─ base ─┼─ strided: MPI_Recv, unpack ──────────┼─ contiguous ─┤
/// ```
///
/// No rank is late, so no wait state shows. The findings are the time of one region over that of the other, and the bytes
/// sent, half of them in each.
#[property(
    finds = Ratio { of: "strided", over: "contiguous", at_least: 1.2 },
    twin = 1,
    finds = Count(Counter::BYTES_SENT, MpiFunction::Ssend.name()),
    formula = 2 * r * floor(P / 2) * blocks * 8,
    min_ranks = 2
)]
pub fn derived_datatype_packing(
    /// Work of every rank in a repetition.
    #[default(Seconds(0.02))]
    basework: Seconds,
    /// Numbers of a message.
    #[default(200_000)]
    blocks: usize,
    /// Numbers from the begin of one to that of the next.
    #[default(16)]
    stride: usize,
    /// Number of repetitions.
    #[default(10)]
    r: usize,
    c: &dyn Communicator,
    balance: Balance,
) {
    let column = |stride: usize| Column { datatype: Datatype::Double, count: blocks, stride: stride.max(1) };
    let (strided, contiguous) = (column(balance.pick(stride, 1)), column(1));
    let memory = c.allocate(column(stride).extent_bytes());
    for _ in 0..r {
        do_work(basework.0);
        for (name, column) in [("strided", strided), ("contiguous", contiguous)] {
            // The type is made outside.
            let buf = c.column_buf(&memory, column);
            let _region = region(name);
            mpi_commpattern_sendrecv(&buf, Direction::Up, Transfer::SYNCHRONOUS, c);
        }
    }
}
