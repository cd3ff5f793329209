//! Memory that is allocated again and again.

use ats_props::{Allocations, Amount, Balance, Counter, cause, do_amount, property, region};

/// A process allocates, touches and frees memory again and again.
///
/// In each repetition the region `allocate` does so `k` times with `bytes`. The twin allocates once in a repetition.
///
/// ```text
/// ├┬┬┬┬┬┬┬┬┬┤   k pieces
/// ```
///
/// The finding is the number of allocations, as an allocator that is put between counts them.
#[property(
    finds = Count(ALLOCATIONS, ALLOCATE),
    formula = k * r,
    twin = r
)]
pub fn frequent_allocation(
    /// Allocations in a repetition.
    #[default(20_000)]
    k: usize,
    /// Bytes of each, at least one.
    #[default(256)]
    bytes: usize,
    /// Number of repetitions.
    #[default(5)]
    r: usize,
    balance: Balance,
) {
    let number = balance.pick(k as u64, 1);
    for _ in 0..r {
        let _region = region(ALLOCATE);
        do_amount(&Amount::Allocations(Allocations { number, bytes: bytes as u64 }));
        cause(ALLOCATIONS.metric(ALLOCATE), number);
    }
}

/// The region of the allocations.
const ALLOCATE: &str = "allocate";

/// Pieces of memory that the process has asked for.
const ALLOCATIONS: Counter = Counter::Hardware { name: "allocations", within_percent: 0 };
