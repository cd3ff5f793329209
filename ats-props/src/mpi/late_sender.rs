//! A receive that waits for a message which is sent later.

use ats_mpi::{Communicator, Direction, Transfer, mpi_commpattern_sendrecv, par_do_mpi_work};
use ats_props::{Distribution, Seconds, property};

/// Receivers wait because their senders have more to do.
///
/// Even ranks work `basework` + `extrawork` and send to the odd rank above them; odd ranks work `basework`, post their
/// receive and wait in it. With an odd number of ranks the last one only works.
///
/// ```text
/// even  ──base──┬──extra──┬MPI_Ssend┐
/// odd   ──base──┬MPI_Recv─┊·········┘
///                ╰ waits ╯
/// ```
///
/// Sends are synchronous, so the sender never runs ahead and each repetition starts even. Also shows no other wait
/// state; some tools class it as load imbalance.
#[property(
    paradigm = "mpi",
    finds = LateSender,
    formula = "W = floor(P/2)·r·extrawork",
    min_ranks = 2,
    send_mode = Synchronous
)]
pub fn late_sender(
    /// Work of every rank in a repetition.
    #[default(Seconds(0.01))]
    basework: Seconds,
    /// What the senders work longer: how late they are.
    #[default(Seconds(0.05))]
    extrawork: Seconds,
    /// Repetitions.
    #[default(10)]
    r: usize,
    c: &dyn Communicator,
) {
    let work = Distribution::cyclic2(basework.0 + extrawork.0, basework.0);
    send_up(&work, r, c);
}

/// Senders and receivers share the extra work.
pub fn balanced(basework: Seconds, extrawork: Seconds, r: usize, c: &dyn Communicator) {
    let work = Distribution::cyclic2(basework.0 + extrawork.0, basework.0);
    send_up(&Distribution::same(work.mean(c.size(), 1.0)), r, c);
}

fn send_up(work: &Distribution, r: usize, c: &dyn Communicator) {
    let buf = c.base_buf();
    for _ in 0..r {
        par_do_mpi_work(work, 1.0, c);
        mpi_commpattern_sendrecv(&buf, Direction::Up, Transfer::SYNCHRONOUS, c);
    }
}
