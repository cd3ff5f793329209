//! What the suite's tests share: the tools that they need, what other tools have written, and the suite's own sources.
//!
//! A test whose tool is missing fails. Whoever cannot install it sets `ATS_SKIP_MISSING=1`: then the test ends without
//! judging anything, which is printed, and listed in the file that `ATS_LEFT_OUT` names.
//!
//! ```
//! if !ats_testing::required("sh") {
//!     return;
//! }
//! ```

mod open_mpi;
mod sources;

use std::fs::OpenOptions;
use std::io::{Write, stderr};
use std::ops::Range;
use std::path::PathBuf;

pub use open_mpi::ready_for_open_mpi;
pub use sources::{program, sources, suite};

/// What a tool's package is called on Debian, where it is not called as the tool.
const PACKAGES: [(&str, &str); 14] = [
    ("cc", "gcc"),
    ("c++", "g++"),
    ("eztrace", "eztrace"),
    ("lmp", "lammps"),
    ("mpicc.mpich", "libmpich-dev mpich"),
    ("mpicc.openmpi", "libopenmpi-dev openmpi-bin"),
    ("mpif90.mpich", "gfortran libmpich-dev mpich"),
    ("mpif90.openmpi", "gfortran libopenmpi-dev openmpi-bin"),
    ("mpifort.openmpi", "gfortran libopenmpi-dev openmpi-bin"),
    ("mpirun.mpich", "mpich"),
    ("mpirun.openmpi", "openmpi-bin"),
    ("NPmpi", "netpipe-openmpi"),
    ("otf2-print", "otf2-tools"),
    ("script", "bsdutils"),
];

/// Whether this tool, compiler or browser is on the path.
///
/// # Panics
/// It is not there, and `ATS_SKIP_MISSING` is not 1.
#[track_caller]
pub fn required(tool: &str) -> bool {
    find(tool).is_some()
}

/// Where this tool is; none is left out like [`required`].
///
/// # Panics
/// It is not there, and `ATS_SKIP_MISSING` is not 1.
#[track_caller]
pub fn find(tool: &str) -> Option<PathBuf> {
    let found = which::which(tool).ok();
    if found.is_none() {
        leave_out(tool);
    }
    found
}

#[track_caller]
fn leave_out(tool: &str) {
    let package = PACKAGES.iter().find(|(name, _)| *name == tool).map_or(tool, |(_, package)| package);
    let variable = |name| std::env::var_os(name).filter(|value| !value.is_empty());
    assert!(
        variable("ATS_SKIP_MISSING").is_some_and(|value| value == "1"),
        "this test needs {tool} (Debian: apt-get install {package}); ATS_SKIP_MISSING=1 leaves it out"
    );
    let test = std::thread::current();
    let line = format!("{}: needs {tool} (Debian: {package})\n", test.name().unwrap_or("a test"));
    // Written to the stream itself, since what a test prints is captured.
    stderr().write_all(format!("left out: {line}").as_bytes()).expect("standard error is open");
    if let Some(list) = variable("ATS_LEFT_OUT") {
        let mut list = OpenOptions::new().append(true).create(true).open(list).expect("ATS_LEFT_OUT opens");
        list.write_all(line.as_bytes()).expect("ATS_LEFT_OUT is written");
    }
}

/// The seeds of a test with random cases: `usual` of them, times `ATS_TEST_TIMES` (`make random` sets it).
///
/// # Panics
/// `ATS_TEST_TIMES` is no number.
pub fn seeds(usual: u64) -> Range<u64> {
    0..usual * times()
}

/// How many times as many random cases as usual are asked for.
fn times() -> u64 {
    let times = std::env::var("ATS_TEST_TIMES").ok();
    times.map_or(1, |times| times.parse().expect("ATS_TEST_TIMES is a number"))
}

/// A trace, report or program in the folder `peers`: what other tools have written.
///
/// # Panics
/// There is no such file or folder.
#[track_caller]
pub fn peer(name: &str) -> PathBuf {
    let path = suite().join("peers").join(name);
    assert!(path.exists(), "there is no peers/{name}");
    path
}
