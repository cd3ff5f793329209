//! Resources that a program runs on.

use ats_mpi::{Communicator, Process};
use ats_omp::{AnyTeam, DynTeam};

/// Resources that a program runs on: ranks, a team of threads, both or neither. `#[property]` reads them off the
/// signature.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Needs {
    /// Ranks: processes of MPI, under a launcher.
    pub ranks: bool,
    /// A team: threads of OpenMP in each process.
    pub team: bool,
}

impl Needs {
    /// Neither ranks nor a team.
    pub const NOTHING: Needs = Needs { ranks: false, team: false };
    /// Ranks alone.
    pub const RANKS: Needs = Needs { ranks: true, team: false };
    /// A team alone.
    pub const TEAM: Needs = Needs { ranks: false, team: true };
    /// Ranks and a team.
    pub const RANKS_AND_TEAM: Needs = Needs { ranks: true, team: true };
    /// All combinations, in the order in which they are listed.
    pub const ALL: [Needs; 4] = [Needs::RANKS, Needs::TEAM, Needs::RANKS_AND_TEAM, Needs::NOTHING];

    /// The word for it: on the command line, in documents and as the name of a folder.
    pub const fn paradigm(self) -> &'static str {
        match (self.ranks, self.team) {
            (true, false) => "mpi",
            (false, true) => "openmp",
            (true, true) => "hybrid",
            (false, false) => "sequential",
        }
    }

    /// Its name in C and Fortran.
    pub fn in_c(self) -> String {
        format!("ATS_{}", self.paradigm().to_ascii_uppercase())
    }

    /// The number that has this name there.
    pub const fn number(self) -> i32 {
        self.ranks as i32 + 2 * self.team as i32
    }
}

/// Resources that an engine offers to a property.
#[derive(Clone, Copy, Default)]
pub struct Context<'a> {
    process: Option<&'a dyn Process>,
    communicator: Option<&'a dyn Communicator>,
    team: Option<AnyTeam<'a>>,
}

impl<'a> Context<'a> {
    /// A context with a communicator, a team, or both.
    pub fn new(communicator: Option<&'a dyn Communicator>, team: Option<&'a dyn DynTeam>) -> Self {
        Context { process: None, communicator, team: team.map(AnyTeam) }
    }

    /// A context with a process before the start of MPI.
    pub fn before_mpi(process: &'a dyn Process) -> Self {
        Context { process: Some(process), ..Context::default() }
    }

    /// The process, for programs that initialise MPI themselves.
    ///
    /// # Panics
    /// MPI has already been initialised, or there is no process.
    pub fn process(&self) -> &'a dyn Process {
        self.process.expect("this property initialises MPI itself, and the run has done so before")
    }

    /// The communicator to run on.
    ///
    /// # Panics
    /// There is none: a property runs that needs more than the context has.
    pub fn communicator(&self) -> &'a dyn Communicator {
        self.communicator.expect("this property needs a communicator, and the run has none")
    }

    /// The team to run on.
    ///
    /// # Panics
    /// There is none: a property runs that needs more than the context has.
    pub fn team(&self) -> AnyTeam<'a> {
        self.team.expect("this property needs a team of threads, and the run has none")
    }
}

#[cfg(test)]
mod tests {
    use super::Needs;

    #[test]
    fn all_differ_in_word_and_number() {
        let mut all = Needs::ALL.map(|needs| (needs.number(), needs.paradigm()));
        all.sort_unstable();
        assert_eq!(all, [(0, "sequential"), (1, "mpi"), (2, "openmp"), (3, "hybrid")]);
    }
}
