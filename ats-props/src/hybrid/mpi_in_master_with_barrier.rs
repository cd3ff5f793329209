//! A team that waits at a barrier for its master's message.

use ats_mpi::{Direction, Transfer, mpi_commpattern_sendrecv};
use ats_props::{Balance, Communicator, Distribution, Seconds, Team, Thread, do_work, property};

/// Threads wait at a barrier for their master, which waits for a message.
///
/// In one parallel region, all threads of even ranks work `basework` + `extrawork`, those of odd ranks `basework`. The
/// master then sends or receives as in `late_sender`, and all meet at a barrier.
///
/// ```text
/// even, all threads  ├─ base ─┬─ extra ─┬─ MPI_Ssend ─┬─ barrier ─┤
/// odd, master        ├─ base ─┼─ MPI_Recv ············┼─ barrier ─┤
///      others        ├─ base ─┼─ barrier ·························┤
///                             └─ waits ─┘
/// ```
///
/// The same wait appears once for each thread of an odd rank, under two names: the master's is a late sender of
/// `floor(P/2)·r·extrawork` in all. Needs `MPI_THREAD_FUNNELED`. No other wait state shows.
#[property(
    finds = WaitAtExplicitOmpBarrier,
    formula = floor(P / 2) * (T - 1) * r * extrawork,
    at = "!$omp parallel/!$omp barrier",
    each = if odd(i) && t > 0 { r * extrawork },
    cause = UnevenWork,
    also = LateSender,
    at = "!$omp parallel/!$omp master/mpi_commpattern_sendrecv/MPI_Recv",
    each = if odd(i) && t == 0 { r * extrawork },
    min_ranks = 2,
    min_threads = 2,
    send_mode = Synchronous,
    c = "mpi_in_master_with_barrier.c"
)]
pub fn mpi_in_master_with_barrier(
    /// Work of every thread in a repetition.
    #[default(Seconds(0.01))]
    basework: Seconds,
    /// Extra work of the threads of senders: their delay.
    #[default(Seconds(0.05))]
    extrawork: Seconds,
    /// Number of repetitions.
    #[default(10)]
    r: usize,
    c: &dyn Communicator,
    team: &impl Team,
    balance: Balance,
) {
    // Even ranks send, and have more to do.
    let work = balance.share(Distribution::cyclic2(basework.0 + extrawork.0, basework.0), c.size());
    let of_rank = work.value(c.rank(), c.size(), 1.0);
    let buf = c.base_buf();
    team.parallel(team.max_threads(), |t| {
        for _ in 0..r {
            do_work(of_rank);
            t.master(|| mpi_commpattern_sendrecv(&buf, Direction::Up, Transfer::SYNCHRONOUS, c));
            t.barrier();
        }
    });
}
