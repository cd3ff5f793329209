//! CUBE 4: the profile of Score-P and the trace report of Scalasca, and the reports that [`write`] makes of our
//! profiles.
//!
//! A `.cubex` file is a tar archive:
//!
//! ```text
//! anchor.xml   plain or gzip: attributes, the tree of metrics, regions, the tree of call paths, the tree of the system
//! 7.index      which rows metric 7 has: "CUBEX.INDEX", u32 1 (tells the byte order), u16 version, u8 1 (sparse),
//!              u32 how many, then so many u32 row numbers
//! 7.data       "CUBEX.DATA", then these rows: one value of the metric's type for each location, or
//!              "ZCUBEX.DATA", u64 how many, so many times 3 × u64 (offset when decompressed, offset from here,
//!              compressed size; 0 is a row of zeros), then so many zlib streams
//! ```
//!
//! The row numbers are not those of the anchor's call paths: an exclusive metric counts them depth first, an inclusive
//! one in an order of its own ([`tree`]). Missing rows are zeros. A metric's value contains those of its children in
//! the tree of metrics, whatever its type says of the tree of call paths.
//!
//! The format was derived from reports of Score-P 8.4 and Scalasca 2.6 (CubeW 4.8), which are read value by value as
//! Cube's own tools print them. No compressed report was at hand: that form is from CubeLib 4.8 and PyCubexR 2.1, which
//! reads a compressed copy of a report as we do. CubeW 4.8 writes header checksums that are wrong.

pub(crate) mod anchor;
mod classes;
mod columns;
mod findings;
mod idle;
mod metrics;
mod rows;
mod tree;
mod vocabulary;
pub(crate) mod write;

use std::sync::Arc;

use ats_documents::{Profile, Report};

use crate::ReportError;
use crate::archive::{self, ANCHOR, Archive};
use crate::content::Content;
use crate::draft::Draft;
use crate::error::At;
use crate::input::Input;
use crate::reader::Reader;

/// The tools of these reports, by the attribute `Creator`; the last for all others.
const TOOLS: [&str; 4] = ["scalasca", "scorep", crate::analysis::TOOL, "cube"];

pub(crate) const READER: Reader = Reader { name: "cube", tools: &TOOLS, recognises, read };

fn recognises(input: &Input) -> bool {
    input.single().is_some_and(|file| archive::has_anchor(file.origin(), file.content()))
}

fn read(input: &Input) -> Result<Report, ReportError> {
    collected(input).map(|(report, _)| report)
}

/// The profile of a run, with all that a report has by call path and location.
pub(crate) fn profile(input: &Input) -> Result<Profile, ReportError> {
    let (report, cube) = collected(input)?;
    let mut profile = Profile::from(report);
    columns::add(&cube, &mut profile)?;
    Ok(profile)
}

fn collected(input: &Input) -> Result<(Report, metrics::Cube<'_>), ReportError> {
    let file = input.file()?;
    let origin = file.origin();
    let archive = Archive::open(origin, file.content())?;
    let anchor =
        anchor::read(origin, archive.entry(ANCHOR).unwrap_or_else(|| Content::memory(Arc::default())))?;
    if !anchor.version.starts_with("4.") {
        let what = format!("has version {:?} of CUBE", crate::names::shortened(&anchor.version));
        return Err(origin.unsupported(
            At::Whole,
            what,
            "only version 4 is read; convert it with cube_merge",
        ));
    }
    let (tool, version) = creator(&anchor);
    let mut draft = Draft::new(tool, origin, &input.path);
    draft.version(version);
    if let Some(warning) = archive.warning() {
        draft.warn(warning.to_owned());
    }
    let cube = metrics::Cube::new(origin, archive, anchor);
    findings::collect(&cube, &mut draft)?;
    Ok((draft.finish(), cube))
}

/// The tool and its version, of `Scalasca Trace Analyzer 2.6`, `Score-P 8.4` or `ATS 0.1.0`.
fn creator(anchor: &anchor::Anchor) -> (&'static str, Option<String>) {
    let creator = anchor.attributes.get("Creator").map_or("", String::as_str);
    let lower = creator.to_ascii_lowercase();
    let tool = match lower.split_whitespace().next() {
        Some("scalasca") => TOOLS[0],
        Some("score-p" | "scorep") => TOOLS[1],
        Some(creator) if creator == TOOLS[2] => TOOLS[2],
        _ => TOOLS[3],
    };
    let version =
        creator.split_whitespace().next_back().filter(|word| word.starts_with(|c: char| c.is_ascii_digit()));
    (tool, version.map(str::to_owned))
}
