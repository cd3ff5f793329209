//! From the parts of a recording to an archive.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

use ats_model::{Definitions, locations};

use super::local::Local;
use super::markers::{marked_ranks, numbered};
use super::merge::merge;
use super::part::Part;
use crate::format::Layout;
use crate::maps::Maps;
use crate::write::put_local_definitions;
use crate::{ChunkSize, ClockOffset, LocationWriter, TraceError, write_definitions};

/// The number of a rank's first thread, which every archive has.
const MAIN: u32 = 0;

/// Makes an archive of the parts in a folder, if there are any and no archive yet; whether it did so.
///
/// A rank that has left its marker and no part, since it was killed, has a location without events, as the first thread of
/// a rank that has recorded others only.
///
/// # Errors
/// A part is damaged, or missing without a marker, or the folder does not take the archive.
pub fn join(dir: &Path) -> Result<bool, TraceError> {
    if Layout::in_dir(dir).anchor.exists() {
        return Ok(false);
    }
    let parts = numbered(dir, "definitions.", ".json").into_keys().map(|rank| {
        let file = Part::file(dir, rank);
        let bytes = fs::read(&file).map_err(|error| TraceError::io("read", &file, error))?;
        Part::parse(&bytes, &file)
    });
    let parts: Vec<Part> = parts.collect::<Result<_, _>>()?;
    if parts.is_empty() {
        return Ok(false);
    }
    Joined::new(dir, parts, &marked_ranks(dir))?.write(dir)?;
    Ok(true)
}

/// Parts that have been joined.
#[derive(Debug)]
pub struct Joined {
    /// By rank; those of ranks that were killed are missing.
    parts: BTreeMap<u32, Part>,
    definitions: Definitions,
    maps: Vec<Maps>,
}

impl Joined {
    /// Joins parts. Ranks without a part must have left a marker.
    ///
    /// # Errors
    /// The parts in `dir` are not those of one recording, or some are missing.
    pub fn new(dir: &Path, parts: Vec<Part>, marked: &BTreeSet<u32>) -> Result<Self, TraceError> {
        let ranks = parts.iter().map(|part| part.ranks).max().unwrap_or_default();
        let parts: BTreeMap<u32, Part> = parts.into_iter().map(|part| (part.rank, part)).collect();
        if let Some(other) = parts.values().find(|part| part.ranks != ranks) {
            let what = format!("it is one of {} ranks, another part is one of {ranks}", other.ranks);
            return Err(TraceError::Damaged { file: Part::file(dir, other.rank), offset: 0, what });
        }
        if let Some(rank) = (0..ranks).find(|rank| !parts.contains_key(rank) && !marked.contains(rank)) {
            return Err(TraceError::MissingPart { file: Part::file(dir, rank), rank });
        }
        let begin_ns = parts.values().map(|part| part.local.begin_ns).min().unwrap_or_default();
        let local = |rank| {
            let silent = || Local { begin_ns, ..Local::default() };
            let mut local = parts.get(&rank).map_or_else(silent, |part| part.local.clone());
            local.events.entry(MAIN).or_insert(0);
            local
        };
        let locals: Vec<Local> = (0..ranks).map(local).collect();
        let (mut definitions, maps) = merge(&locals);
        let end_ns = parts.values().map(|part| part.end_ns).max().unwrap_or_default();
        definitions.clock.length = end_ns.saturating_sub(definitions.clock.offset);
        Ok(Joined { parts, definitions, maps })
    }

    /// The definitions of the archive.
    pub fn definitions(&self) -> &Definitions {
        &self.definitions
    }

    /// Writes all files of the archive in `dir` except the events.
    fn write(&self, dir: &Path) -> Result<(), TraceError> {
        let layout = Layout::in_dir(dir);
        for (rank, maps) in (0..).zip(&self.maps) {
            let part = self.parts.get(&rank);
            if part.is_none_or(|part| !part.local.events.contains_key(&MAIN)) {
                self.write_silent(dir, rank)?;
            }
            let Some(part) = part else { continue };
            for &thread in part.local.events.keys() {
                let location = locations::id(rank, thread);
                put_local_definitions(&layout, location, maps, part.clock_offsets.clone())?;
            }
        }
        let properties = self.parts.values().next().map(|part| part.properties.clone());
        let unleft = self.parts.values().map(|part| part.local.unleft).sum();
        write_definitions(dir, &self.definitions, &properties.unwrap_or_default().with_unleft_regions(unleft))
    }

    /// Writes the first thread of a rank that was killed, or has recorded others only.
    fn write_silent(&self, dir: &Path, rank: u32) -> Result<(), TraceError> {
        let mut writer = LocationWriter::create(dir, locations::id(rank, MAIN), ChunkSize::default())?;
        // It has no times whose clock could be off.
        let time = self.definitions.clock.offset;
        writer.clock_offsets(&[ClockOffset { time, offset: 0, standard_deviation: 0.0 }]);
        writer.finish().map(drop)
    }
}
