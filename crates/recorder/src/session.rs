//! A recording: from `MPI_Init` to the archive. A program without MPI is recorded from its first parallel region, or the
//! first region that it marks, as a single process. Whichever it is, the program begins when the recorder is loaded, and ends when the process does.

mod room;

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, MutexGuard, OnceLock};
use std::time::{Duration, Instant};

use ats_model::Definitions;
use ats_mpi::Communicator;
use ats_mpi::real::MpiCommunicator;
use ats_trace::parts::{Local, Maps, Part, merge};
use ats_trace::{ClockOffset, TraceError};
use ats_work::log::now_ns;

use crate::archive::{self, Files};
use crate::folder::Folder;
use crate::lock::{Shared, lock};
use crate::openmp::{attachment, runtime, team};
pub(crate) use crate::session::room::make_room;
use crate::track::{self, Track};
use crate::{
    belongs, buffer, clock, code, communicator, exchange, launcher, library, metrics, offsets, region,
    signals,
};

/// Bytes of memory for events, of each process; 1 GiB where it is not set.
const MEMORY: &str = "ATS_RECORDER_BUFFER";
const DEFAULT_MEMORY: usize = 1 << 30;

struct Session {
    folder: Folder,
    process: u32,
    /// The number of processes, if MPI has been initialised.
    ranks: Option<u32>,
    /// While the ranks can talk.
    world: Option<MpiCommunicator>,
    offsets: Vec<ClockOffset>,
    /// Of this rank, once the ranks have agreed.
    maps: Option<Maps>,
    /// At rank 0, once the ranks have agreed; with how many regions ended because the program left one around them.
    definitions: Option<(Definitions, u64)>,
    files: Files,
}

static SESSION: Mutex<Option<Session>> = Mutex::new(None);
static BEGIN_NS: OnceLock<u64> = OnceLock::new();
/// Whether there is anything to record in this process.
static BEGUN: AtomicBool = AtomicBool::new(false);
/// Whether a thread is writing the session; meanwhile nothing can end the program.
static IS_WRITING: AtomicBool = AtomicBool::new(false);
/// Whether there were threads before MPI was initialised, in one of several processes.
static WAITS_FOR_MPI: AtomicBool = AtomicBool::new(false);
/// Whether this process was forked from one that is recorded.
static IS_CHILD: AtomicBool = AtomicBool::new(false);

/// Begins to record, before MPI is initialised, unless that has happened.
pub(crate) fn prepare() {
    BEGIN_NS.get_or_init(|| {
        let begin = now_ns();
        let memory = std::env::var(MEMORY).ok().and_then(|bytes| bytes.parse().ok());
        clock::calibrate();
        buffer::limit(memory.unwrap_or(DEFAULT_MEMORY));
        track::start();
        begin
    });
}

/// Begins the session, collectively, when MPI has been initialised.
pub(crate) fn start() {
    if IS_CHILD.load(Ordering::Relaxed) {
        return;
    }
    let Some(world) = MpiCommunicator::world() else { return };
    BEGUN.store(true, Ordering::Relaxed);
    WAITS_FOR_MPI.store(false, Ordering::Relaxed);
    let alone = lock(&SESSION).take();
    if belongs::is_spawned() {
        refuse_spawned(&world, alone);
        return;
    }
    let known = communicator::start();
    let mut session = Session::new(known.rank, Some(known.size));
    if let Some(alone) = alone {
        session.files = alone.files;
    }
    let writable = session.folder.begin();
    if !exchange::everywhere(world.quiet(), writable) {
        session.folder.unmark();
        track::stop();
        return;
    }
    session.offsets.push(offsets::measure(&world));
    session.world = Some(world);
    *lock(&SESSION) = Some(session);
    signals::watch(end_by_signal, track::is_in_use);
}

/// Records nothing of processes that `MPI_Comm_spawn` has started: their folder is their parents'.
fn refuse_spawned(world: &MpiCommunicator, alone: Option<Session>) {
    track::stop();
    if let Some(alone) = alone {
        alone.folder.unmark();
    }
    if world.rank() == 0 {
        ats_work::say(format_args!(
            "ats-recorder: processes started by MPI_Comm_spawn are not recorded; the trace has the processes that \
             started them"
        ));
    }
}

/// Begins the session of a process that has not initialised MPI, at its first parallel region.
#[inline]
pub(crate) fn begin_alone() {
    if !BEGUN.load(Ordering::Relaxed) && belongs::thread_does() {
        start_alone();
    }
}

/// Begins the session of a process that has not initialised MPI, at the first region that it marks. It may have neither
/// MPI nor threads. A process of a launcher waits for MPI: it is one rank of several.
#[cold]
pub(crate) fn begin_marked() {
    if track::is_recording() && launcher::processes() == 1 && library::on_first_thread() {
        start_alone();
    }
}

#[cold]
fn start_alone() {
    if BEGUN.swap(true, Ordering::Relaxed) {
        return;
    }
    // Several processes are recorded together, once MPI is initialised; it also tells whether they are recorded.
    if launcher::processes() == 1 && !launcher::is_spawned() {
        let session = Session::new(0, None);
        if session.folder.begin() {
            *lock(&SESSION) = Some(session);
            signals::watch(end_by_signal, track::is_in_use);
        } else {
            track::stop();
        }
    } else {
        WAITS_FOR_MPI.store(true, Ordering::Relaxed);
    }
}

/// Lets the ranks agree on the definitions, collectively, before MPI is finalized. When all are there, so that every
/// message is on its way, each may `settle` what is open. Nothing begins any more; what is open may end, which the
/// calling thread's `MPI_Finalize` does first, with one event more.
pub(crate) fn unify(settle: impl FnOnce()) {
    let Some(world) = lock(&SESSION).as_mut().and_then(|session| session.world.take()) else { return };
    // Other ranks may never come. Until they have, the session is free for a signal that ends the program.
    let offset = offsets::measure(&world);
    track::stop_threads();
    exchange::everywhere(world.quiet(), true);
    settle();
    if let Some(session) = lock(&SESSION).as_mut() {
        session.offsets.push(offset);
        track::seal();
        let locals = exchange::gather(world.quiet(), &session.local(track::number_in_call()));
        let (definitions, maps) = merge(&locals);
        let unleft = locals.iter().map(|local| local.unleft).sum();
        session.definitions = (session.folder.rank == 0).then_some((definitions, unleft));
        session.maps = Some(exchange::scatter(world.quiet(), &maps));
    }
}

/// Writes the archive when MPI has been finalized: it is complete from now on, however the program ends.
pub(crate) fn write() {
    let mut current = lock(&SESSION);
    let Some(session) = current.as_mut() else { return };
    if session.maps.is_none() || session.files.are_finished() {
        return;
    }
    if session.finish_or_fail() {
        session.folder.unmark();
    } else {
        *current = None;
    }
}

/// A child was forked, and this is it. If its parent is recorded, nothing is recorded of it: the files are the
/// parent's.
pub(crate) fn forked() {
    WAITS_FOR_MPI.store(false, Ordering::Relaxed);
    IS_WRITING.store(false, Ordering::Relaxed);
    let is_recorded = match SESSION.try_lock() {
        // Dropping it would write what the parent is about to write.
        Ok(mut session) => session.take().map(std::mem::forget).is_some(),
        // A thread of the parent has it, and nobody gives it back here.
        Err(_) => true,
    };
    if is_recorded {
        IS_CHILD.store(true, Ordering::Relaxed);
        track::stop();
        buffer::written();
    }
}

/// The session, when the program may be ending from within the recorder: none where this thread has it.
fn at_end() -> Option<MutexGuard<'static, Option<Session>>> {
    loop {
        match SESSION.try_lock() {
            Ok(session) => return Some(session),
            // Another thread will be done soon.
            Err(_) if IS_WRITING.load(Ordering::Relaxed) => std::thread::sleep(Duration::from_millis(1)),
            Err(_) => return None,
        }
    }
}

/// Writes what there is, since the ranks cannot agree any more, and says why.
pub(crate) fn abandon(reason: &str) {
    let Some(mut current) = at_end() else { return };
    if let Some(session) = current.take() {
        session.report(reason);
        session.abandon(reason);
    }
}

/// The longest time that a signal is held back. Launchers kill processes that do not end soon.
const PATIENCE: Duration = Duration::from_secs(2);

/// A signal ends the program, by `end`, from a thread of the recorder's own. Other ranks need not end after a crash.
fn end_by_signal(reason: &str, is_crash: bool, end: &dyn Fn()) {
    let asked = Instant::now();
    let mut current = loop {
        match SESSION.try_lock() {
            Ok(session) => break session,
            Err(_) if asked.elapsed() < PATIENCE => std::thread::sleep(Duration::from_millis(1)),
            Err(_) => return,
        }
    };
    IS_WRITING.store(true, Ordering::Relaxed);
    if let Some(session) = current.take() {
        session.end_early(reason, if is_crash { asked } else { asked + PATIENCE });
    }
    // A thread that ends the program in another way waits for the session.
    end();
    IS_WRITING.store(false, Ordering::Relaxed);
}

/// The program ends. If MPI is still to be finalized, a destructor may do so.
pub(crate) fn at_exit() {
    runtime::process_ends();
    end_if(|session| session.maps.is_some() || session.ranks.is_none());
    if WAITS_FOR_MPI.load(Ordering::Relaxed) {
        attachment::report(
            "processes with threads were started together, but the recorder has not seen them initialise MPI, so nothing \
             of this process is recorded; preload the recorder, or start one process without mpirun",
        );
    }
}

/// The program has ended, with all destructors.
pub(crate) fn at_last() {
    signals::watch_at_last();
    end_if(|_| true);
}

/// Ends the session as the program ends, where `it_is_time`.
fn end_if(it_is_time: impl Fn(&Session) -> bool) {
    let Some(mut current) = at_end() else { return };
    // A child that was made without the handlers of fork has the parent's session, and nothing to say.
    let is_over = |session: &mut Session| session.process == std::process::id() && it_is_time(session);
    let Some(session) = current.take_if(is_over) else { return };
    match session.maps {
        Some(_) => session.end(),
        None if session.ranks.is_none() => session.finish_alone(None),
        None => {
            let reason = "the program ended without MPI_Finalize";
            session.report(reason);
            session.abandon(reason);
        }
    }
}

impl Session {
    fn new(rank: u32, ranks: Option<u32>) -> Self {
        track::first();
        Session {
            folder: Folder::of_rank(rank),
            process: std::process::id(),
            ranks,
            world: None,
            offsets: Vec::new(),
            maps: None,
            definitions: None,
            files: Files::default(),
        }
    }

    /// Says that the recording is incomplete, and why.
    fn report(&self, why: &str) {
        let folder = self.folder.path().display();
        self.folder.report(&format!("{why}; the recording in {folder} is incomplete"));
    }

    /// Ends recording. The program goes on; its result is not ours to change.
    fn fail(&mut self, error: &TraceError) {
        track::stop();
        self.report(&error.to_string());
        // The marker is there already; this tells it more, unless the disk is full.
        let _ = self.folder.mark(&error.to_string());
    }

    /// The definitions of the process when its tracks are sealed; thread `ending` has one event more to come.
    fn local(&self, ending: Option<u32>) -> Local {
        let undefined = team::unless_all_are_defined();
        let blocks = region::blocks();
        let left_out = |track: &Track| {
            let of = |teams| track.buffer.count(|event| archive::has_no_team(event, teams));
            let calls = track.functions.calls().filter(|(region, _)| blocks.contains(region));
            undefined.as_ref().map_or(0, of) + calls.map(|(_, [recorded, _])| 2 * recorded).sum::<u64>()
        };
        let expected = |track: &Shared<Track>| {
            let track = track.lock();
            (track.thread(), track.events(ending) - left_out(&track))
        };
        let (regions, of_stacks) = crate::place::aside(|| (region::regions(), crate::stack::contexts()));
        let (contexts, calls, samples) = of_stacks;
        Local {
            program: code::program().to_string_lossy().into_owned(),
            regions,
            contexts,
            calls,
            communicators: communicator::made(),
            metrics: metrics::definitions(),
            teams: team::definitions(),
            events: track::tracks().into_iter().map(expected).collect(),
            unleft: track::tracks().into_iter().map(|track| track.lock().unleft).sum(),
            left_out: track::functions_left_out(),
            affinity: crate::affinity::own(),
            openmp_ended_ns: runtime::ended_ns().map(|ended| offsets::on_rank_0s_clock(&self.offsets, ended)),
            begin_ns: offsets::on_rank_0s_clock(&self.offsets, BEGIN_NS.get().copied().unwrap_or_default()),
            counted_permille: track::counted_permille(),
            ..crate::samples::described(samples, track::lost_samples())
        }
    }

    /// Completes the files, once the maps are known, and writes the definitions, where they are.
    fn finish(&mut self) -> Result<(), TraceError> {
        let maps = self.maps.clone().unwrap_or_default();
        self.files.finish(&self.folder, &maps, &self.offsets)?;
        match self.definitions.take() {
            Some((definitions, unleft)) => {
                if let Some(functions) = definitions.functions_left_out() {
                    ats_work::say(format_args!("ats-recorder: {functions}"));
                }
                let properties = archive::properties(self.description()).with_unleft_regions(unleft);
                archive::define(self.folder.path(), definitions, &properties)
            }
            None => Ok(()),
        }
    }

    /// As [`Session::finish`]; says what goes wrong, and whether nothing did.
    fn finish_or_fail(&mut self) -> bool {
        self.finish().map_err(|error| self.fail(&error)).is_ok()
    }

    /// The libraries that the trace was recorded of: MPI, OpenMP, or both.
    fn description(&self) -> String {
        let mpi = self.ranks.map(|_| ats_mpi::real::library_version());
        let parts: Vec<String> = mpi.into_iter().chain(runtime::name().map(str::to_owned)).collect();
        parts.join("; ")
    }

    /// Ends the recording of a process that has finalized MPI.
    fn end(mut self) {
        track::close();
        let finalized = self.offsets.last().map_or(0, |measured| measured.time);
        let ended = std::mem::take(&mut self.files).end().and_then(|()| {
            let now = now_ns();
            archive::reach(self.folder.path(), now - finalized, offsets::on_rank_0s_clock(&self.offsets, now))
        });
        if let Err(error) = ended {
            self.fail(&error);
        }
    }

    /// Ends the recording of a process without MPI. If that is before its end, says why.
    fn finish_alone(mut self, early: Option<&str>) {
        track::close();
        let local = self.local(None);
        let (mut definitions, mut maps) = merge(std::slice::from_ref(&local));
        definitions.communicators.clear();
        let mut map = maps.remove(0);
        (map.communicators, map.all_communicators) = (Vec::new(), 0);
        (self.definitions, self.maps) = (Some((definitions, local.unleft)), Some(map));
        if self.finish_or_fail() {
            match early {
                None => self.folder.unmark(),
                Some(reason) => self.mark(reason),
            }
        }
    }

    /// Ends the recording where the program is, since a signal was sent. Waits for the parts of other ranks until then.
    fn end_early(mut self, reason: &str, until: Instant) {
        if self.ranks.is_none() {
            self.finish_alone(Some(reason));
        } else if self.maps.is_none() {
            let (folder, ranks) = (self.folder.clone(), self.ranks.unwrap_or_default());
            self.abandon(reason);
            folder.await_parts(ranks, until);
        } else if self.files.are_finished() {
            self.end();
        } else if self.finish_or_fail() {
            // MPI is being finalized, and the ranks have agreed.
            self.folder.unmark();
        }
    }

    /// Writes this rank's part of the trace, since the ranks do not agree any more.
    fn abandon(mut self, reason: &str) {
        // The reason first: launchers kill processes that do not end soon.
        self.mark(reason);
        // The other ranks do not take part in freeing it, and this thread may be none that calls MPI.
        std::mem::forget(self.world.take());
        track::close();
        let part = self.part();
        let written = self.finish().and_then(|()| part.write(self.folder.path()));
        if let Err(error) = written {
            self.fail(&error);
        }
    }

    fn part(&self) -> Part {
        let end_ns = offsets::on_rank_0s_clock(&self.offsets, now_ns());
        Part {
            rank: self.folder.rank,
            ranks: self.ranks.unwrap_or(1),
            properties: archive::properties(self.description()),
            clock_offsets: self.offsets.clone(),
            end_ns: u64::try_from(end_ns).unwrap_or_default(),
            local: self.local(None),
        }
    }

    /// Marks the recording as incomplete.
    fn mark(&self, reason: &str) {
        if let Err(error) = self.folder.mark(reason) {
            self.folder.report(&format!("cannot write to {}: {error}", self.folder.path().display()));
        }
    }
}
