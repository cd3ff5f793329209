//! Folders that one command at a time writes to.

use std::fs::{self, File, TryLockError};
use std::io::{self, Read, Seek, Write};
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use thiserror::Error;

/// The right to write to a folder, until it is dropped or the process ends, however it ends.
///
/// It is a lock of the operating system on a hidden file in the folder, which says who holds it and stays there.
#[derive(Debug)]
pub struct Claim {
    file: File,
}

/// Given back at once: a child that another thread is just starting has all files open until its program begins, and would keep
/// what is only closed here.
impl Drop for Claim {
    fn drop(&mut self) {
        let _ = self.file.unlock();
    }
}

/// Why a folder cannot be written to.
#[derive(Debug, Error)]
pub enum ClaimError {
    /// Another command writes to it.
    #[error(
        "{} is in use by {holder}; wait for it to end, or give another folder with -o", dir.display()
    )]
    InUse {
        /// The folder.
        dir: PathBuf,
        /// The command that holds it.
        holder: String,
    },
    /// It cannot be made, or not be written to.
    #[error("cannot write to {}: {source}; give a folder that you may write to with -o", dir.display())]
    Folder {
        /// The folder.
        dir: PathBuf,
        /// The system's reason.
        source: io::Error,
    },
}

impl Claim {
    /// Claims `dir` for `what` in it; makes the folder if it is missing.
    ///
    /// # Errors
    /// Another command holds it, or it cannot be written to.
    pub fn acquire(dir: &Path, what: &str) -> Result<Claim, ClaimError> {
        let failed = |source| ClaimError::Folder { dir: dir.to_owned(), source };
        fs::create_dir_all(dir).map_err(failed)?;
        let path = dir.join(format!(".{what}.lock"));
        let open = File::options().read(true).write(true).create(true).truncate(false).open(path);
        let mut file = open.map_err(failed)?;
        match file.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => {
                let mut holder = String::new();
                let _ = file.read_to_string(&mut holder);
                let known = Some(holder.trim()).filter(|holder| !holder.is_empty());
                let holder = known.unwrap_or("another process").to_owned();
                return Err(ClaimError::InUse { dir: dir.to_owned(), holder });
            }
            // Some file systems of clusters have no locks; work goes on there as it would without any.
            Err(TryLockError::Error(error)) if error.kind() == io::ErrorKind::Unsupported => {}
            Err(TryLockError::Error(error)) => return Err(failed(error)),
        }
        file.set_len(0).and_then(|()| file.rewind()).map_err(failed)?;
        writeln!(file, "{}", this_process()).map_err(failed)?;
        Ok(Claim { file })
    }
}

fn this_process() -> String {
    let since = humantime::format_rfc3339_seconds(SystemTime::now());
    let words: Vec<_> = std::env::args_os().map(|word| word.to_string_lossy().into_owned()).collect();
    format!("process {} since {since}: {}", std::process::id(), words.join(" "))
}

#[cfg(test)]
mod tests {
    use std::io::{BufRead, BufReader};
    use std::process::{Command, Stdio};

    use tempfile::TempDir;

    use super::*;

    const HELD: &str = "ATS_TEST_HELD_FOLDER";

    /// Not a test: the process that holds a folder, until its input ends.
    #[test]
    #[ignore = "a part of the test below"]
    fn holder() {
        let Some(dir) = std::env::var_os(HELD) else { return };
        let _claim = Claim::acquire(Path::new(&dir), "runs").unwrap();
        println!("\nheld");
        let _ = io::stdin().read_line(&mut String::new());
    }

    #[test]
    fn a_folder_is_one_process_at_a_time_and_free_when_that_is_killed() {
        let dir = TempDir::new().unwrap();
        let (_, module) = module_path!().split_once("::").unwrap();
        let holder = format!("{module}::holder");
        let mut other = Command::new(std::env::current_exe().unwrap())
            .args(["--exact", &holder, "--ignored", "--nocapture"])
            .env(HELD, dir.path())
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let mut said = BufReader::new(other.stdout.take().unwrap()).lines();
        assert!(said.any(|line| line.unwrap() == "held"));

        let error = Claim::acquire(dir.path(), "runs").unwrap_err().to_string();
        let begin = format!("{} is in use by process {} since 2", dir.path().display(), other.id());
        assert!(error.starts_with(&begin) && error.ends_with("give another folder with -o"), "{error}");
        assert!(error.contains(&format!("--exact {holder}")), "{error}");
        Claim::acquire(dir.path(), "other").unwrap();

        other.kill().unwrap();
        other.wait().unwrap();
        let _claim = Claim::acquire(dir.path(), "runs").unwrap();
        Claim::acquire(dir.path(), "runs").unwrap_err();
    }

    #[test]
    fn a_released_folder_is_free_though_a_child_has_the_file_open() {
        let dir = TempDir::new().unwrap();
        let claim = Claim::acquire(dir.path(), "runs").unwrap();
        let _of_child = claim.file.try_clone().unwrap();
        drop(claim);
        Claim::acquire(dir.path(), "runs").unwrap();
    }

    #[test]
    fn a_folder_that_cannot_be_made_is_named() {
        let file = tempfile::NamedTempFile::new().unwrap();
        let error = Claim::acquire(&file.path().join("runs"), "runs").unwrap_err().to_string();
        assert!(
            error.starts_with("cannot write to ")
                && error.ends_with("give a folder that you may write to with -o"),
            "{error}"
        );
    }
}
