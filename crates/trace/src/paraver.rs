//! Paraver traces, as Extrae and others write them, as an [`EventSource`].
//!
//! ```text
//! trace.prv   records: a line each, of states, events and messages, in the order of time
//! trace.pcf   what the numbers of states, types of events and their values mean
//! trace.row   names of the threads
//! ```
//!
//! The format is described in <https://tools.bsc.es/doc/1370.pdf>; the meaning of the types of events is Extrae's. A
//! trace is read whole: its lines are of all threads, and the two ends of a message have to find their calls.

mod convert;
mod header;
mod kind;
mod labels;
mod messages;
mod openmp;
mod records;
mod regions;
mod text;
mod thread;

use std::path::{Path, PathBuf};

use ats_model::files::{open_regular, read_document};
use ats_model::{Definitions, Event, EventSource};

use self::convert::Converter;
use self::header::Header;
pub(crate) use self::header::MAGIC;
use self::labels::{Labels, names_of_threads};
use self::text::Fault;
use crate::TraceError;
use crate::read::map;

/// A Paraver trace that is read.
///
/// Its events are calls of MPI, the constructs of OpenMP, instrumented functions, and regions that a program marks by
/// a type of event of its own whose value 0 is called `End`; states, counters and samples are skipped. Facts that the
/// format does not have are in [`EventSource::remarks`].
pub struct Paraver {
    file: PathBuf,
    definitions: Definitions,
    events: Vec<Vec<(u64, Event)>>,
    remarks: Vec<String>,
    /// Why the end was not reached.
    fault: Option<Fault>,
}

impl Paraver {
    /// Opens the trace with this `.prv` file; its `.pcf` file, and its `.row` file if it has one, lie beside it.
    ///
    /// # Errors
    /// It is not such a trace, is of a kind that is not read, is damaged in its first line, or its `.pcf` file is
    /// missing.
    pub fn open(prv: &Path) -> Result<Self, TraceError> {
        let open = open_regular(prv).map_err(|error| TraceError::io("open", prv, error))?;
        let records = map(&open, prv)?;
        let pcf = prv.with_extension("pcf");
        let labels = read_document(&pcf).map_err(|source| TraceError::NoLabels { file: pcf, source })?;
        let names = read_document(&prv.with_extension("row")).unwrap_or_default();
        Self::read(prv, &records, &labels, &names)
    }

    /// A trace from the bytes of its files.
    ///
    /// # Errors
    /// As [`Paraver::open`].
    pub fn from_parts(prv: &[u8], pcf: &[u8], row: &[u8]) -> Result<Self, TraceError> {
        Self::read(Path::new("trace.prv"), prv, pcf, row)
    }

    fn read(file: &Path, prv: &[u8], pcf: &[u8], row: &[u8]) -> Result<Self, TraceError> {
        if !prv.starts_with(MAGIC) {
            return Err(TraceError::NotParaver { file: file.to_owned() });
        }
        let labels = Labels::parse(pcf);
        let Some(length) = prv.iter().position(|&byte| byte == b'\n') else {
            return Err(error(&Fault::end(prv.len() as u64), file));
        };
        let header = Header::parse(prv[..length].trim_ascii_end(), prv.len());
        let header = header.map_err(|fault| error(&fault, file))?;
        if header.applications != 1 {
            return Err(TraceError::Unsupported {
                file: file.to_owned(),
                what: format!("is a trace of {} applications", header.applications),
                fix: "merge the records of one application alone (mpi2prv)",
            });
        }
        let mut converter = Converter::new(header, &labels);
        let fault = converter.lines(prv, length + 1).err();
        let (definitions, events, remarks) = converter.finish(names_of_threads(row), fault.is_none());
        Ok(Paraver { file: file.to_owned(), definitions, events, remarks, fault })
    }
}

fn error(fault: &Fault, file: &Path) -> TraceError {
    let file = file.to_owned();
    match fault {
        Fault { offset, what: None } => {
            TraceError::Truncated { file, offset: *offset, what: "inside a line" }
        }
        Fault { offset, what: Some(what) } => {
            TraceError::Damaged { file, offset: *offset, what: what.clone() }
        }
    }
}

impl EventSource for Paraver {
    type Error = TraceError;

    fn definitions(&self) -> &Definitions {
        &self.definitions
    }

    fn tells_completions(&self) -> bool {
        false
    }

    fn remarks(&self) -> Vec<String> {
        self.remarks.clone()
    }

    fn read_location(&self, index: usize, mut visit: impl FnMut(u64, Event)) -> Result<(), TraceError> {
        for &(time, event) in &self.events[index] {
            visit(time, event);
        }
        self.fault.as_ref().map_or(Ok(()), |fault| Err(error(fault, &self.file)))
    }
}
