//! A trace that is run again.

use std::path::{Path, PathBuf};
use std::sync::Mutex;

use ats_model::clock_correction::ProcessClock;
use ats_model::definitions::{Clock, Members};
use ats_model::event::RegionRef;
use ats_model::source::InMemory;
use ats_model::{Definitions, Event, EventSource};
use ats_mpi::Progress;
use ats_virtual::{Network, Node, Simulation};

use crate::changes::{Changes, Pace, Plan};
use crate::clock::ClockOfLocation;
use crate::error::WhatIfError;
use crate::evidence::{EagerSizes, Evidence};
use crate::interpreter::Interpreter;
use crate::network::{EagerLimit, EagerSource, NetworkOfTrace};
use crate::reader::Reader;
use crate::state::State;
use crate::survey::Survey;
use crate::tables::{RegionKind, Tables};
use crate::tape::{Pass, Reel, Tape};

/// Bytes of a location's stack: it decodes a part of an archive.
const STACK_BYTES: usize = 256 << 10;

/// The part of the time of all locations, as a divisor, that waits for progress, or those of small messages, have to explain if
/// there are such. What is explained by chance is less.
const LEAST_EXPLAINED: u64 = 10;

/// Picoseconds in a second: the clock of a replay.
pub const TICKS_PER_SECOND: u64 = ats_virtual::TICKS_PER_SECOND;

/// Destination of the events of a replay.
pub trait Destination: Send {
    /// Events of a location, in order, with their times in ticks of [`TICKS_PER_SECOND`].
    fn take(&mut self, location: usize, events: Vec<(u64, Event)>);
}

/// Drops all events.
impl Destination for () {
    fn take(&mut self, _: usize, _: Vec<(u64, Event)>) {}
}

/// Keeps all events.
impl Destination for Vec<Vec<(u64, Event)>> {
    fn take(&mut self, location: usize, events: Vec<(u64, Event)>) {
        if self.len() <= location {
            self.resize_with(location + 1, Vec::new);
        }
        self[location].extend(events);
    }
}

/// The times of a replay.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Replayed {
    /// From the first event to the last, in picoseconds.
    pub wall: u64,
    /// By location, the time of its last event; `None` if it has none, or was not run.
    pub ends: Vec<Option<u64>>,
    /// Time in calls that may wait for others while no record names these, in picoseconds, over all locations: it is
    /// repeated as it was.
    pub unknown: u64,
    /// Even work of visits without work of their own, in picoseconds over all locations, if no trace tells where in the
    /// region it is done: a replay does an equal part before each call.
    pub unplaced: u64,
    /// The number of locations with events that no team of their process reached: they are not run.
    pub unreached: usize,
}

/// A replay, and what it has measured.
struct Measured {
    replayed: Replayed,
    /// By location.
    tapes: Vec<Tape>,
    /// The time of calls beside waiting, and the excess of waits over those in the trace, in picoseconds over all
    /// locations.
    beside: u64,
    late: u64,
}

impl Measured {
    /// Whether it explains `least` more as waiting than another one, beyond what it lets locations wait for longer.
    fn explains(&self, other: &Measured, least: u64) -> bool {
        let [off, other_off] = [self, other].map(|of| of.beside.saturating_add(of.late));
        other_off.saturating_sub(off) >= least
    }
}

/// A trace as a program.
pub struct Program<'s, S> {
    source: &'s S,
    tables: Tables<'s>,
    clocks: Vec<ClockOfLocation>,
    survey: Survey,
    /// By location: what a replay takes beside waiting.
    tapes: Vec<Tape>,
    /// The progress on the network of the trace, if it is known, and its eager limit.
    progress: Option<Progress>,
    eager_limit: EagerLimit,
    /// The trace as it is.
    recorded: Replayed,
    /// Run again without changes.
    unchanged: Replayed,
    /// The folder of temporary files.
    temp: Option<PathBuf>,
}

impl<'s, S: EventSource> Program<'s, S> {
    /// Reads a trace, and runs it once to see what its calls take. `clocks` corrects the clocks of processes, as the
    /// analysis derives them; without any, times are taken as they are. What is not told of the `network` that the trace was
    /// recorded on, it shows.
    ///
    /// # Errors
    /// The trace is empty, or cannot be run.
    pub fn new(
        source: &'s S,
        clocks: &[ProcessClock],
        network: impl Into<NetworkOfTrace>,
    ) -> Result<Self, WhatIfError> {
        Program::new_in(source, clocks, network, None)
    }

    /// [`Program::new`], with the folder of its temporary files; by default they are where the system has such files.
    ///
    /// # Errors
    /// As [`Program::new`].
    pub fn new_in(
        source: &'s S,
        clocks: &[ProcessClock],
        network: impl Into<NetworkOfTrace>,
        temp: Option<&Path>,
    ) -> Result<Self, WhatIfError> {
        let tables = Tables::new(source.definitions());
        let survey = Survey::new(source, &tables);
        if survey.spans.iter().all(Option::is_none) {
            return Err(WhatIfError::Empty);
        }
        let lacking = tables.masters.iter().filter(|master| master.is_none()).count();
        if lacking > tables.definitions.locations.len() {
            return Err(WhatIfError::Sparse { ranks: tables.ranks, lacking });
        }
        let clocks = corrected(tables.definitions, &survey, clocks);
        let recorded = recorded(&survey, &clocks);
        let temp = temp.map(Path::to_owned);
        let (tapes, unchanged) = (Vec::new(), Replayed::default());
        let NetworkOfTrace { eager_limit, progress } = network.into();
        let usual = Network::default().eager_limit;
        let told = eager_limit.map(|bytes| EagerLimit { bytes, source: EagerSource::Told });
        let eager_limit = told.unwrap_or(EagerLimit { bytes: usual, source: EagerSource::Usual });
        let mut program = Program {
            source,
            tables,
            clocks,
            survey,
            tapes,
            progress,
            eager_limit,
            recorded,
            unchanged,
            temp,
        };
        program.measure(told.is_none())?;
        Ok(program)
    }

    /// Runs the trace to see what its calls take, and what standard sends show of the eager limit if that `is_open`. Where
    /// messages may need the calls of their processes to proceed, it is what explains more of the time of calls as waiting.
    fn measure(&mut self, is_open: bool) -> Result<(), WhatIfError> {
        let plan = Plan::new(&Changes::default(), self.tables.definitions)?;
        let evidence = is_open.then(Mutex::default);
        let mut measured = self.execute(&plan, Pass::Measure, evidence.as_ref(), &mut ())?;
        if let Some(evidence) = evidence {
            let sizes = evidence.into_inner().unwrap_or_else(|poisoned| poisoned.into_inner()).sizes();
            self.find_eager_limit(sizes, &plan, &mut measured);
        }
        if self.progress.is_none() && self.survey.largest_isend > self.eager_limit.bytes as u64 {
            self.progress = Some(Progress::Calls);
            let least = self.least_explained();
            match self.execute(&plan, Pass::Measure, None, &mut ()) {
                Ok(other) if other.explains(&measured, least) => measured = other,
                _ => self.progress = None,
            }
        }
        (self.unchanged, self.tapes) = (measured.replayed, measured.tapes);
        Ok(())
    }

    /// The least picoseconds that another network has to explain more.
    fn least_explained(&self) -> u64 {
        (self.recorded.wall / LEAST_EXPLAINED).saturating_mul(self.clocks.len() as u64)
    }

    /// Takes the eager limit that sends show, if it explains the trace as well as the usual one. One below that has to explain
    /// clearly more: on shared processors sends of any size seem to wait.
    fn find_eager_limit(&mut self, sizes: EagerSizes, plan: &Plan, measured: &mut Measured) {
        if sizes == EagerSizes::default() {
            return;
        }
        let usual = self.eager_limit.bytes;
        self.eager_limit.source = EagerSource::Open(sizes);
        let Some(bytes) = sizes.limit(usual) else { return };
        let found = EagerLimit { bytes, source: EagerSource::Found(sizes) };
        let before = self.eager_limit;
        self.eager_limit = found;
        if bytes == usual {
            return;
        }
        let least = if bytes < usual { self.least_explained() } else { 0 };
        match self.execute(plan, Pass::Measure, None, &mut ()) {
            Ok(other) if other.explains(measured, least) => *measured = other,
            _ => self.eager_limit = before,
        }
    }

    /// The source of the eager limit in words, if it was not told and matters.
    pub fn source_of_eager_limit(&self) -> Option<String> {
        self.eager_limit.in_words().filter(|_| self.survey.largest_send > 0)
    }

    /// The eager limit of the replays, if no change puts another in its place.
    pub fn eager_limit(&self) -> EagerLimit {
        self.eager_limit
    }

    /// The times of the trace.
    pub fn recorded(&self) -> &Replayed {
        &self.recorded
    }

    /// The times of the replay without changes.
    pub fn unchanged(&self) -> &Replayed {
        &self.unchanged
    }

    /// The definitions of the trace.
    pub fn definitions_of_trace(&self) -> &'s Definitions {
        self.tables.definitions
    }

    /// The definitions of the events that a replay hands over.
    pub fn definitions(&self) -> Definitions {
        let clock = Clock { resolution: TICKS_PER_SECOND, offset: 0, length: self.unchanged.wall };
        Definitions { clock, ..self.tables.definitions.clone() }
    }

    /// Obstacles to an exact replay, in words.
    pub fn remarks(&self) -> Vec<String> {
        let Survey { lone_ends, lone_parts, damages, .. } = &self.survey;
        let mut remarks = Vec::new();
        let EagerLimit { bytes, source } = self.eager_limit;
        let is_usual = bytes == Network::default().eager_limit && matches!(source, EagerSource::Found(_));
        if !is_usual && self.survey.largest_send > bytes.min(Network::default().eager_limit) as u64 {
            remarks.extend(self.eager_limit.in_words());
        }
        if self.progress == Some(Progress::Calls) {
            remarks.push("large messages proceed while their processes are in calls of MPI alone".to_owned());
        }
        for (location, damage) in damages {
            remarks.push(format!("location {location} ends early: {damage}"));
        }
        if *lone_ends > 0 {
            remarks
                .push(format!("{lone_ends} messages lack their other end; their calls take what they took"));
        }
        if *lone_parts > 0 {
            remarks.push(format!(
                "{lone_parts} parts of collective operations lack those of other ranks; their calls take what they took"
            ));
        }
        if self.unchanged.unreached > 0 {
            remarks.push(format!(
                "{} locations belong to no team of their process; they are not run",
                self.unchanged.unreached
            ));
        }
        remarks
    }

    /// Runs the trace with changes, and hands its events to `destination`.
    ///
    /// # Errors
    /// A change selects nothing, or the changed program does not come to its end.
    pub fn run(&self, changes: &Changes, destination: &mut dyn Destination) -> Result<Replayed, WhatIfError> {
        let mut plan = Plan::new(changes, self.tables.definitions)?;
        plan.weigh(self.source, &self.tables, &self.clocks);
        let unplaced = plan.unplaced();
        Ok(Replayed { unplaced, ..self.execute(&plan, Pass::Replay, None, destination)?.replayed })
    }

    /// The trace with changes, in memory.
    ///
    /// # Errors
    /// As [`Program::run`].
    pub fn run_in_memory(&self, changes: &Changes) -> Result<(Replayed, InMemory), WhatIfError> {
        let mut events = vec![Vec::new(); self.clocks.len()];
        let replayed = self.run(changes, &mut events)?;
        let mut definitions = self.definitions();
        definitions.clock.length = replayed.wall;
        Ok((replayed, InMemory { definitions, events }))
    }

    /// The number of processes.
    pub fn ranks(&self) -> u32 {
        self.tables.ranks as u32
    }

    /// The meaning of a region.
    pub(crate) fn kind(&self, region: RegionRef) -> RegionKind {
        self.tables.kind(region)
    }

    /// By communicator, whether it is that of all processes in their order; `None` for those of one process.
    pub(crate) fn worlds(&self) -> Vec<Option<bool>> {
        let of_all = |members: &Members| match members {
            Members::SelfOnly => None,
            Members::Ranks(members) => Some(members.iter().copied().eq(0..self.ranks())),
        };
        self.tables.definitions.communicators.iter().map(|it| of_all(&it.members)).collect()
    }

    /// The events of a process, with their times in picoseconds; `None` if it has several locations with events, or none.
    pub(crate) fn events_of(&self, rank: u32) -> Option<Vec<(u64, Event)>> {
        let locations = self.tables.definitions.locations.iter().enumerate();
        let of_rank = locations.filter(|(_, location)| location.rank == rank).map(|(at, _)| at);
        let mut with_events = of_rank.filter(|&at| self.survey.spans[at].is_some());
        let location = with_events.next().filter(|_| with_events.next().is_none())?;
        let mut reader = Reader::new(self.source, location, self.clocks[location]);
        Some(std::iter::from_fn(|| reader.next()).collect())
    }

    fn execute(
        &self,
        plan: &Plan,
        pass: Pass,
        evidence: Option<&Mutex<Evidence>>,
        destination: &mut dyn Destination,
    ) -> Result<Measured, WhatIfError> {
        let locations = &self.tables.definitions.locations;
        let reel = Reel::new(locations.len(), self.temp.as_deref());
        let state = |location: usize| {
            let reader = Reader::new(self.source, location, self.clocks[location]);
            let pace = Pace::new(plan, location, &locations[location]);
            let tape = match pass {
                Pass::Measure => Tape::new(&reel),
                Pass::Replay => self.tapes[location].rewound(),
            };
            let of_pass = (pass, tape);
            let mut state = State::new((location, locations[location].rank), reader, of_pass, pace);
            state.pass(None);
            state
        };
        let states = (0..locations.len()).map(state).collect();
        let mut batches = |location: usize, events: Vec<(u64, Event)>| destination.take(location, events);
        let nodes = self.nodes(plan)?;
        let meeting = plan.network.map_or(0, |network| network.meeting(self.tables.ranks, nodes.as_deref()));
        let interpreter =
            Interpreter::new(&self.tables, &self.survey, states, (evidence, meeting), &mut batches);
        self.simulation(plan)
            .nodes(nodes)
            .run_with_team(|communicator, team| interpreter.run_process(communicator.rank(), team))
            .map_err(Box::new)?;
        let measured = finished(interpreter.into_states());
        measured.tapes.first().map_or(Ok(()), Tape::check)?;
        Ok(measured)
    }

    /// The node of each process, if the changed network leaves that to the trace.
    fn nodes(&self, plan: &Plan) -> Result<Option<Vec<u32>>, WhatIfError> {
        let Some(Network { node: Some(Node { ranks: None, .. }), .. }) = plan.network else {
            return Ok(None);
        };
        let tree = &self.tables.definitions.system_tree;
        let node = |rank: u32| tree.shared_memory_of(rank).or(tree.processes.get(&rank).copied());
        let nodes: Option<Vec<u32>> = (0..self.tables.ranks as u32).map(node).collect();
        nodes.map(Some).ok_or(WhatIfError::UnknownNodes)
    }

    fn simulation(&self, plan: &Plan) -> Simulation<'static> {
        let (eager_limit, progress) = (self.eager_limit.bytes, self.progress);
        let recorded = Network { eager_limit, progress, ..Network::default() };
        let network = plan.network.unwrap_or(recorded);
        let network = Network { eager_limit: plan.eager_limit.unwrap_or(network.eager_limit), ..network };
        Simulation::new(self.tables.ranks)
            .stack_bytes(STACK_BYTES)
            .communicators(self.tables.groups())
            .network(network)
            .processors(plan.processors.clone())
            .without_accounts()
    }
}

/// The times of states at the end, and what they measured.
fn finished<S: EventSource>(mut states: Vec<State<'_, S>>) -> Measured {
    let mut replayed = Replayed::default();
    let mut tapes = Vec::new();
    let beside = states.iter().map(|state| state.beside).fold(0, u64::saturating_add);
    let late = states.iter().map(|state| state.late).fold(0, u64::saturating_add);
    let mut begin = u64::MAX;
    for state in &mut states {
        let is_reached = state.span.is_some();
        replayed.unreached += usize::from(!is_reached && state.reader.peek().is_some());
        replayed.unknown = replayed.unknown.saturating_add(state.unknown);
        replayed.ends.push(state.span.map(|(_, end)| end));
        if let Some((first, end)) = state.span {
            begin = begin.min(first);
            replayed.wall = replayed.wall.max(end);
        }
        tapes.push(state.tape.rewound());
    }
    replayed.wall = replayed.wall.saturating_sub(begin);
    Measured { replayed, tapes, beside, late }
}

/// The times of a trace.
fn recorded(survey: &Survey, clocks: &[ClockOfLocation]) -> Replayed {
    let span = |(span, clock): (&Option<(u64, u64)>, &ClockOfLocation)| {
        span.map(|(first, last)| (clock.picoseconds(first), clock.picoseconds(last)))
    };
    let spans: Vec<Option<(u64, u64)>> = survey.spans.iter().zip(clocks).map(span).collect();
    let begin = spans.iter().flatten().map(|span| span.0).min().unwrap_or(0);
    let end = spans.iter().flatten().map(|span| span.1).max().unwrap_or(0);
    let ends = spans.into_iter().map(|span| span.map(|(_, last)| last)).collect();
    Replayed { wall: end - begin, ends, ..Replayed::default() }
}

/// The clocks of all locations, so that no time is below zero.
fn corrected(definitions: &Definitions, survey: &Survey, clocks: &[ProcessClock]) -> Vec<ClockOfLocation> {
    // All locations of a process have one clock.
    let first = |rank: u32| {
        let locations = definitions.locations.iter().zip(&survey.spans);
        let of_rank = locations.filter(|(location, _)| location.rank == rank);
        of_rank.filter_map(|(_, span)| span.map(|(first, _)| first)).min().unwrap_or(0)
    };
    let firsts: Vec<u64> = clocks.iter().map(|clock| first(clock.rank)).collect();
    let shift = clocks.iter().map(|clock| (-clock.offset * 1e12).ceil() as i64).max().unwrap_or(0).max(0);
    let of_location = |rank: u32| {
        let at = clocks.iter().position(|clock| clock.rank == rank);
        let first = at.map_or(0, |at| firsts[at]);
        ClockOfLocation::new(definitions.clock, shift, at.map(|at| &clocks[at]), first)
    };
    definitions.locations.iter().map(|location| of_location(location.rank)).collect()
}
