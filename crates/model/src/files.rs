//! Files named by users or documents: opening one never waits, and reading one always ends.

use std::fs::{File, FileType, OpenOptions};
use std::io::{self, Error, ErrorKind, Read};
use std::os::unix::fs::{FileTypeExt, OpenOptionsExt};
use std::path::Path;

use rustix::fs::{OFlags, fcntl_setfl};

/// The longest document that is read, in bytes.
const LONGEST_DOCUMENT: u64 = 1 << 30;

/// Opens a regular file.
///
/// # Errors
/// It cannot be opened, or is something else: a device may have no end, and a named pipe may have no writer.
pub fn open_regular(path: &Path) -> io::Result<File> {
    let (file, kind) = open(path)?;
    if kind.is_file() { Ok(file) } else { Err(refused(kind)) }
}

/// Reads a whole document: a regular file or what comes through a pipe, as from `/dev/stdin` and `<(command)`, of at most
/// 1 GiB.
///
/// # Errors
/// It cannot be read, is too long, is something else, or is a pipe without a writer.
pub fn read_document(path: &Path) -> io::Result<Vec<u8>> {
    let (file, kind) = open(path)?;
    if kind.is_fifo() {
        // From now on whoever writes is waited for; where nobody does, the pipe ends at once.
        fcntl_setfl(&file, OFlags::empty())?;
    } else if !kind.is_file() {
        return Err(refused(kind));
    }
    let mut bytes = Vec::new();
    file.take(LONGEST_DOCUMENT + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > LONGEST_DOCUMENT {
        return Err(Error::new(ErrorKind::FileTooLarge, "it has more than 1 GiB"));
    }
    if bytes.is_empty() && kind.is_fifo() {
        return Err(Error::new(ErrorKind::UnexpectedEof, "it is a pipe without a writer"));
    }
    Ok(bytes)
}

/// As [`read_document`], a text.
///
/// # Errors
/// As there, or it is not in UTF-8.
pub fn read_text(path: &Path) -> io::Result<String> {
    String::from_utf8(read_document(path)?).map_err(|error| Error::new(ErrorKind::InvalidData, error))
}

fn open(path: &Path) -> io::Result<(File, FileType)> {
    let flags = OFlags::NONBLOCK.bits().cast_signed();
    let file = OpenOptions::new().read(true).custom_flags(flags).open(path)?;
    let kind = file.metadata()?.file_type();
    Ok((file, kind))
}

fn refused(kind: FileType) -> Error {
    let what = match kind {
        kind if kind.is_dir() => return Error::from(ErrorKind::IsADirectory),
        kind if kind.is_fifo() => "pipe",
        kind if kind.is_socket() => "socket",
        _ => "device",
    };
    Error::new(ErrorKind::InvalidInput, format!("it is a {what}, not a regular file"))
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::process::Command;
    use std::thread;

    use super::*;

    /// The error messages for a document and for a regular file.
    fn error_messages(path: &Path) -> (String, String) {
        let regular = open_regular(path).map(io::read_to_string).and_then(|text| text);
        (said_of(read_text(path)), said_of(regular))
    }

    fn said_of(read: io::Result<String>) -> String {
        read.unwrap_or_else(|error| error.to_string())
    }

    #[test]
    #[cfg_attr(miri, ignore = "asks the kernel, which Miri does not stand for")]
    fn pipes_and_devices_are_refused() {
        let dir = tempfile::tempdir().unwrap();
        let (file, pipe) = (dir.path().join("file"), dir.path().join("pipe"));
        fs::write(&file, "text").unwrap();
        assert_eq!(error_messages(&file), ("text".into(), "text".into()));
        let device = "it is a device, not a regular file".to_owned();
        assert_eq!(error_messages(Path::new("/dev/zero")), (device.clone(), device));
        assert_eq!(error_messages(dir.path()), ("is a directory".into(), "is a directory".into()));
        assert!(Command::new("mkfifo").arg(&pipe).status().unwrap().success());
        let no_file = "it is a pipe, not a regular file".to_owned();
        assert_eq!(error_messages(&pipe), ("it is a pipe without a writer".into(), no_file));
    }

    #[test]
    #[cfg_attr(miri, ignore = "asks the kernel, which Miri does not stand for")]
    fn a_document_may_come_through_a_pipe() {
        let (reader, mut writer) = io::pipe().unwrap();
        let path = format!("/dev/fd/{}", std::os::fd::AsRawFd::as_raw_fd(&reader));
        let writing = thread::spawn(move || {
            let part = "x".repeat(1 << 17);
            (0..2).for_each(|_| io::Write::write_all(&mut writer, part.as_bytes()).unwrap());
        });
        assert_eq!(read_text(Path::new(&path)).unwrap().len(), 2 << 17);
        writing.join().unwrap();
    }
}
