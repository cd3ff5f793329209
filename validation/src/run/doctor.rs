//! What this machine has, what it lacks, and how to get it.

use std::path::Path;
use std::process::Command;

use ats_generator::SuiteSource;
use ats_work::{calibration, machine};

use crate::run::launch::Launcher;
use crate::run::linked::output_of;
use crate::run::mpi::Mpi;
use crate::run::{build, openmp};

/// One thing that was looked at.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Check {
    /// What.
    pub what: String,
    /// Whether programs cannot be run under MPI without it.
    pub required: bool,
    /// What was found.
    pub found: String,
    /// What to do, where it is not as it should be.
    pub fix: Option<String>,
}

/// Looks at everything that running programs under MPI needs.
pub fn examine() -> Vec<Check> {
    // One library is enough, so the other is not missing.
    let usable = |mpi: &Mpi| mpi.compiler().is_some() && Launcher::of(*mpi).is_ok();
    let wanted = Mpi::ALL.into_iter().find(usable).unwrap_or(Mpi::OpenMpi);
    let mut checks = Vec::new();
    for mpi in Mpi::ALL {
        let required = mpi == wanted;
        checks.extend([launcher(mpi, required), compiler(mpi, required), recorder(mpi)]);
    }
    checks.extend([rust(), libclang(), libomp(), suite(), cores(), timer()]);
    checks
}

fn check(
    what: impl Into<String>,
    required: bool,
    found: Option<String>,
    fix: impl FnOnce() -> String,
) -> Check {
    let fix = found.is_none().then(fix);
    Check { what: what.into(), required, found: found.unwrap_or_else(|| "not there".to_owned()), fix }
}

fn install(packages: &str) -> String {
    format!("on Debian: apt-get install {packages}")
}

fn launcher(mpi: Mpi, required: bool) -> Check {
    let found = Launcher::of(mpi).ok().map(|found| format!("{} ({})", found.path.display(), found.version));
    check(format!("launcher of {}", mpi.name()), required, found, || install(mpi.packages()))
}

fn compiler(mpi: Mpi, required: bool) -> Check {
    check(format!("compiler of {}", mpi.name()), required, mpi.compiler(), || install(mpi.packages()))
}

fn recorder(mpi: Mpi) -> Check {
    let found = build::find_recorder(mpi).map(|path| path.display().to_string());
    let fix = || "it is built when it is first needed".to_owned();
    check(format!("recorder for {}", mpi.name()), false, found, fix)
}

fn rust() -> Check {
    let version = output_of("cargo", "--version").map(|text| text.trim().to_owned());
    check("Rust", true, version, || "install it from https://rustup.rs".to_owned())
}

/// The crate that binds MPI is generated with it.
fn libclang() -> Check {
    let named = std::env::var("LIBCLANG_PATH").ok();
    let listed = || {
        let output = Command::new("ldconfig").arg("-p").output().ok()?;
        let text = String::from_utf8_lossy(&output.stdout).into_owned();
        let line = text.lines().find(|line| line.trim_start().starts_with("libclang"))?;
        Some(line.rsplit("=> ").next()?.trim().to_owned())
    };
    let versions = || (7..=30).rev().map(|version| format!("/usr/lib/llvm-{version}/lib"));
    let installed = || versions().find(|folder| Path::new(folder).join("libclang.so").exists());
    check("libclang", true, named.or_else(installed).or_else(listed), || install("libclang-dev clang"))
}

/// Programs with threads are linked with it.
fn libomp() -> Check {
    let found = openmp::installed().map(|path| path.display().to_string());
    check("OpenMP runtime of LLVM", false, found, || install(openmp::PACKAGES))
}

fn suite() -> Check {
    let found = SuiteSource::find().ok().map(|SuiteSource::Path(root)| root.display().to_string());
    check("sources of the suite", true, found, || {
        "set ATS_SUITE to a clone of the suite: programs are built from it".to_owned()
    })
}

fn cores() -> Check {
    let cores = machine::cores();
    let found =
        Some(format!("{cores}; more ranks than these share cores, and work sleeps instead of spinning"));
    check("cores", false, found, String::new)
}

fn timer() -> Check {
    let found = calibration::path().filter(|path| path.exists()).map(|path| path.display().to_string());
    check("calibration of work", false, found, || "run: ats calibrate".to_owned())
}
