//! Facts about traces that other tools recorded; the rest of their content is compared in `c_library.rs`.

use crate::common::events_of;
use ats_model::attribute::{AttributeType, AttributeValue};
use ats_model::definitions::{Members, Paradigm, RegionRole};
use ats_model::event::{AttributeRef, MeasurementMode, RegionRef, TeamRef};
use ats_model::metric::ValueProperty;
use ats_model::{Event, EventSource};
use ats_testing::peer;
use ats_trace::Archive;

/// Id, rank and thread of every location.
fn places(archive: &Archive) -> Vec<(u64, u32, u32)> {
    let locations = &archive.definitions().locations;
    locations.iter().map(|location| (location.id, location.rank, location.thread)).collect()
}

#[test]
fn score_p_hybrid_has_threads_below_ranks() {
    let archive = Archive::open(&peer("scorep-hybrid-2x2/traces.otf2")).unwrap();
    let expected = [(0, 0, 0), (4_294_967_296, 0, 1), (1, 1, 0), (4_294_967_297, 1, 1)];
    assert_eq!(places(&archive), expected);
    let definitions = archive.definitions();
    // A process says which one it is when its program begins, a thread when its team does.
    let attributes: Vec<_> = definitions.attributes.iter().map(|attribute| &*attribute.name).collect();
    assert_eq!(attributes, ["SOURCE_CODE_LOCATION", "Offset", "ProcessId", "ThreadId"]);
    let counts: Vec<_> = (0..4)
        .map(|index| {
            let events = events_of(&archive, index);
            let of = |wanted| {
                let is_it = |event: &Event| matches!(event, Event::Attribute { attribute, .. } if attribute.0 == wanted);
                events.iter().filter(|(_, event)| is_it(event)).count()
            };
            [events.len() - of(2) - of(3), of(2), of(3)]
        })
        .collect();
    assert_eq!(counts, [[318, 1, 15], [216, 0, 15], [318, 1, 15], [216, 0, 15]]);
    assert_eq!(definitions.clock.resolution, 2_000_009_318);
    let communicators: Vec<_> =
        definitions.communicators.iter().map(|it| (&*it.name, it.members.clone())).collect();
    // Score-P's own communicator is neither MPI's nor a team.
    let expected = [("MPI_COMM_WORLD", Members::Ranks(vec![0, 1])), ("MPI_COMM_SELF", Members::SelfOnly)];
    assert_eq!(communicators, expected);
    let teams: Vec<_> = definitions.teams.iter().map(|team| (&*team.name, &*team.members)).collect();
    assert_eq!(teams, [("", &[0, 1][..]), ("", &[2, 3])]);
    for (index, team) in [(0, 0), (1, 0), (2, 1), (3, 1)] {
        let events = events_of(&archive, index);
        let count = |wanted: Event| events.iter().filter(|(_, event)| *event == wanted).count();
        let team = TeamRef(team);
        let found = [Event::ThreadTeamBegin { team }, Event::ThreadTeamEnd { team }].map(count);
        assert_eq!(found, [15, 15], "location {index}");
        let master = index % 2 == 0;
        let found = [Event::ThreadFork { requested: 2 }, Event::ThreadJoin].map(count);
        assert_eq!(found, if master { [15, 15] } else { [0, 0] }, "location {index}");
        let locks =
            events.iter().filter(|(_, event)| matches!(event, Event::ThreadAcquireLock { lock: 0, .. }));
        assert_eq!(locks.count(), 3, "location {index}");
    }
}

#[test]
fn score_p_regions_have_role_paradigm_file_and_line() {
    let archive = Archive::open(&peer("scorep-patterns-4ranks/traces.otf2")).unwrap();
    let region = |name: &str| {
        let region = archive.definitions().regions.iter().find(|region| region.name == name);
        region.unwrap_or_else(|| panic!("no region {name}"))
    };
    assert_eq!(
        (region("MPI_Recv").role, region("MPI_Recv").paradigm),
        (RegionRole::PointToPoint, Paradigm::Mpi)
    );
    assert_eq!(
        (region("MPI_Barrier").role, region("MPI_Barrier").paradigm),
        (RegionRole::Barrier, Paradigm::Mpi)
    );
    let work = region("do_work");
    assert_eq!((work.role, work.paradigm), (RegionRole::Function, Paradigm::Compiler));
    assert!(work.file.ends_with("held.c") && work.line == 8, "{work:?}");
}

#[test]
fn score_p_sub_communicators_have_world_ranks() {
    let archive = Archive::open(&peer("scorep-patterns-4ranks/traces.otf2")).unwrap();
    let members: Vec<_> =
        archive.definitions().communicators.iter().map(|communicator| communicator.members.clone()).collect();
    let expected = [vec![0, 1, 2, 3], vec![0, 1], vec![2, 3]].map(Members::Ranks);
    for group in &expected {
        assert!(members.contains(group), "{group:?} in {members:?}");
    }
}

#[test]
fn score_p_clocks_are_brought_together() {
    let archive = Archive::open(&peer("scorep-patterns-4ranks/traces.otf2")).unwrap();
    let offsets: Vec<_> = (0..4).map(|index| archive.clock_offsets(index).unwrap().len()).collect();
    assert_eq!(offsets, [2, 2, 2, 2]);
    let clock = archive.definitions().clock;
    for index in 0..4 {
        for (time, _) in events_of(&archive, index) {
            assert!(time >= clock.offset && time - clock.offset <= clock.length, "{time} in {clock:?}");
        }
    }
}

#[test]
fn eztrace_is_read_with_all_its_oddities() {
    let archive = Archive::open(&peer("eztrace-7props-4ranks/eztrace_log.otf2")).unwrap();
    let definitions = archive.definitions();
    // Sparse ids.
    let expected = [(0, 0, 0), (536_870_911, 1, 0), (1_073_741_822, 2, 0), (1_610_612_733, 3, 0)];
    assert_eq!(places(&archive), expected);
    // The clock is defined late, and none is measured against another.
    assert_eq!((definitions.clock.resolution, definitions.clock.length), (1_000_000_000, 4_417_550_105));
    assert_eq!(archive.clock_offsets(1).unwrap(), []);
    // The groups of all locations and of the world have one id.
    let world = &definitions.communicators[0];
    assert_eq!((&*world.name, &world.members), ("MPI_COMM_WORLD", &Members::Ranks(vec![0, 1, 2, 3])));
    // A location is said to have 2 events; the chunk's header knows better.
    let events: Vec<_> = (0..4).map(|index| events_of(&archive, index)).collect();
    assert_eq!(events.iter().map(Vec::len).collect::<Vec<_>>(), [358; 4]);
    let count = |wanted: fn(&Event) -> bool| events[0].iter().filter(|(_, event)| wanted(event)).count();
    assert_eq!(count(|event| matches!(event, Event::Enter { .. })), 95);
    assert_eq!(count(|event| matches!(event, Event::Leave { .. })), 95);
    assert_eq!(count(|event| matches!(event, Event::MpiSend { .. })), 20);
    assert_eq!(count(|event| matches!(event, Event::MpiCollectiveEnd { .. })), 73);
}

#[test]
fn metrics_program_and_system_tree_are_as_the_c_library_writes_them() {
    let archive = Archive::open(&peer("otf2-metrics/traces.otf2")).unwrap();
    let definitions = archive.definitions();
    let nodes: Vec<_> =
        definitions.system_tree.nodes.iter().map(|node| (&*node.name, &*node.class, node.parent)).collect();
    assert_eq!(nodes, [("cluster", "machine", None), ("n1", "node", Some(0))]);
    assert_eq!(definitions.system_tree.node_of(0), Some("n1"));
    assert_eq!((definitions.regions[0].line, definitions.regions[0].last_line), (10, 20));
    let metrics: Vec<_> = definitions
        .metrics
        .iter()
        .map(|metric| (&*metric.name, &*metric.unit, metric.property, metric.scale()))
        .collect();
    let of_class = [
        ("PAPI_TOT_INS", "", ValueProperty::Accumulated, 1000.0),
        ("steps", "", ValueProperty::Relative, 0.25),
        ("temperature", "K", ValueProperty::Absolute, 1.0),
    ];
    assert_eq!(metrics, [of_class, of_class].concat(), "those of the class, those of its instance");

    let events = events_of(&archive, 0);
    let is_metric = |event: &&(u64, Event)| matches!(event.1, Event::Metric { .. });
    let values: Vec<_> = events
        .iter()
        .filter(is_metric)
        .map(|&(time, event)| match event {
            Event::Metric { metric, value } => (time, metric.0, value.number()),
            _ => unreachable!("these are metrics"),
        })
        .collect();
    let [first, second, third] =
        [(2, 0, [1000.0, -5.0, 300.5]), (6, 3, [u64::MAX as f64, 1.0, 250.0]), (8, 0, [1024.0, 8.0, 310.25])]
            .map(|(time, metric, values)| [0, 1, 2].map(|of| (time, metric + of as u32, values[of])));
    assert_eq!(values, [first, second, third].concat());
    let others: Vec<_> = events.iter().filter(|event| !is_metric(event)).map(|event| event.1).collect();
    let attribute = AttributeRef(0);
    let value = AttributeValue { of: AttributeType::Uint64, bits: 777 };
    assert_eq!(
        (&*definitions.attributes[0].name, others[0]),
        ("steps", Event::Attribute { attribute, value })
    );
    let Event::ProgramBegin { program } = others[1] else { panic!("{:?}", others[1]) };
    assert_eq!(definitions.strings.get(program.0), Some("/opt/heat"));
    let region = RegionRef(0);
    assert_eq!(
        others[2..],
        [
            Event::Enter { region },
            Event::MeasurementOnOff { mode: MeasurementMode::Off },
            Event::MeasurementOnOff { mode: MeasurementMode::On },
            Event::Leave { region },
            Event::ProgramEnd { status: 3 },
        ]
    );
}
