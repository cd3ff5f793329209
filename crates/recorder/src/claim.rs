//! The one run that is recorded of a command that may start several, as a script: the first that begins.

use std::fs::File;
use std::io::Write;
use std::path::PathBuf;
use std::sync::OnceLock;

use crate::library;

/// The file that notes the run, which `ats record` reads; its refusals are noted beside it.
const VARIABLE: &str = "ATS_RECORDER_CLAIM";
const REFUSED: &str = "refused";

fn note() -> Option<PathBuf> {
    std::env::var_os(VARIABLE).filter(|note| !note.is_empty()).map(PathBuf::from)
}

/// Whether the recorder was loaded into whatever a command starts, so that it may have no business in this process.
pub(crate) fn is_of_command() -> bool {
    note().is_some()
}

/// Whether this process's run is the one that is recorded.
pub(crate) fn take() -> bool {
    static TAKEN: OnceLock<bool> = OnceLock::new();
    *TAKEN.get_or_init(|| {
        let Some(note) = note() else { return true };
        if let Ok(mut file) = File::create_new(&note) {
            // `ats record` only shows it.
            let _ = file.write_all(library::description().as_bytes());
            return true;
        }
        // If the folder is gone, the command has ended.
        if File::create_new(note.with_extension(REFUSED)).is_ok() {
            let program = std::env::current_exe().unwrap_or_default();
            ats_work::say(format_args!(
                "ats-recorder: {} is not recorded: a recording is of one run, and there is another",
                program.display()
            ));
        }
        false
    })
}
