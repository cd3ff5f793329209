//! Arrays that do not fit into a cache.

use ats_props::{Amount, Balance, Counter, Triad, count, do_amount, property, region};

/// A process waits for memory, which gives no more bytes in a second.
///
/// The region `stream` computes `r` times each of `elements` elements of an array from two others: two operations, two loads
/// and a store of 8 bytes. The region `stream_in_cache` computes as many, of arrays of 1,024 elements. The twin does so in
/// both.
///
/// ```text
/// ├─ stream ─────────────────┬─ stream_in_cache ─┤
/// ```
///
/// The findings are the number of floating-point operations, and the time of one region over that of the other.
#[property(
    finds = Ratio { of: "stream", over: "stream_in_cache", at_least: 1.5 },
    twin = 1,
    finds = Count(OPERATIONS, STREAM),
    formula = 2 * elements * r
)]
pub fn memory_bandwidth_bound(
    /// Elements of each array.
    #[default(4_194_304)]
    elements: usize,
    /// Times that all are computed.
    #[default(3)]
    r: usize,
    balance: Balance,
) {
    let [elements, rounds] = [elements, r].map(|n| n as u64);
    let in_cache = Triad { elements: IN_CACHE.min(elements.max(1)), rounds: 0, streams: 1 };
    let in_cache = Triad { rounds: (elements * rounds).div_ceil(in_cache.elements), ..in_cache };
    let streams = balance.pick(Triad { elements, rounds, streams: 1 }, in_cache);
    for (name, triad) in [(STREAM, streams), ("stream_in_cache", in_cache)] {
        // The arrays are made outside.
        do_amount(&Amount::Triad(Triad { rounds: 0, ..triad }));
        let _region = region(name);
        do_amount(&Amount::Triad(triad));
        count(OPERATIONS.metric(name), 2 * elements * rounds);
    }
}

/// The region of the large arrays.
const STREAM: &str = "stream";

/// Elements of arrays that fit into the first cache: three of 8 KiB.
const IN_CACHE: u64 = 1024;

/// Floating-point operations, which the program counts itself.
const OPERATIONS: Counter = Counter::Witness("flops");
