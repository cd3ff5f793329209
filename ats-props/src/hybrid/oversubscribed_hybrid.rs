//! More threads than cores.

use ats_props::{Amount, Balance, Bound, Communicator, Team, Thread, do_amount, property, region};

/// All threads of all processes have to share one core.
///
/// In each repetition the processes meet at an MPI barrier, and each starts a parallel region. There every thread does `n`
/// integer operations in the region `compute`, bound to the first core that it may use. In the twin each is bound to a core of
/// its own, as far as there are cores.
///
/// ```text
/// one core  ├─ compute, by turns of all threads ─────────────┤ MPI_Barrier ┤
/// ```
///
/// The finding is the time in the region over the processor's time there, as the kernel has it for each thread: the number of
/// threads of all processes. That they are on one core makes it the same on every machine, be there as many cores as
/// threads; with one core, it is unsupported. Threads that are done first wait for the others at the end of the parallel
/// region, for some time slices of the system.
#[property(
    // Four fifths of the least that shows it: two threads of two processes.
    finds = Ratio { of: "compute", over: "task_clock", at_least: 3.2 },
    formula = P * T,
    twin = 1,
    min_ranks = 2,
    min_threads = 2,
    c = "oversubscribed_hybrid.c"
)]
pub fn oversubscribed_hybrid(
    /// Operations of a thread in a repetition.
    #[default(50_000_000)]
    n: usize,
    /// Number of repetitions.
    #[default(5)]
    r: usize,
    c: &dyn Communicator,
    team: &impl Team,
    balance: Balance,
) {
    let (operations, threads) = (n as u64, team.max_threads() as u64);
    let (first, places) = (c.rank() as u64 * threads, c.size() as u64 * threads);
    let cores = balance.pick(1, places);
    for _ in 0..r {
        c.barrier();
        team.parallel(team.max_threads(), |t| {
            let place = first + t.number() as u64;
            let _region = region("compute");
            do_amount(&Amount::Bound(Bound { operations, place, places, cores }));
        });
    }
}
