//! Written archives are read back unchanged.

use crate::common;
use crate::common::{all_events, events_of, small_definitions, thread_events, threaded_definitions};
use ats_model::attribute::{AttributeType, AttributeValue};
use ats_model::definitions::{CallingContext, Region, RegionRole};
use ats_model::event::{
    AttributeRef, CallingContextRef, CollectiveOperation, CommunicatorRef, InterruptGeneratorRef,
    MeasurementMode, MetricRef, ProgramRef, RegionRef, TaskId, TeamRef, Time,
};
use ats_model::metric::{MetricValue, ValueType};
use ats_model::own_attribute::Own;
use ats_model::{CallSite, Definitions, Event, EventSource};
use ats_trace::parts::Maps;
use ats_trace::{
    Archive, ArchiveProperties, ArchiveWriter, ChunkSize, ClockOffset, LocationWriter, TraceError,
};
use proptest::prelude::*;

type Trace = Vec<Vec<(u64, Event)>>;

/// Writes with little memory, so that buffers are moved to the files again and again, and reads it again.
fn round_trip(definitions: &Definitions, trace: &Trace, memory: usize) -> (Definitions, Trace) {
    let dir = tempfile::tempdir().unwrap();
    let mut writer = ArchiveWriter::create(dir.path()).unwrap().memory(memory).chunk(ChunkSize::MIN);
    for location in &definitions.locations {
        writer.add_location(location.id);
    }
    let longest = trace.iter().map(Vec::len).max().unwrap_or(0);
    for step in 0..longest {
        for (location, events) in trace.iter().enumerate() {
            if let Some((time, event)) = events.get(step) {
                writer.event(location, *time, event).unwrap();
            }
        }
    }
    writer.finish(definitions, &ArchiveProperties::default()).unwrap();
    let archive = Archive::open(&dir.path().join("traces.otf2")).unwrap();
    let read = (0..trace.len()).map(|index| events_of(&archive, index)).collect();
    let mut read_definitions = archive.definitions().clone();
    // Texts of definitions are among the strings, too.
    let given = definitions.strings.iter().count();
    read_definitions.strings = read_definitions.strings.iter().take(given).collect();
    (read_definitions, read)
}

/// The number of events, without attributes.
fn counted(events: &[(u64, Event)]) -> u64 {
    events.iter().filter(|(_, event)| !matches!(event, Event::Attribute { .. })).count() as u64
}

/// `definitions` as the writer completes them.
fn completed(mut definitions: Definitions, trace: &Trace) -> Definitions {
    let with_events = trace.iter().filter(|events| counted(events) > 0);
    let times: Vec<u64> = with_events.flatten().map(|(time, _)| *time).collect();
    if let (Some(first), Some(last)) = (times.iter().min(), times.iter().max()) {
        definitions.clock.offset = *first;
        definitions.clock.length = last - first;
    }
    for (location, events) in definitions.locations.iter_mut().zip(trace) {
        location.events = counted(events);
    }
    definitions
}

fn event() -> BoxedStrategy<Event> {
    let region = (0..5u32).prop_map(RegionRef);
    let communicator = (0..3u32).prop_map(CommunicatorRef);
    let number = prop_oneof![0..300u32, any::<u32>(), Just(u32::MAX)].boxed();
    let large = prop_oneof![0..300u64, any::<u64>(), Just(u64::MAX)].boxed();
    let message = (number.clone(), communicator.clone(), number.clone(), large.clone(), large.clone());
    prop_oneof![
        region.clone().prop_map(|region| Event::Enter { region }),
        region.prop_map(|region| Event::Leave { region }),
        (message, 0..4).prop_map(|((peer, communicator, tag, bytes, request), kind)| match kind {
            0 => Event::MpiSend { receiver: peer, communicator, tag, bytes },
            1 => Event::MpiIsend { receiver: peer, communicator, tag, bytes, request },
            2 => Event::MpiRecv { sender: peer, communicator, tag, bytes },
            _ => Event::MpiIrecv { sender: peer, communicator, tag, bytes, request },
        }),
        (large.clone(), 0..4).prop_map(|(request, kind)| match kind {
            0 => Event::MpiIsendComplete { request },
            1 => Event::MpiIrecvRequest { request },
            2 => Event::MpiRequestTest { request },
            _ => Event::MpiRequestCancelled { request },
        }),
        thread_event(),
        (0..4u32, large.clone(), 0..3usize).prop_map(|(metric, bits, of)| Event::Metric {
            metric: MetricRef(metric),
            value: MetricValue { of: [ValueType::Uint64, ValueType::Int64, ValueType::Double][of], bits },
        }),
        (0..4u32, 0..AttributeType::ALL.len(), any::<u64>()).prop_map(|(attribute, of, bits)| {
            let value = attribute_value(AttributeType::ALL[of], bits);
            Event::Attribute { attribute: AttributeRef(attribute), value }
        }),
        (0..2u32, number.clone(), 0..2u32).prop_map(|(context, unwind_distance, interrupts)| {
            Event::CallingContextSample {
                context: CallingContextRef(context),
                unwind_distance,
                interrupts: InterruptGeneratorRef(interrupts),
            }
        }),
        (0..4u32).prop_map(|program| Event::ProgramBegin { program: ProgramRef(program) }),
        any::<i64>().prop_map(|status| Event::ProgramEnd { status }),
        prop_oneof![Just(MeasurementMode::On), Just(MeasurementMode::Off)]
            .prop_map(|mode| Event::MeasurementOnOff { mode }),
        large.clone().prop_map(|stop| Event::BufferFlush { stop: Time(stop) }),
        Just(Event::MpiCollectiveBegin),
        (0..23u8, communicator, proptest::option::of(0..u32::MAX), large.clone(), large.clone()).prop_map(
            |(operation, communicator, root, sent, received)| Event::MpiCollectiveEnd {
                operation: CollectiveOperation::from_otf2(operation),
                communicator,
                root,
                sent,
                received,
            }
        ),
        large.clone().prop_map(|request| Event::NonBlockingCollectiveRequest { request }),
        (0..23u8, 0..3u32, proptest::option::of(0..u32::MAX), large.clone(), large).prop_map(
            |(operation, communicator, root, bytes, request)| Event::NonBlockingCollectiveComplete {
                operation: CollectiveOperation::from_otf2(operation),
                communicator: CommunicatorRef(communicator),
                root: root.into(),
                sent: bytes.into(),
                received: (bytes >> 20).into(),
                request,
            }
        ),
    ]
    .boxed()
}

/// A value with these bits, as far as its type has them.
fn attribute_value(of: AttributeType, bits: u64) -> AttributeValue {
    let bits = match of {
        AttributeType::Uint8 => bits & 0xff,
        AttributeType::Uint16 => bits & 0xffff,
        AttributeType::Uint32 | AttributeType::Float => bits & 0xffff_ffff,
        AttributeType::Uint64 | AttributeType::Int64 | AttributeType::Double => bits,
        AttributeType::Int8 => bits as i8 as u64,
        AttributeType::Int16 => bits as i16 as u64,
        AttributeType::Int32 => bits as i32 as u64,
        AttributeType::String | AttributeType::Region => bits % 4,
        AttributeType::Comm => bits % 3,
        AttributeType::CallingContext => bits % 2,
    };
    AttributeValue { of, bits }
}

fn thread_event() -> BoxedStrategy<Event> {
    let number = prop_oneof![0..300u32, any::<u32>(), Just(u32::MAX)];
    let team = TeamRef(0);
    (number.clone(), number, 0..9)
        .prop_map(move |(first, second, kind)| {
            let task = TaskId { creator: first, generation: second };
            match kind {
                0 => Event::ThreadFork { requested: first },
                1 => Event::ThreadJoin,
                2 => Event::ThreadTeamBegin { team },
                3 => Event::ThreadTeamEnd { team },
                4 => Event::ThreadAcquireLock { lock: first, order: second },
                5 => Event::ThreadReleaseLock { lock: first, order: second },
                6 => Event::ThreadTaskCreate { team, task },
                7 => Event::ThreadTaskSwitch { team, task },
                _ => Event::ThreadTaskComplete { team, task },
            }
        })
        .boxed()
}

/// Events with times that rise or stand still, by little or by much.
fn location(events: usize) -> BoxedStrategy<Vec<(u64, Event)>> {
    let step = prop_oneof![Just(0u64), 1..1000u64, 0..1u64 << 40];
    let first = prop_oneof![Just(0u64), 0..1u64 << 50];
    (first, prop::collection::vec((step, event()), 0..events))
        .prop_map(|(mut time, events)| {
            let stamped = events.into_iter().map(|(step, event)| {
                time += step;
                (time, event)
            });
            stamped.collect()
        })
        .boxed()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: ats_testing::seeds(64).end as u32, ..ProptestConfig::default() })]

    #[test]
    fn any_trace(
        definitions in common::definitions(),
        trace in prop::collection::vec(location(60), 4),
        memory in prop_oneof![Just(0usize), Just(1000), Just(1 << 20)],
    ) {
        let trace: Trace = trace.into_iter().take(definitions.locations.len()).collect();
        let (read_definitions, read) = round_trip(&definitions, &trace, memory);
        prop_assert_eq!(read, trace.clone());
        prop_assert_eq!(read_definitions, completed(definitions, &trace));
    }
}

#[test]
fn many_chunks_in_memory_and_drained_in_the_middle() {
    let definitions = small_definitions(2);
    let events = all_events();
    let trace: Trace = (0..2u64)
        .map(|location| {
            let times = (0..60_000).map(|i| 1_000 + i / 2 * 7 + location);
            times.zip(events.iter().copied().cycle()).collect()
        })
        .collect();
    for memory in [100_000, usize::MAX] {
        let (_, read) = round_trip(&definitions, &trace, memory);
        assert!(read == trace, "with {memory} bytes of memory");
    }
}

#[test]
fn a_file_is_read_part_by_part() {
    let dir = tempfile::tempdir().unwrap();
    let events: Vec<_> = (1_000..81_000u64).zip(all_events().into_iter().cycle()).collect();
    let mut writer = ArchiveWriter::create(dir.path()).unwrap();
    let location = writer.add_location(0);
    events.iter().for_each(|(time, event)| writer.event(location, *time, event).unwrap());
    writer.finish(&small_definitions(1), &ArchiveProperties::default()).unwrap();
    let bytes = std::fs::metadata(dir.path().join("traces/0.evt")).unwrap().len();
    let mut archive = Archive::open(&dir.path().join("traces.otf2")).unwrap();
    // A chunk of 1 MiB at least.
    archive.set_part_bytes(1);
    let (mut read, mut parts) = (Vec::new(), 0);
    while archive.read_part(0, parts, |time, event| read.push((time, event))).unwrap() {
        parts += 1;
    }
    assert!(parts > 0 && parts as u64 == bytes >> 20, "{parts} of {bytes} bytes");
    assert!(read == events);
}

#[test]
fn a_common_clock_is_recorded_and_changes_no_time() {
    for (times, measured) in [(&[7, 9, 40][..], &[7, 40][..]), (&[7], &[7])] {
        for is_common in [false, true] {
            let dir = tempfile::tempdir().unwrap();
            let mut writer = ArchiveWriter::create(dir.path()).unwrap();
            if is_common {
                writer = writer.common_clock();
            }
            let location = writer.add_location(0);
            let events: Vec<_> = times.iter().map(|&time| (time, Event::MpiCollectiveBegin)).collect();
            events.iter().for_each(|(time, event)| writer.event(location, *time, event).unwrap());
            writer.finish(&small_definitions(2), &ArchiveProperties::default()).unwrap();
            let archive = Archive::open(&dir.path().join("traces.otf2")).unwrap();
            assert_eq!(archive.has_common_clock(), is_common);
            for index in 0..2 {
                let offsets = archive.clock_offsets(index).unwrap();
                assert!(offsets.iter().all(|measured| measured.offset == 0));
                let found: Vec<u64> = offsets.iter().map(|measured| measured.time).collect();
                assert_eq!(found, if is_common { measured } else { &[] });
            }
            assert_eq!(events_of(&archive, 0), events);
        }
    }
}

#[test]
fn regions_that_an_exception_has_left_are_remarked_on() {
    let dir = tempfile::tempdir().unwrap();
    let definitions = small_definitions(1);
    let remarks = |unleft| {
        let mut writer = ArchiveWriter::create(dir.path()).unwrap();
        definitions.locations.iter().for_each(|location| _ = writer.add_location(location.id));
        let properties = vec![("ATS::OTHER".to_owned(), "3".to_owned())];
        let properties = ArchiveProperties { properties, ..ArchiveProperties::default() };
        writer.finish(&definitions, &properties.with_unleft_regions(unleft)).unwrap();
        Archive::open(&dir.path().join("traces.otf2")).unwrap().remarks()
    };
    assert_eq!(remarks(0), [""; 0]);
    assert_eq!(
        remarks(4),
        ["regions left by an exception or a jump (each ends with the region around it): 4"]
    );
}

#[test]
fn the_end_of_openmp_is_remarked_on() {
    let dir = tempfile::tempdir().unwrap();
    let mut definitions = small_definitions(2);
    definitions.clock.resolution = 1000;
    definitions.openmp_ended = [(0, 3500), (1, 2250)].into();
    let mut writer = ArchiveWriter::create(dir.path()).unwrap();
    let location = writer.add_location(definitions.locations[0].id);
    writer.event(location, 2000, &Event::MpiCollectiveBegin).unwrap();
    writer.finish(&definitions, &ArchiveProperties::default()).unwrap();
    let [said] = &Archive::open(&dir.path().join("traces.otf2")).unwrap().remarks()[..] else {
        panic!("one")
    };
    assert!(
        said.starts_with("OpenMP was not recorded from 0.250 s on in rank 1, and later in 1 more: "),
        "{said}"
    );
}

#[test]
fn definitions_of_more_than_a_chunk() {
    let mut definitions = small_definitions(2);
    for number in 0..60_000 {
        let name = format!("a_region_with_a_long_name_{:0>60}", number);
        definitions.regions.push(ats_model::definitions::Region { name, ..Default::default() });
    }
    let (read, _) = round_trip(&definitions, &vec![vec![]; 2], usize::MAX);
    assert_eq!(read.regions, definitions.regions);
}

#[test]
fn a_location_of_its_own_with_its_own_ids_and_clock() {
    let dir = tempfile::tempdir().unwrap();
    let definitions = small_definitions(2);
    let mut master = LocationWriter::create(dir.path(), 0, ChunkSize::default()).unwrap();
    master.event(10, &Event::Enter { region: RegionRef(1) }).unwrap();
    assert_eq!(master.finish().unwrap(), 1);
    let mut other = LocationWriter::create(dir.path(), 1, ChunkSize::default()).unwrap();
    let send = Event::MpiSend { receiver: 0, communicator: CommunicatorRef(0), tag: 1, bytes: 2 };
    for (time, event) in [
        (1000, Event::Enter { region: RegionRef(0) }),
        (1500, send),
        (1600, Event::BufferFlush { stop: Time(2000) }),
        (2000, Event::Leave { region: RegionRef(1) }),
    ] {
        other.event(time, &event).unwrap();
    }
    let offsets =
        [(1000, -10), (2000, 10)].map(|(time, offset)| ClockOffset { time, offset, standard_deviation: 0.5 });
    other.clock_offsets(&offsets);
    other.maps(&Maps { regions: vec![3, 2], communicators: vec![1], ..Maps::default() });
    assert_eq!((other.events(), other.times()), (4, Some((1000, 2000))));
    other.finish().unwrap();
    ats_trace::write_definitions(dir.path(), &definitions, &ArchiveProperties::default()).unwrap();

    let archive = Archive::open(&dir.path().join("traces.otf2")).unwrap();
    assert_eq!(events_of(&archive, 0), [(10, Event::Enter { region: RegionRef(1) })]);
    let send = Event::MpiSend { receiver: 0, communicator: CommunicatorRef(1), tag: 1, bytes: 2 };
    let expected = [
        (990, Event::Enter { region: RegionRef(3) }),
        (1500, send),
        (1602, Event::BufferFlush { stop: Time(2010) }),
        (2010, Event::Leave { region: RegionRef(2) }),
    ];
    assert_eq!(events_of(&archive, 1), expected);
    assert_eq!(archive.clock_offsets(0).unwrap(), []);
    assert_eq!(archive.clock_offsets(1).unwrap(), offsets);
}

/// The event that is replaced may be the first of its chunk, and the one in its place may be longer or shorter.
#[test]
fn the_last_events_of_a_complete_file_are_replaced() {
    let mut definitions = small_definitions(1);
    let receive = |request| Event::MpiIrecvRequest { request };
    let ends = [-1, i64::MIN].map(|status| Event::ProgramEnd { status });
    // As many as a chunk holds, less or more than that.
    for count in [0].into_iter().chain(14_550..14_570) {
        let dir = tempfile::tempdir().unwrap();
        let mut expected: Vec<_> = (0..count).map(|time| (time, receive(time << 40))).collect();
        definitions.locations[0].events = count + 2;
        for (first, second) in [(ends, [ends[1], ends[0]]), ([ends[0]; 2], [ends[1]; 2])] {
            let mut writer = LocationWriter::create(dir.path(), 0, ChunkSize::MIN).unwrap();
            expected.iter().for_each(|(time, event)| writer.event(*time, event).unwrap());
            let chunk = ChunkSize::MIN;
            let properties = ArchiveProperties { event_chunk: chunk, ..ArchiveProperties::default() };
            ats_trace::write_definitions(dir.path(), &definitions, &properties).unwrap();
            let finished = writer.finish_with(first.map(|event| (count, event))).unwrap();
            assert_eq!(finished.last_time(), count.saturating_sub(1));
            let read = || events_of(&Archive::open(&dir.path().join("traces.otf2")).unwrap(), 0);
            expected.extend(first.map(|event| (count, event)));
            assert_eq!(read(), expected);
            expected.truncate(count as usize);
            finished.replace_last([(count + 1, second[0]), (count + 7, second[1])]).unwrap();
            expected.extend([(count + 1, second[0]), (count + 7, second[1])]);
            assert_eq!(read(), expected);
            expected.truncate(count as usize);
        }
    }
}

#[test]
fn the_end_of_the_clock_is_put_off_and_never_brought_forward() {
    let dir = tempfile::tempdir().unwrap();
    ats_trace::put_clock_end_off(dir.path(), 7).unwrap();
    for offset in [0, 1_000_000_000_000] {
        let mut definitions = small_definitions(1);
        (definitions.clock.offset, definitions.clock.length) = (offset, 100);
        LocationWriter::create(dir.path(), 0, ChunkSize::default()).unwrap().finish().unwrap();
        ats_trace::write_definitions(dir.path(), &definitions, &ArchiveProperties::default()).unwrap();
        for (end, length) in [(90, 100), (1 << 40, 1 << 40), (1 << 39, 1 << 40)] {
            ats_trace::put_clock_end_off(dir.path(), offset + end).unwrap();
            definitions.clock.length = length;
            let archive = Archive::open(&dir.path().join("traces.otf2")).unwrap();
            assert_eq!(archive.definitions().clock, definitions.clock);
        }
    }
}

#[test]
fn a_process_with_its_own_teams_and_communicators() {
    let dir = tempfile::tempdir().unwrap();
    let definitions = threaded_definitions(2);
    let send = |communicator| Event::MpiSend {
        receiver: 0,
        communicator: CommunicatorRef(communicator),
        tag: 1,
        bytes: 2,
    };
    for location in &definitions.locations {
        let mut writer = LocationWriter::create(dir.path(), location.id, ChunkSize::default()).unwrap();
        for (time, event) in (0..).zip(thread_events(0)) {
            writer.event(time, &event).unwrap();
        }
        writer.event(100, &send(1)).unwrap();
        writer.maps(&Maps {
            communicators: if location.rank == 1 { vec![2, 0] } else { Vec::new() },
            teams: vec![location.rank],
            all_communicators: definitions.communicators.len(),
            ..Maps::default()
        });
        writer.finish().unwrap();
    }
    ats_trace::write_definitions(dir.path(), &definitions, &ArchiveProperties::default()).unwrap();
    let archive = Archive::open(&dir.path().join("traces.otf2")).unwrap();
    assert_eq!(archive.definitions().teams, definitions.teams);
    for (index, location) in definitions.locations.iter().enumerate() {
        let mut expected = thread_events(location.rank);
        expected.push(send(1 - location.rank));
        let read: Vec<_> = events_of(&archive, index).into_iter().map(|(_, event)| event).collect();
        assert_eq!(read, expected);
    }
}

#[test]
fn an_archive_is_replaced_and_has_no_anchor_until_it_is_complete() {
    let dir = tempfile::tempdir().unwrap();
    let definitions = small_definitions(2);
    let anchor = dir.path().join("traces.otf2");
    ArchiveWriter::create(dir.path()).unwrap().finish(&definitions, &ArchiveProperties::default()).unwrap();
    assert!(anchor.exists());
    let mut writer = ArchiveWriter::create(dir.path()).unwrap();
    assert!(!anchor.exists());
    let index = writer.add_location(1);
    writer.event(index, 5, &Event::MpiCollectiveBegin).unwrap();
    writer.finish(&definitions, &ArchiveProperties::default()).unwrap();
    let archive = Archive::open(&anchor).unwrap();
    assert_eq!(
        [events_of(&archive, 0), events_of(&archive, 1)],
        [vec![], vec![(5, Event::MpiCollectiveBegin)]]
    );
}

#[test]
fn definitions_that_do_not_fit_are_refused() {
    let dir = tempfile::tempdir().unwrap();
    let mut writer = ArchiveWriter::create(dir.path()).unwrap();
    writer.add_location(99);
    let message =
        writer.finish(&small_definitions(2), &ArchiveProperties::default()).unwrap_err().to_string();
    assert!(message.ends_with("location 99 has events but no definition; define it"), "{message}");

    let mut definitions = threaded_definitions(2);
    definitions.teams[1].members.push(4);
    let writer = ArchiveWriter::create(dir.path()).unwrap();
    let message = writer.finish(&definitions, &ArchiveProperties::default()).unwrap_err().to_string();
    assert!(
        message.ends_with("team 1 has location number 4 as a member, but there are 4; define it"),
        "{message}"
    );

    let mut definitions = small_definitions(2);
    definitions.locations[0].thread = 1;
    let writer = ArchiveWriter::create(dir.path()).unwrap();
    let message = writer.finish(&definitions, &ArchiveProperties::default()).unwrap_err().to_string();
    assert!(message.ends_with("rank 0 has no location with thread 0; define one"), "{message}");
}

#[test]
fn a_file_in_the_way_is_an_error_with_its_fix() {
    let dir = tempfile::tempdir().unwrap();
    let file = dir.path().join("file");
    std::fs::write(&file, "").unwrap();
    let Err(error) = ArchiveWriter::create(&file) else { panic!("a file was taken for a folder") };
    assert!(matches!(error, TraceError::Io { fix: "name a folder, not a file", .. }), "{error}");
    let Err(error) = LocationWriter::create(&file, 0, ChunkSize::default()) else { panic!("likewise") };
    assert!(error.to_string().contains("cannot create"), "{error}");
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_is_an_error_with_its_fix() {
    let dir = tempfile::tempdir().unwrap();
    std::fs::create_dir(dir.path().join("traces")).unwrap();
    std::os::unix::fs::symlink("/dev/full", dir.path().join("traces/0.evt")).unwrap();
    let mut writer = ArchiveWriter::create(dir.path()).unwrap();
    let location = writer.add_location(0);
    writer.event(location, 5, &Event::MpiCollectiveBegin).unwrap();
    let error = writer.finish(&small_definitions(1), &ArchiveProperties::default()).unwrap_err().to_string();
    assert!(error.contains("traces/0.evt: ") && error.contains("free some space"), "{error}");
}

/// A region that stands for calls of another, and its calling context.
fn call(definitions: &mut Definitions, of: RegionRef, call: Region, parent: Option<u32>) -> (RegionRef, u32) {
    let region = RegionRef(definitions.regions.len() as u32);
    let (file, line) = call.call_site.as_ref().map(|site| (site.file.clone(), site.line)).unwrap_or_default();
    definitions.regions.push(call);
    definitions.calls.insert(region, of);
    definitions.calling_contexts.push(CallingContext { function: region, file, line, parent });
    (region, definitions.calling_contexts.len() as u32 - 1)
}

#[test]
fn calls_of_one_function_are_kept_apart_and_left_as_the_function() {
    let mut definitions = small_definitions(1);
    definitions.attributes = Own::ALL.map(Own::definition).to_vec();
    let [send, receive] = [RegionRef(1), RegionRef(2)];
    let of = |region: RegionRef| small_definitions(1).regions[region.0 as usize].clone();
    let site = |line| Some(CallSite { function: "halo".into(), file: "heat.c".into(), line });
    let calls = [
        call(&mut definitions, send, Region { call_site: site(3), ..of(send) }, Some(1)),
        call(&mut definitions, receive, Region { call_site: site(3), ..of(receive) }, None),
        call(&mut definitions, receive, Region { role: RegionRole::FileIo, ..of(receive) }, None),
    ];
    // Another call of the same region, with other calls around it.
    definitions.calling_contexts.push(CallingContext {
        parent: Some(0),
        ..definitions.calling_contexts[calls[0].1 as usize].clone()
    });
    let other = (calls[0].0, definitions.calling_contexts.len() as u32 - 1);
    let mut events = Vec::new();
    // More than a chunk: no context is far from its event.
    for time in 0..20_000 {
        for (region, context) in calls.into_iter().chain([other]) {
            let function = definitions.calls[&region];
            events.extend([
                (time, Own::CallingContext.noted(context.into())),
                (time, Event::Enter { region }),
                (time, Event::Leave { region: function }),
                (time, Event::Enter { region: function }),
                (time, Event::Leave { region: function }),
            ]);
        }
    }
    let (read, trace) = round_trip(&definitions, &vec![events.clone()], usize::MAX);
    assert!(trace[0] == events);
    assert_eq!(read, completed(definitions, &vec![events]));
    assert!(read.is_left_as(calls[0].0, send) && !read.is_left_as(calls[0].0, receive));
}

#[test]
fn a_context_of_another_function_does_not_change_what_is_entered() {
    let mut definitions = small_definitions(1);
    definitions.attributes = Own::ALL.map(Own::definition).to_vec();
    let [send, receive] = [RegionRef(1), RegionRef(2)];
    let file = Region { role: RegionRole::FileIo, ..definitions.regions[1].clone() };
    let (_, context) = call(&mut definitions, send, file, None);
    let events = vec![(1, Own::CallingContext.noted(context.into())), (1, Event::Enter { region: receive })];
    let (_, trace) = round_trip(&definitions, &vec![events.clone()], usize::MAX);
    assert_eq!(trace, [events]);
}
