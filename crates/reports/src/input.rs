//! The files of a report: in memory, except for an archive, whose entries are read in place.

use std::fs;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use ats_documents::Report;
use ats_model::files::open_regular;
use ats_model::mistakes::not_json;

use crate::content::Content;
use crate::error::{At, Origin};
use crate::{ReportError, archive, limits, profiles};

/// The named input: a file, or a folder with the files of TAU in it.
pub(crate) struct Input {
    pub(crate) path: PathBuf,
    pub(crate) files: Vec<File>,
}

/// A file.
pub(crate) struct File {
    pub(crate) path: PathBuf,
    /// The content; empty for an archive, which stays on the disk.
    pub(crate) bytes: Arc<Vec<u8>>,
    archive: Option<(Arc<fs::File>, u64)>,
}

impl Input {
    pub(crate) fn open(path: &Path) -> Result<Self, ReportError> {
        let metadata = fs::metadata(path).map_err(|source| ReportError::io("open", path, source))?;
        let files = if metadata.is_dir() { folder(path)? } else { vec![File::open(path)?] };
        Ok(Input { path: path.to_owned(), files })
    }

    pub(crate) fn from_bytes(name: &Path, bytes: Vec<u8>) -> Self {
        let file = File { path: name.to_owned(), bytes: Arc::new(bytes), archive: None };
        Input { path: name.to_owned(), files: vec![file] }
    }

    /// The only file, if there is exactly one.
    pub(crate) fn single(&self) -> Option<&File> {
        match &self.files[..] {
            [file] => Some(file),
            _ => None,
        }
    }

    /// The only file.
    pub(crate) fn file(&self) -> Result<&File, ReportError> {
        let fix = "name a single file";
        self.single()
            .ok_or_else(|| Origin::file(&self.path).unsupported(At::Whole, "is not a single file", fix))
    }

    /// A description of its kind, for errors about unexpected input.
    pub(crate) fn found(&self) -> String {
        let Some(file) = self.files.first() else {
            return "it is a folder without a profile.N.C.T; name the report in it".to_owned();
        };
        let beginning = &file.bytes[..file.bytes.len().min(24)];
        match beginning {
            _ if file.archive.is_some() => "it is an archive of CUBE".to_owned(),
            [] => "it is empty".to_owned(),
            [0x1f, 0x8b, ..] => "it is compressed with gzip; decompress it first".to_owned(),
            _ if file.bytes.len() > limits::TEXT => {
                format!("it has {} bytes, and a text is read up to {}", file.bytes.len(), limits::TEXT)
            }
            _ => format!("it begins with \"{}\"{}", beginning.escape_ascii(), json(&file.bytes)),
        }
    }
}

/// A description of a text that looks like JSON.
fn json(bytes: &[u8]) -> String {
    if !matches!(bytes.trim_ascii_start().first(), Some(b'{' | b'[')) {
        return String::new();
    }
    match serde_json::from_slice::<serde_json::Value>(bytes) {
        Err(error) => format!(", and {}", not_json(&error)),
        Ok(value) => match value.get("schema") {
            Some(schema) => format!(", and its schema is {schema}"),
            None => format!(
                ", and is JSON without a schema; a report of yours says \"schema\": \"{}\"",
                Report::SCHEMA
            ),
        },
    }
}

impl File {
    /// Opens a regular file: an archive of CUBE, or one that is read.
    fn open(path: &Path) -> Result<Self, ReportError> {
        let io = |source| ReportError::io("read", path, source);
        let file = open_regular(path).map_err(io)?;
        let length = file.metadata().map_err(io)?.len();
        let file = Arc::new(file);
        if !archive::has_anchor(Origin::file(path), Content::disk(file.clone(), length)) {
            return Self::read(path, limits::FILE);
        }
        if length > limits::ARCHIVE {
            return Err(too_long(path, limits::ARCHIVE));
        }
        Ok(File { path: path.to_owned(), bytes: Arc::default(), archive: Some((file, length)) })
    }

    /// Reads a regular file of at most `limit` bytes.
    fn read(path: &Path, limit: u64) -> Result<Self, ReportError> {
        let io = |source| ReportError::io("read", path, source);
        let file = open_regular(path).map_err(io)?;
        let mut bytes = Vec::new();
        file.take(limit + 1).read_to_end(&mut bytes).map_err(io)?;
        if bytes.len() as u64 > limit {
            return Err(too_long(path, limit));
        }
        Ok(File { path: path.to_owned(), bytes: Arc::new(bytes), archive: None })
    }

    /// The content, in memory or on the disk.
    pub(crate) fn content(&self) -> Content {
        match &self.archive {
            Some((file, length)) => Content::disk(file.clone(), *length),
            None => Content::memory(self.bytes.clone()),
        }
    }

    pub(crate) fn origin(&self) -> Origin<'_> {
        Origin::file(&self.path)
    }

    /// The text; bytes that are not UTF-8 are replaced.
    pub(crate) fn text(&self) -> Result<std::borrow::Cow<'_, str>, ReportError> {
        if self.bytes.len() > limits::TEXT {
            let what = format!("has {} bytes of text", self.bytes.len());
            return Err(self.origin().refused(At::Whole, what));
        }
        Ok(String::from_utf8_lossy(&self.bytes))
    }
}

fn too_long(path: &Path, limit: u64) -> ReportError {
    let what = format!("has more than {limit} bytes, which are all that is read");
    Origin::file(path).unsupported(At::Whole, what, "have the tool write less")
}

/// TAU's profiles in a folder and in its folders of metrics.
fn folder(path: &Path) -> Result<Vec<File>, ReportError> {
    let mut paths = Vec::new();
    for entry in list(path)? {
        let name = entry.file_name().unwrap_or_default().to_string_lossy().into_owned();
        if profiles::location(&entry).is_some() {
            paths.push(entry);
        } else if name.starts_with(profiles::METRIC_FOLDER) && entry.is_dir() {
            paths.extend(list(&entry)?.into_iter().filter(|file| profiles::location(file).is_some()));
        }
    }
    if paths.len() > limits::ENTRIES {
        return Err(Origin::file(path).refused(At::Whole, format!("it has {} profiles", paths.len())));
    }
    let mut files = Vec::with_capacity(paths.len());
    let mut left = limits::FILE;
    for path in paths {
        let file = File::read(&path, left)?;
        left -= file.bytes.len() as u64;
        files.push(file);
    }
    Ok(files)
}

/// The entries of a folder, sorted by name.
fn list(folder: &Path) -> Result<Vec<PathBuf>, ReportError> {
    let io = |source| ReportError::io("list", folder, source);
    let mut paths = Vec::new();
    for entry in fs::read_dir(folder).map_err(io)? {
        paths.push(entry.map_err(io)?.path());
    }
    paths.sort();
    Ok(paths)
}
