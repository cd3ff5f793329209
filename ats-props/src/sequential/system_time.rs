//! Time in the kernel.

use ats_props::{Balance, Target, property};

use crate::family::writes::{BYTES, CALLS, WRITES, write};

/// A process spends its time in calls of the system.
///
/// In each repetition the region `writes` writes `k` times `bytes` to the null device: the kernel has nothing to do but the
/// call itself. The twin writes as many bytes in one call.
///
/// ```text
/// ├┬┬┬┬┬┬┬┬┬┬┬┬┬┬┬┬┬┤   k calls
/// ```
///
/// The findings are the calls and their bytes, as the kernel counts them for the process: `syscw` and `wchar` in
/// `/proc/self/io`.
#[property(
    finds = Count(CALLS, WRITES),
    formula = k * r,
    twin = r,
    finds = Count(BYTES, WRITES),
    formula = k * bytes * r,
    twin = k * bytes * r
)]
pub fn system_time(
    /// Writes in a repetition.
    #[default(20000)]
    k: usize,
    /// Bytes of each.
    #[default(0)]
    bytes: usize,
    /// Number of repetitions.
    #[default(5)]
    r: usize,
    balance: Balance,
) {
    write(k, bytes, Target::Null, r, balance);
}
