//! Ranks that share a core.

use ats_props::{Amount, Balance, Bound, Communicator, do_amount, property, region};

/// All ranks of a machine are bound to one of its cores, while the others idle.
///
/// In each repetition all ranks meet at a barrier. Then each does `n` integer operations in the region `compute`, bound to
/// the first core that it may use. In the twin each is bound to a core of its own, as far as there are cores.
///
/// ```text
/// first core    ├─ compute, by turns of all ranks ─────────────┤
/// second core   ├─ idle ───────────────────────────────────────┤
/// ```
///
/// The finding is the time in the region over the processor's time there, as the kernel has it for each thread. It is the number
/// of ranks: each gets the core for so small a part of the time. A machine shows it if it has two cores or more, and is
/// unsupported if it has one.
#[property(
    finds = Ratio { of: "compute", over: "task_clock", at_least: 1.8 },
    formula = P,
    twin = 1,
    min_ranks = 2
)]
pub fn mapping_problem(
    /// Operations of a rank in a repetition.
    #[default(50_000_000)]
    n: usize,
    /// Number of repetitions.
    #[default(5)]
    r: usize,
    c: &dyn Communicator,
    balance: Balance,
) {
    let (place, places) = (c.rank() as u64, c.size() as u64);
    let cores = balance.pick(1, places);
    for _ in 0..r {
        c.barrier();
        let _region = region("compute");
        do_amount(&Amount::Bound(Bound { operations: n as u64, place, places, cores }));
    }
}
