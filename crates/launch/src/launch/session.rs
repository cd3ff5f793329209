//! A folder for what Open MPI keeps of a run while it runs.

use std::io;
use std::process::Command;

use tempfile::TempDir;

/// One that no other run has.
///
/// Open MPI 4 has one for all runs of a user, which each makes if it is not there and removes if nothing is in it: where one
/// run begins while another ends, it fails now and then with "A call to mkdir was unable to create the desired directory"
/// (open-mpi/ompi#8510). It is gone with this.
#[derive(Debug)]
pub(super) struct SessionFolder(#[expect(dead_code, reason = "it is removed when this is dropped")] TempDir);

impl SessionFolder {
    /// The variable that Open MPI 4 reads; others do not.
    const VARIABLE: &str = "OMPI_MCA_orte_tmpdir_base";

    /// Makes one for a run of this command; none where the user has named one.
    ///
    /// # Errors
    /// Temporary folders cannot be made.
    pub(super) fn for_command(command: &mut Command) -> io::Result<Option<Self>> {
        if std::env::var_os(Self::VARIABLE).is_some() {
            return Ok(None);
        }
        let folder = tempfile::Builder::new().prefix("ats-").tempdir()?;
        command.env(Self::VARIABLE, folder.path());
        Ok(Some(SessionFolder(folder)))
    }
}
