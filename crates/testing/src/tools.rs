//! The tools that tests need, the packages that bring them, and the handling of missing ones.

use std::fs::OpenOptions;
use std::io::{Write, stderr};
use std::path::PathBuf;

/// The Debian packages of tools that are not named like their package.
const PACKAGES: [(&str, &str); 31] = [
    ("/usr/bin/python3", "python3-mpi4py"),
    ("c++", "g++"),
    ("cc", "gcc"),
    ("clang++", "clang g++"),
    ("ctest", "cmake"),
    ("kill", "procps"),
    ("ldconfig", "libc-bin"),
    ("ldd", "libc-bin"),
    ("lmp", "lammps"),
    ("mkfifo", "coreutils"),
    ("mpicc.mpich", "libmpich-dev mpich"),
    ("mpicc.openmpi", "libopenmpi-dev openmpi-bin"),
    ("mpicxx.openmpi", "libopenmpi-dev openmpi-bin"),
    ("mpif90.mpich", "gfortran libmpich-dev mpich"),
    ("mpif90.openmpi", "gfortran libopenmpi-dev openmpi-bin"),
    ("mpifort.openmpi", "gfortran libopenmpi-dev openmpi-bin"),
    ("mpirun.mpich", "mpich"),
    ("mpirun.openmpi", "openmpi-bin"),
    ("nice", "coreutils"),
    ("nm", "binutils"),
    ("NPmpi", "netpipe-openmpi"),
    ("otf2-print", "otf2-tools"),
    ("rustfmt", "rustup"),
    ("script", "bsdutils"),
    ("sh", "dash"),
    ("sha256sum", "coreutils"),
    ("sleep", "coreutils"),
    ("smpirun", "libsimgrid-dev"),
    ("strip", "binutils"),
    ("timeout", "coreutils"),
    ("true", "coreutils"),
];

/// Packages that need no promise: every Debian system has them, or whoever builds with Rust and `make`.
const ALWAYS: [&str; 11] = [
    "bash",
    "binutils",
    "bsdutils",
    "coreutils",
    "dash",
    "libc-bin",
    "make",
    "procps",
    "rustup",
    "sed",
    "tar",
];

/// Whether this tool, compiler or browser is on the path.
///
/// # Panics
/// It is not there, and `ATS_SKIP_MISSING` is not 1; or `ATS_PROMISED` does not list its package.
#[track_caller]
pub fn required(tool: &str) -> bool {
    find(tool).is_some()
}

/// Finds a tool on the path; without it, the test is left out as by [`required`].
///
/// # Panics
/// It is not there, and `ATS_SKIP_MISSING` is not 1; or `ATS_PROMISED` does not list its package.
#[track_caller]
pub fn find(tool: &str) -> Option<PathBuf> {
    find_any(&[tool])
}

/// Finds a tool that has several names; the first is Debian's.
///
/// # Panics
/// It is not there, and `ATS_SKIP_MISSING` is not 1; or `ATS_PROMISED` does not list its package.
#[track_caller]
pub fn find_any(names: &[&str]) -> Option<PathBuf> {
    let tool = names[0];
    if let Some(promised) = variable("ATS_PROMISED") {
        assert!(
            is_promised(tool, &promised),
            "this test needs {tool} (Debian: {}), which this level does not install: add the package to \
             scripts/install-missing, or name the test in another level of .config/nextest.toml",
            package(tool)
        );
    }
    let found = names.iter().find_map(|name| which::which(name).ok());
    if found.is_none() {
        leave_out(tool);
    }
    found
}

/// Tells whether all packages of a tool are among the promised ones, which stand between spaces, or are always there.
pub fn is_promised(tool: &str, promised: &str) -> bool {
    let is_there = |package| ALWAYS.contains(&package) || promised.split_whitespace().any(|it| it == package);
    package(tool).split_whitespace().all(is_there)
}

fn package(tool: &str) -> &str {
    PACKAGES.iter().find(|(name, _)| *name == tool).map_or(tool, |(_, package)| package)
}

/// The value of an environment variable that is set to more than nothing.
fn variable(name: &str) -> Option<String> {
    std::env::var(name).ok().filter(|value| !value.is_empty())
}

#[track_caller]
fn leave_out(tool: &str) {
    let package = package(tool);
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
