//! Metrics of a profile that are parts of its time, and no waits.

use super::Profile;

impl Profile {
    /// From forks to the entries into the parallel regions, a part of [`ats_model::WaitState::OmpManagement`], in seconds.
    pub const FORK: &str = "omp_fork";

    /// The part of [`Profile::TIME`] outside of the basis of the run's analysis, in seconds: before `MPI_Init` and after
    /// `MPI_Finalize`, for example.
    pub const OUTSIDE: &str = "outside";

    /// The part of [`Profile::TIME`] in code between tests in vain, which may be work or waiting, in seconds.
    pub const POLLING: &str = "polling";

    /// The part of [`Profile::TIME`] in code that could go on and had no processor, in seconds, at the path of the program.
    pub const NOT_RUNNING: &str = "not_running";

    /// The metrics that are parts of [`Profile::TIME`] and no waits.
    pub const PARTS: [&str; 4] = [Profile::FORK, Profile::OUTSIDE, Profile::POLLING, Profile::NOT_RUNNING];
}
