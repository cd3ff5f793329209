//! Common parts of the suite's tests: the tools that they need, files of other tools, and the suite's own sources.
//!
//! A test whose tool is missing fails. If you cannot install it, set `ATS_SKIP_MISSING=1`: then the test ends without
//! judging anything, which is printed, and listed in the file that `ATS_LEFT_OUT` names.
//!
//! `make test`, `make landing` and `make nightly` set `ATS_PROMISED` to the packages that they install. A test that asks for a
//! tool of any other package fails, even if the tool is there: on a fresh machine it would be missing.
//!
//! ```
//! if !ats_testing::required("sh") {
//!     return;
//! }
//! ```

mod browser;
pub mod causes;
mod current;
mod mpi;
mod sources;
mod tools;

use std::ops::Range;
use std::path::PathBuf;

pub use browser::{assert_ids_are_unique, press_all, use_page};
pub use current::assert_current;
pub use mpi::{Priority, before_others, ready_for_open_mpi, tested_mpi};
pub use sources::{program, sources, suite};
pub use tools::{find, find_any, is_promised, required};

/// The seeds of a test with random cases: `usual` of them, times `ATS_TEST_TIMES` (`make random` sets it).
///
/// # Panics
/// `ATS_TEST_TIMES` is not a number.
pub fn seeds(usual: u64) -> Range<u64> {
    0..usual * times()
}

/// The factor for the number of random cases.
fn times() -> u64 {
    let times = std::env::var("ATS_TEST_TIMES").ok();
    times.map_or(1, |times| times.parse().expect("ATS_TEST_TIMES is a number"))
}

/// A trace, report or program that another tool has written, in the folder `peers`.
///
/// # Panics
/// There is no such file or folder.
#[track_caller]
pub fn peer(name: &str) -> PathBuf {
    let path = suite().join("peers").join(name);
    assert!(path.exists(), "there is no peers/{name}");
    path
}
