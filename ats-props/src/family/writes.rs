//! Calls that write, and the numbers that the kernel has of them.

use ats_props::{Amount, Balance, Counter, Target, Writes, cause, do_amount, region};

/// Calls of the process that write.
pub(crate) const CALLS: Counter = Counter::Hardware { name: "syscw", within_percent: 0 };

/// Bytes that it has written.
pub(crate) const BYTES: Counter = Counter::Hardware { name: "wchar", within_percent: 0 };

/// The region of the writes.
pub(crate) const WRITES: &str = "writes";

/// In each of `r` repetitions writes `k` times so many bytes; in the twin as many bytes once.
pub(crate) fn write(k: usize, bytes: usize, to: Target, r: usize, balance: Balance) {
    let (calls, bytes) = balance.pick((k as u64, bytes as u64), (1, (k * bytes) as u64));
    // The file is opened outside.
    do_amount(&Amount::Writes(Writes { calls: 0, bytes, to }));
    for _ in 0..r {
        let _region = region(WRITES);
        do_amount(&Amount::Writes(Writes { calls, bytes, to }));
        cause(CALLS.metric(WRITES), calls);
        cause(BYTES.metric(WRITES), calls * bytes);
    }
}
