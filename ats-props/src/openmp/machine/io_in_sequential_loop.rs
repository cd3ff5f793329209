//! Output of one thread for all.

use ats_props::{Balance, Team, property};

use crate::family::writes::{BYTES, CALLS, WRITES};
use crate::family::writes_of_a_team::write_in_a_team;

/// Threads wait at the end of a parallel region because one of them does all of the output.
///
/// In each repetition, a parallel region, the region `writes` of the master writes `bytes` to a temporary file, `k` times for
/// each thread; the others have nothing to write. In the twin every thread writes `k` times, to a file of its own.
///
/// ```text
///         │ parallel                         │
/// master  ├┬┬┬┬┬┬┬┬┬┬┬┬┬┬┬┬┬┤   T·k writes  │
/// others  ├─ implicit barrier ··············─┤
///         └─ waits ─────────┘
/// ```
///
/// The findings are the calls and their bytes, as the kernel counts them for the process: `syscw` and `wchar` in
/// `/proc/self/io`. The others wait for as long as the writes take, which is the machine's affair.
#[property(
    finds = Count(CALLS, WRITES),
    formula = T * k * r,
    finds = Count(BYTES, WRITES),
    formula = T * k * bytes * r,
    also = WaitAtImplicitOmpBarrier,
    at = "!$omp parallel/!$omp implicit barrier",
    min_threads = 2,
    c = "io_in_sequential_loop.c"
)]
pub fn io_in_sequential_loop(
    /// Writes for each thread in a repetition.
    #[default(5000)]
    k: usize,
    /// Bytes of each.
    #[default(8192)]
    bytes: usize,
    /// Number of repetitions.
    #[default(5)]
    r: usize,
    team: &impl Team,
    balance: Balance,
) {
    let [each, more] = balance.pick([0, k * team.max_threads()], [k, k]).map(|calls| calls as u64);
    write_in_a_team(bytes, r, team, |thread| if thread == 0 { more } else { each });
}
