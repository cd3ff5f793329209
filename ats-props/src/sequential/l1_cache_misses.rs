//! Loads that miss the first cache.

use ats_props::{Balance, Chase, Counter, cause, property};

use crate::family::compared::{CHASE, LINE_BYTES, chase_both};

/// Each load misses the first cache.
///
/// The region `chase` goes `r` times through `lines` lines of 64 bytes in one random order, each load from the place that the
/// last one gave: 256 KiB by default. The region `chase_of_fewer` makes as many loads from an eighth of the lines. The twin
/// does so in both.
///
/// ```text
/// ├─ chase ──────────────────┬─ chase_of_fewer ─┤
/// ```
///
/// A cache that replaces the line that was used least recently, and holds fewer than all, misses at each load. The findings
/// are the number of misses, and the time of one region over that of the other. Give the lines of your machine's cache:
/// `ats doctor` names its size.
#[property(
    finds = Ratio { of: "chase", over: "chase_of_fewer", at_least: 1.5 },
    twin = 1,
    finds = Count(MISSES, CHASE),
    formula = if lines > cache { lines * r } else { 0 },
    twin = if max(1, floor(lines / 8)) > cache { lines * r } else { 0 }
)]
pub fn l1_cache_misses(
    /// Lines of the chase.
    #[default(4096)]
    lines: usize,
    /// Lines that the first cache holds.
    #[default(512)]
    cache: usize,
    /// Times that it goes through all lines.
    #[default(400)]
    r: usize,
    balance: Balance,
) {
    let [number, rounds] = [lines, r].map(|n| n as u64);
    let chase = Chase { lines: number, stride_bytes: LINE_BYTES, rounds, huge_pages: true };
    let misses = |lines: usize| if lines > cache { number * rounds } else { 0 };
    let misses = misses(balance.pick(lines, lines / 8));
    chase_both(chase, 8, balance, || cause(MISSES.metric(CHASE), misses));
}

/// Loads of data that miss. Hardware counts some of its own requests, too.
const MISSES: Counter = Counter::Hardware { name: "PAPI_L1_DCM", within_percent: 20 };
