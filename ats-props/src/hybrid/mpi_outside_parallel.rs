//! Communication and work outside parallel regions, which leave a team idle.

use ats_props::{Balance, Communicator, Seconds, Team, do_work, property};

use crate::family::pairs::{Part, send_up};

/// Threads are idle while their masters work and communicate outside parallel regions.
///
/// All threads work `parallelwork` in a parallel region. Outside it the masters of even ranks then work `serialwork` and
/// send a message to the odd rank above, whose master waits for it. With an odd number of ranks the last has no partner,
/// and no serial work.
///
/// ```text
///               │ parallel │ serial
/// even, master  ├─ work ───┼─ work ─────┬─ MPI_Ssend ─┤
///       others  ├─ work ───┼·· idle ·····
/// odd, master   ├─ work ───┼─ MPI_Recv ···············┤
///      others   ├─ work ───┼·· idle ·····
///                          └─ waits ────┘
/// ```
///
/// The threads of both ranks of a pair are idle, `(T−1)·r·serialwork` each: those of the sender beside the serial work,
/// those of the receiver in `MPI_Recv`. In [`super::late_sender_hybrid`] the sender's threads work meanwhile. No other
/// wait state shows.
#[property(
    finds = LateSender,
    formula = floor(P / 2) * r * serialwork,
    at = "mpi_commpattern_sendrecv/MPI_Recv",
    each = if odd(i) && t == 0 { r * serialwork },
    cause = UnevenWork,
    also = IdleThreads,
    at = "",
    each = if even(i) && i + 1 < P && t > 0 { r * serialwork },
    at = "mpi_commpattern_sendrecv/MPI_Recv",
    each = if odd(i) && t > 0 { r * serialwork },
    min_ranks = 2,
    min_threads = 2,
    send_mode = Synchronous,
    c = "mpi_outside_parallel.c"
)]
pub fn mpi_outside_parallel(
    /// Work of every thread in a region.
    #[default(Seconds(0.01))]
    parallelwork: Seconds,
    /// Work of the masters of senders after it: their delay.
    #[default(Seconds(0.05))]
    serialwork: Seconds,
    /// Number of repetitions.
    #[default(10)]
    r: usize,
    c: &dyn Communicator,
    team: &impl Team,
    balance: Balance,
) {
    // In the twin all threads of a pair share its serial work in the region.
    let share = serialwork.0 / (2 * team.max_threads()) as f64;
    let [in_pairs, serial] = balance.pick([0.0, serialwork.0], [share, 0.0]);
    let (parallel, serial) = match Part::new(c) {
        Part::Sender(_) => (parallelwork.0 + in_pairs, serial),
        Part::Receiver(_) => (parallelwork.0 + in_pairs, 0.0),
        Part::Alone => (parallelwork.0, 0.0),
    };
    let send_up = send_up(c.base_buf(), c);
    for _ in 0..r {
        team.parallel(team.max_threads(), |_| do_work(parallel));
        do_work(serial);
        send_up();
    }
}
