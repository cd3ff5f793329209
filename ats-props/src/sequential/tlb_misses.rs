//! Loads whose addresses have no translation at hand.

use ats_props::{Balance, Chase, Counter, cause, property};

use crate::family::compared::{CHASE, LINE_BYTES, chase_both};

/// Each load is from another page, and no translation of its address is at hand.
///
/// The region `chase` goes `r` times through one line of each of `pages` small pages in one random order, each load from
/// the place that the last one gave. The region `chase_of_fewer` makes as many loads from a 64th of the pages. The twin does
/// so in both.
///
/// ```text
/// ├─ chase ──────────────────┬─ chase_of_fewer ─┤
/// ```
///
/// The findings are the number of misses, and the time of one region over that of the other.
#[property(
    finds = Ratio { of: "chase", over: "chase_of_fewer", at_least: 1.2 },
    twin = 1,
    finds = Count(MISSES, CHASE),
    formula = if pages > buffer { pages * r } else { 0 },
    twin = if max(1, floor(pages / 64)) > buffer { pages * r } else { 0 }
)]
pub fn tlb_misses(
    /// Pages of the chase.
    #[default(16_384)]
    pages: usize,
    /// Translations that the buffers of the machine hold.
    #[default(2_048)]
    buffer: usize,
    /// Times that it goes through all pages.
    #[default(50)]
    r: usize,
    balance: Balance,
) {
    let [number, rounds] = [pages, r].map(|n| n as u64);
    // A line further on in each page: else all would be in the same few sets of the cache.
    let chase = Chase { lines: number, stride_bytes: PAGE_BYTES + LINE_BYTES, rounds, huge_pages: false };
    let misses = |pages: usize| if pages > buffer { number * rounds } else { 0 };
    let misses = misses(balance.pick(pages, pages / 64));
    chase_both(chase, 64, balance, || cause(MISSES.metric(CHASE), misses));
}

/// The length of a small page in bytes.
const PAGE_BYTES: u64 = 4096;

/// Loads whose translation is not at hand.
const MISSES: Counter = Counter::Hardware { name: "PAPI_TLB_DM", within_percent: 20 };
