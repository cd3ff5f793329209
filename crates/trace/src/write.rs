//! Writing: an archive from one process or from many.

mod anchor;
#[cfg(feature = "archives")]
mod archive;
mod clock;
mod comms;
mod definitions;
mod encode;
mod events;
mod location;
mod records;

#[cfg(feature = "archives")]
pub(crate) use anchor::UNLEFT_REGIONS;
pub use anchor::{ArchiveProperties, write_definitions};
#[cfg(feature = "archives")]
pub use archive::ArchiveWriter;
pub use clock::put_clock_end_off;
#[cfg(feature = "archives")]
pub(crate) use location::put_local_definitions;
pub use location::{Finished, LocationWriter};

#[cfg(test)]
pub(crate) use events::encoded;
