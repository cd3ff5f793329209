//! The numbers of the format, shared by reader and writer.

use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

/// Control bytes, where a record's id would stand.
pub(crate) mod token {
    pub(crate) const END_OF_CHUNK: u8 = 0;
    pub(crate) const END_OF_BUFFER: u8 = 1;
    pub(crate) const END_OF_FILE: u8 = 2;
    pub(crate) const CHUNK_HEADER: u8 = 3;
    pub(crate) const TIMESTAMP: u8 = 5;
    pub(crate) const ATTRIBUTE_LIST: u8 = 6;
    pub(crate) const LITTLE_ENDIAN: u8 = 0x42;
    pub(crate) const BIG_ENDIAN: u8 = 0x23;
}

/// Lower ids are control bytes, or nothing.
pub(crate) const FIRST_EVENT: u8 = 10;

/// Properties of the calling context of a call that is kept apart from others of its function.
pub(crate) mod call {
    /// A string: its place in the source, as the text of a call site.
    pub(crate) const SITE: &str = "ATS::CALL_SITE";
    /// The number of an `OTF2_RegionRole`, if it is not the one of its function.
    pub(crate) const ROLE: &str = "ATS::ROLE";
}

/// Ids of definition records.
pub(crate) mod definition {
    pub(crate) const CLOCK_PROPERTIES: u8 = 5;
    pub(crate) const MAPPING_TABLE: u8 = 5;
    pub(crate) const CLOCK_OFFSET: u8 = 6;
    pub(crate) const PARADIGM: u8 = 6;
    pub(crate) const STRING: u8 = 10;
    pub(crate) const ATTRIBUTE: u8 = 11;
    pub(crate) const SYSTEM_TREE_NODE: u8 = 12;
    pub(crate) const LOCATION_GROUP: u8 = 13;
    pub(crate) const LOCATION: u8 = 14;
    pub(crate) const REGION: u8 = 15;
    pub(crate) const GROUP: u8 = 18;
    pub(crate) const METRIC_MEMBER: u8 = 19;
    pub(crate) const METRIC_CLASS: u8 = 20;
    pub(crate) const METRIC_INSTANCE: u8 = 21;
    pub(crate) const COMM: u8 = 22;
    pub(crate) const LOCATION_GROUP_PROPERTY: u8 = 28;
    pub(crate) const SOURCE_CODE_LOCATION: u8 = 33;
    pub(crate) const CALLING_CONTEXT: u8 = 34;
    pub(crate) const CALLING_CONTEXT_PROPERTY: u8 = 35;
    pub(crate) const INTERRUPT_GENERATOR: u8 = 36;
    pub(crate) const INTER_COMM: u8 = 43;
}

/// `OTF2_GroupType`, and the numbers that version 1.0 of the format used for the same.
pub(crate) mod group {
    pub(crate) const COMM_LOCATIONS: u8 = 4;
    pub(crate) const COMM_GROUP: u8 = 5;
    pub(crate) const COMM_SELF: u8 = 6;
    pub(crate) const V1_COMM_LOCATIONS: u8 = 6;
    pub(crate) const V1_COMM_GROUP: u8 = 4;
    pub(crate) const V1_COMM_SELF: u8 = 5;
}

/// `OTF2_MappingType` and the two forms of a mapping table.
pub(crate) mod mapping {
    pub(crate) const STRING: u8 = 0;
    pub(crate) const ATTRIBUTE: u8 = 1;
    pub(crate) const REGION: u8 = 3;
    pub(crate) const METRIC: u8 = 5;
    pub(crate) const COMM: u8 = 6;
    pub(crate) const CALLING_CONTEXT: u8 = 10;
    pub(crate) const INTERRUPT_GENERATOR: u8 = 11;
    pub(crate) const DENSE: u8 = 0;
    pub(crate) const SPARSE: u8 = 1;
}

/// Begins every anchor, after its two bytes of chunk header.
pub(crate) const MAGIC: &[u8] = b"OTF2\0";
/// The anchor's own format; older ones lack fields at its end.
pub(crate) const ANCHOR_FORMAT: u8 = 3;
/// As `OTF2_TRACEFORMAT`.
pub(crate) const TRACE_FORMAT: u8 = 2;
/// The version of the C library whose format this is.
pub(crate) const VERSION: [u8; 3] = [3, 0, 2];
/// `OTF2_SUBSTRATE_POSIX`: a file for each location.
pub(crate) const SUBSTRATE_POSIX: u8 = 1;
/// `OTF2_SUBSTRATE_SION`: many locations in one SIONlib container.
pub(crate) const SUBSTRATE_SION: u8 = 2;
/// As `OTF2_COMPRESSION_NONE`.
pub(crate) const COMPRESSION_NONE: u8 = 1;
/// As `OTF2_PARADIGM_OPENMP`.
pub(crate) const PARADIGM_OPENMP: u8 = 3;
/// As `OTF2_PARADIGM_MPI`.
pub(crate) const PARADIGM_MPI: u8 = 4;
/// As `OTF2_PARADIGM_MEASUREMENT_SYSTEM`.
pub(crate) const PARADIGM_MEASUREMENT_SYSTEM: u8 = 6;
/// In events of our own files team *i* has the id `TEAM_IDS + i`, which local definitions map to a communicator's: how
/// many communicators there are is not known before the end.
pub(crate) const TEAM_IDS: u32 = 1 << 31;
/// Bytes of a chunk's header.
pub(crate) const CHUNK_HEADER_BYTES: usize = 18;
/// A compressed integer with all bits set.
pub(crate) const UNDEFINED: u8 = 0xff;
/// After this length byte eight bytes of length follow.
pub(crate) const LONG_LENGTH: u8 = 0xff;

/// Bytes in a chunk of an event file.
///
/// The C library takes 256 KiB to 16 MiB. Every event file of an archive has the same.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ChunkSize(usize);

impl ChunkSize {
    /// 256 KiB.
    pub const MIN: ChunkSize = ChunkSize(256 << 10);
    /// 16 MiB.
    pub const MAX: ChunkSize = ChunkSize(16 << 20);

    /// The nearest size that is allowed: within [`ChunkSize::MIN`] and [`ChunkSize::MAX`], and a multiple of 4 KiB.
    pub fn nearest(bytes: usize) -> Self {
        ChunkSize(bytes.clamp(Self::MIN.0, Self::MAX.0) & !0xfff)
    }

    /// The size in bytes.
    pub fn bytes(self) -> usize {
        self.0
    }
}

impl Default for ChunkSize {
    /// 1 MiB, as Score-P.
    fn default() -> Self {
        ChunkSize(1 << 20)
    }
}

/// A measurement of a location's clock: `offset` is to be added to its reading at `time`, both in ticks.
///
/// Between two measurements the offset is interpolated, outside them it is extrapolated.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct ClockOffset {
    /// When, on the location's own clock.
    pub time: u64,
    /// To be added to the location's own time.
    pub offset: i64,
    /// Standard deviation of the measurement, in ticks.
    pub standard_deviation: f64,
}

/// The paths of the parts of an archive.
#[derive(Clone, Debug)]
pub(crate) struct Layout {
    /// The file `DIR/traces.otf2`.
    pub(crate) anchor: PathBuf,
    /// The file `DIR/traces.def`.
    pub(crate) definitions: PathBuf,
    /// The folder `DIR/traces`.
    pub(crate) locations: PathBuf,
}

impl Layout {
    /// Of the archive with this anchor.
    pub(crate) fn of_anchor(anchor: &Path) -> Self {
        Layout {
            anchor: anchor.to_owned(),
            definitions: anchor.with_extension("def"),
            locations: anchor.with_extension(""),
        }
    }

    /// Of the archive that is written into `dir`.
    pub(crate) fn in_dir(dir: &Path) -> Self {
        Self::of_anchor(&dir.join("traces.otf2"))
    }

    pub(crate) fn event_file(&self, location: u64) -> PathBuf {
        self.locations.join(format!("{location}.evt"))
    }

    pub(crate) fn local_definitions(&self, location: u64) -> PathBuf {
        self.locations.join(format!("{location}.def"))
    }
}
