//! A check of this machine: the things that are there, those that are missing, and how to get them.

mod asked;
mod counters;
mod eager_limit;
mod functions;

use std::path::Path;
use std::process::Command;

use ats_generator::SuiteSource;
use ats_model::machine_counter::CounterSource;
use ats_model::mpi::Function;
use ats_props::Needs;
use ats_work::perf_events::Group;
use ats_work::{calibration, machine};

use crate::launch::Launcher;
use crate::linked::output_of;
use crate::mpi::Mpi;
use crate::tool::{Tested, Tool};
use crate::{build, openmp};

/// One thing that was looked at.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Check {
    /// The name of the thing.
    pub what: String,
    /// Whether programs cannot be run under MPI without it.
    pub required: bool,
    /// The result of the look, in words.
    pub found: String,
    /// The same as a number, where it is an amount of data.
    pub bytes: Option<u64>,
    /// The remedy, if it is not as it should be.
    pub fix: Option<String>,
}

/// Looks at everything that running programs under MPI needs.
pub fn examine() -> Vec<Check> {
    // One library is enough, so the other is not missing.
    let usable = |mpi: &Mpi| mpi.compiler().is_some() && Launcher::find(*mpi).is_ok();
    let wanted = Mpi::ALL.into_iter().find(usable).unwrap_or(Mpi::OpenMpi);
    let mut checks = Vec::new();
    for mpi in Mpi::ALL {
        let required = mpi == wanted;
        checks.extend([launcher(mpi, required), compiler(mpi, required), recorder(mpi)]);
        if usable(&mpi) {
            checks.extend([eager_limit(mpi), functions(mpi)]);
        }
    }
    checks.extend([rust(), libclang(), libomp(), suite(), cores(), timer()]);
    let refusal = |event| Group::open(&[event]).1.pop().map(|(_, refusal)| refusal);
    checks.extend(counters::counters(CounterSource::IO_FILE, refusal));
    checks
}

/// Looks at everything that running programs under a tool needs besides, of every paradigm that it knows.
pub fn examine_tool(tool: &Tool) -> Vec<Check> {
    let version = tool.version().map(|version| match &tool.tested {
        Tested::With(tested) if version.starts_with(tested.as_str()) => version,
        Tested::With(tested) => format!("{version}; the description was tested with {tested}"),
        Tested::Not(why) => format!("{version}; the description was not tested: {why}"),
    });
    let mut checks: Vec<Check> = version
        .map(|version| check(format!("version of {}", tool.title), false, Some(version), String::new))
        .into_iter()
        .collect();
    for needs in Needs::ALL.into_iter().filter(|needs| tool.does_not_know(*needs).is_none()) {
        let tool = tool.for_programs(needs);
        for (what, found) in tool.needed() {
            let what = format!("{}: {what}", needs.paradigm());
            let reason = found.as_ref().err().cloned();
            let fix = || format!("to install it: {}", tool.needs.install);
            let mut one = check(what, true, found.ok(), fix);
            one.found = reason.unwrap_or(one.found);
            checks.push(one);
        }
    }
    checks
}

fn check(
    what: impl Into<String>,
    required: bool,
    found: Option<String>,
    fix: impl FnOnce() -> String,
) -> Check {
    let fix = found.is_none().then(fix);
    let found = found.unwrap_or_else(|| "not there".to_owned());
    Check { what: what.into(), required, found, bytes: None, fix }
}

fn install(packages: &str) -> String {
    format!("on Debian: apt-get install {packages}")
}

fn launcher(mpi: Mpi, required: bool) -> Check {
    let found = Launcher::find(mpi).ok().map(|found| format!("{} ({})", found.path.display(), found.version));
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

/// The largest messages that two processes of this machine send without waiting for the receive.
fn eager_limit(mpi: Mpi) -> Check {
    let asked = eager_limit::eager_limit(mpi);
    let bytes = asked.as_ref().ok().copied().flatten();
    let found = asked.as_ref().ok().map(|limit| match limit {
        Some(bytes) => format!("{bytes} bytes; a larger message waits for its receive"),
        None => "none up to 64 MiB".to_owned(),
    });
    let fix = || format!("it could not be asked: {}", asked.err().unwrap_or_default());
    Check { bytes, ..check(format!("eager limit of {}", mpi.name()), false, found, fix) }
}

/// The functions of newer standards that programs call.
fn functions(mpi: Mpi) -> Check {
    let what = format!("functions of {}", mpi.name());
    match functions::lacking(mpi) {
        Ok(lacking) if lacking.is_empty() => {
            check(what, false, Some("all that programs call".to_owned()), String::new)
        }
        Ok(lacking) => {
            let names: Vec<&str> = lacking.into_iter().map(Function::name).collect();
            let fix =
                || "programs that call them are unsupported; use a library of MPI 4 or later".to_owned();
            Check { found: format!("lacks {}", names.join(", ")), ..check(what, false, None, fix) }
        }
        Err(reason) => check(what, false, None, || format!("they could not be asked for: {reason}")),
    }
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
    let found = SuiteSource::find().map(|suite| suite.root().display().to_string());
    let problem = found.as_ref().err().map(ToString::to_string).unwrap_or_default();
    check("sources of the suite", true, found.ok(), || problem)
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn two_ranks_tell_the_eager_limit_of_a_library() {
        if !["mpicc.openmpi", "mpirun.openmpi"].iter().all(|program| ats_testing::required(program)) {
            return;
        }
        let Check { found, bytes, fix, .. } = eager_limit(Mpi::OpenMpi);
        assert_eq!(fix, None, "{found}");
        let bytes = bytes.expect("no library sends 64 MiB eagerly");
        assert!((1..1 << 26).contains(&bytes) && found.starts_with(&bytes.to_string()), "{found}");
    }

    #[test]
    fn a_library_has_what_programs_call_or_the_names_are_told() {
        if !["mpicc.openmpi", "mpirun.openmpi"].iter().all(|program| ats_testing::required(program)) {
            return;
        }
        // Open MPI has persistent collective operations since version 4.0, and messages in partitions since 5.0.
        let Check { found, fix, .. } = functions(Mpi::OpenMpi);
        match fix {
            None => assert_eq!(found, "all that programs call"),
            Some(_) => assert_eq!(found, "lacks MPI_Psend_init, MPI_Precv_init, MPI_Pready"),
        }
    }

    #[test]
    fn needs_of_a_tool_are_looked_for_in_each_paradigm() {
        let text = "schema = 'ats-tool/1'\nname = 'mine'\ntitle = 'Mine'\nurl = ''\nversion = ['echo', 'mine 2.1']\n\
                    [tested]\nwith = '2.0'\n[needs]\ncommands = ['sh']\ninstall = 'by hand'\nparadigms = ['mpi', 'openmp']\n\
                    [report]\npath = 'x'\nformat = 'report'\n[shows]\ncall_paths = 'none'\n[when.openmp]\n\
                    needs.commands = ['no-such-tool']\nattach.environment.A = '{env:ATS_NOWHERE}'\n";
        let checks = examine_tool(&Tool::parse(text, "mine.toml").unwrap());
        let of = |at: usize| (checks[at].what.as_str(), checks[at].found.as_str(), checks[at].fix.as_deref());
        let fix = Some("to install it: by hand");
        assert_eq!(of(0), ("version of Mine", "2.1; the description was tested with 2.0", None));
        assert!(of(1).0 == "mpi: command sh" && of(1).1.ends_with("/sh") && of(1).2.is_none(), "{:?}", of(1));
        assert_eq!(of(2), ("openmp: command no-such-tool", "`no-such-tool` is not on the PATH", fix));
        assert_eq!(of(3), ("openmp: value {env:ATS_NOWHERE}", "the variable ATS_NOWHERE is not set", fix));
        assert!(checks.len() == 4 && checks[1..].iter().all(|check| check.required));
    }
}
