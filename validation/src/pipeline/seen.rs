//! The files to look at after a run under a tool went wrong.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use ats_documents::score::RunStatus;
use ats_model::files::open_regular;

use ats_launch::Failure;
use ats_launch::semantics::Summary;
use ats_launch::tool::Tool;

/// A run that is under way, and what it may leave.
pub(super) struct Seen<'a> {
    pub(super) tool: &'a Tool,
    pub(super) program: &'a str,
    /// The folder of the run.
    pub(super) dir: &'a Path,
    pub(super) began: SystemTime,
}

impl Seen<'_> {
    /// A run that did not end well, with what it had done and left until then.
    pub(super) fn failed(&self, failure: Failure) -> Failure {
        let Failure { mut status, mut message } = failure;
        if status == RunStatus::Timeout && Summary::in_folder(self.dir, self.program).is_some() {
            status = RunStatus::HungAtExit;
            message = format!("the program had done its work and said so, and did not end: {message}");
        }
        if let Ok(report) = self.tool.left(self.dir) {
            message += &format!("; a report is there, {}, and not judged", report.display());
        }
        for core in self.cores() {
            message += &format!("; it left a core, {}", core.display());
        }
        Failure { status, message }
    }

    /// Whether a run that ended well left a core nevertheless.
    ///
    /// # Errors
    /// It did.
    pub(super) fn without_core(&self) -> Result<(), Failure> {
        match &self.cores()[..] {
            [] => Ok(()),
            [core, ..] => {
                let message =
                    format!("it ended well, and left a core, {}: something in it crashed", core.display());
                Err(Failure { status: RunStatus::LeftCore, message })
            }
        }
    }

    /// A report that is not there, or cannot be read, of a run that, with the commands after it, left so many processes
    /// behind.
    pub(super) fn unreported(&self, failure: Failure, left_behind: usize) -> Failure {
        let late = match left_behind {
            0 => return failure,
            1 => "a process that it had started was",
            _ => "processes that it had started were",
        };
        let message = format!(
            "{}; {late} still there when it ended, and ended with it: what writes a report of the run has to be done by \
             then, or is a command in `after`, which has to wait for it",
            failure.message
        );
        Failure { message, ..failure }
    }

    /// Cores in the folder of the run, and those in the one that it was started in that are not older.
    fn cores(&self) -> Vec<PathBuf> {
        let files = |folder: &Path| {
            let entries = fs::read_dir(folder).into_iter().flatten().flatten();
            entries.map(|entry| entry.path()).collect::<Vec<_>>()
        };
        let mut all = files(self.dir);
        all.extend(files(Path::new(".")));
        all.retain(|file| is_new(file, self.began) && is_core(file));
        all
    }
}

fn is_new(file: &Path, began: SystemTime) -> bool {
    fs::metadata(file).and_then(|file| file.modified()).is_ok_and(|modified| modified >= began)
}

/// A file in ELF whose type is that of a core.
fn is_core(file: &Path) -> bool {
    const CORE: u8 = 4;
    let mut begin = [0; 18];
    let read = open_regular(file).and_then(|mut file| std::io::Read::read_exact(&mut file, &mut begin));
    // The type has two bytes, in the order of the machine that wrote it.
    read.is_ok()
        && begin.starts_with(b"\x7fELF")
        && begin[16].max(begin[17]) == CORE
        && begin[16].min(begin[17]) == 0
}

#[cfg(test)]
mod tests {
    use tempfile::TempDir;

    use super::*;

    fn failed(dir: &Path, status: RunStatus) -> Failure {
        let text = "schema = 'ats-tool/1'\nname = 'mine'\n[report]\npath = 'mine.csv'\n";
        let tool = Tool::parse(text, "mine.toml").unwrap();
        let seen = Seen { tool: &tool, program: "late_sender", dir, began: SystemTime::UNIX_EPOCH };
        seen.without_core()
            .err()
            .unwrap_or_else(|| seen.failed(Failure { status, message: "it failed".to_owned() }))
    }

    #[test]
    fn progress_of_an_ended_run_is_reported() {
        let dir = TempDir::new().unwrap();
        let is = |status, message: &str| Failure { status, message: message.to_owned() };
        assert_eq!(failed(dir.path(), RunStatus::Timeout), is(RunStatus::Timeout, "it failed"));
        fs::write(dir.path().join("stdout.txt"), "ATS late_sender ranks=2 checksum=1\n").unwrap();
        let hung = "the program had done its work and said so, and did not end: it failed";
        assert_eq!(failed(dir.path(), RunStatus::Timeout), is(RunStatus::HungAtExit, hung));
        let report = dir.path().join("mine.csv");
        fs::write(&report, "").unwrap();
        let left = format!("it failed; a report is there, {}, and not judged", report.display());
        assert_eq!(failed(dir.path(), RunStatus::Crashed), is(RunStatus::Crashed, &left));
    }

    #[test]
    fn a_core_is_known_by_what_is_in_it() {
        let dir = TempDir::new().unwrap();
        let file = |kind: u8| {
            let mut bytes = b"\x7fELF\x02\x01\x01".to_vec();
            bytes.resize(16, 0);
            bytes.extend([kind, 0, 0, 0]);
            fs::write(dir.path().join("core.17"), bytes).unwrap();
        };
        file(2);
        assert_eq!(failed(dir.path(), RunStatus::Crashed).status, RunStatus::Crashed, "a program is none");
        file(4);
        let failure = failed(dir.path(), RunStatus::Crashed);
        assert_eq!(failure.status, RunStatus::LeftCore);
        assert!(failure.message.contains("core.17: something in it crashed"), "{}", failure.message);
    }
}
