//! MPI libraries: which one a compiler, a launcher or a program belongs to.

use std::path::Path;

use crate::linked::{linked, output_of};

/// An MPI library whose programs can be built, launched and recorded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mpi {
    /// Open MPI.
    OpenMpi,
    /// The MPICH library.
    Mpich,
}

impl Mpi {
    /// Every library.
    pub const ALL: [Mpi; 2] = [Mpi::OpenMpi, Mpi::Mpich];

    /// As its makers write it.
    pub fn name(self) -> &'static str {
        match self {
            Mpi::OpenMpi => "Open MPI",
            Mpi::Mpich => "MPICH",
        }
    }

    /// For folder and option names.
    pub fn key(self) -> &'static str {
        match self {
            Mpi::OpenMpi => "openmpi",
            Mpi::Mpich => "mpich",
        }
    }

    /// The packages to install on Debian and its like.
    pub fn packages(self) -> &'static str {
        match self {
            Mpi::OpenMpi => "openmpi-bin libopenmpi-dev",
            Mpi::Mpich => "mpich libmpich-dev",
        }
    }

    /// The compiler that builds for it: `$MPICC` where that is this library's, else the first on the `PATH` that is.
    pub fn compiler(self) -> Option<String> {
        let own = match self {
            Mpi::OpenMpi => "mpicc.openmpi",
            Mpi::Mpich => "mpicc.mpich",
        };
        let from_environment = std::env::var("MPICC").ok();
        let candidates = from_environment.iter().map(String::as_str).chain([own, "mpicc"]);
        candidates.map(str::to_owned).find(|compiler| Mpi::of_compiler(compiler) == Some(self))
    }

    /// Every library that programs can be built for, that of `$MPICC` or `mpicc` first.
    pub fn there() -> Vec<Mpi> {
        let usual = Mpi::of_compiler(&std::env::var("MPICC").unwrap_or_else(|_| "mpicc".to_owned()));
        let mut there: Vec<Mpi> = Mpi::ALL.into_iter().filter(|mpi| mpi.compiler().is_some()).collect();
        there.sort_by_key(|mpi| usual != Some(*mpi));
        there
    }

    /// The library that an `mpicc` builds for, by what it says it would run.
    pub fn of_compiler(compiler: &str) -> Option<Mpi> {
        let shown = output_of(compiler, "-show")?;
        Mpi::ALL.into_iter().find(|mpi| mpi.is_linked_by(&shown))
    }

    fn is_linked_by(self, command: &str) -> bool {
        match self {
            Mpi::OpenMpi => command.contains("openmpi") || command.contains("open-mpi"),
            Mpi::Mpich => command.contains("mpich"),
        }
    }

    /// The library that a launcher starts programs of, by what it says of its version; none for one that serves many.
    pub fn of_version(text: &str) -> Option<Mpi> {
        if text.contains("Open MPI") || text.contains("OpenRTE") || text.contains("PRRTE") {
            return Some(Mpi::OpenMpi);
        }
        (text.contains("HYDRA") || text.contains("MPICH")).then_some(Mpi::Mpich)
    }

    /// The library that an executable is linked with, directly or through another shared library.
    pub fn of_program(program: &Path) -> Option<Mpi> {
        linked(program, Mpi::of_library)
    }

    /// The library of a shared object's name; `libmpi.so.12` is the name that MPICH and its kin agreed on.
    fn of_library(soname: &str) -> Option<Mpi> {
        let named = |stem: &str| soname.starts_with(stem);
        if named("libmpich") || named("libmpi.so.12") {
            return Some(Mpi::Mpich);
        }
        ["libmpi.so", "libmpi_mpifh", "libmpi_cxx", "libmpi_usempi"]
            .iter()
            .any(|stem| named(stem))
            .then_some(Mpi::OpenMpi)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn libraries_by_their_file_names() {
        for (soname, mpi) in [
            ("libmpi.so.40", Some(Mpi::OpenMpi)),
            ("libmpi_mpifh.so.40", Some(Mpi::OpenMpi)),
            ("libmpich.so.12", Some(Mpi::Mpich)),
            ("libmpichfort.so.12", Some(Mpi::Mpich)),
            ("libmpi.so.12", Some(Mpi::Mpich)),
            ("libm.so.6", None),
            ("libmpicalls.so", None),
        ] {
            assert_eq!(Mpi::of_library(soname), mpi, "{soname}");
        }
    }

    #[test]
    fn launchers_by_their_versions() {
        assert_eq!(Mpi::of_version("mpirun (Open MPI) 4.1.4\n"), Some(Mpi::OpenMpi));
        assert_eq!(Mpi::of_version("mpiexec (OpenRTE) 4.0.3"), Some(Mpi::OpenMpi));
        assert_eq!(Mpi::of_version("HYDRA build details:\n    Version: 4.0.2"), Some(Mpi::Mpich));
        assert_eq!(Mpi::of_version("slurm 22.05.8"), None);
    }

    #[test]
    fn a_program_without_mpi_has_none() {
        let itself = std::env::current_exe().unwrap();
        assert_eq!(Mpi::of_program(&itself), None);
        assert_eq!(Mpi::of_program(Path::new("/nowhere")), None);
    }
}
