//! Definitions and events that tests share.
#![allow(dead_code, reason = "no test uses all of it")]

use std::collections::BTreeMap;

use ats_model::affinity::Affinity;
use ats_model::attribute::{AttributeDefinition, AttributeType};
use ats_model::definitions::{
    CallingContext, Clock, Communicator, InterruptGenerator, InterruptMode, LocationDefinition, Members,
    Paradigm, Region, RegionRole, SystemNode, SystemTree, Team,
};
use ats_model::event::{
    CallingContextRef, CollectiveOperation, CommunicatorRef, InterruptGeneratorRef, MeasurementMode,
    MetricRef, ProgramRef, RegionRef, Root, TaskId, TeamRef, Time,
};
use ats_model::metric::{Base, MetricDefinition, MetricValue, ValueProperty, ValueType};
use ats_model::neighbors::Neighbors;
use ats_model::{CallSite, Definitions, Event, EventSource};
use ats_trace::Archive;
use proptest::prelude::*;

/// All events of a location.
pub(crate) fn events_of(archive: &Archive, index: usize) -> Vec<(u64, Event)> {
    let mut events = Vec::new();
    archive.read_location(index, |time, event| events.push((time, event))).unwrap();
    events
}

/// A metric that never falls.
fn metric(name: &str, value_type: ValueType) -> MetricDefinition {
    MetricDefinition {
        name: name.into(),
        unit: "#".into(),
        property: ValueProperty::Accumulated,
        value_type,
        base: Base::Decimal,
        exponent: -3,
    }
}

/// Four regions, three communicators and as many single-threaded processes.
pub(crate) fn small_definitions(ranks: u32) -> Definitions {
    let region = |name: &str, role, paradigm| Region {
        name: name.into(),
        file: "late_sender.c".into(),
        line: 17,
        last_line: 40,
        role,
        paradigm,
        call_site: None,
    };
    let members = |ranks| Members::Ranks(ranks);
    let communicator = |name: &str, members| Communicator { name: name.into(), members };
    Definitions {
        clock: Clock::default(),
        regions: vec![
            region("main", RegionRole::Function, Paradigm::User),
            region("MPI_Send", RegionRole::PointToPoint, Paradigm::Mpi),
            region("MPI_Recv", RegionRole::PointToPoint, Paradigm::Mpi),
            region("MPI_Barrier", RegionRole::Barrier, Paradigm::Mpi),
            Region::default(),
        ],
        calls: BTreeMap::new(),
        communicators: vec![
            communicator("MPI_COMM_WORLD", members((0..ranks).collect())),
            communicator("half", members((0..ranks).step_by(2).collect())),
            communicator("MPI_COMM_SELF", Members::SelfOnly),
        ],
        neighbors: [((0, CommunicatorRef(1)), Neighbors { sources: vec![0], destinations: Vec::new() })]
            .into(),
        openmp_ended: BTreeMap::new(),
        lost_samples: BTreeMap::new(),
        counted_permille: BTreeMap::new(),
        left_out: BTreeMap::new(),
        affinities: BTreeMap::new(),
        teams: Vec::new(),
        locations: (0..ranks)
            .map(|rank| LocationDefinition {
                id: u64::from(rank),
                name: "Master thread".into(),
                rank,
                thread: 0,
                events: 0,
            })
            .collect(),
        system_tree: SystemTree {
            nodes: vec![
                SystemNode { name: "cluster".into(), class: "machine".into(), parent: None },
                SystemNode { name: "n1".into(), class: "node".into(), parent: Some(0) },
            ],
            processes: (0..ranks).map(|rank| (rank, 1)).collect(),
        },
        attributes: vec![AttributeDefinition {
            name: "ALLOCATION_SIZE".into(),
            description: "Size of memory to allocate".into(),
            value_type: Some(AttributeType::Uint64),
        }],
        metrics: vec![metric("PAPI_TOT_INS", ValueType::Uint64), metric("joules", ValueType::Double)],
        calling_contexts: vec![
            CallingContext { function: RegionRef(4), file: "late_sender.c".into(), line: 30, parent: None },
            CallingContext { function: RegionRef(0), file: String::new(), line: 0, parent: Some(0) },
        ],
        interrupt_generators: vec![InterruptGenerator {
            name: "CPU time".into(),
            mode: InterruptMode::Time,
            base: Base::Decimal,
            exponent: -9,
            period: 5_000_000,
        }],
        strings: ["late_sender", ""].into_iter().collect(),
    }
}

/// The same with a second thread in each process and a team of both, as Score-P numbers them.
pub(crate) fn threaded_definitions(ranks: u32) -> Definitions {
    let mut definitions = small_definitions(ranks);
    for rank in 0..ranks {
        let id = 1 << 32 | u64::from(rank);
        let worker = LocationDefinition { id, name: "OMP thread 1".into(), rank, thread: 1, events: 0 };
        definitions.locations.push(worker);
        definitions.teams.push(Team { name: format!("team {rank}"), members: vec![rank, ranks + rank] });
    }
    definitions
}

/// One event of every kind that a thread of this team can have, with small and large values.
pub(crate) fn thread_events(team: u32) -> Vec<Event> {
    let team = TeamRef(team);
    let task = TaskId { creator: 1, generation: 70_000 };
    vec![
        Event::ThreadFork { requested: 2 },
        Event::ThreadTeamBegin { team },
        Event::Enter { region: RegionRef(4) },
        Event::ThreadAcquireLock { lock: 300, order: 1 },
        Event::ThreadReleaseLock { lock: 300, order: 1 },
        Event::ThreadTaskCreate { team, task },
        Event::ThreadTaskSwitch { team, task: TaskId { creator: 0, generation: 0 } },
        Event::ThreadTaskComplete { team, task },
        Event::Leave { region: RegionRef(4) },
        Event::ThreadTeamEnd { team },
        Event::ThreadJoin,
    ]
}

/// One event of every kind that a process can have, with small and large values.
pub(crate) fn all_events() -> Vec<Event> {
    let communicator = CommunicatorRef(0);
    let bytes = 1 << 40;
    vec![
        Event::ProgramBegin { program: ProgramRef(0) },
        Event::Metric { metric: MetricRef(0), value: MetricValue { of: ValueType::Uint64, bits: u64::MAX } },
        Event::Metric {
            metric: MetricRef(1),
            value: MetricValue { of: ValueType::Double, bits: 1.5_f64.to_bits() },
        },
        Event::Enter { region: RegionRef(0) },
        Event::BufferFlush { stop: Time(1 << 40) },
        Event::MeasurementOnOff { mode: MeasurementMode::Off },
        Event::MeasurementOnOff { mode: MeasurementMode::On },
        Event::MpiSend { receiver: 1, communicator, tag: 17, bytes },
        Event::MpiIsend { receiver: 1, communicator, tag: 300, bytes, request: 1 << 50 },
        Event::MpiRequestTest { request: 3 },
        Event::MpiIsendComplete { request: 1 << 50 },
        Event::MpiIrecvRequest { request: 0 },
        Event::MpiRecv { sender: 0, communicator, tag: 0, bytes: 0 },
        Event::MpiIrecv { sender: 1, communicator, tag: 70_000, bytes: 1, request: 0 },
        Event::MpiRequestCancelled { request: 256 },
        Event::MpiCollectiveBegin,
        Event::MpiCollectiveEnd {
            operation: CollectiveOperation::Reduce,
            communicator,
            root: Some(1),
            sent: 8,
            received: 0,
        },
        Event::MpiCollectiveEnd {
            operation: CollectiveOperation::Barrier,
            communicator: CommunicatorRef(1),
            root: None,
            sent: 0,
            received: 0,
        },
        Event::NonBlockingCollectiveRequest { request: 1 << 50 },
        Event::NonBlockingCollectiveComplete {
            operation: CollectiveOperation::Bcast,
            communicator,
            root: Some(1).into(),
            sent: bytes.into(),
            received: 0.into(),
            request: 1 << 50,
        },
        Event::NonBlockingCollectiveComplete {
            operation: CollectiveOperation::Barrier,
            communicator,
            root: Root::NONE,
            sent: 0.into(),
            received: 0.into(),
            request: 7,
        },
        Event::CallingContextSample {
            context: CallingContextRef(0),
            unwind_distance: u32::MAX,
            interrupts: InterruptGeneratorRef(0),
        },
        Event::Leave { region: RegionRef(0) },
        Event::ProgramEnd { status: -1 },
        Event::ProgramEnd { status: i64::MIN },
    ]
}

/// Neighbours of any ranks on any of three communicators.
fn neighbors() -> BoxedStrategy<BTreeMap<(u32, CommunicatorRef), Neighbors>> {
    let ranks = || prop::collection::vec(any::<u32>(), 0..4);
    let neighbors =
        (ranks(), ranks()).prop_map(|(sources, destinations)| Neighbors { sources, destinations });
    let place = (0..4u32, 0..3u32).prop_map(|(rank, communicator)| (rank, CommunicatorRef(communicator)));
    prop::collection::btree_map(place, neighbors, 0..5).boxed()
}

/// Any definitions of four locations on one to four ranks, with five regions and three communicators. Every location is in
/// the first of two teams.
pub(crate) fn definitions() -> BoxedStrategy<Definitions> {
    let text = prop_oneof!["[a-zA-Z_:<>é ]{0,40}", "[a-z]{250,260}"].boxed();
    let call_site = (text.clone(), text.clone(), 0..1000_u32).prop_map(|(function, file, line)| {
        let file = if line == 0 { String::new() } else { file };
        CallSite { function: format!("f{function}"), file, line }
    });
    let call_site = prop::option::of(call_site);
    let region = (text.clone(), text.clone(), 0..u32::MAX - 1000, 0..1000_u32, 0..32u8, 0..5u8, call_site)
        .prop_map(|(name, file, line, lines, role, paradigm, call_site)| Region {
            name,
            file,
            line,
            last_line: line + lines,
            role: RegionRole::from_otf2(role),
            paradigm: Paradigm::from_otf2(paradigm),
            call_site,
        });
    let locations = (1..5u32, any::<u32>(), text.clone()).prop_map(|(ranks, high, name)| {
        let locations = (0..4u32).map(|index| LocationDefinition {
            id: u64::from(index) << 32 | u64::from(high & 0xff),
            name: format!("{name}{index}"),
            rank: index % ranks,
            thread: index / ranks,
            events: 0,
        });
        locations.collect::<Vec<_>>()
    });
    let members =
        prop_oneof![Just(Members::SelfOnly), prop::collection::vec(0..4u32, 0..5).prop_map(Members::Ranks),];
    let communicator = (text.clone(), members).prop_map(|(name, members)| Communicator { name, members });
    let all = Just(vec![0, 1, 2, 3]).prop_shuffle();
    let team = |members| (text.clone(), members).prop_map(|(name, members)| Team { name, members });
    let teams = (team(all.boxed()), team(prop::collection::vec(0..4u32, 0..5).boxed()));
    let attribute =
        (text.clone(), text.clone(), 0..AttributeType::ALL.len()).prop_map(|(name, description, of)| {
            AttributeDefinition { name, description, value_type: Some(AttributeType::ALL[of]) }
        });
    let metric = (text.clone(), text.clone(), 0..3_usize, 0..3_usize, 0..2_usize, any::<i64>()).prop_map(
        |(name, unit, property, value_type, base, exponent)| MetricDefinition {
            name,
            unit,
            property: ValueProperty::ALL[property],
            value_type: [ValueType::Uint64, ValueType::Int64, ValueType::Double][value_type],
            base: Base::ALL[base],
            exponent,
        },
    );
    let contexts = prop::collection::vec((0..5u32, text.clone(), any::<u32>(), any::<u32>()), 2..5);
    let contexts = contexts.prop_map(|contexts| {
        let context = |(number, (function, file, line, parent)): (u32, (u32, String, u32, u32))| {
            CallingContext { function: RegionRef(function), file, line, parent: parent.checked_rem(number) }
        };
        (0..).zip(contexts).map(context).collect::<Vec<_>>()
    });
    let generator = (text.clone(), 0..2_usize, 0..2_usize, any::<i64>(), any::<u64>()).prop_map(
        |(name, mode, base, exponent, period)| InterruptGenerator {
            name,
            mode: InterruptMode::ALL[mode],
            base: Base::ALL[base],
            exponent,
            period,
        },
    );
    let beside = (
        prop::collection::vec((text.clone(), text.clone()), 1..5),
        prop::collection::vec(metric, 4..6),
        prop::collection::vec(attribute, 4..6),
        prop::collection::vec(text, 4..6),
        neighbors(),
        prop::collection::btree_map(0..4u32, any::<u64>(), 0..3),
        contexts,
        prop::collection::vec(generator, 2..4),
    );
    (
        1..u64::MAX,
        prop::collection::vec(region, 5),
        prop::collection::vec(communicator, 3),
        teams,
        locations,
        beside,
    )
        .prop_map(|(resolution, regions, communicators, (first, second), locations, beside)| Definitions {
            clock: Clock { resolution, ..Clock::default() },
            regions,
            calls: BTreeMap::new(),
            communicators,
            neighbors: beside
                .4
                .into_iter()
                .filter(|((rank, _), _)| locations.iter().any(|location| location.rank == *rank))
                .collect(),
            affinities: locations
                .iter()
                .filter(|location| location.rank % 2 == 1)
                .map(|location| {
                    let processors = (0..location.rank).collect();
                    (location.rank, Affinity { host: beside.0[0].0.clone(), processors })
                })
                .collect(),
            lost_samples: [(0, 1)].into(),
            counted_permille: [(0, 997)].into(),
            left_out: [((0, RegionRef(2)), 7)].into(),
            openmp_ended: beside
                .5
                .into_iter()
                .filter(|(rank, _)| locations.iter().any(|location| location.rank == *rank))
                .collect(),
            teams: vec![first, second],
            system_tree: SystemTree {
                processes: locations
                    .iter()
                    .map(|location| (location.rank, location.rank % beside.0.len() as u32))
                    .collect(),
                nodes: (0..)
                    .zip(beside.0)
                    .map(|(number, (name, class))| SystemNode {
                        name,
                        class,
                        parent: u32::checked_sub(number, 1),
                    })
                    .collect(),
            },
            metrics: beside.1,
            attributes: beside.2,
            calling_contexts: beside.6,
            interrupt_generators: beside.7,
            strings: beside.3.into_iter().collect(),
            locations,
        })
        .boxed()
}
