//! The MPI libraries that tests run with, and the variables that Open MPI needs.

use std::process::Command;

use tempfile::TempDir;

/// Lets Open MPI run as root and start more ranks than there are cores, and gives it a folder of its own for the run, which
/// stays until the returned one is dropped: one that it shares with other runs is made and removed by each, and a run fails
/// now and then (open-mpi/ompi#8510).
///
/// # Panics
/// Temporary folders cannot be made.
#[must_use]
pub fn ready_for_open_mpi(command: &mut Command) -> TempDir {
    let folder = TempDir::new().expect("a temporary folder");
    command
        .envs([("OMPI_ALLOW_RUN_AS_ROOT", "1"), ("OMPI_ALLOW_RUN_AS_ROOT_CONFIRM", "1")])
        .env("OMPI_MCA_rmaps_base_oversubscribe", "1")
        .env("OMPI_MCA_orte_tmpdir_base", folder.path());
    folder
}

/// Gives what this thread starts from now on priority over other work of the machine, if the user may ask for that.
///
/// Real runs wait for sleeping processes, and are judged by when these wake up. Processes that compute, such as compilers and
/// other tests, would keep them from it; so would ranks of other runs, which poll.
pub fn before_others(priority: Priority) {
    let nice = match priority {
        Priority::OfOneRun => -20,
        Priority::OfRunsThatMayBeRepeated => -10,
        Priority::OfRunsWithLongWaits => -5,
    };
    let _ = rustix::process::setpriority_process(None, nice);
}

/// The priority of a real run: the less a disturbed run is recognized, the higher.
#[derive(Clone, Copy, Debug)]
pub enum Priority {
    /// The waits of a single run are compared with what the program planned or measured.
    OfOneRun,
    /// Runs that the machine has disturbed are recognized, and repeated.
    OfRunsThatMayBeRepeated,
    /// Waits are so long, or compared so roughly, that a disturbance does not matter.
    OfRunsWithLongWaits,
}

/// Names the MPI libraries that are to be tested, as Debian does: those in `$ATS_TEST_MPI`, else Open MPI.
///
/// # Panics
/// The variable lists anything but `openmpi` and `mpich`.
#[must_use]
pub fn tested_mpi() -> Vec<&'static str> {
    let wanted = std::env::var("ATS_TEST_MPI").unwrap_or_else(|_| "openmpi".to_owned());
    let known = |name| ["openmpi", "mpich"].into_iter().find(|known| *known == name);
    let libraries: Option<Vec<_>> = wanted.split(',').map(known).collect();
    libraries.expect("ATS_TEST_MPI lists openmpi, mpich or both")
}
