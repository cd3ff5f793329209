//! Thread teams of programs.

/// The implementation of thread teams in a program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Team {
    /// LLVM's OpenMP runtime.
    OpenMp,
    /// rayon: for machines without an OpenMP runtime. OMPT tools cannot see its threads.
    Rayon,
}

impl Team {
    /// Every engine, the preferred first.
    pub const ALL: [Team; 2] = [Team::OpenMp, Team::Rayon];

    /// Its name, as on the command line and as a feature of the harness.
    pub fn name(self) -> &'static str {
        match self {
            Team::OpenMp => "openmp",
            Team::Rayon => "rayon",
        }
    }
}
