//! A late root of a broadcast, whose team waits for one of its threads.

use ats_props::{Balance, Communicator, Seconds, Team, Thread, do_work, property};

use crate::family::rooted::broadcast;

/// Ranks wait for a root that is late because one of its threads has more to do.
///
/// All threads work `basework` in a parallel region, and the root's master works `rootextrawork` there besides; then the
/// masters take part in a broadcast.
///
/// ```text
///                │ parallel                           │
/// root, master   ├─ base ─┬─ extra ───────────────────┼─ MPI_Bcast ─┤
///       others   ├─ base ─┼─ implicit barrier ········┤
/// other, master  ├─ base ─┼─ MPI_Bcast ·····························┤
///        others  ├─ base ─┼·· idle ·····
///                         └─ waits ───────────────────┘
/// ```
///
/// One cause in two paradigms: the root's other threads wait at the end of the region, at its implicit barrier,
/// `r·(T−1)·rootextrawork` in all, and the masters of the other ranks wait for the root, while their threads are idle,
/// `r·(P−1)·(T−1)·rootextrawork` in all. No other wait state shows.
#[property(
    finds = LateBroadcast,
    formula = (P - 1) * r * rootextrawork,
    at = "MPI_Bcast",
    each = if i != root % P && t == 0 { r * rootextrawork },
    cause = if P > 2 { LackOfParallelism } else { UnevenWork },
    also = IdleThreads,
    at = "MPI_Bcast",
    each = if i != root % P && t > 0 { r * rootextrawork },
    also = WaitAtImplicitOmpBarrier,
    at = "!$omp parallel/!$omp implicit barrier",
    each = if i == root % P && t > 0 { r * rootextrawork },
    min_ranks = 2,
    min_threads = 2,
    c = "late_broadcast_hybrid_serial_root.c"
)]
pub fn late_broadcast_hybrid_serial_root(
    /// Work of every thread in a repetition.
    #[default(Seconds(0.01))]
    basework: Seconds,
    /// Extra work of the root's master: the delay of all.
    #[default(Seconds(0.05))]
    rootextrawork: Seconds,
    /// The root's rank; counted modulo the number of ranks.
    #[default(0)]
    root: usize,
    /// Number of repetitions.
    #[default(10)]
    r: usize,
    c: &dyn Communicator,
    team: &impl Team,
    balance: Balance,
) {
    // In the twin all threads of all ranks share the extra work.
    let share = rootextrawork.0 / (c.size() * team.max_threads()) as f64;
    let [of_each, of_root] = balance.pick([basework.0, rootextrawork.0], [basework.0 + share, 0.0]);
    let root = root % c.size();
    let of_master = if c.rank() == root { of_root } else { 0.0 };
    let broadcast = broadcast(root, c);
    for _ in 0..r {
        team.parallel(team.max_threads(), |t| {
            do_work(of_each);
            t.master(|| do_work(of_master));
        });
        broadcast();
    }
}
