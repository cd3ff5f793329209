//! Writing the files of one location, from the process that it belongs to.

use std::fs::{self, File, OpenOptions};
use std::path::{Path, PathBuf};

use ats_model::Event;

use super::definitions::Local;
use super::events::EventEncoder;
use crate::format::Layout;
use crate::maps::Maps;
use crate::{ChunkSize, ClockOffset, TraceError};

/// Writes `DIR/traces/ID.evt` and `DIR/traces/ID.def`.
///
/// Events are kept in memory until a chunk is full, then written: nothing is allocated or written in between.
/// Their references are the process's own, where [`LocationWriter::maps`] are given at the end.
pub struct LocationWriter {
    layout: Layout,
    location: u64,
    file: File,
    encoder: EventEncoder,
    chunk_bytes: usize,
    maps: Maps,
    clock_offsets: Vec<ClockOffset>,
}

impl LocationWriter {
    /// Creates the files of `location` in the archive in `dir`. The chunk size must be that of the archive.
    ///
    /// # Errors
    /// The folder does not take them.
    pub fn create(dir: &Path, location: u64, chunk: ChunkSize) -> Result<Self, TraceError> {
        let layout = Layout::in_dir(dir);
        let folder = &layout.locations;
        fs::create_dir_all(folder).map_err(|error| TraceError::io("create", folder, error))?;
        let event_file = layout.event_file(location);
        let file = File::create(&event_file).map_err(|error| TraceError::io("create", &event_file, error))?;
        Ok(LocationWriter {
            layout,
            location,
            file,
            encoder: EventEncoder::with_whole_chunk(chunk),
            chunk_bytes: chunk.bytes(),
            maps: Maps::default(),
            clock_offsets: Vec::new(),
        })
    }

    /// Appends an event. Time stamps, in ticks, must not fall. [`Event::Other`] is left out: its body is not known.
    ///
    /// # Errors
    /// A chunk was full and could not be written.
    #[inline]
    pub fn event(&mut self, time: u64, event: &Event) -> Result<(), TraceError> {
        self.encoder.event(time, event);
        if self.encoder.buffered() >= self.chunk_bytes { self.drain() } else { Ok(()) }
    }

    /// The number of events.
    pub fn events(&self) -> u64 {
        self.encoder.events()
    }

    /// The time stamps of the first and the last event.
    pub fn times(&self) -> Option<(u64, u64)> {
        self.encoder.times()
    }

    /// The measurements of this location's clock, in rising order of their times.
    pub fn clock_offsets(&mut self, offsets: &[ClockOffset]) {
        self.clock_offsets = offsets.to_vec();
    }

    /// Maps the references of the events to the global definitions. An empty map means that they are global already;
    /// teams need theirs, which also needs the number of communicators.
    pub fn maps(&mut self, maps: &Maps) {
        self.maps = maps.clone();
    }

    /// Writes the rest. The number of events returned goes into the location's global definition.
    ///
    /// # Errors
    /// The disk does not take it.
    pub fn finish(mut self) -> Result<u64, TraceError> {
        self.encoder.end();
        self.drain()?;
        put_local_definitions(&self.layout, self.location, &self.maps, self.clock_offsets)?;
        Ok(self.encoder.events())
    }

    /// Completes the files with `last`, events that can still be replaced. No file stays open.
    ///
    /// # Errors
    /// The disk does not take it.
    pub fn finish_with(
        mut self,
        last: impl IntoIterator<Item = (u64, Event)>,
    ) -> Result<Finished, TraceError> {
        self.drain()?;
        let finished = Finished {
            event_file: self.layout.event_file(self.location),
            encoder: self.encoder.without_memory(),
        };
        last.into_iter().for_each(|(time, event)| self.encoder.event(time, &event));
        self.finish()?;
        Ok(finished)
    }

    #[cold]
    fn drain(&mut self) -> Result<(), TraceError> {
        self.encoder
            .drain(&self.file)
            .map_err(|error| TraceError::io("write", &self.layout.event_file(self.location), error))
    }
}

/// The files of a location, which are complete.
pub struct Finished {
    event_file: PathBuf,
    /// As it was before the last events.
    encoder: EventEncoder,
}

impl Finished {
    /// The time stamp of the last event that stays; 0 if there is none.
    pub fn last_time(&self) -> u64 {
        self.encoder.times().map_or(0, |(_, last)| last)
    }

    /// Replaces the last events, given to [`LocationWriter::finish_with`], by as many others.
    ///
    /// # Errors
    /// The file is gone, or the disk does not take it.
    pub fn replace_last(mut self, last: impl IntoIterator<Item = (u64, Event)>) -> Result<(), TraceError> {
        last.into_iter().for_each(|(time, event)| self.encoder.event(time, &event));
        self.encoder.end();
        let file = OpenOptions::new().write(true).open(&self.event_file);
        file.and_then(|file| {
            self.encoder.drain(&file)?;
            file.set_len(self.encoder.drained())
        })
        .map_err(|error| TraceError::io("write", &self.event_file, error))
    }
}

/// Writes the local definitions of a location, whose events are written by themselves.
pub(crate) fn put_local_definitions(
    layout: &Layout,
    location: u64,
    maps: &Maps,
    clock_offsets: Vec<ClockOffset>,
) -> Result<(), TraceError> {
    let teams = maps.teams.iter().map(|team| maps.all_communicators as u32 + team);
    let local = Local {
        strings: maps.programs.clone(),
        regions: maps.regions.clone(),
        communicators: maps.communicators.clone(),
        calling_contexts: maps.contexts.clone(),
        metrics: maps.metrics.clone(),
        teams: (0..).zip(teams).collect(),
        clock_offsets,
    };
    let file = layout.local_definitions(location);
    fs::write(&file, local.into_file()).map_err(|error| TraceError::io("write", &file, error))
}
