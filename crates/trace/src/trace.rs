//! A trace of any format that is read.

use std::io::Read;
use std::path::{Path, PathBuf};

use ats_model::files::open_regular;
use ats_model::{Definitions, Event, EventSource};

use crate::paraver::MAGIC;
use crate::{Archive, Paraver, TraceError};

/// A trace in one of the formats that are read; its users need not know in which.
pub enum Trace {
    /// An OTF2 archive.
    Otf2(Box<Archive>),
    /// A Paraver trace.
    Paraver(Box<Paraver>),
}

impl Trace {
    /// Opens a trace: the anchor of an OTF2 archive, or the `.prv` file of a Paraver trace, which are told apart by how they
    /// begin.
    ///
    /// # Errors
    /// As [`Archive::open`] or [`Paraver::open`].
    pub fn open(path: &Path) -> Result<Self, TraceError> {
        if is_paraver(path) || path.extension().is_some_and(|extension| extension == "prv") {
            return Paraver::open(path).map(|trace| Trace::Paraver(Box::new(trace)));
        }
        Archive::open(path).map(|archive| Trace::Otf2(Box::new(archive)))
    }

    /// Whether a file begins as a trace does that [`Trace::open`] opens.
    pub fn is_one(path: &Path) -> bool {
        // The anchor of an archive has the format's name behind its two first bytes.
        is_paraver(path) || begin::<6>(path).is_some_and(|bytes| bytes.ends_with(b"OTF2"))
    }

    /// Whether a file is named as traces are: `NAME.otf2` or `NAME.prv`.
    pub fn is_named_as_one(path: &Path) -> bool {
        path.extension().is_some_and(|extension| extension == "otf2" || extension == "prv")
    }

    /// The files beside the given one that may belong to the trace.
    pub fn files_beside(path: &Path) -> Vec<PathBuf> {
        ["def", "", "pcf", "row"].map(|extension| path.with_extension(extension)).into()
    }
}

fn is_paraver(path: &Path) -> bool {
    begin::<{ MAGIC.len() }>(path).is_some_and(|bytes| bytes == MAGIC)
}

fn begin<const LENGTH: usize>(path: &Path) -> Option<[u8; LENGTH]> {
    let mut bytes = [0; LENGTH];
    open_regular(path).ok()?.read_exact(&mut bytes).ok()?;
    Some(bytes)
}

impl EventSource for Trace {
    type Error = TraceError;

    fn definitions(&self) -> &Definitions {
        match self {
            Trace::Otf2(archive) => archive.definitions(),
            Trace::Paraver(trace) => trace.definitions(),
        }
    }

    fn has_common_clock(&self) -> bool {
        match self {
            Trace::Otf2(archive) => archive.has_common_clock(),
            Trace::Paraver(trace) => trace.has_common_clock(),
        }
    }

    fn tells_completions(&self) -> bool {
        match self {
            Trace::Otf2(archive) => archive.tells_completions(),
            Trace::Paraver(trace) => trace.tells_completions(),
        }
    }

    fn cost_of_event(&self) -> Option<f64> {
        match self {
            Trace::Otf2(archive) => archive.cost_of_event(),
            Trace::Paraver(trace) => trace.cost_of_event(),
        }
    }

    fn remarks(&self) -> Vec<String> {
        match self {
            Trace::Otf2(archive) => archive.remarks(),
            Trace::Paraver(trace) => trace.remarks(),
        }
    }

    fn read_location(&self, index: usize, visit: impl FnMut(u64, Event)) -> Result<(), TraceError> {
        match self {
            Trace::Otf2(archive) => archive.read_location(index, visit),
            Trace::Paraver(trace) => trace.read_location(index, visit),
        }
    }

    fn read_part(
        &self,
        index: usize,
        part: usize,
        visit: impl FnMut(u64, Event),
    ) -> Result<bool, TraceError> {
        match self {
            Trace::Otf2(archive) => archive.read_part(index, part, visit),
            Trace::Paraver(trace) => trace.read_part(index, part, visit),
        }
    }
}
