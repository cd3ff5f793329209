//! What Open MPI needs of whoever starts it.

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
