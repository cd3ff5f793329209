//! A recording: from `MPI_Init` to the archive.
//!
//! While a rank records, the file `incomplete.RANK` lies in the folder; it goes when the rank's events are written. So
//! a rank that was killed, or whose disk was full, is known by it, and the file says what happened as far as the
//! recorder could know.

use std::fs;
use std::path::PathBuf;
use std::sync::{Mutex, OnceLock};

use ats_model::{Definitions, Event};
use ats_mpi::real::MpiCommunicator;
use ats_mpi::real::clock::offset_to_rank0;
use ats_trace::{ArchiveProperties, ChunkSize, ClockOffset, LocationWriter, TraceError, write_definitions};
use ats_work::log::now_ns;

use crate::buffer::{self, Buffer, lock};
use crate::unify::{self, Local, Maps};
use crate::{communicator, exchange, region};

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

/// Begins to record, before MPI is initialised.
pub(crate) fn prepare() {
    let memory = std::env::var(MEMORY).ok().and_then(|bytes| bytes.parse().ok());
    BEGIN_NS.get_or_init(now_ns);
    buffer::start(memory.unwrap_or(DEFAULT_MEMORY));
}

/// Begins the session, collectively, when MPI has been initialised.
pub(crate) fn start() {
    let Some(world) = MpiCommunicator::world() else { return };
    let known = communicator::start();
    let folder = PathBuf::from(std::env::var_os(FOLDER).unwrap_or_else(|| "ats-trace".into()));
    let mut session = Session {
        folder,
        rank: known.rank,
        process: std::process::id(),
        world: None,
        offsets: Vec::new(),
        maps: None,
        definitions: None,
        writers: Vec::new(),
    };
    let writable = session.mark("it did not end; was it killed?");
    if let Err(error) = &writable {
        session.report(&format!(
            "cannot record into {}: {error}; name a folder that can be written in {FOLDER}",
            session.folder.display()
        ));
    }
    if !exchange::everywhere(world.quiet(), writable.is_ok()) {
        session.unmark();
        buffer::stop();
        return;
    }
    session.measure_clock(&world);
    session.world = Some(world);
    *lock(&SESSION) = Some(session);
}

/// Lets the ranks agree on the definitions, collectively, before MPI is finalized.
pub(crate) fn unify() {
    if let Some(session) = lock(&SESSION).as_mut()
        && let Some(world) = session.world.take()
    {
        session.measure_clock(&world);
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
    let open = buffer::all().iter().any(|buffer| lock(buffer).depth() > 0);
    let written = session.write_events().and_then(|()| session.write_definitions());
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
    if let Some(session) = current.as_mut() {
        if let Err(error) = session.write_events() {
            session.fail(&error);
        }
        buffer::written();
    }
}

/// Writes what there is, since the ranks cannot agree any more, and says why.
pub(crate) fn abandon(reason: &str) {
    // Whoever holds it is ending the program from within the recorder.
    let Ok(mut current) = SESSION.try_lock() else { return };
    if let Some(session) = current.take() {
        session.abandon(reason);
    }
}

/// The program ends.
pub(crate) fn at_exit() {
    let Ok(mut current) = SESSION.try_lock() else { return };
    // A child that was forked has the parent's session, and nothing to say.
    if let Some(session) = current.take_if(|session| session.process == std::process::id()) {
        match session.maps {
            Some(_) => session.finish(),
            None => session.abandon("the program ended without MPI_Finalize"),
        }
    }
}

impl Session {
    fn report(&self, problem: &str) {
        eprintln!("ats-recorder: rank {}: {problem}", self.rank);
    }

    fn marker(&self) -> PathBuf {
        self.folder.join(format!("incomplete.{}", self.rank))
    }

    fn mark(&self, what: &str) -> std::io::Result<()> {
        fs::create_dir_all(&self.folder)?;
        fs::write(self.marker(), format!("rank {}: {what}\n", self.rank))
    }

    fn unmark(&self) {
        // It may never have been written.
        let _ = fs::remove_file(self.marker());
    }

    /// Ends recording. The program goes on; its result is not ours to change.
    fn fail(&mut self, error: &TraceError) {
        buffer::stop();
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
        // Beside what was recorded, the end of MPI_Finalize's collective, and the leaving of all regions that are open.
        let to_come = |buffer: &Buffer| u64::from(buffer.thread == 0) + buffer.depth();
        let expected = |buffer: &Mutex<Buffer>| {
            let buffer = lock(buffer);
            buffer.events() + to_come(&buffer)
        };
        let begin_ns = BEGIN_NS.get().copied().unwrap_or_default() as i64;
        Local {
            regions: region::all(),
            communicators: communicator::made(),
            events: buffer::all().iter().map(|buffer| expected(buffer)).collect(),
            begin_ns: begin_ns + self.offsets.first().map_or(0, |first| first.offset),
        }
    }

    /// Writes all events that are in memory.
    fn write_events(&mut self) -> Result<(), TraceError> {
        for buffer in buffer::all() {
            let mut buffer = lock(buffer);
            let thread = buffer.thread;
            if self.writers.len() <= thread as usize {
                self.writers.resize_with(thread as usize + 1, || None);
            }
            let writer = match &mut self.writers[thread as usize] {
                Some(writer) => writer,
                missing => {
                    let location = unify::location_id(self.rank, thread);
                    missing.insert(LocationWriter::create(&self.folder, location, ChunkSize::default())?)
                }
            };
            // A region that was entered for the first time after the ranks agreed is in no definitions.
            let defined = self.maps.as_ref().map_or(u32::MAX, |maps| maps.regions.len() as u32);
            for chunk in buffer.take() {
                for (time, event) in chunk.events() {
                    if !matches!(event, Event::Enter { region } | Event::Leave { region } if region.0 >= defined)
                    {
                        writer.event(time, event)?;
                    }
                }
            }
        }
        Ok(())
    }

    fn write_definitions(&mut self) -> Result<(), TraceError> {
        let Some(mut definitions) = self.definitions.take() else { return Ok(()) };
        let clock = &mut definitions.clock;
        clock.length = (now_ns() + CLOCK_MARGIN_NS).saturating_sub(clock.offset);
        let properties = ArchiveProperties {
            creator: concat!("ats-recorder ", env!("CARGO_PKG_VERSION")).into(),
            machine: host_name(),
            description: ats_mpi::real::library_version(),
            properties: Vec::new(),
            trace_id: now_ns() ^ u64::from(self.process) << 48,
            event_chunk: ChunkSize::default(),
        };
        write_definitions(&self.folder, &definitions, &properties)
    }

    fn close(&mut self) -> Result<(), TraceError> {
        buffer::all().iter().for_each(|buffer| lock(buffer).leave_all());
        buffer::stop();
        self.write_events()?;
        let maps = self.maps.clone().unwrap_or_default();
        for mut writer in self.writers.drain(..).flatten() {
            writer.clock_offsets(&self.offsets);
            writer.id_maps(&maps.regions, &maps.communicators);
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

fn host_name() -> String {
    let name = fs::read_to_string("/proc/sys/kernel/hostname").unwrap_or_default();
    name.trim().to_owned()
}
