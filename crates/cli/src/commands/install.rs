//! `ats install`.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Duration;

use ats_documents::answer::Done;
use ats_generator::{Carried, INSTALLED_SUITE};
use ats_launch::build::{self, BuildError, Watch};
use ats_launch::installation::{Library, Stage, copy, install_libraries, install_module, install_recorder};
use ats_launch::mpi::Mpi;
use clap::Args;

use crate::cancel;
use crate::carried::SOURCES;
use crate::commands::completions::{self, one_of};
use crate::commands::man;
use crate::commands::run::{BuildArgs, absolute};
use crate::failure::Failure;
use crate::output::progress::Line;
use crate::output::{Output, remark};

const VERSION: &str = env!("CARGO_PKG_VERSION");

/// Install the suite below a folder.
///
/// This command is installed with man pages and completions, the sources of programs, libats, and a recorder and a
/// libats for each MPI library. Everything is built first; if that fails, the folder is left as it was. A module file
/// makes the installation known to the shell.
#[derive(Args, Debug)]
#[command(after_help = "Examples:
  ats install ~/.local
  ats install /opt/ats --mpi mpich,openmpi
  ats install /opt/ats --without-mpi
  ats install ~/.local --without-libraries
  module use /opt/ats/share/modulefiles && module load ats")]
pub(crate) struct Install {
    /// The folder, which gets bin, include, lib and share. What others have put there stays.
    #[arg(value_name = "PREFIX")]
    prefix: PathBuf,
    /// The MPI libraries; the first is the default of programs that do not name one [default: all that are there, that
    /// of mpicc first].
    #[arg(long, value_name = "LIBRARY", value_delimiter = ',', value_parser = library, add = one_of(|| Mpi::ALL.map(Mpi::key).to_vec()))]
    mpi: Vec<Mpi>,
    /// For no MPI library: libats for programs of threads alone.
    #[arg(long, conflicts_with = "mpi")]
    without_mpi: bool,
    /// Neither recorders nor libats: nothing has to be built.
    #[arg(long, conflicts_with_all = ["mpi", "without_mpi"])]
    without_libraries: bool,
    #[command(flatten)]
    build: BuildArgs,
}

fn library(name: &str) -> Result<Mpi, String> {
    Mpi::ALL.into_iter().find(|mpi| mpi.key() == name).ok_or_else(|| "give openmpi or mpich".to_owned())
}

/// The files built for an MPI library, or for none.
struct Built {
    library: Library,
    recorder: Option<PathBuf>,
}

impl Install {
    pub(crate) fn run(&self, output: Output) -> Result<ExitCode, Failure> {
        let prefix = absolute(&self.prefix)?;
        let sources = SOURCES.ok_or_else(|| {
            Failure::Missing(
                "this command was built without the sources of the suite; build it in the suite's folder, or \
                 from a release"
                    .to_owned(),
            )
        })?;
        let libraries = self.libraries()?;
        let cannot = |error: io::Error| {
            Failure::Folder(format!(
                "cannot install into {}: {error}; choose a folder that you may write to",
                prefix.display()
            ))
        };
        let stage = Stage::new(&prefix).map_err(cannot)?;
        let prefix = prefix.canonicalize().map_err(cannot)?;
        let built =
            if self.without_libraries { Vec::new() } else { built(&libraries, self.build.time(), output)? };
        put_together(&stage.path(), &prefix, sources, &built).map_err(cannot)?;
        let files = stage.install(&[INSTALLED_SUITE]).map_err(|(path, error)| {
            Failure::Folder(format!(
                "cannot write {}: {error}; the installation may be incomplete: install again",
                path.display()
            ))
        })?;
        let document = Done {
            schema: Done::SCHEMA,
            version: Some(VERSION),
            mpi: libraries.iter().map(|mpi| mpi.key()).collect(),
            suite: Some(prefix.join(INSTALLED_SUITE)),
            files: files.iter().map(|file| prefix.join(file)).collect(),
            prefix: Some(prefix.clone()),
            ..Done::default()
        };
        output.document(&document, || text(&prefix, &libraries))?;
        Ok(ExitCode::SUCCESS)
    }

    /// The libraries to build for; each has a compiler.
    fn libraries(&self) -> Result<Vec<Mpi>, Failure> {
        if self.without_mpi || self.without_libraries {
            return Ok(Vec::new());
        }
        if let Some(&missing) = self.mpi.iter().find(|mpi| mpi.compiler().is_none()) {
            return Err(BuildError::Compiler(missing).into());
        }
        let mut libraries = if self.mpi.is_empty() { Mpi::there() } else { self.mpi.clone() };
        let mut seen = Vec::new();
        libraries.retain(|mpi| {
            !seen.contains(mpi) && {
                seen.push(*mpi);
                true
            }
        });
        if libraries.is_empty() {
            remark(
                "there is no MPI library, so there is no recorder, and libats is for programs of threads alone; \
                 `ats doctor` says what to do",
            );
        }
        Ok(libraries)
    }
}

fn built(libraries: &[Mpi], time: Duration, output: Output) -> Result<Vec<Built>, Failure> {
    let cancelled = cancel::on_signal()?;
    let mut line = Line::new(output);
    let mut watch = Watch { logs: None, progress: &mut line, time, cancelled: &cancelled };
    let build = |mpi: Option<Mpi>| -> Result<Built, BuildError> {
        Ok(Built {
            recorder: mpi.map(|mpi| build::build_recorder(mpi, &mut watch)).transpose()?,
            library: build::build_library(mpi, &mut watch)?,
        })
    };
    let built = libraries.iter().copied().map(Some).chain([None]).map(build).collect::<Result<_, _>>();
    line.done();
    Ok(built?)
}

/// Puts all of it into a folder, as it is to be in `prefix`.
fn put_together(folder: &Path, prefix: &Path, sources: Carried, built: &[Built]) -> io::Result<()> {
    let below = |path: &str| {
        let path = folder.join(path);
        fs::create_dir_all(&path).map(|()| path)
    };
    let suite = folder.join(INSTALLED_SUITE);
    below("share/ats")?;
    sources.unpack(&suite)?;
    copy(&std::env::current_exe()?, &below("bin")?.join("ats"))?;
    man::pages(&below("share/man/man1")?)?;
    for (shell, place, name) in [
        ("bash", "share/bash-completion/completions", "ats"),
        ("zsh", "share/zsh/site-functions", "_ats"),
        ("fish", "share/fish/vendor_completions.d", "ats.fish"),
    ] {
        fs::write(below(place)?.join(name), completions::script(shell, "ats")?)?;
    }
    let libraries: Vec<Library> = built.iter().map(|built| built.library.clone()).collect();
    install_libraries(folder, &suite, &libraries)?;
    for Built { library, recorder } in built {
        if let (Some(mpi), Some(recorder)) = (library.mpi, recorder) {
            install_recorder(folder, mpi, recorder)?;
        }
    }
    install_module(folder, &suite, prefix, VERSION)
}

fn text(prefix: &Path, libraries: &[Mpi]) -> String {
    let prefix = prefix.display();
    let names: Vec<&str> = libraries.iter().map(|mpi| mpi.name()).collect();
    let with = if names.is_empty() { String::new() } else { format!(", for {}", names.join(" and ")) };
    format!(
        "ats {VERSION} is in {prefix}{with}; to use it:\n    module use {prefix}/share/modulefiles && module load ats\n\
         or:\n    export PATH={prefix}/bin:$PATH MANPATH={prefix}/share/man:$MANPATH\n"
    )
}
