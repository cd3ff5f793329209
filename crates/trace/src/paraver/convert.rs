//! From the records of a trace to the events of its locations.

use ats_model::definitions::{Communicator, LocationDefinition, Members};
use ats_model::event::{CollectiveOperation, CommunicatorRef};
use ats_model::{Definitions, Event};
use rustc_hash::FxHashMap;

use super::header::{self, Header};
use super::kind;
use super::labels::Labels;
use super::messages::{self, Message, Untold};
use super::openmp::{Moment, OpenMp};
use super::records::{self, Record, Who};
use super::regions::{Known, Regions};
use super::text::{Fault, Text};
use super::thread::{Collective, Thread};

/// Peculiarities of a trace noticed on the way.
#[derive(Default)]
struct Noticed {
    overlapping_states: usize,
    ends_alone: usize,
    unknown_communicators: usize,
    /// When the last record begins.
    last: u64,
}

/// Definitions, per location its events, and remarks on the trace.
pub(super) type Converted = (Definitions, Vec<Vec<(u64, Event)>>, Vec<String>);

/// A trace that is being read.
pub(super) struct Converter<'a> {
    header: Header,
    regions: Regions<'a>,
    /// Per task the index of its first location.
    first: Vec<usize>,
    threads: Vec<Thread>,
    communicators: Vec<Communicator>,
    /// By their numbers in the trace.
    numbers: FxHashMap<u64, CommunicatorRef>,
    /// The number of collective operations that a task has had on a communicator.
    counts: FxHashMap<(u64, CommunicatorRef), u64>,
    /// The root's rank in the world, for a collective operation of a communicator.
    roots: FxHashMap<(CommunicatorRef, u64), u32>,
    messages: Vec<Message>,
    openmp: OpenMp,
    noticed: Noticed,
}

impl<'a> Converter<'a> {
    pub(super) fn new(header: Header, labels: &'a Labels) -> Self {
        let mut threads = Vec::new();
        let mut first = Vec::new();
        for &count in &header.threads {
            first.push(threads.len());
            threads.extend((0..count).map(|_| Thread::default()));
        }
        Converter {
            header,
            regions: Regions::new(labels),
            first,
            threads,
            communicators: Vec::new(),
            numbers: FxHashMap::default(),
            counts: FxHashMap::default(),
            roots: FxHashMap::default(),
            messages: Vec::new(),
            openmp: OpenMp::default(),
            noticed: Noticed::default(),
        }
    }

    /// Takes all lines behind the first, up to one that cannot be right.
    pub(super) fn lines(&mut self, prv: &[u8], begin: usize) -> Result<(), Fault> {
        let mut pairs = Vec::new();
        let mut base = begin;
        for line in prv[begin..].split_inclusive(|&byte| byte == b'\n') {
            let (line, length) = match line.strip_suffix(b"\n") {
                Some(whole) => (whole.strip_suffix(b"\r").unwrap_or(whole), line.len()),
                None => return Err(Fault::end(prv.len() as u64)),
            };
            self.line(&mut Text::new(line, base as u64), &mut pairs)?;
            base += length;
        }
        Ok(())
    }

    fn line(&mut self, text: &mut Text<'_>, pairs: &mut Vec<(u32, u64)>) -> Result<(), Fault> {
        if text.is_over() || text.has(b'#') {
            return Ok(());
        }
        if text.has(b'c') {
            let communicator = header::Communicator::parse(text, self.header.threads.len())?;
            let reference = CommunicatorRef(self.communicators.len() as u32);
            self.numbers.insert(communicator.number, reference);
            let members = Members::Ranks(communicator.members);
            self.communicators.push(Communicator { name: String::new(), members });
            return Ok(());
        }
        if text.has(b'i') || text.has(b'I') {
            // An inter-communicator: what happens on it is not analyzed.
            return Ok(());
        }
        let kind = text.number()?;
        match records::parse(kind, text, pairs)? {
            Record::State { who, begin, end } => {
                let thread = self.location(who, text)?;
                let thread = &mut self.threads[thread];
                self.noticed.overlapping_states += usize::from(begin < thread.state_until);
                thread.state_until = thread.state_until.max(end);
                self.noticed.last = self.noticed.last.max(begin);
            }
            Record::Events { who, time } => {
                let location = self.location(who, text)?;
                self.events(who, location, time, pairs);
                self.noticed.last = self.noticed.last.max(time);
            }
            Record::Message(message) => {
                let sender = self.location(message.sender, text)?;
                let receiver = self.location(message.receiver, text)?;
                let records::Message { sent, posted, received, bytes, tag, .. } = message;
                let rank = |who: Who| (who.task - 1) as u32;
                let ranks = (rank(message.sender), rank(message.receiver));
                self.messages.push(Message { sender, receiver, ranks, sent, posted, received, bytes, tag });
                self.noticed.last = self.noticed.last.max(sent);
            }
        }
        Ok(())
    }

    /// The location of a thread.
    fn location(&self, who: Who, text: &Text<'_>) -> Result<usize, Fault> {
        let Who { application, task, thread } = who;
        let index = || {
            let task = usize::try_from(task).ok()?.checked_sub(1)?;
            let is_there = (1..=u64::from(*self.header.threads.get(task)?)).contains(&thread);
            (application == 1 && is_there).then(|| self.first[task] + thread as usize - 1)
        };
        index().ok_or_else(|| {
            text.fault(format!(
                "the header has no thread {application}.{task}.{thread} (application, task, thread)"
            ))
        })
    }

    /// Takes the events of one time.
    fn events(&mut self, who: Who, location: usize, time: u64, pairs: &[(u32, u64)]) {
        let mut beside = Collective::default();
        for &(kind, value) in pairs {
            match kind {
                kind::SENT => beside.sent = value,
                kind::RECEIVED => beside.received = value,
                kind::COMMUNICATOR => beside.communicator = Some(value),
                kind::ROOT => beside.is_root = value != 0,
                _ => {}
            }
        }
        let moment = Moment { task: who.task, location, time, pairs };
        self.openmp.take(&moment, &mut self.regions, &mut self.threads);
        for &(kind, value) in pairs {
            if !self.regions.are_regions(kind) {
                continue;
            }
            if value == 0 {
                let is_open = self.threads[location].leave(time, kind);
                self.noticed.ends_alone += usize::from(!is_open);
                continue;
            }
            let known = self.regions.known(kind, value);
            self.threads[location].enter(time, known);
            self.collective(who, location, time, known, beside);
        }
    }

    fn collective(&mut self, who: Who, location: usize, time: u64, known: Known, mut beside: Collective) {
        let (Some(collective), Some(number)) = (known.collective(), beside.communicator) else { return };
        let Some(&communicator) = self.numbers.get(&number) else {
            self.noticed.unknown_communicators += 1;
            return;
        };
        let count = self.counts.entry((who.task, communicator)).or_default();
        let before = std::mem::replace(count, *count + 1);
        if beside.is_root && collective.flow.is_rooted() {
            self.roots.insert((communicator, before), (who.task - 1) as u32);
        }
        if collective.operation == CollectiveOperation::ReduceScatterBlock && beside.sent == 0 {
            // Extrae 5.1 counts no bytes as sent here. All send to each member as much as they receive.
            let members = match &self.communicators[communicator.0 as usize].members {
                Members::Ranks(ranks) => ranks.len() as u64,
                Members::SelfOnly => 1,
            };
            beside.sent = beside.received.saturating_mul(members);
        }
        let thread = &mut self.threads[location];
        thread.begin_collective(time, known.kind, collective.operation, communicator, before, beside);
    }

    /// The whole trace: its definitions, per location its events, and remarks on it. Names of threads may be missing;
    /// `is_whole` means that all lines were read.
    pub(super) fn finish(mut self, mut names: Vec<String>, is_whole: bool) -> Converted {
        self.find_roots();
        let teams = self.openmp.teams(&mut self.threads);
        let world = self.world();
        let untold = messages::put_into(&mut self.threads, &self.messages, world);
        let mut remarks = self.remarks(&untold);
        let (last, length) = (self.noticed.last, self.header.clock.length);
        if is_whole && last < length {
            remarks.push(format!(
                "its last record begins at {last}, and the trace ends at {length}: is it cut?"
            ));
        }
        let mut locations = Vec::with_capacity(self.threads.len());
        names.resize(self.threads.len(), String::new());
        let mut names = names.into_iter();
        for (rank, &count) in self.header.threads.iter().enumerate() {
            for thread in 0..count {
                locations.push(LocationDefinition {
                    id: locations.len() as u64,
                    name: names.next().unwrap_or_default(),
                    rank: rank as u32,
                    thread,
                    events: self.threads[locations.len()].events.len() as u64,
                });
            }
        }
        let definitions = Definitions {
            clock: self.header.clock,
            regions: self.regions.definitions,
            communicators: self.communicators,
            teams,
            locations,
            ..Definitions::default()
        };
        (definitions, self.threads.into_iter().map(|thread| thread.events).collect(), remarks)
    }

    /// Finds the roots of collective operations, which only the root itself records.
    fn find_roots(&mut self) {
        let mut ranks: FxHashMap<CommunicatorRef, FxHashMap<u32, u32>> = FxHashMap::default();
        let mut rank_in = |communicator: CommunicatorRef, world: u32| {
            let Members::Ranks(members) = &self.communicators[communicator.0 as usize].members else {
                return None;
            };
            let ranks =
                ranks.entry(communicator).or_insert_with(|| members.iter().copied().zip(0..).collect());
            ranks.get(&world).copied()
        };
        for thread in &mut self.threads {
            for took in &thread.collectives {
                let Some(&world) = self.roots.get(&(took.communicator, took.number)) else { continue };
                if let Some((_, Event::MpiCollectiveEnd { root, .. })) = thread.events.get_mut(took.at) {
                    *root = rank_in(took.communicator, world);
                }
            }
        }
    }

    /// The communicator of all tasks; of two the first.
    fn world(&mut self) -> CommunicatorRef {
        let all = Members::Ranks((0..self.header.threads.len() as u32).collect());
        let world = self.communicators.iter().position(|communicator| communicator.members == all);
        let world = world.unwrap_or_else(|| {
            self.communicators.push(Communicator { name: String::new(), members: all });
            self.communicators.len() - 1
        });
        CommunicatorRef(world as u32)
    }

    /// Remarks: limits of the format for this trace, and contradictions in it.
    fn remarks(&self, untold: &Untold) -> Vec<String> {
        let Noticed { overlapping_states, ends_alone, unknown_communicators, .. } = self.noticed;
        let threads = &self.openmp.untold;
        let remarks = [
            (
                !self.messages.is_empty(),
                "Paraver does not tell the communicators of messages: all are taken to be on the one of all processes"
                    .to_owned(),
            ),
            (
                untold.started > 0,
                format!(
                    "Paraver does not tell which call completes a send that was only started ({} of {} messages): what \
                     such calls wait for receivers is not found",
                    untold.started,
                    self.messages.len()
                ),
            ),
            (
                untold.outside > 0,
                format!("{} messages begin or end in no call of MPI, and are left out", untold.outside),
            ),
            (
                self.regions.unnamed_calls > 0,
                format!(
                    "the .pcf file names {} of the calls of MPI not, and nothing is known of them",
                    self.regions.unnamed_calls
                ),
            ),
            (
                unknown_communicators > 0,
                format!("{unknown_communicators} collective operations on communicators that are not defined are left out"),
            ),
            (
                threads.barriers > 0,
                "Extrae does not tell the barriers at the ends of loops, sections and singles from others: all are taken for \
                 `!$omp barrier`"
                    .to_owned(),
            ),
            (
                threads.nested > 0,
                format!(
                    "Extrae does not tell whose teams are inside others: {} parallel regions began while another one of their \
                     process was under way, and threads are taken to work for the last one",
                    threads.nested
                ),
            ),
            (
                threads.outside > 0,
                format!("threads worked {} times for no parallel region, which is left out", threads.outside),
            ),
            (ends_alone > 0, format!("{ends_alone} regions end that have not begun, and are left out")),
            (
                overlapping_states > 0,
                format!("{overlapping_states} states overlap others of their threads; states are not what is analyzed"),
            ),
        ];
        remarks.into_iter().filter_map(|(holds, text)| holds.then_some(text)).collect()
    }
}
