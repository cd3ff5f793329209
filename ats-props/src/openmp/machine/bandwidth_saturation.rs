//! Threads that share the memory's bandwidth.

use ats_props::{Amount, Balance, Team, Thread, Triad, do_amount, property, region};

/// Threads stream through memory at the same time, and each gets fewer bytes in a second than it would alone.
///
/// In each repetition, the region `together` of all threads computes an array of `bytes` from two others as large, at the same
/// time: two operations, two loads and a store of 8 bytes for each element. Then one thread after the other does so in the
/// region `alone`, while the others wait at barriers. In the twin all threads do both at the same time, with arrays that fit
/// into the first cache.
///
/// ```text
/// first   ├─ together ─────────┼─ alone ───┼─ barrier ·┤
/// second  ├─ together ─────────┼─ barrier ·┼─ alone ───┤
/// ```
///
/// The finding is the time of one region over that of the other: 1 if the memory has enough for all, the number of threads if
/// one can have it all. Virtual machines may not show it; with one core it is unsupported. The threads wait for one another's
/// turn at the barriers besides.
#[property(
    finds = Ratio { of: "together", over: "alone", at_least: 1.2 },
    twin = 1,
    also = WaitAtExplicitOmpBarrier,
    at = "!$omp parallel/!$omp barrier",
    min_threads = 2,
    c = "bandwidth_saturation.c"
)]
pub fn bandwidth_saturation(
    /// Bytes of each array, in whole words of 8.
    #[default(33_554_432)]
    bytes: usize,
    /// Number of repetitions.
    #[default(3)]
    r: usize,
    team: &impl Team,
    balance: Balance,
) {
    let elements = bytes as u64 / 8;
    let size = balance.pick(elements, IN_CACHE.min(elements));
    let rounds = if size == 0 { 0 } else { elements.div_ceil(size) };
    let compute = |name, streams| {
        let _region = region(name);
        do_amount(&Amount::Triad(Triad { elements: size, rounds, streams }));
    };
    team.parallel(team.max_threads(), |t| {
        do_amount(&Amount::Triad(Triad { elements: size, rounds: 0, streams: 1 }));
        t.barrier();
        for _ in 0..r {
            compute("together", t.threads() as u64);
            t.barrier();
            for turn in 0..t.threads() {
                // The turns of the twin are all the first one.
                if turn == balance.pick(t.number(), 0) {
                    compute("alone", 1);
                }
                t.barrier();
            }
        }
    });
}

/// Elements of arrays that fit into the first cache: three of 8 KiB.
const IN_CACHE: u64 = 1024;
