//! A recording: from `MPI_Init` to the archive. A program without MPI is recorded from its first parallel region, as a
//! single process.
//!
//! While a rank records, the file `incomplete.RANK` lies in the folder; it goes when the rank's events are written. So
//! a rank that was killed, or whose disk was full, is known by it, and the file says what happened as far as the
//! recorder could know.

use std::collections::BTreeMap;
use std::fs;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, MutexGuard, OnceLock};
use std::time::Duration;

use ats_model::event::TeamRef;
use ats_model::{Definitions, Event};
use ats_mpi::real::MpiCommunicator;
use ats_mpi::real::clock::offset_to_rank0;
use ats_trace::packed::Chunk;
use ats_trace::{ArchiveProperties, ChunkSize, ClockOffset, LocationWriter, TraceError, write_definitions};
use ats_work::log::now_ns;

use crate::clock::{self, Calibrations};
use crate::lock::{Shared, lock};
use crate::openmp::{attachment, runtime, team};
use crate::track::{self, Track};
use crate::unify::{self, Local, Maps};
use crate::{buffer, communicator, exchange, launcher, region};

/// The folder of the archive; `ats-trace` in the working directory where it is not set.
const FOLDER: &str = "ATS_RECORDER_DIR";
/// Bytes of memory for events, of each process; 1 GiB where it is not set.
const MEMORY: &str = "ATS_RECORDER_BUFFER";
const DEFAULT_MEMORY: usize = 1 << 30;
/// By how much the clock in the definitions exceeds rank 0's last event: other ranks may leave their last regions later.
const CLOCK_MARGIN_NS: u64 = 1_000_000_000;

struct Session {
    folder: PathBuf,
    rank: u32,
    process: u32,
    /// Whether MPI has been initialised.
    mpi: bool,
    /// While the ranks can talk.
    world: Option<MpiCommunicator>,
    offsets: Vec<ClockOffset>,
    /// Of this rank, once the ranks have agreed.
    maps: Option<Maps>,
    /// At rank 0, once the ranks have agreed.
    definitions: Option<Definitions>,
    /// By thread.
    writers: Vec<Option<LocationWriter>>,
}

static SESSION: Mutex<Option<Session>> = Mutex::new(None);
static BEGIN_NS: OnceLock<u64> = OnceLock::new();
/// Whether there is anything to record in this process.
static BEGUN: AtomicBool = AtomicBool::new(false);
/// Whether a thread has the session to make room, so that nothing can end the program from within.
static MAKES_ROOM: AtomicBool = AtomicBool::new(false);
/// Whether there were threads before MPI was initialised, in one of several processes.
static WAITS_FOR_MPI: AtomicBool = AtomicBool::new(false);

/// Begins to record, before MPI is initialised.
pub(crate) fn prepare() {
    let memory = std::env::var(MEMORY).ok().and_then(|bytes| bytes.parse().ok());
    BEGIN_NS.get_or_init(now_ns);
    clock::calibrate();
    buffer::limit(memory.unwrap_or(DEFAULT_MEMORY));
    track::start();
}

/// Begins the session, collectively, when MPI has been initialised.
pub(crate) fn start() {
    let Some(world) = MpiCommunicator::world() else { return };
    BEGUN.store(true, Ordering::Relaxed);
    WAITS_FOR_MPI.store(false, Ordering::Relaxed);
    let known = communicator::start();
    let mut session = Session::new(known.rank, true);
    if let Some(alone) = lock(&SESSION).take() {
        session.writers = alone.writers;
    }
    let writable = session.mark_or_report();
    if !exchange::everywhere(world.quiet(), writable) {
        session.unmark();
        track::stop();
        return;
    }
    session.measure_clock(&world);
    session.world = Some(world);
    *lock(&SESSION) = Some(session);
}

/// Begins the session of a process that has not initialised MPI, at its first parallel region.
#[inline]
pub(crate) fn begin_alone() {
    if !BEGUN.load(Ordering::Relaxed) {
        start_alone();
    }
}

#[cold]
fn start_alone() {
    if BEGUN.swap(true, Ordering::Relaxed) {
        return;
    }
    // Several processes are recorded together, once MPI is initialised.
    if launcher::processes() == 1 {
        let session = Session::new(0, false);
        if session.mark_or_report() {
            *lock(&SESSION) = Some(session);
        } else {
            track::stop();
        }
    } else {
        WAITS_FOR_MPI.store(true, Ordering::Relaxed);
    }
}

/// Lets the ranks agree on the definitions, collectively, before MPI is finalized. When all are there, so that every
/// message is on its way, each may `settle` what is open.
pub(crate) fn unify(settle: impl FnOnce()) {
    if let Some(session) = lock(&SESSION).as_mut()
        && let Some(world) = session.world.take()
    {
        session.measure_clock(&world);
        track::stop_threads();
        exchange::everywhere(world.quiet(), true);
        settle();
        let locals = exchange::gather(world.quiet(), &session.local());
        let (definitions, maps) = unify::merge(&locals);
        session.definitions = (session.rank == 0).then_some(definitions);
        session.maps = Some(exchange::scatter(world.quiet(), &maps));
    }
}

/// Writes the archive when MPI has been finalized. If the program is inside a region of its own, the files stay open
/// until it ends.
pub(crate) fn write() {
    let mut current = lock(&SESSION);
    let Some(session) = current.as_mut() else { return };
    let open = track::all().iter().any(|track| track.lock().buffer.depth() > 0);
    let written = session.write_events(Wanted::All).and_then(|()| session.write_definitions());
    if let Err(error) = written {
        session.fail(&error);
        *current = None;
    } else if !open && let Some(session) = current.take() {
        session.finish();
    }
}

/// Writes events to make room for more.
#[cold]
pub(crate) fn make_room() {
    let mut current = lock(&SESSION);
    // Another thread may have done so meanwhile.
    if let Some(session) = current.as_mut()
        && buffer::is_full()
    {
        MAKES_ROOM.store(true, Ordering::Relaxed);
        if let Err(error) = session.write_events(Wanted::Settled) {
            session.fail(&error);
        }
        buffer::written();
        MAKES_ROOM.store(false, Ordering::Relaxed);
    }
}

/// The session, when the program may be ending from within the recorder: none where this thread has it.
fn at_end() -> Option<MutexGuard<'static, Option<Session>>> {
    loop {
        match SESSION.try_lock() {
            Ok(session) => return Some(session),
            // Another thread will be done soon.
            Err(_) if MAKES_ROOM.load(Ordering::Relaxed) => std::thread::sleep(Duration::from_millis(1)),
            Err(_) => return None,
        }
    }
}

/// Writes what there is, since the ranks cannot agree any more, and says why.
pub(crate) fn abandon(reason: &str) {
    let Some(mut current) = at_end() else { return };
    if let Some(session) = current.take() {
        session.abandon(reason);
    }
}

/// The program ends.
pub(crate) fn at_exit() {
    let Some(mut current) = at_end() else { return };
    // A child that was forked has the parent's session, and nothing to say.
    if let Some(session) = current.take_if(|session| session.process == std::process::id()) {
        match session.maps {
            Some(_) => session.finish(),
            None if !session.mpi => session.finish_alone(),
            None => session.abandon("the program ended without MPI_Finalize"),
        }
    }
    if WAITS_FOR_MPI.load(Ordering::Relaxed) {
        attachment::report(
            "processes with threads were started together, but the recorder has not seen them initialise MPI, so nothing \
             is recorded; preload the recorder, or start one process without mpirun",
        );
    }
}

/// Which events are to be written.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Wanted {
    /// Those of teams whose members are known.
    Settled,
    All,
}

impl Session {
    fn new(rank: u32, mpi: bool) -> Self {
        Session {
            folder: PathBuf::from(std::env::var_os(FOLDER).unwrap_or_else(|| "ats-trace".into())),
            rank,
            process: std::process::id(),
            mpi,
            world: None,
            offsets: Vec::new(),
            maps: None,
            definitions: None,
            writers: Vec::new(),
        }
    }

    fn report(&self, problem: &str) {
        ats_work::say(format_args!("ats-recorder: rank {}: {problem}", self.rank));
    }

    fn marker(&self) -> PathBuf {
        self.folder.join(format!("incomplete.{}", self.rank))
    }

    fn mark(&self, what: &str) -> std::io::Result<()> {
        fs::create_dir_all(&self.folder)?;
        fs::write(self.marker(), format!("rank {}: {what}\n", self.rank))
    }

    /// Marks that the rank records; says why where that cannot be.
    fn mark_or_report(&self) -> bool {
        let marked = self.mark("it did not end; was it killed?");
        if let Err(error) = &marked {
            self.report(&format!(
                "cannot record into {}: {error}; name a folder that can be written in {FOLDER}",
                self.folder.display()
            ));
        }
        marked.is_ok()
    }

    fn unmark(&self) {
        // It may never have been written.
        let _ = fs::remove_file(self.marker());
    }

    /// Ends recording. The program goes on; its result is not ours to change.
    fn fail(&mut self, error: &TraceError) {
        track::stop();
        self.report(&format!("{error}; the recording in {} is incomplete", self.folder.display()));
        // The marker is there already; this tells it more, unless the disk is full.
        let _ = self.mark(&error.to_string());
    }

    fn measure_clock(&mut self, world: &MpiCommunicator) {
        let offset = offset_to_rank0(world);
        let (time, offset) = (offset.at_ns, offset.offset_ns);
        self.offsets.push(ClockOffset { time, offset, standard_deviation: 0.0 });
    }

    fn local(&self) -> Local {
        // Beside what was recorded, the end of MPI_Finalize's collective, and the ends of all that is open.
        let to_come =
            |track: &Track| u64::from(track.thread() == 0 && self.mpi) + track.buffer.depth() as u64;
        let undefined = team::unless_all_are_defined();
        let left_out = |track: &Track| {
            undefined.as_ref().map_or(0, |teams| track.buffer.count(|event| has_no_team(event, teams)))
        };
        let expected = |track: &Shared<Track>| {
            let mut track = track.lock();
            track.settle();
            (track.thread(), track.buffer.events() + to_come(&track) - left_out(&track))
        };
        let mut events: BTreeMap<u32, u64> = track::all().into_iter().map(expected).collect();
        // Every process has a first thread.
        events.entry(0).or_default();
        let begin_ns = BEGIN_NS.get().copied().unwrap_or_default() as i64;
        Local {
            regions: region::all(),
            communicators: communicator::made(),
            teams: team::all(),
            events,
            begin_ns: begin_ns + self.offsets.first().map_or(0, |first| first.offset),
        }
    }

    /// Writes the events that are in memory.
    fn write_events(&mut self, wanted: Wanted) -> Result<(), TraceError> {
        // A region that was entered for the first time after the ranks agreed is in no definitions.
        let regions = self.maps.as_ref().map_or(u32::MAX, |maps| maps.regions.len() as u32);
        let teams = team::Definitions::now();
        let is_settled = |event: &Event| !has_no_team(event, &teams);
        let take = |track: &Shared<Track>| {
            let mut track = track.lock();
            (track.thread(), track.buffer.take(|event| wanted == Wanted::All || is_settled(event)))
        };
        let taken: Vec<_> = track::all().into_iter().map(take).collect();
        let calibrations = Calibrations::until_now();
        for (thread, chunks) in taken {
            let writer = self.writer(thread)?;
            let mut last = writer.times().map_or(0, |(_, last)| last);
            for (ticks, mut event) in chunks.iter().flat_map(Chunk::iter) {
                if let Event::Enter { region } | Event::Leave { region } = event
                    && region.0 >= regions
                {
                    continue;
                }
                if let Some(team) = team_of(&mut event) {
                    // Without a definition where the program ended before all its members had begun.
                    let Some(defined) = teams.of(*team) else { continue };
                    *team = defined;
                }
                // What was held back, or happened elsewhere, may be out of order by as much as clocks differ.
                last = calibrations.ns(ticks).max(last);
                writer.event(last, &event)?;
            }
        }
        Ok(())
    }

    fn writer(&mut self, thread: u32) -> Result<&mut LocationWriter, TraceError> {
        if self.writers.len() <= thread as usize {
            self.writers.resize_with(thread as usize + 1, || None);
        }
        match &mut self.writers[thread as usize] {
            Some(writer) => Ok(writer),
            missing => {
                let location = ats_model::locations::id(self.rank, thread);
                Ok(missing.insert(LocationWriter::create(&self.folder, location, ChunkSize::default())?))
            }
        }
    }

    fn write_definitions(&mut self) -> Result<(), TraceError> {
        let Some(mut definitions) = self.definitions.take() else { return Ok(()) };
        let clock = &mut definitions.clock;
        clock.length = (now_ns() + CLOCK_MARGIN_NS).saturating_sub(clock.offset);
        let properties = ArchiveProperties {
            creator: concat!("ats-recorder ", env!("CARGO_PKG_VERSION")).into(),
            machine: host_name(),
            description: self.description(),
            properties: Vec::new(),
            trace_id: now_ns() ^ u64::from(self.process) << 48,
            event_chunk: ChunkSize::default(),
        };
        write_definitions(&self.folder, &definitions, &properties)
    }

    /// What the trace was recorded of: MPI, OpenMP, or both.
    fn description(&self) -> String {
        let mpi = self.mpi.then(ats_mpi::real::library_version);
        let parts: Vec<String> = mpi.into_iter().chain(runtime::name().map(str::to_owned)).collect();
        parts.join("; ")
    }

    fn close(&mut self) -> Result<(), TraceError> {
        close_tracks();
        // Every rank's first thread has its files, whether it did anything or not.
        self.writer(0)?;
        self.write_events(Wanted::All)?;
        let maps = self.maps.clone().unwrap_or_default();
        for mut writer in self.writers.drain(..).flatten() {
            writer.clock_offsets(&self.offsets);
            writer.id_maps(&maps.regions, &maps.communicators);
            writer.team_map(&maps.teams, maps.all_communicators);
            writer.finish()?;
        }
        Ok(())
    }

    fn finish(mut self) {
        match self.close() {
            Ok(()) => self.unmark(),
            Err(error) => self.fail(&error),
        }
    }

    /// Ends the recording of a process without MPI.
    fn finish_alone(mut self) {
        close_tracks();
        let (mut definitions, mut maps) = unify::merge(&[self.local()]);
        definitions.communicators.clear();
        let mut map = maps.remove(0);
        (map.communicators, map.all_communicators) = (Vec::new(), 0);
        (self.definitions, self.maps) = (Some(definitions), Some(map));
        match self.close().and_then(|()| self.write_definitions()) {
            Ok(()) => self.unmark(),
            Err(error) => self.fail(&error),
        }
    }

    fn abandon(mut self, reason: &str) {
        self.report(&format!("{reason}; the recording in {} is incomplete", self.folder.display()));
        let definitions = self.folder.join(format!("definitions.{}.json", self.rank));
        let local = self.local();
        if let Err(error) = self.close() {
            return self.fail(&error);
        }
        let text = serde_json::to_vec(&local).expect("lists of names and numbers are JSON");
        let noted = fs::write(&definitions, text).and_then(|()| self.mark(reason));
        if let Err(error) = noted {
            self.report(&format!("cannot write to {}: {error}", self.folder.display()));
        }
    }
}

/// Ends everything that is open on all threads; nothing more is recorded.
fn close_tracks() {
    track::all().iter().for_each(|track| track.lock().close());
    track::stop();
}

/// Whether an event names a team without a definition.
fn has_no_team(event: &Event, teams: &team::Definitions) -> bool {
    team_of(&mut event.clone()).is_some_and(|team| teams.of(*team).is_none())
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

fn host_name() -> String {
    let name = fs::read_to_string("/proc/sys/kernel/hostname").unwrap_or_default();
    name.trim().to_owned()
}
