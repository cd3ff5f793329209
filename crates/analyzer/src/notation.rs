//! Traces as text: a notation for tests, small enough to be read at a glance.
//!
//! A line belongs to a rank; its statements are separated by `;`. Times are ticks of one second each.
//!
//! ```
//! let trace = ats_analyzer::notation::parse(
//!     "0: 0..5 work; 5..9 MPI_Send send 1 tag 7
//!      1: 2..9 MPI_Recv recv 0 tag 7",
//! )?;
//! let analysis = ats_analyzer::analyze(&trace, "example", &Default::default()).unwrap();
//! assert_eq!(analysis.findings[0].id, "late_sender@MPI_Recv");
//! assert_eq!(analysis.findings[0].waiting_time, 3.0);
//! # Ok::<(), ats_analyzer::notation::NotationError>(())
//! ```
//!
//! | line | meaning |
//! |---|---|
//! | `RANK: STATEMENT; …` | events of the main thread of a rank; further lines of the rank continue it |
//! | `RANK.THREAD: STATEMENT; …` | events of another thread |
//! | `comm NAME RANK …` | defines a communicator; `world` (every rank) and `self` are there already |
//! | `neighbors NAME RANK SOURCES;DESTINATIONS` | the neighbours of a rank on a communicator, in ranks of that |
//! | `team NAME RANK RANK.THREAD …` | defines a team of threads, the master first |
//! | `metric NAME PROPERTY [UNIT]` | defines a metric: `accumulated`, `absolute` or `relative` |
//! | `attribute NAME` | defines an attribute: a number, or one of the suite's own |
//! | `# …` | a comment |
//!
//! | statement | meaning |
//! |---|---|
//! | `A..B REGION` | enters the region at time A and leaves it at B |
//! | `A..B REGION RECORD, …` | the same with MPI records inside: starts of messages at A, completions at B |
//! | `A enter REGION`, `B leave [REGION]` | one of them alone; without a name the innermost region is left |
//! | `T RECORD` | a record alone |
//!
//! | record | event |
//! |---|---|
//! | `send PEER`, `recv PEER` | blocking send, blocking receive |
//! | `isend PEER request N`, `sent N` | start and completion of a non-blocking send |
//! | `post N`, `irecv PEER request N` | start and completion of a non-blocking receive |
//! | `test N`, `cancel N` | a request tested in vain, cancelled |
//! | `barrier`, `bcast`, … (every collective operation) | begins at A and ends at B |
//! | `begin`, `end OPERATION` | the beginning and the end of a collective operation alone |
//! | `start N`, `ibarrier request N`, `ibcast …` | start and completion of a non-blocking collective operation |
//! | `fork`, `join` | start and end of a team, on the thread that starts it |
//! | `begin TEAM`, `end TEAM` | start and end of a thread's part in a team |
//! | `lock N`, `unlock N` | a lock is acquired, released; both take `order N` (0) |
//! | `create N`, `switch N`, `complete N` | a task of the first team, 0 being the implicit one |
//! | `program NAME`, `exit` | the program begins, ends |
//! | `off`, `on` | the recorder stops, goes on |
//! | `flush T` | the recorder writes its buffers until T |
//! | `count NAME VALUE` | a value of a metric |
//! | `sample N` | a sample in a calling context |
//! | `with NAME VALUE` | an attribute of the event that follows |
//! | `other` | a record that is not in the model |
//!
//! A region `MPI_Recv@halo@heat.c:12` is a call of `MPI_Recv` in `halo`, on line 12 of `heat.c`.
//!
//! Messages take `tag N` (0) and `bytes N` (1), collective operations `root N` (none), `sent N` (1) and `received N`
//! (1), both `on COMMUNICATOR` (`world`). A region `$implicit-barrier` is `!$omp implicit barrier`,
//! and `$for-@heat.c:7` is `!$omp for @heat.c:7`:
//!
//! ```
//! let trace = ats_analyzer::notation::parse(
//!     "team t 0 0.1
//!      0: 0 fork; 0 begin t; 0 enter $parallel; 0..5 work; 5..9 $barrier; 9 leave; 9 end t; 9 join
//!      0.1: 0 begin t; 0 enter $parallel; 0..9 work; 9..9 $barrier; 9 leave; 9 end t",
//! )?;
//! let analysis = ats_analyzer::analyze(&trace, "example", &Default::default()).unwrap();
//! assert_eq!(analysis.findings[0].id, "wait_at_explicit_omp_barrier@!$omp parallel/!$omp barrier");
//! assert_eq!(analysis.findings[0].waiting_time, 4.0);
//! # Ok::<(), ats_analyzer::notation::NotationError>(())
//! ```

mod parse;

use ats_model::{
    CallSite, Definitions, Event,
    definitions::{Clock, Communicator, LocationDefinition, Members, Paradigm, Region},
    event::RegionRef,
    mpi::Function,
    openmp::Construct,
    source::InMemory,
};

/// A line that is not in the notation.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("line {line}: {message}")]
pub struct NotationError {
    /// The line, from 1.
    pub line: usize,
    /// The error, in words.
    pub message: String,
}

/// The trace that a text describes; communicator 0 is `MPI_COMM_WORLD`, 1 is `MPI_COMM_SELF`.
///
/// # Errors
/// A line is not in the notation.
pub fn parse(text: &str) -> Result<InMemory, NotationError> {
    let mut builder = Builder::default();
    for (index, line) in text.lines().enumerate() {
        parse::line(&mut builder, line).map_err(|message| NotationError { line: index + 1, message })?;
    }
    Ok(builder.finish())
}

/// A trace as it grows.
struct Builder {
    definitions: Definitions,
    events: Vec<Vec<(u64, Event)>>,
    /// Per location, the regions that are not left yet.
    stacks: Vec<Vec<RegionRef>>,
}

impl Default for Builder {
    fn default() -> Self {
        let communicator = |name: &str, members| Communicator { name: name.to_owned(), members };
        let communicators = vec![
            communicator("MPI_COMM_WORLD", Members::Ranks(Vec::new())),
            communicator("MPI_COMM_SELF", Members::SelfOnly),
        ];
        let clock = Clock { resolution: 1, ..Clock::default() };
        let definitions = Definitions { clock, communicators, ..Definitions::default() };
        Builder { definitions, events: Vec::new(), stacks: Vec::new() }
    }
}

impl Builder {
    fn location(&mut self, rank: u32, thread: u32) -> usize {
        let locations = &mut self.definitions.locations;
        let is_it = |location: &LocationDefinition| (location.rank, location.thread) == (rank, thread);
        if let Some(index) = locations.iter().position(is_it) {
            return index;
        }
        let id = locations.len() as u64;
        locations.push(LocationDefinition { id, name: format!("{rank}.{thread}"), rank, thread, events: 0 });
        self.events.push(Vec::new());
        self.stacks.push(Vec::new());
        locations.len() - 1
    }

    fn region(&mut self, name: &str) -> RegionRef {
        let construct =
            name.strip_prefix('$').map(|construct| format!("!$omp {}", construct.replace('-', " ")));
        let name = construct.as_deref().unwrap_or(name);
        let (name, call_site) = match name.split_once('@') {
            Some((call, place)) if Function::of_name(call).is_some() => {
                (call, CallSite::of_description(&format!("called in {}", place.replace('@', " at "))))
            }
            _ => (name, None),
        };
        let regions = &mut self.definitions.regions;
        let is_it = |region: &Region| region.name == name && region.call_site == call_site;
        let index = regions.iter().position(is_it).unwrap_or_else(|| {
            let paradigm = match name {
                name if Function::of_name(name).is_some() => Paradigm::Mpi,
                name if Construct::of_region(name).is_some() => Paradigm::OpenMp,
                _ => Paradigm::User,
            };
            let CallSite { file, line, .. } = call_site.clone().unwrap_or_default();
            regions.push(Region {
                name: name.to_owned(),
                file,
                line,
                last_line: line,
                paradigm,
                call_site,
                ..Region::default()
            });
            regions.len() - 1
        });
        RegionRef(index as u32)
    }

    fn push(&mut self, location: usize, time: u64, event: Event) {
        match event {
            Event::Enter { region } => self.stacks[location].push(region),
            Event::Leave { .. } => {
                self.stacks[location].pop();
            }
            _ => {}
        }
        self.events[location].push((time, event));
    }

    fn finish(mut self) -> InMemory {
        let definitions = &mut self.definitions;
        let mut ranks: Vec<u32> = definitions.locations.iter().map(|location| location.rank).collect();
        ranks.sort_unstable();
        ranks.dedup();
        definitions.communicators[0].members = Members::Ranks(ranks);
        for (location, events) in definitions.locations.iter_mut().zip(&self.events) {
            location.events = events.len() as u64;
        }
        let times = self.events.iter().flatten().map(|(time, _)| *time);
        definitions.clock.length = times.max().unwrap_or(0);
        InMemory { definitions: self.definitions, events: self.events }
    }
}
