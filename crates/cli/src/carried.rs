//! The suite's sources, which travel in this command.

use ats_generator::Carried;

const ARCHIVE: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/sources.tar.gz"));

/// None of a command that was built where there were no sources to be packed.
pub(crate) const SOURCES: Option<Carried> = match ARCHIVE {
    [] => None,
    archive => Some(Carried { archive, name: concat!(env!("CARGO_PKG_VERSION"), "-", env!("SOURCES_HASH")) }),
};
