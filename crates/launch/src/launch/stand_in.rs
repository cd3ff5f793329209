//! Programs that a command starts by itself, as scripts do. Stand-ins for launchers come before them on the `PATH`, and
//! have `ats` record what the command launches. All other processes are preloaded with the recorder, which records those
//! that use MPI or have a parallel region. The first run that begins is the one that is recorded.

use std::ffi::{OsStr, OsString};
use std::fs::{self, Permissions};
use std::io::{self, ErrorKind, Write};
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::Command;

use super::rewrite::{CLAIM, OTHER_RECORDER, is_launcher};
use crate::mpi::Mpi;

/// Stand-ins for all launchers on the `PATH`, and the note of the run that is recorded; they are removed when this is
/// dropped.
#[derive(Debug)]
pub struct StandIns {
    folder: PathBuf,
    /// The `PATH` that they are found on; none where there is only the note.
    path: Option<OsString>,
}

/// The libraries and the recorder's variables of a recorded launch.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Launch {
    /// The MPI library.
    pub mpi: Mpi,
    /// The recorder that is built for it.
    pub recorder: PathBuf,
}

/// File of the launch that is recorded, in the folder of the stand-ins.
const LAUNCH: &str = "launch.txt";
/// File that is there once another was refused, by a stand-in or a recorder.
const REFUSED: &str = "launch.refused";

/// Their folder, in that of the archive.
const FOLDER: &str = ".ats-launchers";

impl StandIns {
    /// Makes them in `dir`, for the launchers on `path`. Each runs the words of `command`, which gets their folder, followed
    /// by the launcher's command line.
    ///
    /// # Errors
    /// They cannot be written, or the folder cannot be on a `PATH`.
    pub fn new(path: &OsStr, dir: &Path, command: impl FnOnce(&Path) -> Vec<OsString>) -> io::Result<Self> {
        let folder = dir.join(FOLDER);
        let folders: Vec<PathBuf> = std::env::split_paths(path).collect();
        let all = std::iter::once(&folder).chain(&folders);
        let path =
            std::env::join_paths(all).map_err(|error| io::Error::new(ErrorKind::InvalidInput, error))?;
        let mut made = StandIns::none(dir)?;
        made.path = Some(path);
        let command = command(&made.folder);
        let entries = folders.iter().filter_map(|folder| fs::read_dir(folder).ok()).flatten().flatten();
        for name in entries.map(|entry| entry.file_name()).filter(|name| is_launcher(name)) {
            made.write(&name, &command)?;
        }
        Ok(made)
    }

    /// None for any launcher, only the place of the note, in `dir`.
    ///
    /// # Errors
    /// It cannot be made.
    pub fn none(dir: &Path) -> io::Result<Self> {
        let folder = dir.join(FOLDER);
        match fs::remove_dir_all(&folder) {
            Err(error) if error.kind() != ErrorKind::NotFound => return Err(error),
            _ => fs::create_dir(&folder)?,
        }
        Ok(StandIns { folder, path: None })
    }

    /// A script that takes the folder from the `PATH`, so that the launcher of this name is the real one again.
    fn write(&self, name: &OsStr, command: &[OsString]) -> io::Result<()> {
        let entry = quoted(&[self.folder.as_os_str(), OsStr::new(":")].join(OsStr::new("")));
        let words: Vec<Vec<u8>> = command.iter().map(OsString::as_os_str).chain([name]).map(quoted).collect();
        let words = words.join(&b' ');
        let head = [
            b"case $PATH in *",
            &entry[..],
            b"*) PATH=${PATH%%",
            &entry,
            b"*}${PATH#*",
            &entry,
            b"} ;; esac",
        ];
        let script = [b"#!/bin/sh\n", &head.concat()[..], b"\nexec ", &words, b" \"$@\"\n"].concat();
        let file = self.folder.join(name);
        fs::write(&file, script)?;
        fs::set_permissions(file, Permissions::from_mode(0o755))
    }

    /// Has a command find them.
    pub fn offer(&self, command: &mut Command) {
        self.path.iter().for_each(|path| _ = command.env("PATH", path));
    }

    /// The variables that have the first run recorded that a process begins without a launcher: by its recorder, or where
    /// it uses another MPI library, by the `other` one.
    pub fn variables(&self, other: Option<PathBuf>) -> Vec<(String, OsString)> {
        let claim = (CLAIM.to_owned(), self.folder.join(LAUNCH).into_os_string());
        let other = other.map(|other| (OTHER_RECORDER.to_owned(), other.into_os_string()));
        std::iter::once(claim).chain(other).collect()
    }

    /// The launch that was recorded; none where there was none, or it recorded nothing.
    pub fn launch(&self) -> Option<Launch> {
        Launch::read(&fs::read(self.folder.join(LAUNCH)).ok()?)
    }

    /// Whether another launch was refused.
    pub fn have_refused(&self) -> bool {
        self.folder.join(REFUSED).exists()
    }
}

impl Drop for StandIns {
    fn drop(&mut self) {
        // Nothing in it is of use to anybody else.
        let _ = fs::remove_dir_all(&self.folder);
    }
}

impl Launch {
    /// Notes in the folder of the stand-ins that this is the launch that is recorded; false where there is one already.
    ///
    /// # Errors
    /// It cannot be written.
    pub fn begin(&self, stand_ins: &Path) -> io::Result<bool> {
        match fs::File::create_new(stand_ins.join(LAUNCH)) {
            Ok(mut file) => {
                let recorder = self.recorder.as_os_str().as_bytes();
                file.write_all(&[self.mpi.name().as_bytes(), b"\n", recorder].concat()).map(|()| true)
            }
            Err(error) if error.kind() == ErrorKind::AlreadyExists => {
                fs::write(stand_ins.join(REFUSED), "").map(|()| false)
            }
            Err(error) => Err(error),
        }
    }

    /// Takes the note back: it has recorded nothing, and another launch may.
    pub fn forget(stand_ins: &Path) {
        let _ = fs::remove_file(stand_ins.join(LAUNCH));
    }

    fn read(note: &[u8]) -> Option<Self> {
        let end = note.iter().position(|&byte| byte == b'\n')?;
        let mpi = Mpi::ALL.into_iter().find(|mpi| mpi.name().as_bytes() == &note[..end])?;
        Some(Launch { mpi, recorder: OsString::from_vec(note[end + 1..].to_vec()).into() })
    }
}

/// A word as a shell reads it.
fn quoted(word: &OsStr) -> Vec<u8> {
    let mut quoted = vec![b'\''];
    for &byte in word.as_bytes() {
        match byte {
            b'\'' => quoted.extend(b"'\\''"),
            byte => quoted.push(byte),
        }
    }
    quoted.push(b'\'');
    quoted
}

#[cfg(test)]
mod tests {
    use tempfile::TempDir;

    use super::*;
    use crate::launch::tests::script;

    #[test]
    fn a_stand_in_comes_before_the_launcher_and_takes_itself_from_the_path() {
        let dir = TempDir::new().unwrap();
        let [real, trace] = ["it's real", "it's a trace"].map(|name| dir.path().join(name));
        [&real, &trace].into_iter().for_each(|folder| fs::create_dir(folder).unwrap());
        script(&real, "mpirun.own", r#"for word; do echo "$word"; done"#);
        script(&real, "other", "echo other");
        let path = [real.as_os_str(), OsStr::new("/usr/bin:/bin")].join(OsStr::new(":"));
        let callback = r#"echo "$PATH"; exec "$@""#;
        let stand_ins = StandIns::new(&path, &trace, |folder| {
            assert!(folder.starts_with(&trace));
            ["sh", "-c", callback, "it's"].map(OsString::from).to_vec()
        })
        .unwrap();
        let mut command = Command::new("sh");
        command.args(["-c", "mpirun.own -np '2 3'; other"]);
        stand_ins.offer(&mut command);
        let output = String::from_utf8(command.output().unwrap().stdout).unwrap();
        assert_eq!(output, format!("{}\n-np\n2 3\nother\n", path.display()));
        drop(stand_ins);
        assert_eq!(fs::read_dir(trace).unwrap().count(), 0);
    }

    #[test]
    fn one_launch_is_recorded() {
        let dir = TempDir::new().unwrap();
        let stand_ins = StandIns::new(OsStr::new(""), dir.path(), |_| Vec::new()).unwrap();
        let folder = &dir.path().join(".ats-launchers");
        let launch = Launch { mpi: Mpi::Mpich, recorder: "a b\n.so".into() };
        assert_eq!(stand_ins.launch(), None);
        assert!(launch.begin(folder).unwrap());
        Launch::forget(folder);
        assert!(launch.begin(folder).unwrap() && !stand_ins.have_refused());
        let other = Launch { mpi: Mpi::OpenMpi, ..launch.clone() };
        assert!(!other.begin(folder).unwrap() && stand_ins.have_refused());
        assert_eq!(stand_ins.launch(), Some(launch));
    }
}
