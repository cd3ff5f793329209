//! Parts of uneven sizes in collective operations.

use ats_props::{Balance, Communicator, Counter, Distribution, MpiFunction, Seconds, do_work, property};

use crate::family::sizes::{evenly, whole};

/// A root hands out and collects parts of different sizes.
///
/// In each repetition every rank works `work`; then the root scatters to each rank as many elements as `elements`
/// says, and gathers as many. The twin shares the same elements evenly.
///
/// ```text
/// root    ├─ work ─┬─ MPI_Scatterv ─┬─ MPI_Gatherv ─┤
/// others  ├─ work ─┬─ MPI_Scatterv ─┬─ MPI_Gatherv ─┤
/// ```
///
/// No rank is late, so no wait state shows: the finding is the number of bytes moved, including those of the root to
/// and from itself. A document has their sum over all ranks, which is the twin's, too; `ats trace` writes the amount
/// of each rank. Amounts of `elements` are not seconds here, and the nearest whole number counts. An element is
/// an `MPI_INT`, of 4 bytes, unless the program sets another base message.
#[property(
    finds = Count(Counter::BYTES_SENT, MpiFunction::Scatterv.name()),
    formula = 4 * r * sum(0..P, |j| round(elements[j])),
    finds = Count(Counter::BYTES_RECEIVED, MpiFunction::Gatherv.name()),
    formula = 4 * r * sum(0..P, |j| round(elements[j])),
    min_ranks = 2
)]
pub fn uneven_vector_collective(
    /// Work of every rank in a repetition.
    #[default(Seconds(0.01))]
    work: Seconds,
    /// Number of elements in each rank's part.
    #[default(Distribution::linear(16.0, 512.0))]
    elements: Distribution,
    /// The root's rank; counted modulo the number of ranks.
    #[default(0)]
    root: usize,
    /// Number of repetitions.
    #[default(10)]
    r: usize,
    c: &dyn Communicator,
    balance: Balance,
) {
    let sizes = balance.pick(whole(elements.clone()), evenly(&elements, c.size()));
    let buf = c.alloc_mpi_vbuf(c.base_comm().datatype, &sizes, root);
    for _ in 0..r {
        do_work(work.0);
        c.scatterv(&buf);
        c.gatherv(&buf);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_rank_without_a_part_neither_waits_nor_delays() {
        let simulation = ats_virtual::Simulation::new(3);
        let outcome = simulation.run(|c| {
            let buf = c.alloc_mpi_vbuf(c.base_comm().datatype, &Distribution::peak(1.0, 0.0, 2), 0);
            do_work(0.01 * c.rank() as f64);
            c.gatherv(&buf);
            do_work(if c.rank() == 0 { 0.05 } else { 0.0 });
            c.scatterv(&buf);
        });
        let outcome = outcome.unwrap();
        let waits: Vec<_> = outcome
            .waits
            .iter()
            .map(|wait| (wait.rank, wait.state.unwrap().name(), wait.physical_time))
            .collect();
        // The root leaves the gather when the last is there, and waits for the second.
        assert_eq!(waits, [(0, "early_reduce", 0.01), (1, "late_broadcast", 0.06)]);
        assert_eq!(outcome.ends, [0.07, 0.07, 0.02]);
    }
}
