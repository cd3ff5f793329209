//! Reading: an archive as an [`EventSource`].

mod anchor;
mod budget;
mod chunks;
mod clock;
mod contexts;
mod cursor;
mod definitions;
mod events;
mod files;
mod local;
mod properties;
mod references;
mod resolve;

use std::io::{Error, ErrorKind};
use std::path::Path;
use std::sync::OnceLock;

use ats_model::files::open_regular;
use ats_model::{Definitions, Event, EventSource};
use rustc_hash::FxHashMap;

use self::anchor::Anchor;
use self::chunks::Part;
use self::clock::ClockCorrection;
use self::definitions::GlobalDefinitions;
use self::events::{Metrics, References};
use self::files::Files;
pub(crate) use self::files::map;
use self::local::LocalDefinitions;
use self::resolve::Resolved;
use crate::format::{CHUNK_HEADER_BYTES, Layout};
use crate::parts::said_by_markers;
use crate::write::UNLEFT_REGIONS;
use crate::{ClockOffset, TraceError};

/// An OTF2 archive that is read.
///
/// Opening reads the definitions; a location's files are opened, mapped piece by piece and closed with each reading of
/// it, so that neither memory nor address space has to hold a trace. Common mistakes of recorders are tolerated:
/// definitions that come late, twice or with sparse ids, missing local definitions, records of other versions.
/// Messages and collectives on inter-communicators and the threads of other paradigms than OpenMP are handed over as
/// [`Event::Other`].
pub struct Archive {
    layout: Layout,
    anchor: Anchor,
    files: Files,
    resolved: Resolved,
    /// The bytes of an event file that are mapped at a time, roughly.
    part_bytes: u64,
    /// See [`Archive::needs_local`], once it is known.
    needs_local: OnceLock<bool>,
    /// The missing parts, by the markers that the recorder has left beside the archive.
    incomplete: Option<String>,
}

/// The default of [`Archive::set_part_bytes`].
const PART_BYTES: u64 = 1 << 20;

/// The creator of traces of ATS's own recorder.
const OWN_RECORDER: &str = "ats-recorder";
/// The seconds that it takes for an event of MPI: the middle of what its benchmark has measured on a quiet machine
/// (`docs/numbers.md`, "Recorder"). OpenMP's cost more.
const COST_OF_EVENT: f64 = 25e-9;

impl Archive {
    /// Opens the archive with this anchor, `DIR/traces.otf2`.
    ///
    /// # Errors
    /// It is not an archive, is of a kind that is not read, or its definitions are missing or damaged.
    pub fn open(anchor: &Path) -> Result<Self, TraceError> {
        if anchor.is_dir() {
            return Err(TraceError::io("open", anchor, Error::from(ErrorKind::IsADirectory)));
        }
        let layout = Layout::of_anchor(anchor);
        let read = |file: &Path| {
            let open = open_regular(file).map_err(|error| TraceError::io("open", file, error))?;
            files::map(&open, file)
        };
        let bytes = read(&layout.anchor)?;
        // The anchor says what is wrong with an archive, where the definitions may not even be there.
        Anchor::parse(&bytes, &layout.anchor)?;
        let definitions = read(&layout.definitions)?;
        let incomplete = anchor.parent().and_then(said_by_markers);
        Ok(Archive { incomplete, ..Self::new(layout, &bytes, &definitions, Files::OnDisk)? })
    }

    /// An archive from the bytes of its files: the anchor, the global definitions, and per location its id, its events
    /// and its local definitions (empty if it has none).
    ///
    /// # Errors
    /// As [`Archive::open`].
    pub fn from_parts(
        anchor: &[u8],
        definitions: &[u8],
        locations: Vec<(u64, Vec<u8>, Vec<u8>)>,
    ) -> Result<Self, TraceError> {
        let parts: FxHashMap<_, _> =
            locations.into_iter().map(|(id, events, local)| (id, (events, local))).collect();
        Self::new(Layout::in_dir(Path::new("")), anchor, definitions, Files::InMemory(parts))
    }

    fn new(layout: Layout, anchor: &[u8], definitions: &[u8], files: Files) -> Result<Self, TraceError> {
        let anchor = Anchor::parse(anchor, &layout.anchor)?;
        if definitions.is_empty() {
            return Err(TraceError::Empty { file: layout.definitions });
        }
        let resolved = GlobalDefinitions::parse(definitions, anchor.definition_chunk)
            .and_then(|raw| resolve::resolve(&raw, definitions.len()))
            .map_err(|fault| fault.in_file(&layout.definitions, definitions.len() as u64))?;
        Ok(Archive {
            layout,
            anchor,
            files,
            resolved,
            part_bytes: PART_BYTES,
            needs_local: OnceLock::new(),
            incomplete: None,
        })
    }

    /// The writer of the archive, in its own words; may be empty.
    pub fn creator(&self) -> &str {
        &self.anchor.creator
    }

    /// The measurements of the clock of location `index`, which its time stamps are corrected by. Without any (as with
    /// EZTrace) times of different processes cannot be compared.
    ///
    /// # Errors
    /// The location's definitions are damaged.
    ///
    /// # Panics
    /// If there is no such location.
    pub fn clock_offsets(&self, index: usize) -> Result<Vec<ClockOffset>, TraceError> {
        Ok(self.local(self.definitions().locations[index].id)?.clock_offsets)
    }

    /// Maps about this many bytes of an event file at a time, whole chunks and at least one; 1 MiB by default.
    pub fn set_part_bytes(&mut self, bytes: u64) {
        self.part_bytes = bytes;
    }

    /// The local definitions of a location. Where it has no file of them, it needs none, unless another location does.
    fn local(&self, location: u64) -> Result<LocalDefinitions, TraceError> {
        match self.own_local(location)? {
            Some(local) => Ok(local),
            None if self.needs_local() => Err(TraceError::MissingDefinitions {
                file: self.layout.local_definitions(location),
                location,
            }),
            None => Ok(LocalDefinitions::default()),
        }
    }

    /// The local definitions of a location, `None` if there is no file of them.
    fn own_local(&self, location: u64) -> Result<Option<LocalDefinitions>, TraceError> {
        let Some(bytes) = self.files.local_definitions(&self.layout, location)? else { return Ok(None) };
        LocalDefinitions::parse(&bytes, self.anchor.definition_chunk)
            .map(Some)
            .map_err(|fault| fault.in_file(&self.layout.local_definitions(location), bytes.len() as u64))
    }

    /// Whether the ids or the times of a location mean nothing without its local definitions: those of another say more
    /// than nothing.
    fn needs_local(&self) -> bool {
        *self.needs_local.get_or_init(|| {
            let mut locations = self.definitions().locations.iter();
            locations.any(|it| {
                self.own_local(it.id).is_ok_and(|local| local.is_some_and(|local| !local.is_empty()))
            })
        })
    }
}

impl Archive {
    /// Since when nothing of OpenMP is recorded, in words.
    fn end_of_openmp(&self) -> Option<String> {
        let Definitions { clock, openmp_ended, .. } = self.definitions();
        let (rank, &ended) = openmp_ended.iter().min_by_key(|(_, ended)| **ended)?;
        let seconds = clock.seconds(ended.saturating_sub(clock.offset));
        let others = match openmp_ended.len() - 1 {
            0 => String::new(),
            others => format!(", and later in {others} more"),
        };
        Some(format!(
            "OpenMP was not recorded from {seconds:.3} s on in rank {rank}{others}: its runtime ended before the program \
             did; threads count as idle only until then"
        ))
    }
}

impl EventSource for Archive {
    type Error = TraceError;

    fn definitions(&self) -> &Definitions {
        &self.resolved.definitions
    }

    /// Whether there is one process, or offsets are recorded for every one whose events can be read: a process whose local
    /// definitions are damaged has none, and says nothing about the others.
    fn has_common_clock(&self) -> bool {
        let locations = &self.definitions().locations;
        if locations.iter().all(|location| location.rank == locations[0].rank) {
            return true;
        }
        let mut measured: FxHashMap<u32, bool> = FxHashMap::default();
        for location in locations {
            if !measured.get(&location.rank).is_some_and(|&is_measured| is_measured)
                && let Ok(local) = self.local(location.id)
            {
                measured.insert(location.rank, !local.clock_offsets.is_empty());
            }
        }
        !measured.is_empty() && measured.into_values().all(|is_measured| is_measured)
    }

    fn cost_of_event(&self) -> Option<f64> {
        self.creator().starts_with(OWN_RECORDER).then_some(COST_OF_EVENT)
    }

    fn remarks(&self) -> Vec<String> {
        let incomplete = self.incomplete.iter().map(|said| format!("the recording is incomplete: {said}"));
        let unleft = self.anchor.properties.iter().filter(|(name, _)| name == UNLEFT_REGIONS);
        let unleft = unleft.map(|(_, count)| {
            format!("regions left by an exception or a jump (each ends with the region around it): {count}")
        });
        let lost: u64 = self.definitions().lost_samples.values().sum();
        let lost = (lost > 0).then(|| format!("samples that the recorder had no room for: {lost}"));
        let left_out = self.definitions().functions_left_out();
        let passed_over = self.resolved.passed_over.iter().cloned();
        incomplete
            .chain(unleft)
            .chain(lost)
            .chain(self.definitions().scaled_counters())
            .chain(left_out)
            .chain(self.end_of_openmp())
            .chain(passed_over)
            .collect()
    }

    fn read_location(&self, index: usize, mut visit: impl FnMut(u64, Event)) -> Result<(), TraceError> {
        let mut part = 0;
        while self.read_part(index, part, &mut visit)? {
            part += 1;
        }
        Ok(())
    }

    fn read_part(
        &self,
        index: usize,
        part: usize,
        mut visit: impl FnMut(u64, Event),
    ) -> Result<bool, TraceError> {
        let location = self.definitions().locations[index].id;
        let chunk = self.anchor.event_chunk.max(CHUNK_HEADER_BYTES) as u64;
        let length = (self.part_bytes / chunk).max(1).saturating_mul(chunk);
        let base = length.saturating_mul(part as u64);
        let piece = self.files.events(&self.layout, location, base, length)?;
        let local = self.local(location)?;
        let goes_on = base.saturating_add(piece.bytes.len() as u64) < piece.file_bytes;
        let Resolved {
            regions,
            communicators,
            teams,
            strings,
            metrics,
            metrics_of,
            attributes,
            calling_contexts,
            definitions,
            interrupt_generators,
            ..
        } = &self.resolved;
        let own_regions = local.regions.map(|map| regions.mapped(&map));
        let own_teams = local.communicators.as_ref().map(|map| teams.mapped(map));
        let own_communicators = local.communicators.map(|map| communicators.mapped(&map));
        let own_strings = local.strings.map(|map| strings.mapped(&map));
        let own_attributes = local.attributes.map(|map| attributes.mapped(&map));
        let own_contexts = local.calling_contexts.map(|map| calling_contexts.mapped(&map));
        let own_generators = local.interrupt_generators.map(|map| interrupt_generators.mapped(&map));
        let own_metrics = local.metrics.map(|map| metrics.mapped(&map));
        let references = References {
            regions: own_regions.as_ref().unwrap_or(regions),
            communicators: own_communicators.as_ref().unwrap_or(communicators),
            teams: own_teams.as_ref().unwrap_or(teams),
            strings: own_strings.as_ref().unwrap_or(strings),
            attributes: own_attributes.as_ref().unwrap_or(attributes),
            calling_contexts: own_contexts.as_ref().unwrap_or(calling_contexts),
            definitions,
            interrupt_generators: own_generators.as_ref().unwrap_or(interrupt_generators),
            metrics: Metrics { ids: own_metrics.as_ref().unwrap_or(metrics), of: metrics_of },
        };
        let mut clock = ClockCorrection::new(&local.clock_offsets);
        let part = Part { bytes: &piece.bytes, base, goes_on };
        let end = events::read(part, self.anchor.event_chunk, &references, &mut clock, &mut visit);
        let end = end.map_err(|fault| fault.in_file(&self.layout.event_file(location), piece.file_bytes))?;
        Ok(end.is_continue())
    }
}
