//! Building what links MPI or an OpenMP runtime: the recorder and the generated programs, one target folder per MPI
//! library.

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use ats_compose::Subject;
use ats_generator::{
    GenerateError, Generated, Language, Options, SuiteLibrary, SuiteSource, generate_set, installed_prefix,
    library_command, share_crates, turn,
};
use ats_work::machine;
use thiserror::Error;

use crate::installation::{self, Library, RECORDER, install_libraries};
use crate::launch::{Ended, Ending, Limits, last_line, run_watched};
use crate::mpi::Mpi;
use crate::progress::{Progress, Step};

/// Why something was not built.
#[derive(Debug, Error)]
pub enum BuildError {
    /// No compiler of the library is there.
    #[error(
        "no compiler of {} was found; install it, on Debian with: apt-get install {}, or name it in MPICC",
        .0.name(), .0.packages()
    )]
    Compiler(Mpi),
    /// The programs cannot be written.
    #[error(transparent)]
    Generate(#[from] GenerateError),
    /// Cargo cannot be started, or a folder not be written.
    #[error("cannot {what}: {source}")]
    Io {
        /// The action that failed, as an infinitive.
        what: String,
        /// The system's reason.
        source: io::Error,
    },
    /// It does not compile.
    #[error("{what} cannot be built{}{}: {message}\nthe whole output is in {}", with(*.mpi), hint(.message), log.display())]
    Failed {
        /// The thing that was built, in words.
        what: String,
        /// The MPI library that it is built for, if it needs one.
        mpi: Option<Mpi>,
        /// The exit status of cargo, and its last lines.
        message: String,
        /// The compiler's output.
        log: PathBuf,
    },
    /// It takes longer than it may.
    #[error(
        "{what}{} was still being built after {} s; give it longer with --build-timeout\nthe whole output is in {}",
        with(*.mpi), time.as_secs(), log.display()
    )]
    TimedOut {
        /// The thing that was built, in words.
        what: String,
        /// The MPI library that it is built for, if it needs one.
        mpi: Option<Mpi>,
        /// The limit.
        time: Duration,
        /// The compiler's output.
        log: PathBuf,
    },
    /// The user wanted no more.
    #[error("building was cancelled")]
    Cancelled,
}

fn with(mpi: Option<Mpi>) -> String {
    mpi.map_or_else(String::new, |mpi| format!(" for {}", mpi.name()))
}

/// The usual reasons.
fn hint(message: &str) -> &'static str {
    if message.contains("libclang") {
        " (libclang is missing; on Debian: apt-get install libclang-dev)"
    } else if message.contains("'mpi.h' file not found") || message.contains("stddef.h") {
        " (headers are missing; on Debian: apt-get install libclang-dev clang)"
    } else {
        ""
    }
}

/// Progress sink, log folder and cancellation flag of a build.
pub struct Watch<'a> {
    /// The folder that keeps the output of each build, each in a folder of its own; if `None`, beside what is built.
    pub logs: Option<&'a Path>,
    /// The sink of the build's progress.
    pub progress: &'a mut dyn Progress,
    /// The longest time that a single build may take.
    pub time: Duration,
    /// Set from elsewhere (a signal handler), it ends the build.
    pub cancelled: &'a AtomicBool,
}

/// The folder of the output of builds.
const LOGS: &str = "ats-build";

/// The usual limit of a build: ten times what the longest one takes on two idle cores.
pub const TIME: Duration = Duration::from_secs(30 * 60);
const OUTPUT: u64 = 256 << 20;

/// The folder for building all that links this library: the suite's own if it can be written to; else, for a suite
/// installed system-wide, a folder in the user's cache, named by the suite's version.
fn target(suite: &Path, mpi: Option<Mpi>) -> PathBuf {
    let own = suite.join("target");
    let built = match machine::user_cache(machine::environment) {
        Some(cache) if !can_be_written(if own.is_dir() { &own } else { suite }) => {
            cache.join(concat!("target-", env!("CARGO_PKG_VERSION")))
        }
        _ => own,
    };
    built.join(installation::key(mpi))
}

fn can_be_written(dir: &Path) -> bool {
    rustix::fs::access(dir, rustix::fs::Access::WRITE_OK).is_ok()
}

/// A recorder for this library that is there already: the one `$ATS_RECORDER` names, one beside this executable, or
/// one in the suite's target folder.
pub fn find_recorder(mpi: Mpi) -> Option<PathBuf> {
    let named = std::env::var_os("ATS_RECORDER").map(PathBuf::from);
    let executable = std::env::current_exe().ok();
    let beside = executable.as_deref().and_then(Path::parent).into_iter().flat_map(|dir| {
        let installed = dir.parent().map(|prefix| installation::library_folder(prefix, mpi));
        [dir.to_owned(), dir.join(mpi.key())].into_iter().chain(installed).map(|dir| dir.join(RECORDER))
    });
    let built = || SuiteSource::find().ok().map(|suite| built_recorder(suite.root(), mpi));
    named
        .into_iter()
        .chain(beside)
        .chain(std::iter::once_with(built).flatten())
        .find(|recorder| Mpi::of_program(recorder) == Some(mpi))
}

fn built_recorder(suite: &Path, mpi: Mpi) -> PathBuf {
    target(suite, Some(mpi)).join("release").join(RECORDER)
}

/// The recorder for this library that is installed with this command; else it is built, or found built and up to date, and
/// beside it what programs of MPI are built from, where such are built next.
///
/// # Errors
/// The suite's sources or a compiler are missing, or it does not compile.
pub fn recorder(mpi: Mpi, programs_are_next: bool, watch: &mut Watch<'_>) -> Result<PathBuf, BuildError> {
    if let Some(installed) = installed(Some(mpi), RECORDER) {
        return Ok(installed);
    }
    let beside = SuiteLibrary::RecorderBesideHarness;
    build(if programs_are_next { beside } else { SuiteLibrary::Recorder }, mpi, watch)
}

/// A file of this library, or of none, that is installed with this command.
fn installed(mpi: Option<Mpi>, name: &str) -> Option<PathBuf> {
    let file = installation::library_folder(&installed_prefix()?, mpi).join(name);
    file.exists().then_some(file)
}

/// Builds the recorder for this library, or finds it built and up to date.
///
/// # Errors
/// The suite's sources or a compiler are missing, or it does not compile.
pub fn build_recorder(mpi: Mpi, watch: &mut Watch<'_>) -> Result<PathBuf, BuildError> {
    build(SuiteLibrary::Recorder, mpi, watch)
}

fn build(crates: SuiteLibrary, mpi: Mpi, watch: &mut Watch<'_>) -> Result<PathBuf, BuildError> {
    let suite = SuiteSource::find()?;
    let (command, target, _turn) = library(&suite, crates, Some(mpi))?;
    watch.compile("the recorder".to_owned(), Some(mpi), command, &target, "recorder")?;
    Ok(built_recorder(suite.root(), mpi))
}

/// The command that builds a crate of the suite, for an MPI library or for none, its target folder, and the turn to build
/// libraries there.
fn library(
    suite: &SuiteSource,
    crates: SuiteLibrary,
    mpi: Option<Mpi>,
) -> Result<(Command, PathBuf, Option<File>), BuildError> {
    let compiler = |mpi: Mpi| mpi.compiler().ok_or(BuildError::Compiler(mpi));
    let compiler = mpi.map(compiler).transpose()?.map(|compiler| ats_generator::Mpi { compiler });
    let target = target(suite.root(), mpi);
    let turn = turn_in(&target.join("ats-libraries"))?;
    let command = library_command(suite, crates, compiler.as_ref(), &target)?;
    Ok((command, target, turn))
}

fn turn_in(folder: &Path) -> Result<Option<File>, BuildError> {
    turn(folder).map_err(|source| BuildError::Io { what: format!("write to {}", folder.display()), source })
}

/// Generates the programs of all subjects, each once, and builds them, those that have ranks for this library.
///
/// # Errors
/// The suite's sources or a compiler are missing, or they do not compile.
pub fn programs<'a>(
    subjects: impl IntoIterator<Item = &'a Subject>,
    mpi: impl Into<Option<Mpi>>,
    watch: &mut Watch<'_>,
) -> Result<Programs, BuildError> {
    programs_for(subjects, mpi, &BuildOptions::default(), watch)
}

/// The compiler and flags that a tool wants programs to be built with.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct BuildOptions {
    /// The name that keeps apart programs built in different ways; `None` for the usual one.
    pub key: Option<String>,
    /// The language of the programs.
    pub language: Language,
    /// The compiler in place of the library's own.
    pub mpicc: Option<String>,
    /// Flags of rustc besides the programs' own.
    pub rustflags: Vec<String>,
}

impl BuildOptions {
    /// The same in another language, if one is asked for.
    pub(crate) fn in_language(self, asked_for: Option<Language>) -> Self {
        let Some(language) = asked_for.filter(|&language| language != self.language) else { return self };
        let key = self.key.into_iter().chain([language.name().to_owned()]).collect::<Vec<_>>().join("-");
        BuildOptions { language, key: Some(key), ..self }
    }
}

/// The programs, built with these options.
///
/// # Errors
/// The suite's sources or a compiler are missing, or they do not compile.
pub fn programs_for<'a>(
    subjects: impl IntoIterator<Item = &'a Subject>,
    mpi: impl Into<Option<Mpi>>,
    build_options: &BuildOptions,
    watch: &mut Watch<'_>,
) -> Result<Programs, BuildError> {
    let sources: BTreeMap<&str, &Subject> =
        subjects.into_iter().map(|subject| (subject.executable(), subject)).collect();
    let have_ranks = sources.values().any(|source| source.needs().ranks);
    let mpi = have_ranks.then(|| mpi.into().unwrap_or(Mpi::OpenMpi));
    let own = |mpi: Mpi| build_options.mpicc.clone().or_else(|| mpi.compiler());
    let compiler = mpi.map(|mpi| own(mpi).ok_or(BuildError::Compiler(mpi))).transpose()?;
    let suite = SuiteSource::find()?;
    let target = target(suite.root(), mpi);
    let folder =
        build_options.key.as_ref().map_or("ats-programs".to_owned(), |key| format!("ats-programs-{key}"));
    let language = build_options.language;
    let options = Options { language, force: true, together: true, ..Options::new(suite.clone()) };
    let folder = target.join(folder);
    let _turn = turn_in(&folder)?;
    let generated = generate_set(sources.into_values(), &folder, &options)?;
    // Nothing is compiled by it where nothing has ranks.
    let mpi_of_generator =
        compiler.map_or_else(ats_generator::Mpi::default, |compiler| ats_generator::Mpi { compiler });
    for (workspace, mut command) in generated.build_commands(&mpi_of_generator) {
        if language == Language::Rust && !build_options.rustflags.is_empty() {
            // Lists are joined with those of the programs' own configuration; as Rust writes them, TOML reads them.
            command.args(["--config", &format!("build.rustflags={:?}", build_options.rustflags)]);
        }
        share_crates(&mut command, &target);
        let needs = workspace.needs;
        let mpi = mpi.filter(|_| needs.ranks);
        if language != Language::Rust {
            command.env("ATS_PREFIX", libats(mpi, watch)?).env("ATS_MPI", installation::key(mpi));
        }
        let what = match &workspace.programs[..] {
            [only] => format!("the program {only}"),
            several => format!("{} programs ({})", several.len(), needs.paradigm()),
        };
        let log = format!("programs-{}", needs.paradigm());
        watch.compile(what, mpi, command, &target, &log)?;
    }
    generated
        .link(&mpi_of_generator)
        .map_err(|source| BuildError::Io { what: "give every program its name".to_owned(), source })?;
    Ok(Programs { generated, mpi: mpi_of_generator })
}

/// The folder in which `libats` is installed, for linking programs in C and Fortran. Programs of threads alone link the
/// one that is for no MPI library. It is the folder that this command is installed in, else one in the target folder,
/// built when needed.
///
/// # Errors
/// The suite's sources or a compiler are missing, or it does not compile.
pub fn libats(mpi: impl Into<Option<Mpi>>, watch: &mut Watch<'_>) -> Result<PathBuf, BuildError> {
    let mpi = mpi.into();
    if let (Some(prefix), Some(_)) = (installed_prefix(), installed(mpi, "libats.so")) {
        return Ok(prefix);
    }
    let suite = SuiteSource::find()?;
    let library = build_library(mpi, watch)?;
    let prefix = target(suite.root(), mpi).join("libats");
    install_libraries(&prefix, suite.root(), &[library]).map_err(|source| BuildError::Io {
        what: format!("install libats into {}", prefix.display()),
        source,
    })?;
    Ok(prefix)
}

/// Builds `libats` for an MPI library or, for programs of threads alone, for none; or finds it built and up to date.
///
/// # Errors
/// The suite's sources or a compiler are missing, or it does not compile.
pub fn build_library(mpi: Option<Mpi>, watch: &mut Watch<'_>) -> Result<Library, BuildError> {
    let (mut command, target, _turn) = library(&SuiteSource::find()?, SuiteLibrary::LibAts, mpi)?;
    // The messages say which version it is.
    command.args(["--message-format", "json-render-diagnostics"]);
    let Built { ended: built, .. } = &watch.compile("libats".to_owned(), mpi, command, &target, "libats")?;
    let messages = fs::read_to_string(&built.stdout)
        .map_err(|source| BuildError::Io { what: format!("read {}", built.stdout.display()), source })?;
    Library::of_build(mpi, &target, &messages).ok_or_else(|| BuildError::Failed {
        what: "libats".to_owned(),
        mpi,
        message: "Cargo does not say which version it is".to_owned(),
        log: built.stdout.clone(),
    })
}

/// A build that ended well.
struct Built {
    ended: Ended,
    /// The turn to write its output, while that is read.
    _turn: Option<File>,
}

/// Programs that were generated and built.
#[derive(Clone, Debug)]
pub struct Programs {
    generated: Generated,
    mpi: ats_generator::Mpi,
}

impl Programs {
    /// The executable of a subject; that of a property runs its twin, too.
    pub fn executable(&self, subject: &Subject) -> PathBuf {
        self.generated.executable(subject.executable(), &self.mpi)
    }
}

impl Watch<'_> {
    /// Runs a build in `target`, which has to end well; its output is kept under this name.
    fn compile(
        &mut self,
        what: String,
        mpi: Option<Mpi>,
        mut command: Command,
        target: &Path,
        name: &str,
    ) -> Result<Built, BuildError> {
        let logs = self.logs.unwrap_or(target).join(LOGS).join(name);
        let turn = turn_in(&logs)?;
        self.progress.step(Step::Building { what: &format!("{what}{}", with(mpi)), log: &logs });
        command.env("CARGO_TERM_COLOR", "never");
        let limits = Limits { time: self.time, output: OUTPUT, cancelled: self.cancelled };
        let mut at = String::new();
        let look = |log: &Path| {
            let line = last_line(log);
            if line != at {
                self.progress.step(Step::Compiling(&line));
                at = line;
            }
        };
        let ended = run_watched(command, &logs, limits, look).map_err(|source| BuildError::Io {
            what: "start cargo; install Rust from https://rustup.rs".to_owned(),
            source,
        })?;
        match ended.ending {
            Ending::Success => Ok(Built { ended, _turn: turn }),
            Ending::Cancelled => Err(BuildError::Cancelled),
            Ending::TimedOut(_) => {
                Err(BuildError::TimedOut { what, mpi, time: self.time, log: ended.stderr })
            }
            _ => Err(BuildError::Failed { what, mpi, message: ended.message(), log: ended.stderr }),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_build_that_takes_too_long_has_an_option_in_its_message() {
        let folder = tempfile::tempdir().unwrap();
        let cancelled = AtomicBool::new(false);
        let time = Duration::from_millis(100);
        let mut watch = Watch { logs: None, progress: &mut (), time, cancelled: &cancelled };
        let mut command = Command::new("sleep");
        command.arg("60");
        let built =
            watch.compile("the recorder".to_owned(), Some(Mpi::Mpich), command, folder.path(), "recorder");
        let Err(error) = built else { panic!("it was built") };
        assert!(matches!(error, BuildError::TimedOut { .. }), "{error}");
        let begin =
            "the recorder for MPICH was still being built after 0 s; give it longer with --build-timeout\n";
        assert!(error.to_string().starts_with(begin), "{error}");
    }
}
