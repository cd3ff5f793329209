//! The parts of the archive that a process writes: the files of its threads and, in one process, the definitions.

use std::collections::VecDeque;
use std::path::Path;

use ats_model::event::{AttributeRef, RegionRef, TeamRef, Time};
use ats_model::own_attribute::Own;
use ats_model::{Definitions, Event, locations};
use ats_trace::packed::Chunk;
use ats_trace::parts::{Maps, calling_context};
use ats_trace::{
    ArchiveProperties, ChunkSize, ClockOffset, Finished, LocationWriter, TraceError, put_clock_end_off,
    write_definitions,
};
use ats_work::log::now_ns;
use rustc_hash::{FxHashMap, FxHashSet};

use crate::affinity;
use crate::clock::{self, Calibrations};
use crate::folder::Folder;
use crate::lock::Shared;
use crate::openmp::team;
use crate::region;
use crate::samples::merged;
use crate::signals::without_limit_of_files;
use crate::track::{self, Track};

/// By how much the clock in the definitions goes on after MPI is finalized, so that only processes that end later have
/// to change it.
const CLOCK_MARGIN_NS: u64 = 1_000_000_000;

/// The files of a process's threads.
#[derive(Default)]
pub(crate) struct Files {
    /// By thread.
    writers: Vec<Option<LocationWriter>>,
    /// By thread, those that are complete.
    finished: Vec<(u32, Finished)>,
}

impl Files {
    /// Writes the events that are in memory, up to the first of a team whose members are not known.
    pub(crate) fn write_settled(&mut self, folder: &Folder) -> Result<(), TraceError> {
        let teams = team::Definitions::now();
        let take = |track: &Shared<Track>| {
            let mut track = track.lock();
            let chunks = track.buffer.take(|event| !has_no_team(event, &teams));
            track.samples.gather();
            let samples = track.samples.take_until(chunks.last().map_or(0, Chunk::last_ticks));
            (track.thread(), chunks, samples)
        };
        let taken: Vec<_> = track::tracks().into_iter().map(take).collect();
        let trace = Translation::now();
        without_limit_of_files(|| {
            taken.into_iter().try_for_each(|(thread, chunks, samples)| {
                let writer = self.writer(folder, thread)?;
                trace.write(&chunks, samples, writer)
            })
        })
    }

    /// Completes the files of all threads, as if all that is open ended now. When it does end, [`Files::end`] says
    /// when.
    pub(crate) fn finish(
        &mut self,
        folder: &Folder,
        maps: &Maps,
        offsets: &[ClockOffset],
    ) -> Result<(), TraceError> {
        let take = |track: &Shared<Track>| {
            let mut track = track.lock();
            let chunks = track.buffer.take(|_| true);
            let now = clock::now();
            let ends: Vec<_> = track.buffer.ends().into_iter().map(|event| (now, event)).collect();
            (track.thread(), chunks, track.samples.take_until(u64::MAX), ends)
        };
        let taken: Vec<_> = track::tracks().into_iter().map(take).collect();
        let trace = Translation::now();
        without_limit_of_files(|| {
            for (thread, chunks, samples, ends) in taken {
                let writer = self.writer(folder, thread)?;
                trace.write(&chunks, samples, writer)?;
                writer.clock_offsets(offsets);
                writer.maps(maps);
                let last = last_time(writer);
                if let Some(writer) = self.writers[thread as usize].take() {
                    self.finished.push((thread, writer.finish_with(trace.events(ends, last))?));
                }
            }
            Ok(())
        })
    }

    /// Whether the files are complete.
    pub(crate) fn are_finished(&self) -> bool {
        !self.finished.is_empty()
    }

    /// Writes what has ended since the files were completed; all has.
    pub(crate) fn end(self) -> Result<(), TraceError> {
        let take = |track: &Shared<Track>| {
            let mut track = track.lock();
            (track.thread(), track.buffer.take(|_| true))
        };
        let mut taken: FxHashMap<u32, Vec<Chunk>> = track::tracks().into_iter().map(take).collect();
        let trace = Translation::now();
        without_limit_of_files(|| {
            self.finished.into_iter().try_for_each(|(thread, finished)| {
                let chunks = taken.remove(&thread).unwrap_or_default();
                let last = finished.last_time();
                finished.replace_last(trace.events(chunks.iter().flat_map(Chunk::iter), last))
            })
        })
    }

    fn writer(&mut self, folder: &Folder, thread: u32) -> Result<&mut LocationWriter, TraceError> {
        if self.writers.len() <= thread as usize {
            self.writers.resize_with(thread as usize + 1, || None);
        }
        match &mut self.writers[thread as usize] {
            Some(writer) => Ok(writer),
            missing => {
                let location = locations::id(folder.rank, thread);
                Ok(missing.insert(LocationWriter::create(folder.path(), location, ChunkSize::default())?))
            }
        }
    }
}

/// The time stamp of the last event that was written; 0 if there is none.
fn last_time(writer: &LocationWriter) -> u64 {
    writer.times().map_or(0, |(_, last)| last)
}

const CALLING_CONTEXT: AttributeRef = Own::CallingContext.reference();

/// From events in memory to those in files.
struct Translation {
    teams: team::Definitions,
    calibrations: Calibrations,
    /// By region, whether events that enter it need its calling context.
    are_calls: Vec<bool>,
    /// Regions whose events are left out.
    blocks: FxHashSet<RegionRef>,
}

impl Translation {
    /// For events that are over.
    fn now() -> Self {
        Translation {
            teams: team::Definitions::now(),
            calibrations: Calibrations::until_now(),
            are_calls: region::are_calls(),
            blocks: region::blocks(),
        }
    }

    /// Events in nanoseconds, none before `last`: what was held back, or happened elsewhere, may be out of order by as
    /// much as clocks differ. Those of a team that is not defined, since the program ended before all its members had
    /// begun, are left out, and so are functions that are blocks of constructs. A call that is kept apart from others of its function has its calling context as an attribute.
    fn events(
        &self,
        recorded: impl IntoIterator<Item = (u64, Event)>,
        mut last: u64,
    ) -> impl Iterator<Item = (u64, Event)> {
        let mut has_context = false;
        let translated = move |(ticks, mut event)| {
            if let Event::Enter { region } | Event::Leave { region } = event
                && self.blocks.contains(&region)
            {
                return None;
            }
            if let Some(team) = team_of(&mut event) {
                *team = self.teams.get(*team)?;
            }
            if let Event::BufferFlush { stop } = &mut event {
                *stop = Time(self.calibrations.ns(stop.0));
            }
            last = self.calibrations.ns(ticks).max(last);
            let context = match event {
                Event::Enter { region } if !has_context => self.context(region),
                _ => None,
            };
            has_context = matches!(event, Event::Attribute { attribute, .. } if attribute == CALLING_CONTEXT);
            Some([context, Some(event)].into_iter().flatten().map(move |event| (last, event)))
        };
        recorded.into_iter().filter_map(translated).flatten()
    }

    /// The calling context of a region, if it needs one.
    fn context(&self, region: RegionRef) -> Option<Event> {
        let is_call = self.are_calls.get(region.0 as usize).is_some_and(|&is_call| is_call);
        is_call.then(|| Own::CallingContext.noted(calling_context::of_region(region).into()))
    }

    fn write(
        &self,
        chunks: &[Chunk],
        samples: VecDeque<(u64, u32)>,
        writer: &mut LocationWriter,
    ) -> Result<(), TraceError> {
        let last = last_time(writer);
        let mut events = self.events(merged(chunks.iter().flat_map(Chunk::iter), samples), last);
        events.try_for_each(|(time, event)| writer.event(time, &event))
    }
}

/// Whether an event names a team without a definition.
pub(crate) fn has_no_team(event: &Event, teams: &team::Definitions) -> bool {
    team_of(&mut event.clone()).is_some_and(|team| teams.get(*team).is_none())
}

/// The team that an event names.
fn team_of(event: &mut Event) -> Option<&mut TeamRef> {
    match event {
        Event::ThreadTeamBegin { team }
        | Event::ThreadTeamEnd { team }
        | Event::ThreadTaskCreate { team, .. }
        | Event::ThreadTaskSwitch { team, .. }
        | Event::ThreadTaskComplete { team, .. } => Some(team),
        _ => None,
    }
}

/// Writes the definitions of a trace that ends now.
pub(crate) fn define(
    folder: &Path,
    mut definitions: Definitions,
    properties: &ArchiveProperties,
) -> Result<(), TraceError> {
    let clock = &mut definitions.clock;
    clock.length = (now_ns() + CLOCK_MARGIN_NS).saturating_sub(clock.offset);
    without_limit_of_files(|| write_definitions(folder, &definitions, properties))
}

/// The properties of a trace that was recorded of what `description` says.
pub(crate) fn properties(description: String) -> ArchiveProperties {
    ArchiveProperties {
        creator: concat!("ats-recorder ", env!("CARGO_PKG_VERSION")).into(),
        machine: affinity::host_name(),
        description,
        properties: Vec::new(),
        trace_id: now_ns() ^ u64::from(std::process::id()) << 48,
        event_chunk: ChunkSize::default(),
    }
}

/// Lets the clock in the definitions, which may be another process's, reach to `end_ns`, so long after MPI was
/// finalized.
pub(crate) fn reach(folder: &Path, since_finalized_ns: u64, end_ns: i64) -> Result<(), TraceError> {
    if since_finalized_ns < CLOCK_MARGIN_NS {
        return Ok(());
    }
    put_clock_end_off(folder, u64::try_from(end_ns).unwrap_or_default())
}
