//! Folders that hold a trace: the file that it is opened by, and whether it was recorded to its end.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use ats_model::locations::{Location, in_words};
use ats_trace::Trace;
use thiserror::Error;

use super::folder::anchor;

/// Why no trace can be opened in a folder.
#[derive(Debug, PartialEq, Eq, Error)]
pub enum NoTrace {
    /// A recording was interrupted.
    #[error("{}; record again, and let the program end", incomplete(folder, said))]
    Incomplete {
        /// The folder.
        folder: PathBuf,
        /// What the recorder's markers say.
        said: String,
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

/// The file that a trace is opened by: `path`, or in a folder `traces.otf2`, else its only `.otf2` or `.prv` file.
///
/// # Errors
/// The folder holds none or several, or what is left of an interrupted recording.
pub fn trace_file(path: &Path) -> Result<PathBuf, NoTrace> {
    if path.is_dir() {
        return in_folder(path);
    }
    match path.parent().filter(|_| !path.exists()) {
        Some(folder) => interrupted(folder).map_or_else(|| Ok(path.to_owned()), Err),
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
        [] => Err(interrupted(folder).unwrap_or_else(|| NoTrace::Nothing(folder.to_owned()))),
        several => {
            let name = |file: &PathBuf| file.file_name().unwrap_or_default().to_string_lossy().into_owned();
            Err(NoTrace::Several { folder: folder.to_owned(), names: several.iter().map(name).collect() })
        }
    }
}

fn interrupted(folder: &Path) -> Option<NoTrace> {
    markers(folder).map(|said| NoTrace::Incomplete { folder: folder.to_owned(), said })
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

/// Whether a recording is there and whole.
///
/// # Errors
/// It is not, in words.
pub fn check_complete(trace: &Path) -> Result<(), String> {
    let folder = trace.parent().unwrap_or(Path::new("."));
    if let Some(said) = markers(folder) {
        return Err(incomplete(folder, &said));
    }
    if !trace.exists() {
        return Err(format!(
            "there is no trace in {}: the recorder was not loaded, or the program is no MPI program or did not call \
             MPI_Init and MPI_Finalize",
            folder.display()
        ));
    }
    Ok(())
}

/// Whether a recorder has begun to write to a folder.
pub fn has_begun(folder: &Path) -> bool {
    anchor(folder).exists() || markers(folder).is_some()
}

/// What the markers say that the recorder leaves for each rank whose recording has not ended; ranks that say the same
/// are named together.
fn markers(folder: &Path) -> Option<String> {
    let is_marker = |file: &PathBuf| file.file_stem().is_some_and(|stem| stem == "incomplete");
    let texts = files(folder).into_iter().filter(is_marker).filter_map(|file| fs::read_to_string(file).ok());
    let mut ranks: BTreeMap<String, Vec<u32>> = BTreeMap::new();
    for text in texts {
        let text = text.trim();
        let of_rank = text.strip_prefix("rank ").and_then(|rest| rest.split_once(": "));
        match of_rank.and_then(|(rank, why)| Some((rank.parse().ok()?, why))) {
            Some((rank, why)) => ranks.entry(why.to_owned()).or_default().push(rank),
            None => drop(ranks.entry(text.to_owned()).or_default()),
        }
    }
    let mut groups: Vec<(Vec<u32>, String)> = ranks.into_iter().map(|(why, ranks)| (ranks, why)).collect();
    groups.iter_mut().for_each(|(ranks, _)| ranks.sort_unstable());
    groups.sort();
    let said: Vec<String> = groups.into_iter().map(|(ranks, why)| said(&ranks, why)).collect();
    (!said.is_empty()).then(|| said.join("; "))
}

fn said(ranks: &[u32], why: String) -> String {
    let masters: Vec<Location> = ranks.iter().map(|&rank| Location { rank, thread: 0 }).collect();
    match ranks.len() {
        0 => why,
        1 => format!("rank {}: {why}", in_words(&masters)),
        _ => format!("ranks {}: {why}", in_words(&masters)),
    }
}

#[cfg(test)]
mod tests {
    use tempfile::TempDir;

    use super::*;

    /// A folder with these files in it.
    fn folder(files: &[(&str, &str)]) -> TempDir {
        let dir = TempDir::new().unwrap();
        files.iter().for_each(|(name, text)| fs::write(dir.path().join(name), text).unwrap());
        dir
    }

    #[test]
    fn a_trace_is_the_usual_file_or_the_only_one() {
        for (files, wanted) in [
            (&["traces.otf2", "other.otf2", "more.prv"][..], "traces.otf2"),
            (&["eztrace_log.otf2", "eztrace_log.def"], "eztrace_log.otf2"),
            (&["heat.prv", "heat.pcf", "heat.row"], "heat.prv"),
            // A marker of one rank, while others have written the trace.
            (&["traces.otf2", "incomplete.1"], "traces.otf2"),
        ] {
            let dir = folder(&files.iter().map(|&name| (name, "")).collect::<Vec<_>>());
            assert_eq!(trace_file(dir.path()), Ok(dir.path().join(wanted)), "{files:?}");
        }
    }

    #[test]
    fn a_path_that_is_no_folder_is_taken_as_it_is() {
        let dir = folder(&[("one.otf2", "")]);
        for name in ["one.otf2", "none.otf2"] {
            let path = dir.path().join(name);
            assert_eq!(trace_file(&path), Ok(path));
        }
    }

    #[test]
    fn several_traces_are_named() {
        let dir = folder(&[("b.otf2", ""), ("a.prv", ""), ("notes.txt", "")]);
        let error = trace_file(dir.path()).unwrap_err().to_string();
        assert!(error.ends_with("holds several traces: a.prv, b.otf2; give the path of one"), "{error}");
    }

    #[test]
    fn markers_say_what_became_of_the_ranks() {
        let killed = |rank: u32| format!("rank {rank}: it did not end; was it killed?\n");
        let [zero, one, two, ten] = [0, 1, 2, 10].map(killed);
        let dir = folder(&[
            ("incomplete.10", &ten),
            ("incomplete.2", &two),
            ("incomplete.0", &zero),
            ("incomplete.1", &one),
            ("incomplete.3", "rank 3: the disk is full\n"),
        ]);
        let said = "is incomplete: ranks 0-2,10: it did not end; was it killed?; rank 3: the disk is full; \
                    record again, and let the program end";
        for path in [dir.path().to_owned(), anchor(dir.path())] {
            let error = trace_file(&path).unwrap_err().to_string();
            assert!(error.ends_with(said), "{error}");
        }
    }
}
