//! Random traces: nothing panics, and no location waits longer than it is in MPI.

use std::collections::BTreeMap;

use ats_analyzer::{Options, analyze, notation::parse};
use ats_documents::Analysis;
use ats_model::{
    Event, WaitState,
    definitions::LocationDefinition,
    event::RegionRef,
    source::{InMemory, Unmeasured},
};
use proptest::prelude::*;

use crate::{
    has_lost_places,
    in_parts::{InParts, with_waits},
};

/// Takes some events out.
pub(crate) fn cut(trace: &mut InMemory, cuts: Vec<(usize, proptest::sample::Index)>) {
    for (rank, index) in cuts {
        let events = &mut trace.events[rank];
        if !events.is_empty() {
            events.remove(index.index(events.len()));
        }
    }
}

/// A step of a program that every rank runs together.
#[derive(Clone, Debug)]
pub(crate) enum Step {
    Work(Vec<u64>),
    /// Sender, receiver, tag, mode.
    Message(usize, usize, u32, How),
    /// Operation, root, the ranks that send, the ranks that receive.
    Collective(&'static str, usize, Vec<bool>, Vec<bool>),
    /// The same, with a request.
    Started(&'static str, usize, Vec<bool>, Vec<bool>, How),
    /// Every rank exchanges with its neighbour; tags in this or the other order, completed by one call.
    Exchange(bool),
}

#[derive(Clone, Copy, Debug)]
pub(crate) enum How {
    Blocking,
    Immediate,
    Tested,
    /// Complete after everything else.
    OpenToTheEnd,
}

pub(crate) const RANKS: usize = 4;
const OPERATIONS: [&str; 9] =
    ["barrier", "allreduce", "alltoall", "allgatherv", "bcast", "scatterv", "reduce", "gatherv", "scan"];

fn step() -> impl Strategy<Value = Step> {
    let flags = || proptest::collection::vec(any::<bool>(), RANKS);
    let how = proptest::sample::select(&[How::Blocking, How::Immediate, How::Tested, How::OpenToTheEnd][..]);
    let how_started = how.clone();
    prop_oneof![
        proptest::collection::vec(0..20u64, RANKS).prop_map(Step::Work),
        (0..RANKS, 1..RANKS, 0..2u32, how)
            .prop_map(|(from, by, tag, how)| { Step::Message(from, (from + by) % RANKS, tag, how) }),
        (proptest::sample::select(&OPERATIONS[..]), 0..RANKS, flags(), flags()).prop_map(
            |(operation, root, sends, receives)| Step::Collective(operation, root, sends, receives)
        ),
        (proptest::sample::select(&OPERATIONS[..]), 0..RANKS, flags(), flags(), how_started).prop_map(
            |(operation, root, sends, receives, how)| Step::Started(operation, root, sends, receives, how)
        ),
        any::<bool>().prop_map(Step::Exchange),
    ]
}

/// A program as a trace with calls of random durations; each rank's clock runs by itself.
#[derive(Default)]
struct Run {
    lines: [String; RANKS],
    clocks: [u64; RANKS],
    requests: u64,
    /// The completions at the end: rank, duration, call.
    at_the_end: Vec<(usize, u64, String)>,
}

impl Run {
    fn call(&mut self, rank: usize, duration: u64, call: &str) {
        let end = self.clocks[rank] + duration;
        self.lines[rank] += &format!(" {}..{end} {call};", self.clocks[rank]);
        self.clocks[rank] = end;
    }

    fn step(&mut self, step: &Step, durations: &[u64]) {
        let request = self.requests;
        self.requests += 2;
        match step {
            Step::Work(amounts) => {
                (0..RANKS).for_each(|rank| self.call(rank, amounts[rank], "work"));
            }
            &Step::Message(from, to, tag, How::Blocking) => {
                self.call(from, durations[from], &format!("MPI_Send send {to} tag {tag}"));
                self.call(to, durations[to], &format!("MPI_Recv recv {from} tag {tag}"));
            }
            &Step::Message(from, to, tag, How::OpenToTheEnd) => {
                self.call(from, 1, &format!("MPI_Isend isend {to} tag {tag} request {request}"));
                self.call(to, 1, &format!("MPI_Irecv post {request}"));
                self.at_the_end.push((from, durations[from], format!("MPI_Wait sent {request}")));
                let received = format!("MPI_Wait irecv {from} tag {tag} request {request}");
                self.at_the_end.push((to, durations[to], received));
            }
            &Step::Message(from, to, tag, how) => {
                let complete = if matches!(how, How::Tested) { "MPI_Test" } else { "MPI_Wait" };
                self.call(from, 1, &format!("MPI_Isend isend {to} tag {tag} request {request}"));
                self.call(to, 1, &format!("MPI_Irecv post {request}"));
                self.call(from, durations[from], &format!("{complete} sent {request}"));
                self.call(to, durations[to], &format!("{complete} irecv {from} tag {tag} request {request}"));
            }
            Step::Collective(operation, root, sends, receives) => {
                for (rank, &duration) in durations.iter().enumerate() {
                    let (sent, received) = (u8::from(sends[rank]), u8::from(receives[rank]));
                    let call = format!("MPI_Call {operation} root {root} sent {sent} received {received}");
                    self.call(rank, duration, &call);
                }
            }
            Step::Started(operation, root, sends, receives, how) => {
                for (rank, &duration) in durations.iter().enumerate() {
                    let (sent, received) = (u8::from(sends[rank]), u8::from(receives[rank]));
                    let done =
                        format!("i{operation} root {root} sent {sent} received {received} request {request}");
                    self.call(rank, 1, &format!("MPI_Ibarrier start {request}"));
                    match how {
                        How::OpenToTheEnd => {
                            self.at_the_end.push((rank, duration, format!("MPI_Wait {done}")))
                        }
                        How::Tested => self.call(rank, duration, &format!("MPI_Test {done}")),
                        How::Blocking | How::Immediate => {
                            self.call(rank, duration, &format!("MPI_Wait {done}"))
                        }
                    }
                }
            }
            Step::Exchange(swapped) => {
                for (rank, &duration) in durations.iter().enumerate() {
                    let peer = rank ^ 1;
                    let (first, second) =
                        if *swapped { (request + 1, request) } else { (request, request + 1) };
                    self.call(rank, 1, &format!("MPI_Irecv post {request}"));
                    self.call(rank, 1, &format!("MPI_Isend isend {peer} tag 8 request {}", request + 1));
                    let complete = |which| match which == request {
                        true => format!("irecv {peer} tag 8 request {request}"),
                        false => format!("sent {which}"),
                    };
                    let call = format!("MPI_Waitall {}, {}", complete(first), complete(second));
                    self.call(rank, duration, &call);
                }
            }
        }
    }
}

pub(crate) fn trace(steps: &[(Step, Vec<u64>)]) -> InMemory {
    let mut run = Run::default();
    for rank in 0..RANKS {
        run.call(rank, 3, "MPI_Init");
    }
    steps.iter().for_each(|(step, durations)| run.step(step, durations));
    for (rank, duration, call) in std::mem::take(&mut run.at_the_end) {
        run.call(rank, duration, &call);
    }
    for rank in 0..RANKS {
        run.call(rank, 5, "MPI_Finalize");
    }
    let lines = run.lines.iter().enumerate().map(|(rank, line)| format!("{rank}:{line}\n"));
    parse(&lines.collect::<String>()).unwrap()
}

/// An event, with another name of its request.
fn with_request(event: Event, name: impl Fn(u64) -> u64) -> Event {
    let mut event = event;
    match &mut event {
        Event::MpiIsend { request, .. }
        | Event::MpiIsendComplete { request }
        | Event::MpiIrecvRequest { request }
        | Event::MpiIrecv { request, .. }
        | Event::MpiRequestTest { request }
        | Event::MpiRequestCancelled { request }
        | Event::NonBlockingCollectiveRequest { request }
        | Event::NonBlockingCollectiveComplete { request, .. } => *request = name(*request),
        _ => {}
    }
    event
}

/// The trace, with calls that complete requests moved to a second thread of their rank, in turn as `moved` says.
fn completed_elsewhere(mut trace: InMemory, moved: &[bool]) -> InMemory {
    let mut moved = moved.iter().copied().cycle();
    let completes: Vec<bool> =
        trace.definitions.regions.iter().map(|region| region.name.starts_with("MPI_Wait")).collect();
    for rank in 0..RANKS {
        let main = &trace.definitions.locations[rank];
        let (id, name) = (main.id + RANKS as u64, "Thread 1".to_owned());
        trace.definitions.locations.push(LocationDefinition { id, name, thread: 1, ..main.clone() });
        let (mut of_main, mut of_other, mut is_moved) = (Vec::new(), Vec::new(), false);
        for (time, event) in std::mem::take(&mut trace.events[rank]) {
            if let Event::Enter { region } = event {
                is_moved = completes[region.0 as usize] && moved.next() == Some(true);
            }
            if is_moved { of_other.push((time, event)) } else { of_main.push((time, event)) }
        }
        trace.events[rank] = of_main;
        trace.events.push(of_other);
    }
    trace
}

/// The seconds that each rank waits for late senders and receivers, whatever the order of messages, and the warnings.
fn waits(analysis: &Analysis) -> (BTreeMap<(bool, u32), f64>, &[String]) {
    let mut waits = BTreeMap::new();
    for finding in &analysis.findings {
        let is_of_messages = finding.property.is_some_and(|state| state.name().starts_with("late_sender"));
        let is_of_receivers = finding.property == Some(WaitState::LateReceiver);
        for share in finding.locations.iter().filter(|_| is_of_messages || is_of_receivers) {
            *waits.entry((is_of_receivers, share.rank)).or_default() += share.waiting_time;
        }
    }
    (waits, &analysis.warnings)
}

/// Per location the time inside MPI calls.
fn time_in_mpi(trace: &InMemory) -> Vec<f64> {
    let is_mpi = |event: &Event| match event {
        Event::Enter { region } | Event::Leave { region } => {
            trace.definitions.regions[region.0 as usize].name.starts_with("MPI_")
        }
        _ => false,
    };
    let signed = |&(time, event): &(u64, Event)| match event {
        Event::Leave { .. } => time as f64,
        _ => -(time as f64),
    };
    let location =
        |events: &Vec<(u64, Event)>| events.iter().filter(|(_, event)| is_mpi(event)).map(signed).sum();
    trace.events.iter().map(location).collect()
}

pub(crate) fn steps() -> impl Strategy<Value = Vec<(Step, Vec<u64>)>> {
    proptest::collection::vec((step(), proptest::collection::vec(0..25u64, RANKS)), 0..40)
}

proptest! {
    #[test]
    fn waits_are_within_the_time_in_mpi(steps in steps()) {
        let trace = trace(&steps);
        let analysis = analyze(&trace, "random", &Options::default()).unwrap();
        // Random times may well contradict each other.
        let is_of_clocks = |warning: &String| warning.starts_with("the clocks of the processes contradict");
        prop_assert!(analysis.warnings.iter().all(is_of_clocks), "{:?}", analysis.warnings);
        let mut waiting = [0.0; RANKS];
        for share in analysis.findings.iter().flat_map(|finding| &finding.locations) {
            waiting[share.rank as usize] += share.waiting_time;
        }
        for (waiting, in_mpi) in waiting.into_iter().zip(time_in_mpi(&trace)) {
            prop_assert!(waiting <= in_mpi, "{waiting} of {in_mpi}");
        }
    }

    #[test]
    fn damage_never_panics_and_never_gives_nonsense(
        steps in steps(),
        cuts in proptest::collection::vec((0..RANKS, any::<proptest::sample::Index>()), 0..12),
    ) {
        let mut trace = trace(&steps);
        cut(&mut trace, cuts);
        let analysis = analyze(&trace, "random", &Options::default()).unwrap();
        let total = trace.definitions.clock.length as f64 * RANKS as f64;
        for finding in &analysis.findings {
            prop_assert!(finding.waiting_time > 0.0 && finding.waiting_time <= 2.0 * total);
        }
    }

    #[test]
    fn clocks_that_were_not_measured_give_no_nonsense(steps in steps()) {
        let trace = trace(&steps);
        let length = trace.definitions.clock.length as f64;
        let in_mpi: f64 = time_in_mpi(&trace).into_iter().sum();
        let analysis = analyze(&Unmeasured(trace), "random", &Options::default()).unwrap();
        let waiting: f64 = analysis.findings.iter().map(|finding| finding.waiting_time).sum();
        // Every end of a corrected call may be rounded by a tick.
        prop_assert!(waiting <= in_mpi * 1.001 + analysis.events as f64, "{waiting} of {in_mpi}");
        for clock in analysis.clock_correction.into_iter().flat_map(|clocks| clocks.processes) {
            prop_assert!(clock.offset.abs() <= 2.0 * length && clock.drift.abs() <= 1e-3, "{clock:?}");
        }
    }

    #[test]
    fn early_settling_keeps_the_judgement(
        steps in steps(),
        cuts in proptest::collection::vec((0..RANKS, any::<proptest::sample::Index>()), 0..3),
        part in 1..40usize,
        records in 0..30usize,
        has_common_clock: bool,
    ) {
        let mut trace = trace(&steps);
        cut(&mut trace, cuts);
        let mut trace = InParts { trace, part: usize::MAX, has_common_clock };
        let at_once = with_waits(&trace, &Options::default());
        trace.part = part;
        let options = Options { records_in_memory: records, ..Options::default() };
        let early = with_waits(&trace, &options);
        prop_assume!(![&at_once, &early].into_iter().any(|(analysis, _)| has_lost_places(analysis)));
        prop_assert_eq!(early, at_once);
    }

    #[test]
    fn early_settling_of_threads_keeps_the_judgement(
        of_mains in steps(),
        of_others in steps(),
        cuts in proptest::collection::vec((0..2 * RANKS, any::<proptest::sample::Index>()), 0..3),
        part in 1..40usize,
        records in 0..30usize,
    ) {
        let mut trace = trace(&of_mains);
        let others = self::trace(&of_others);
        for (rank, events) in others.events.into_iter().enumerate() {
            let main = &trace.definitions.locations[rank];
            let (id, name) = (main.id + RANKS as u64, "Thread 1".to_owned());
            trace.definitions.locations.push(LocationDefinition { id, name, thread: 1, ..main.clone() });
            let named = |region: RegionRef| &others.definitions.regions[region.0 as usize].name;
            // Recorders number the requests of a process.
            let number = |request: u64| request + (1 << 32);
            let mut region = |region: RegionRef| {
                let regions = &mut trace.definitions.regions;
                let known = regions.iter().position(|known| known.name == *named(region));
                let index = known.unwrap_or_else(|| {
                    regions.push(others.definitions.regions[region.0 as usize].clone());
                    regions.len() - 1
                });
                RegionRef(index as u32)
            };
            let renamed = events.into_iter().map(|(time, event)| match event {
                Event::Enter { region: name } => (time, Event::Enter { region: region(name) }),
                Event::Leave { region: name } => (time, Event::Leave { region: region(name) }),
                event => (time, with_request(event, number)),
            });
            trace.events.push(renamed.collect());
        }
        cut(&mut trace, cuts);
        let mut trace = InParts { trace, part: usize::MAX, has_common_clock: true };
        let at_once = with_waits(&trace, &Options::default());
        trace.part = part;
        let options = Options { records_in_memory: records, ..Options::default() };
        let early = with_waits(&trace, &options);
        prop_assume!(![&at_once, &early].into_iter().any(|(analysis, _)| has_lost_places(analysis)));
        prop_assert_eq!(early, at_once);
    }

    #[test]
    fn waits_are_the_same_if_another_thread_completes(
        steps in steps(),
        moved in proptest::collection::vec(any::<bool>(), 1..20),
        part in 1..40usize,
        records in 0..30usize,
    ) {
        let alone = trace(&steps);
        let trace = completed_elsewhere(alone.clone(), &moved);
        let mut trace = InParts { trace, part: usize::MAX, has_common_clock: true };
        let at_once = analyze(&trace, "random", &Options::default()).unwrap();
        let alone = analyze(&alone, "random", &Options::default()).unwrap();
        prop_assert_eq!(waits(&at_once), waits(&alone));
        trace.part = part;
        let options = Options { records_in_memory: records, ..Options::default() };
        prop_assert_eq!(analyze(&trace, "random", &options).unwrap(), at_once);
    }

    #[test]
    fn the_order_of_locations_does_not_matter(steps in steps()) {
        let trace = trace(&steps);
        let mut reversed = trace.clone();
        reversed.definitions.locations.reverse();
        reversed.events.reverse();
        let analyze = |trace| analyze(trace, "random", &Options::default()).unwrap();
        prop_assert_eq!(analyze(&trace), analyze(&reversed));
    }
}
