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
/// Real runs wait for sleeping processes, and are judged by when these wake up. Processes that compute, such as other tests
/// and compilers, would keep them from it.
pub fn before_others() {
    // As far before them as a nice of 10 is behind: a real run that polls leaves a tenth to them.
    const NICE: i32 = -10;
    let _ = rustix::process::setpriority_process(None, NICE);
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
