//! A late sender whose receiver has a team that waits with it.

use ats_mpi::{Direction, Transfer, mpi_commpattern_sendrecv};
use ats_props::{Balance, Communicator, Distribution, Seconds, Team, do_work, property};

/// Receivers wait because their senders have more to do, and their threads are idle meanwhile.
///
/// All threads of even ranks work `basework` + `extrawork` in a parallel region, those of odd ranks `basework`; then the
/// masters send and receive outside it, as in `late_sender`.
///
/// ```text
/// even, all threads  ├─ base ─┬─ extra ─┬─ MPI_Ssend ─┤
/// odd, master        ├─ base ─┼─ MPI_Recv ············┤
///      others        ├─ base ─┼·· idle ···············
///                             └─ waits ─┘
/// ```
///
/// While a master waits in `MPI_Recv`, each other thread of its process is idle there: `(T−1)·r·extrawork` for every odd
/// rank. Both have one cause. No other wait state shows.
#[property(
    finds = LateSender,
    formula = floor(P / 2) * r * extrawork,
    at = "mpi_commpattern_sendrecv/MPI_Recv",
    each = if odd(i) && t == 0 { r * extrawork },
    cause = UnevenWork,
    also = IdleThreads,
    at = "mpi_commpattern_sendrecv/MPI_Recv",
    each = if odd(i) && t > 0 { r * extrawork },
    min_ranks = 2,
    min_threads = 2,
    send_mode = Synchronous,
    c = "late_sender_hybrid.c"
)]
pub fn late_sender_hybrid(
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
    for _ in 0..r {
        team.parallel(team.max_threads(), |_| do_work(of_rank));
        mpi_commpattern_sendrecv(&buf, Direction::Up, Transfer::SYNCHRONOUS, c);
    }
}
