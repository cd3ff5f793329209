//! Writing a whole archive from one process.

use std::fs::{self, OpenOptions};
use std::path::{Path, PathBuf};

use ats_model::definitions::Clock;
use ats_model::event::RegionRef;
use ats_model::{Definitions, Event};
use rayon::prelude::*;
use rustc_hash::FxHashMap;

use super::anchor::{self, ArchiveProperties};
use super::definitions::Local;
use super::events::EventEncoder;
use crate::format::Layout;
use crate::{ChunkSize, ClockOffset, TraceError};

/// Bytes of events that are kept in memory, over all locations.
const MEMORY: usize = 256 << 20;

/// Writes an archive of many locations, whose events may come in any order between them.
///
/// Memory grows by need: a location takes as much as its events, and when all together take more than 256 MiB they are
/// moved to their files. Files are open only while they are written. Definitions are given at the end.
pub struct ArchiveWriter {
    dir: PathBuf,
    layout: Layout,
    chunk: ChunkSize,
    locations: Vec<Location>,
    buffered: usize,
    memory: usize,
    has_common_clock: bool,
}

struct Location {
    id: u64,
    encoder: EventEncoder,
}

impl ArchiveWriter {
    /// An archive in `dir`, which is made where it is missing; one that is there already is replaced.
    ///
    /// # Errors
    /// The folder cannot be written.
    pub fn create(dir: &Path) -> Result<Self, TraceError> {
        let layout = Layout::in_dir(dir);
        fs::create_dir_all(&layout.locations)
            .map_err(|error| TraceError::io("create", &layout.locations, error))?;
        // Without its anchor an older archive cannot be taken for this one, should this one never be finished.
        match fs::remove_file(&layout.anchor) {
            Err(error) if error.kind() != std::io::ErrorKind::NotFound => {
                Err(TraceError::io("replace", &layout.anchor, error))
            }
            _ => Ok(ArchiveWriter {
                dir: dir.to_owned(),
                layout,
                chunk: ChunkSize::default(),
                locations: Vec::new(),
                buffered: 0,
                memory: MEMORY,
                has_common_clock: false,
            }),
        }
    }

    /// Keeps at most this many bytes of events in memory.
    pub fn memory(mut self, bytes: usize) -> Self {
        self.memory = bytes;
        self
    }

    /// Cuts event files into chunks of this size.
    ///
    /// # Panics
    /// If there are locations already.
    pub fn chunk(mut self, chunk: ChunkSize) -> Self {
        assert!(self.locations.is_empty(), "the chunk size is chosen before the first location");
        self.chunk = chunk;
        self
    }

    /// Records that the time stamps of all locations are of one clock: that of each is off by nothing, as measured at the
    /// first and at the last of all events.
    pub fn common_clock(mut self) -> Self {
        self.has_common_clock = true;
        self
    }

    /// Adds a location by its id and returns its index, for [`ArchiveWriter::event`].
    pub fn add_location(&mut self, id: u64) -> usize {
        self.locations.push(Location { id, encoder: EventEncoder::new(self.chunk) });
        self.locations.len() - 1
    }

    /// Appends an event to a location. Its time stamps, in ticks, must not fall, and its teams must be those that the
    /// location is a member of. A region that stands for calls needs their calling context as an attribute, or becomes that
    /// of its function. [`Event::Other`] is omitted: its body is not known.
    ///
    /// # Errors
    /// Memory was full and the disk does not take it.
    ///
    /// # Panics
    /// If there is no such location.
    #[inline]
    pub fn event(&mut self, location: usize, time: u64, event: &Event) -> Result<(), TraceError> {
        let encoder = &mut self.locations[location].encoder;
        let before = encoder.buffered();
        encoder.event(time, event);
        self.buffered += encoder.buffered() - before;
        if self.buffered > self.memory { self.drain() } else { Ok(()) }
    }

    /// Completes the archive. The clock's offset and length and the numbers of events are those of the events written,
    /// whatever `definitions` says of them; `properties` has its chunk size from this writer.
    ///
    /// # Errors
    /// The definitions do not fit together or to the locations, or the disk is full.
    pub fn finish(
        mut self,
        definitions: &Definitions,
        properties: &ArchiveProperties,
    ) -> Result<(), TraceError> {
        self.add_silent_locations(definitions)?;
        self.locations.par_iter_mut().for_each(|location| location.encoder.end());
        self.drain()?;
        let teams = teams_of_locations(definitions);
        let regions = regions_of_calls(definitions);
        let clock = self.clock(definitions.clock);
        let mut clock_offsets = Vec::new();
        if self.has_common_clock {
            let measured = |time| ClockOffset { time, offset: 0, standard_deviation: 0.0 };
            clock_offsets.extend([clock.offset, clock.offset.saturating_add(clock.length)].map(measured));
            clock_offsets.dedup();
        }
        self.locations.par_iter().try_for_each(|location| {
            let file = self.layout.local_definitions(location.id);
            let teams = teams.get(&location.id).cloned().unwrap_or_default();
            let clock_offsets = clock_offsets.clone();
            let local = Local { teams, clock_offsets, regions: regions.clone(), ..Local::default() };
            fs::write(&file, local.into_file()).map_err(|error| TraceError::io("write", &file, error))
        })?;
        let events: FxHashMap<u64, u64> =
            self.locations.iter().map(|location| (location.id, location.encoder.events())).collect();
        let definitions = Definitions { clock, ..definitions.clone() };
        let properties = ArchiveProperties { event_chunk: self.chunk, ..properties.clone() };
        anchor::write(&self.dir, &definitions, &properties, |index| events[&definitions.locations[index].id])
    }

    /// Locations without events need a file too; those with events need a definition.
    fn add_silent_locations(&mut self, definitions: &Definitions) -> Result<(), TraceError> {
        let mut undefined: FxHashMap<u64, ()> =
            self.locations.iter().map(|location| (location.id, ())).collect();
        for location in &definitions.locations {
            if undefined.remove(&location.id).is_none() {
                self.add_location(location.id);
            }
        }
        match undefined.keys().min() {
            None => Ok(()),
            Some(id) => Err(TraceError::Inconsistent {
                file: self.layout.anchor.clone(),
                what: format!("location {id} has events but no definition; define it"),
            }),
        }
    }

    fn clock(&self, given: Clock) -> Clock {
        let times = self.locations.iter().filter_map(|location| location.encoder.times());
        match times.reduce(|(first, last), (begin, end)| (first.min(begin), last.max(end))) {
            Some((first, last)) => {
                Clock { resolution: given.resolution, offset: first, length: last.saturating_sub(first) }
            }
            None => given,
        }
    }

    #[cold]
    fn drain(&mut self) -> Result<(), TraceError> {
        self.buffered = 0;
        let layout = &self.layout;
        self.locations.par_iter_mut().try_for_each(|Location { id, encoder }| {
            if encoder.buffered() == 0 {
                return Ok(());
            }
            let file = layout.event_file(*id);
            let begun = encoder.has_drained();
            let open = OpenOptions::new().write(true).create(true).truncate(!begun).open(&file);
            open.and_then(|open| encoder.drain(&open)).map_err(|error| TraceError::io("write", &file, error))
        })
    }
}

/// By region, the one that stands for it in the archive; empty if each stands for itself.
fn regions_of_calls(definitions: &Definitions) -> Vec<u32> {
    if definitions.calls.is_empty() {
        return Vec::new();
    }
    let all = (0..definitions.regions.len() as u32).map(RegionRef);
    all.map(|region| definitions.calls.get(&region).unwrap_or(&region).0).collect()
}

/// By the ids of locations, the teams they are members of and the ids of these teams' communicators.
fn teams_of_locations(definitions: &Definitions) -> FxHashMap<u64, Vec<(u32, u32)>> {
    let mut teams: FxHashMap<u64, Vec<(u32, u32)>> = FxHashMap::default();
    let comms = definitions.communicators.len() as u32..;
    for (index, (team, comm)) in (0..).zip(definitions.teams.iter().zip(comms)) {
        for location in team.members.iter().filter_map(|&member| definitions.locations.get(member as usize)) {
            let of_location = teams.entry(location.id).or_default();
            if of_location.last() != Some(&(index, comm)) {
                of_location.push((index, comm));
            }
        }
    }
    teams
}
