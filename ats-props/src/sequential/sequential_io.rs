//! Output by one process.

use ats_props::{Balance, Target, property};

use crate::family::writes::{BYTES, CALLS, WRITES, write};

/// A process writes large blocks one after the other.
///
/// In each repetition the region `writes` writes `k` times `bytes` to a temporary file, always to its beginning. The twin writes as many bytes in one call.
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
pub fn sequential_io(
    /// Writes in a repetition.
    #[default(200)]
    k: usize,
    /// Bytes of each.
    #[default(65536)]
    bytes: usize,
    /// Number of repetitions.
    #[default(5)]
    r: usize,
    balance: Balance,
) {
    write(k, bytes, Target::Scratch, r, balance);
}
