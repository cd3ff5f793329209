//! How generated programs are built.

use std::path::{Path, PathBuf};
use std::process::Command;

use ats_props::Paradigm;

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
    /// One target folder for each library: Cargo does not notice when the compiler wrapper changes.
    fn target_folder(&self) -> String {
        if self.compiler == "mpicc" {
            return "target".to_owned();
        }
        let plain = |c: char| if c.is_ascii_alphanumeric() || c == '.' || c == '-' { c } else { '_' };
        format!("target-{}", self.compiler.chars().map(plain).collect::<String>())
    }
}

/// Programs that were written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Generated {
    /// The folder.
    pub dir: PathBuf,
    /// What Cargo builds at once.
    pub workspaces: Vec<Workspace>,
    /// Every file, those that were there already with the same text included.
    pub files: Vec<PathBuf>,
}

/// Programs of one paradigm, so that none is linked with what only another needs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Workspace {
    /// Its folder.
    pub dir: PathBuf,
    /// What its programs are written with.
    pub paradigm: Paradigm,
    /// The names of its programs.
    pub programs: Vec<String>,
}

impl Generated {
    /// The names of all programs.
    pub fn programs(&self) -> impl Iterator<Item = &str> {
        self.workspaces.iter().flat_map(|workspace| workspace.programs.iter().map(String::as_str))
    }

    /// The commands that build all programs, one for each workspace, to be run as they are: they set folder and
    /// environment.
    pub fn build_commands(&self, mpi: &Mpi) -> impl Iterator<Item = (&Workspace, Command)> {
        self.workspaces.iter().map(|workspace| (workspace, self.build_command(workspace, mpi)))
    }

    fn build_command(&self, workspace: &Workspace, mpi: &Mpi) -> Command {
        let to_root = workspace.dir.strip_prefix(&self.dir).unwrap_or(Path::new(""));
        let root: PathBuf = to_root.iter().map(|_| "..").collect();
        let mut command = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
        // Flags of a caller's environment would replace those of the programs' own configuration.
        command
            .args(["build", "--release", "--target-dir"])
            .arg(root.join(mpi.target_folder()))
            .current_dir(&workspace.dir)
            .env("MPICC", &mpi.compiler)
            .env_remove("RUSTFLAGS")
            .env_remove("CARGO_ENCODED_RUSTFLAGS");
        command
    }

    /// Where a program is once it is built.
    pub fn executable(&self, program: &str, mpi: &Mpi) -> PathBuf {
        self.dir.join(mpi.target_folder()).join(Path::new("release").join(program))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_library_has_its_target_folder() {
        let folder = |compiler: &str| Mpi { compiler: compiler.to_owned() }.target_folder();
        assert_eq!(folder("mpicc"), "target");
        assert_eq!(folder("mpicc.mpich"), "target-mpicc.mpich");
        assert_eq!(folder("/opt/mpi/bin/mpicc"), "target-_opt_mpi_bin_mpicc");
    }
}
