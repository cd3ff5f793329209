//! The folder of the archive, and the marker of a rank that records.
//!
//! While a rank records, the file `incomplete.RANK` lies in the folder; it goes when the rank's events are written. So
//! a rank that was killed, or whose disk was full, is known by it, and the file says what happened as far as the
//! recorder could know.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use ats_trace::parts::Part;

use crate::claim;

/// The folder of the archive; `ats-trace` in the working directory where it is not set.
const FOLDER: &str = "ATS_RECORDER_DIR";

/// The folder that a rank records into.
#[derive(Clone)]
pub(crate) struct Folder {
    path: PathBuf,
    pub(crate) rank: u32,
}

impl Folder {
    /// The one that the environment names, wherever the program goes from here.
    pub(crate) fn of_rank(rank: u32) -> Self {
        let named = PathBuf::from(std::env::var_os(FOLDER).unwrap_or_else(|| "ats-trace".into()));
        Folder { path: std::path::absolute(&named).unwrap_or(named), rank }
    }

    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    /// Says what is wrong.
    pub(crate) fn report(&self, problem: &str) {
        ats_work::say(format_args!("ats-recorder: rank {}: {problem}", self.rank));
    }

    fn marker(&self) -> PathBuf {
        self.path.join(format!("incomplete.{}", self.rank))
    }

    /// Marks the rank's part as incomplete, and says why.
    pub(crate) fn mark(&self, why: &str) -> std::io::Result<()> {
        fs::write(self.marker(), format!("rank {}: {why}\n", self.rank))
    }

    /// Makes the folder and marks that the rank records; says why where that cannot be. What makes a trace of a former
    /// recording goes. False, too, if another run is recorded.
    pub(crate) fn begin(&self) -> bool {
        if self.rank == 0 && !claim::take() {
            return false;
        }
        let begun = fs::create_dir_all(&self.path).and_then(|()| self.mark("it did not end; was it killed?"));
        // They may never have been written.
        let _ = fs::remove_file(Part::file(&self.path, self.rank));
        if self.rank == 0 {
            let _ = fs::remove_file(self.path.join("traces.otf2"));
        }
        if let Err(error) = &begun {
            self.report(&format!(
                "cannot record into {}: {error}; name a folder that can be written in {FOLDER}",
                self.path.display()
            ));
        }
        begun.is_ok()
    }

    /// The rank's part is complete.
    pub(crate) fn unmark(&self) {
        // It may never have been written.
        let _ = fs::remove_file(self.marker());
    }

    /// Waits until all ranks have written their parts: MPICH's launcher kills all others as soon as one rank has ended.
    pub(crate) fn await_parts(&self, ranks: u32, until: Instant) {
        let mut rank = 0;
        while rank < ranks && Instant::now() < until {
            if Part::file(&self.path, rank).exists() {
                rank += 1;
            } else {
                std::thread::sleep(Duration::from_millis(5));
            }
        }
    }
}
