//! OTF2 event traces in and out, and Paraver traces in, in Rust.
//!
//! [`Archive`] reads archives of Score-P, EZTrace and our own recorder: files are mapped, locations are read one by
//! one and in parallel, and common mistakes of recorders are tolerated. [`ArchiveWriter`] writes a whole archive from
//! one process, [`LocationWriter`] and [`write_definitions`] one from many. [`Paraver`] reads traces of Extrae, and
//! [`Trace`] is either.
//!
//! ```
//! use ats_model::definitions::{Definitions, LocationDefinition, Region};
//! use ats_model::event::{Event, RegionRef};
//! use ats_model::EventSource;
//! use ats_trace::{Archive, ArchiveProperties, ArchiveWriter};
//!
//! # let dir = tempfile::tempdir()?;
//! # let dir = dir.path();
//! let mut writer = ArchiveWriter::create(dir)?;
//! let location = writer.add_location(0);
//! writer.event(location, 1_000, &Event::Enter { region: RegionRef(0) })?;
//! writer.event(location, 9_000, &Event::Leave { region: RegionRef(0) })?;
//! let definitions = Definitions {
//!     regions: vec![Region { name: "do_work".into(), ..Region::default() }],
//!     locations: vec![LocationDefinition { id: 0, name: "Master thread".into(), rank: 0, thread: 0, events: 0 }],
//!     ..Definitions::default()
//! };
//! writer.finish(&definitions, &ArchiveProperties::default())?;
//!
//! let archive = Archive::open(&dir.join("traces.otf2"))?;
//! let mut inside = 0;
//! archive.read_location(0, |time, event| match event {
//!     Event::Enter { .. } => inside -= time as i64,
//!     Event::Leave { .. } => inside += time as i64,
//!     _ => {}
//! })?;
//! assert_eq!(archive.definitions().clock.seconds(inside as u64), 8e-6);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # An archive, byte by byte
//!
//! ```text
//! traces.otf2      anchor: chunk sizes, numbers of locations and definitions, creator
//! traces.def       global definitions: clock, strings, locations, regions, groups, communicators
//! traces/7.def     local definitions of location 7: its clock's offsets, its own ids → global ids
//! traces/7.evt     events of location 7
//! ```
//!
//! Event and definition files are cut into chunks of a fixed size (the anchor says which); the last may be shorter, and
//! no record crosses a border. The beginning of an event file:
//!
//! ```text
//! 03 42                    chunk header, little-endian (23: big-endian)
//! 01 00 00 00 00 00 00 00  number of the chunk's first event (definition files: 1)
//! e9 01 00 00 00 00 00 00  number of its last event          (definition files: 0)
//! 05 ae f9 69 57 8e 0a 00 00   time stamp, of every event up to the next one
//! 0c 01 ea                 ENTER region 0xea: a lone compressed field has no length byte
//! 0e 07 01 02 00 01 11 01 04   MPI_SEND, 7 bytes: to rank 2, communicator 0, tag 17, 4 bytes
//! 06 08 …                  an attribute list of 8 bytes, for the event that follows
//! 00 …                     end of chunk, zeros up to the border; or
//! 02 01                    end of file
//! ```
//!
//! A compressed integer is its number of bytes and those bytes (`00` is zero); `ff` is "undefined", all bits set.
//! Records with several fields say their length after their id (`ff`: eight bytes of length follow), so unknown ones
//! are skipped.
//!
//! # Map
//!
//! `read/` mirrors `write/`, a file for each file of the archive: `anchor`, `definitions`, `local`, `events`.
//! `format` holds the numbers that both share. [`packed`] is how a recorder keeps events in memory,
//! and [`parts`] how an archive is made of what many processes define. What records there
//! are, and their fields, is the table in [`ats_model::event`]: here is what a field of each type is in each form.

mod error;
#[cfg_attr(not(feature = "archives"), allow(dead_code, reason = "some numbers are only read"))]
mod format;
#[cfg(test)]
mod made_up;
mod maps;
pub mod packed;
#[cfg(feature = "archives")]
mod paraver;
pub mod parts;
#[cfg(feature = "archives")]
mod read;
#[cfg(feature = "archives")]
mod temporary;
#[cfg(feature = "archives")]
mod trace;
mod write;

pub use error::TraceError;
pub use format::{ChunkSize, ClockOffset};
#[cfg(feature = "archives")]
pub use paraver::Paraver;
#[cfg(feature = "archives")]
pub use read::Archive;
#[cfg(feature = "archives")]
pub use temporary::TemporaryTrace;
#[cfg(feature = "archives")]
pub use trace::Trace;
#[cfg(feature = "archives")]
pub use write::ArchiveWriter;
pub use write::{ArchiveProperties, Finished, LocationWriter, put_clock_end_off, write_definitions};
