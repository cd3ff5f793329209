//! How generated programs are built.

use std::path::{Path, PathBuf};
use std::process::Command;

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
    /// The names of the programs.
    pub programs: Vec<String>,
    /// Every file, those that were there already with the same text included.
    pub files: Vec<PathBuf>,
}

impl Generated {
    /// The command that builds all programs, to be run as it is: it sets folder and environment.
    pub fn build_command(&self, mpi: &Mpi) -> Command {
        let mut command = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
        // Flags of a caller's environment would replace those of the programs' own configuration.
        command
            .args(["build", "--release", "--target-dir", &mpi.target_folder()])
            .current_dir(&self.dir)
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
