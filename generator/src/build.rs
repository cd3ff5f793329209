//! The build of generated programs.

use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};
use std::process::Command;

use ats_props::Needs;

use crate::Language;

/// The flags of rustc for programs in Rust: with them tools find functions and source lines.
pub const RUSTFLAGS: [&str; 4] = ["-C", "force-frame-pointers=yes", "-C", "symbol-mangling-version=v0"];

/// The release profile, as far as that of programs and that of the suite differ: a crate is shared if both are built
/// alike. Optimizing across crates would take twice the time without any gain for the measured part.
const PROFILE: [(&str, &str); 2] =
    [("CARGO_PROFILE_RELEASE_LTO", "off"), ("CARGO_PROFILE_RELEASE_CODEGEN_UNITS", "16")];

/// Lets Cargo build programs for an MPI library, whose folder this is, from the crates that other programs and the
/// suite's own libraries for it were built from. (Cargo before 1.91 builds them again.)
pub fn share_crates(command: &mut Command, folder: &Path) {
    command.env("CARGO_BUILD_BUILD_DIR", folder.join("crates")).envs(PROFILE);
}

/// The same for crates that are built in the suite's own workspace.
pub fn share_crates_of_programs(command: &mut Command, folder: &Path) {
    share_crates(command, folder);
    command.env("CARGO_BUILD_RUSTFLAGS", RUSTFLAGS.join(" "));
}

/// Waits until no other process writes to this folder and builds what it wrote; `None` on a file system without locks.
///
/// Programs and libraries are generated into folders that all commands of a suite share, each with the programs that it
/// needs.
///
/// # Errors
/// The folder cannot be made or written to.
pub fn turn(folder: &Path) -> io::Result<Option<File>> {
    fs::create_dir_all(folder)?;
    let file = File::options().write(true).create(true).truncate(false).open(folder.join(".lock"))?;
    match file.lock() {
        Err(error) if error.kind() == io::ErrorKind::Unsupported => Ok(None),
        locked => locked.map(|()| Some(file)),
    }
}

/// `cargo build` for an MPI library or for none, without flags of a caller's environment, which would replace those of
/// programs in a file.
pub(crate) fn cargo_build(mpi: Option<&Mpi>, folder: &Path, target: &Path) -> Command {
    let mut command = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    command
        .args(["build", "--release", "--target-dir"])
        .arg(target)
        .current_dir(folder)
        .envs(mpi.map(|mpi| ("MPICC", &mpi.compiler)))
        .env_remove("RUSTFLAGS")
        .env_remove("CARGO_ENCODED_RUSTFLAGS");
    command
}

/// The MPI library that programs are built for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mpi {
    /// Its compiler wrapper (`mpicc`, `mpicc.mpich`, `/opt/mpi/bin/mpicc`).
    pub compiler: String,
}

impl Default for Mpi {
    /// `$MPICC`, else `mpicc`.
    fn default() -> Self {
        Mpi { compiler: std::env::var("MPICC").unwrap_or_else(|_| "mpicc".to_owned()) }
    }
}

impl Mpi {
    /// One target folder for each library: Cargo does not notice when the compiler wrapper changes, nor does make.
    fn folder(&self, name: &str) -> String {
        if self.compiler == "mpicc" {
            return name.to_owned();
        }
        let plain = |c: char| if c.is_ascii_alphanumeric() || c == '.' || c == '-' { c } else { '_' };
        format!("{name}-{}", self.compiler.chars().map(plain).collect::<String>())
    }

    /// Its compiler wrapper for Fortran, with a name like that for C.
    fn fortran_compiler(&self) -> String {
        match self.compiler.rsplit_once("mpicc") {
            Some((before, after)) => format!("{before}mpifort{after}"),
            None => "mpifort".to_owned(),
        }
    }
}

/// Programs that were written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Generated {
    /// The folder.
    pub dir: PathBuf,
    /// The language of the programs.
    pub language: Language,
    /// The workspaces that are each built at once.
    pub workspaces: Vec<Workspace>,
    /// Every file, including existing ones with the same text.
    pub files: Vec<PathBuf>,
}

/// Programs with equal needs, so that none is linked with libraries that only another needs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Workspace {
    /// Its folder.
    pub dir: PathBuf,
    /// The needs of its programs.
    pub needs: Needs,
    /// The names of its programs.
    pub programs: Vec<String>,
    /// The programs that are one executable.
    pub together: Option<Together>,
}

/// Programs that are one executable.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Together {
    /// Its name.
    pub name: String,
    /// The programs.
    pub programs: Vec<String>,
}

impl Generated {
    /// The names of all programs.
    pub fn programs(&self) -> impl Iterator<Item = &str> {
        self.workspaces.iter().flat_map(|workspace| workspace.programs.iter().map(String::as_str))
    }

    /// The commands that build all programs, one for each workspace, to be run as they are: they set folder and
    /// environment. Those of programs in C and Fortran find `libats` as pkg-config does, or in `$ATS_PREFIX`.
    pub fn build_commands(&self, mpi: &Mpi) -> impl Iterator<Item = (&Workspace, Command)> {
        self.workspaces.iter().map(|workspace| (workspace, self.build_command(workspace, mpi)))
    }

    /// Once they are built: gives every program that is a part of an executable a link of its own name.
    ///
    /// # Errors
    /// They are not built, or the folder cannot be written.
    pub fn link(&self, mpi: &Mpi) -> io::Result<()> {
        for together in self.workspaces.iter().filter_map(|workspace| workspace.together.as_ref()) {
            let executable = self.built(mpi).join(&together.name);
            for program in &together.programs {
                let link = self.executable(program, mpi);
                fs::create_dir_all(link.parent().expect("it lies in a folder"))?;
                // Somebody may run what is there, so it is replaced at once.
                let fresh = link.with_extension(std::process::id().to_string());
                fs::hard_link(&executable, &fresh).or_else(|_| fs::copy(&executable, &fresh).map(drop))?;
                fs::rename(&fresh, &link)?;
            }
        }
        Ok(())
    }

    /// Cargo's folder of executables.
    fn built(&self, mpi: &Mpi) -> PathBuf {
        self.dir.join(mpi.folder("target")).join("release")
    }

    fn build_command(&self, workspace: &Workspace, mpi: &Mpi) -> Command {
        if self.language != Language::Rust {
            return self.make(workspace, mpi);
        }
        let to_root = workspace.dir.strip_prefix(&self.dir).unwrap_or(Path::new(""));
        let root: PathBuf = to_root.iter().map(|_| "..").collect();
        cargo_build(Some(mpi), &workspace.dir, &root.join(mpi.folder("target")))
    }

    fn make(&self, workspace: &Workspace, mpi: &Mpi) -> Command {
        let jobs = std::thread::available_parallelism().map_or(1, usize::from);
        let bin = std::path::absolute(&self.dir).unwrap_or_else(|_| self.dir.clone()).join(mpi.folder("bin"));
        let mut command = Command::new("make");
        // Flags of a caller's make would be passed on.
        command
            .arg(format!("--jobs={jobs}"))
            .arg(format!("BIN={}", bin.display()))
            .arg(format!("MPICC={}", mpi.compiler))
            .arg(format!("MPIFC={}", mpi.fortran_compiler()))
            .current_dir(&workspace.dir)
            .env_remove("MAKEFLAGS");
        command
    }

    fn is_part(&self, program: &str) -> bool {
        let together = self.workspaces.iter().filter_map(|workspace| workspace.together.as_ref());
        together.flat_map(|together| &together.programs).any(|part| part == program)
    }

    /// The path of a program once it is built and [linked](Generated::link).
    pub fn executable(&self, program: &str, mpi: &Mpi) -> PathBuf {
        match self.language {
            Language::Rust if self.is_part(program) => self.built(mpi).join("programs").join(program),
            Language::Rust => self.built(mpi).join(program),
            Language::C | Language::Fortran => self.dir.join(mpi.folder("bin")).join(program),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_library_has_its_target_folder() {
        let folder = |compiler: &str| Mpi { compiler: compiler.to_owned() }.folder("target");
        assert_eq!(folder("mpicc"), "target");
        assert_eq!(folder("mpicc.mpich"), "target-mpicc.mpich");
        assert_eq!(folder("/opt/mpi/bin/mpicc"), "target-_opt_mpi_bin_mpicc");
    }
}
