//! Messages of uneven sizes.

use ats_mpi::{Communicator, MpiBuf, Source, Tag};
use ats_props::{Balance, Counter, Distribution, MpiFunction, Seconds, do_work, property};

use crate::family::sizes::{evenly, whole};

/// Ranks send messages of different sizes to their neighbours.
///
/// In each repetition every rank works `work`, and sends as many elements as `elements` says to the rank above, the
/// last one to the first. The twin shares the same elements evenly.
///
/// ```text
/// few   ├─ work ─┬ MPI_Irecv ┬ MPI_Send ┬ MPI_Wait ┤
/// many  ├─ work ─┬ MPI_Irecv ┬ MPI_Send ┬ MPI_Wait ┤
/// ```
///
/// No rank is late, so no wait state shows: the finding is the number of bytes moved. A document has their sum over
/// all ranks, which is the twin's, too; `ats trace` writes the amount that each rank sends. Amounts of `elements` are
/// not seconds here, and the nearest whole number counts. An element is
/// an `MPI_INT`, of 4 bytes, unless the program sets another base message.
#[property(
    finds = Count(Counter::BYTES_SENT, MpiFunction::Send.name()),
    formula = 4 * r * sum(0..P, |j| round(elements[j])),
    finds = Count(Counter::BYTES_RECEIVED, MpiFunction::Wait.name()),
    formula = 4 * r * sum(0..P, |j| round(elements[j])),
    finds = Count(Counter::MESSAGES_SENT, MpiFunction::Send.name()),
    formula = r * P,
    min_ranks = 2
)]
pub fn uneven_message_distribution(
    /// Work of every rank in a repetition.
    #[default(Seconds(0.01))]
    work: Seconds,
    /// Number of elements that each rank sends.
    #[default(Distribution::linear(16.0, 512.0))]
    elements: Distribution,
    /// Number of repetitions.
    #[default(10)]
    r: usize,
    c: &dyn Communicator,
    balance: Balance,
) {
    let sizes = balance.pick(whole(elements.clone()), evenly(&elements, c.size()));
    let (me, size) = (c.rank(), c.size());
    let (above, below) = ((me + 1) % size, (me + size - 1) % size);
    let [send, receive] = [me, below].map(|rank| buf(&sizes, rank, c));
    for _ in 0..r {
        do_work(work.0);
        let request = c.irecv(Source::Rank(below), Tag::Is(TAG), &receive);
        c.send(above, TAG, &send);
        c.wait(request);
    }
}

const TAG: u32 = 1;

fn buf(sizes: &Distribution, rank: usize, c: &dyn Communicator) -> MpiBuf {
    c.alloc_mpi_buf(c.base_comm().datatype, sizes.value(rank, c.size(), 1.0) as usize)
}
