//! Folders that hold a trace: the file that it is opened by, and whether it was recorded to its end.

use std::fs;
use std::path::{Path, PathBuf};

use ats_model::EventSource;
use ats_trace::parts::{join, said_by_markers};
use ats_trace::{Trace, TraceError};
use thiserror::Error;

/// Why no trace can be opened in a folder.
#[derive(Debug, Error)]
pub enum NoTrace {
    /// A recording was interrupted, and no rank could write what it had recorded.
    #[error(
        "{}; record again: events are kept if the program ends by itself, by SIGTERM or by SIGINT",
        incomplete(folder, said)
    )]
    Incomplete {
        /// The folder.
        folder: PathBuf,
        /// The words of the recorder's markers.
        said: String,
    },
    /// The parts of an interrupted recording cannot be made into a trace.
    #[error("the trace in {} was interrupted, and its parts cannot be joined: {error}", folder.display())]
    NotJoined {
        /// The folder.
        folder: PathBuf,
        /// The reason.
        error: TraceError,
    },
    /// There are several, and none has the usual name.
    #[error("{} holds several traces: {}; give the path of one", folder.display(), names.join(", "))]
    Several {
        /// The folder.
        folder: PathBuf,
        /// The names of their files.
        names: Vec<String>,
    },
    /// There is none.
    #[error("there is no trace in {}: no file in it ends in .otf2 or .prv; give the path of a trace or its folder", .0.display())]
    Nothing(PathBuf),
}

/// The anchor of the trace in a folder, under its usual name.
pub fn anchor(folder: &Path) -> PathBuf {
    folder.join("traces.otf2")
}

/// The file that a trace is opened by: `path`, or in a folder `traces.otf2`, else its only `.otf2` or `.prv` file. What the
/// ranks of an interrupted recording have left is made into a trace first.
///
/// # Errors
/// The folder holds none or several, or an interrupted recording that cannot be made into one.
pub fn trace_file(path: &Path) -> Result<PathBuf, NoTrace> {
    if path.is_dir() {
        return in_folder(path);
    }
    match path.parent().filter(|_| !path.exists()) {
        Some(folder) => Ok(interrupted(folder)?.unwrap_or_else(|| path.to_owned())),
        None => Ok(path.to_owned()),
    }
}

fn in_folder(folder: &Path) -> Result<PathBuf, NoTrace> {
    let usual = anchor(folder);
    if usual.exists() {
        return Ok(usual);
    }
    let mut traces = files(folder);
    traces.retain(|file| Trace::is_named_as_one(file));
    match &traces[..] {
        [one] => Ok(one.clone()),
        [] => interrupted(folder)?.ok_or_else(|| NoTrace::Nothing(folder.to_owned())),
        several => {
            let name = |file: &PathBuf| file.file_name().unwrap_or_default().to_string_lossy().into_owned();
            Err(NoTrace::Several { folder: folder.to_owned(), names: several.iter().map(name).collect() })
        }
    }
}

/// The trace that is made of an interrupted recording; none if the folder holds no recording.
fn interrupted(folder: &Path) -> Result<Option<PathBuf>, NoTrace> {
    let owned = || folder.to_owned();
    if join(folder).map_err(|error| NoTrace::NotJoined { folder: owned(), error })? {
        return Ok(Some(anchor(folder)));
    }
    said_by_markers(folder).map_or(Ok(None), |said| Err(NoTrace::Incomplete { folder: owned(), said }))
}

fn incomplete(folder: &Path, said: &str) -> String {
    format!("the trace in {} is incomplete: {said}", folder.display())
}

/// The files of a folder, sorted; none if it cannot be read.
fn files(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(if folder.as_os_str().is_empty() { Path::new(".") } else { folder });
    let paths = entries.into_iter().flatten().flatten().map(|entry| entry.path());
    let mut files: Vec<PathBuf> = paths.filter(|path| path.is_file()).collect();
    files.sort();
    files
}

/// Whether a recording that has just ended is there and whole. What is left of one that was interrupted is made into a
/// trace.
///
/// # Errors
/// It is not, in words.
pub fn recorded(trace: &Path) -> Result<(), String> {
    let file = trace_file(trace).map_err(|error| error.to_string())?;
    let said = trace.parent().and_then(said_by_markers).filter(|_| file.exists());
    if let Some(said) = said {
        return Err(format!("recorded into {}; incomplete: {said}", trace.display()));
    }
    check_complete(trace)?;
    let opened = Trace::open(&file).map_err(|error| error.to_string())?;
    if opened.definitions().locations.iter().all(|location| location.events == 0) {
        return Err(format!(
            "nothing was recorded: {} has no events; the recorder has to be loaded when the program starts",
            trace.display()
        ));
    }
    Ok(())
}

/// Whether a recording is there and whole.
///
/// # Errors
/// It is not, in words.
pub fn check_complete(trace: &Path) -> Result<(), String> {
    let folder = trace.parent().unwrap_or(Path::new("."));
    if let Some(said) = said_by_markers(folder) {
        return Err(incomplete(folder, &said));
    }
    if !trace.exists() {
        return Err(format!(
            "there is no trace in {}: the program is no MPI program, did not call MPI_Init and MPI_Finalize, or did \
             not load the recorder; a script that sets LD_PRELOAD has to keep what is there: LD_PRELOAD=…:$LD_PRELOAD",
            folder.display()
        ));
    }
    Ok(())
}

/// Whether a recorder has begun to write to a folder.
pub fn has_begun(folder: &Path) -> bool {
    anchor(folder).exists() || said_by_markers(folder).is_some()
}
