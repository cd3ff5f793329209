//! Files that are not traces, or damaged ones: everything before the damage is read, and the error names file, place
//! and fix.

use std::path::Path;

use crate::common;
use crate::common::{all_events, small_definitions, thread_events};
use ats_model::attribute::{AttributeType, AttributeValue};
use ats_model::definitions::Team;
use ats_model::event::{Record, TeamRef};
use ats_model::{Definitions, Event, EventSource};
use ats_testing::peer;
use ats_trace::{Archive, ArchiveProperties, ArchiveWriter, ChunkSize, TraceError};
use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::{Rng, SeedableRng};

/// Two processes that are one team, so that few definitions have everything.
fn one_team() -> Definitions {
    let team = Team { name: "team".into(), members: vec![0, 1] };
    Definitions { teams: vec![team], ..small_definitions(2) }
}

fn some_events() -> Vec<Event> {
    [all_events(), thread_events(0)].concat()
}

/// The files of an archive.
#[derive(Clone)]
struct Parts {
    anchor: Vec<u8>,
    definitions: Vec<u8>,
    locations: Vec<(u64, Vec<u8>, Vec<u8>)>,
}

impl Parts {
    /// Of an archive of two locations with these many events each.
    fn with_events(events: usize) -> Self {
        let dir = tempfile::tempdir().unwrap();
        let mut writer = ArchiveWriter::create(dir.path()).unwrap().chunk(ChunkSize::MIN);
        for id in 0..2 {
            let location = writer.add_location(id);
            for (number, event) in (0..events as u64).zip(some_events().iter().cycle()) {
                writer.event(location, 1_000 + number, event).unwrap();
            }
        }
        writer.finish(&one_team(), &ArchiveProperties::default()).unwrap();
        Self::read(&dir.path().join("traces.otf2"), &[0, 1])
    }

    fn read(anchor: &Path, ids: &[u64]) -> Self {
        let read = |path: &Path| std::fs::read(path).unwrap();
        let folder = anchor.with_extension("");
        let location = |&id: &u64| {
            (id, read(&folder.join(format!("{id}.evt"))), read(&folder.join(format!("{id}.def"))))
        };
        Parts {
            anchor: read(anchor),
            definitions: read(&anchor.with_extension("def")),
            locations: ids.iter().map(location).collect(),
        }
    }

    fn open(&self) -> Result<Archive, TraceError> {
        Archive::from_parts(&self.anchor, &self.definitions, self.locations.clone())
    }

    /// All its files.
    fn files(&mut self) -> Vec<&mut Vec<u8>> {
        let locations = self.locations.iter_mut().flat_map(|(_, events, local)| [events, local]);
        [&mut self.anchor, &mut self.definitions].into_iter().chain(locations).collect()
    }
}

/// The events that are read before the error.
fn until_error(archive: &Archive, index: usize) -> (Vec<(u64, Event)>, String) {
    let mut events = Vec::new();
    let result = archive.read_location(index, |time, event| events.push((time, event)));
    (events, result.unwrap_err().to_string())
}

#[test]
fn a_truncated_event_file_gives_what_it_has() {
    let mut parts = Parts::with_events(100);
    let whole = parts.locations[0].1.len();
    for cut in [whole - 1, whole - 2, whole / 2, 30, 19] {
        parts.locations[0].1.truncate(cut);
        let archive = parts.open().unwrap();
        if cut == whole - 1 {
            // The mark of the file's end is there.
            assert_eq!(common::events_of(&archive, 0).len(), 100);
            continue;
        }
        let (events, message) = until_error(&archive, 0);
        let expected = format!("traces/0.evt is cut short at byte {cut}: it ends inside a record; ");
        assert!(message.starts_with(&expected), "{message}");
        let all = (1_000..).zip(some_events().into_iter().cycle());
        let complete: Vec<_> = all.take(events.len()).collect();
        assert_eq!(events, complete);
        assert!(if cut == whole - 2 { events.len() == 100 } else { events.len() < 100 });
        // The other location is whole.
        assert_eq!(common::events_of(&archive, 1).len(), 100);
    }
}

#[test]
fn a_file_cut_between_two_chunks_is_cut_short() {
    let mut parts = Parts::with_events(30_000);
    parts.locations[0].1.truncate(ChunkSize::MIN.bytes());
    let mut archive = parts.open().unwrap();
    for part_bytes in [u64::MAX, 1] {
        archive.set_part_bytes(part_bytes);
        let (events, message) = until_error(&archive, 0);
        assert!(events.len() > 10_000 && events.len() < 30_000);
        let expected = "cut short at byte 262144: it ends without the mark of its end";
        assert!(message.contains(expected), "{message}");
    }
}

#[test]
fn a_wrong_chunk_size_is_seen_at_the_second_chunk() {
    let mut parts = Parts::with_events(30_000);
    parts.anchor[12..20].copy_from_slice(&(100_000u64).to_le_bytes());
    let (events, message) = until_error(&parts.open().unwrap(), 0);
    assert!(!events.is_empty());
    assert!(
        message.contains("is damaged at byte 100000: a record runs past its own end or its chunk's"),
        "{message}"
    );
}

#[test]
fn a_missing_event_file_is_named_and_the_rest_is_read() {
    let mut parts = Parts::with_events(10);
    parts.locations.remove(0);
    let archive = parts.open().unwrap();
    let (_, message) = until_error(&archive, 0);
    assert!(message.starts_with("traces/0.evt is missing: the archive defines location 0"), "{message}");
    assert_eq!(common::events_of(&archive, 1).len(), 10);
}

#[test]
fn an_empty_event_file_is_named_and_the_rest_is_read() {
    let mut parts = Parts::with_events(10);
    parts.locations[0].1.clear();
    let archive = parts.open().unwrap();
    let (events, message) = until_error(&archive, 0);
    assert!(events.is_empty() && message.starts_with("traces/0.evt is empty: "), "{message}");
    assert_eq!(common::events_of(&archive, 1).len(), 10);
}

#[test]
fn damaged_local_definitions_spoil_no_clock_of_the_others() {
    let dir = tempfile::tempdir().unwrap();
    let mut writer = ArchiveWriter::create(dir.path()).unwrap().common_clock();
    for id in 0..3 {
        let location = writer.add_location(id);
        writer.event(location, 5, &Event::MpiCollectiveBegin).unwrap();
    }
    writer.finish(&small_definitions(3), &ArchiveProperties::default()).unwrap();
    let whole = Parts::read(&dir.path().join("traces.otf2"), &[0, 1, 2]);
    for (length, expected) in [(8, "traces/1.def is cut short"), (0, "traces/1.def is missing: without it")] {
        let mut parts = whole.clone();
        parts.locations[1].2.truncate(length);
        let archive = parts.open().unwrap();
        assert!(archive.has_common_clock());
        let (events, message) = until_error(&archive, 1);
        assert!(events.is_empty() && message.starts_with(expected), "{message}");
        assert_eq!(common::events_of(&archive, 2).len(), 1);
    }
    // Without any, the ids and times are the archive's.
    let mut parts = whole;
    parts.locations.iter_mut().for_each(|(_, _, local)| local.clear());
    let archive = parts.open().unwrap();
    assert!(!archive.has_common_clock());
    assert_eq!(common::events_of(&archive, 1).len(), 1);
}

#[test]
fn missing_local_definitions_do_not_matter() {
    let dir = tempfile::tempdir().unwrap();
    let mut writer = ArchiveWriter::create(dir.path()).unwrap();
    let location = writer.add_location(0);
    writer.event(location, 5, &Event::MpiCollectiveBegin).unwrap();
    writer.finish(&small_definitions(1), &ArchiveProperties::default()).unwrap();
    std::fs::remove_file(dir.path().join("traces/0.def")).unwrap();
    let archive = Archive::open(&dir.path().join("traces.otf2")).unwrap();
    assert_eq!(common::events_of(&archive, 0), [(5, Event::MpiCollectiveBegin)]);
}

#[test]
fn other_files_are_named() {
    let dir = tempfile::tempdir().unwrap();
    let anchor = dir.path().join("traces.otf2");
    let good = Parts::with_events(1);
    let mut sion = good.anchor.clone();
    sion[28] = 2;
    let mut zlib = good.anchor.clone();
    zlib[29] = 2;
    let cases: [(&[u8], &str); 9] = [
        (b"", "traces.otf2 is empty"),
        (b"hello world", "is not an OTF2 anchor: it begins with \"hello wo\"; name the .otf2 file"),
        (&good.definitions, "is not an OTF2 anchor: it is another file of an archive"),
        (b"<?xml", "is not an OTF2 anchor: it is XML"),
        (b"\x1f\x8b\x08", "is not an OTF2 anchor: it is compressed with gzip"),
        (&good.anchor[..20], "is cut short at byte 20: it ends inside a record"),
        (&sion, "SIONlib container, which is not read; record with SCOREP_TRACING_USE_SION=false"),
        (&zlib, "is compressed (method 2), which is not read; record without compression"),
        (&good.anchor, "traces.def: No such file or directory (os error 2); check the path"),
    ];
    for (bytes, expected) in cases {
        std::fs::write(&anchor, bytes).unwrap();
        let Err(error) = Archive::open(&anchor) else { panic!("opened: {expected}") };
        assert!(error.to_string().contains(expected), "{error}");
    }
    let Err(error) = Archive::open(dir.path()) else { panic!("opened a folder") };
    assert!(error.to_string().ends_with("name the traces.otf2 in it"), "{error}");
}

/// A little archive of one location in either byte order, built byte by byte.
fn by_hand(big_endian: bool, events: &[u8], more_definitions: &[u8]) -> Archive {
    try_by_hand(big_endian, events, more_definitions).unwrap()
}

fn try_by_hand(big_endian: bool, events: &[u8], more_definitions: &[u8]) -> Result<Archive, TraceError> {
    let order = if big_endian { 0x23 } else { 0x42 };
    let full = |value: u64| if big_endian { value.to_be_bytes() } else { value.to_le_bytes() };
    let mut anchor = vec![3, order];
    anchor.extend(b"OTF2\0\x03\x02\x03\x00\x00");
    anchor.extend([full(262_144), full(262_144)].concat());
    anchor.extend([1, 1]);
    anchor.extend([full(1), full(5)].concat());
    anchor.extend(b"\0by hand\0\0");
    let header = || [&[3, order][..], &full(1), &full(0)].concat();
    let thousand: &[u8] = if big_endian { &[2, 0x03, 0xe8] } else { &[2, 0xe8, 0x03] };
    let mut definitions = header();
    definitions.extend([5, 6].iter().chain(thousand).chain(&[0, 0, 0xff]));
    definitions.extend(b"\x0a\x07\x01\x05main\0");
    definitions.extend(b"\x0e\x06\x00\xff\x01\x00\x00\x00");
    // Region 1000 is called main.
    definitions.extend([0x0f, 15].iter().chain(thousand));
    definitions.extend(b"\x01\x05\xff\x00\xff\x00\x00\x01\x05\x01\x01\x00");
    definitions.extend(more_definitions);
    definitions.extend([2, 1]);
    let mut file = header();
    file.push(5);
    file.extend(full(77));
    file.extend(events);
    file.extend([2, 1]);
    Archive::from_parts(&anchor, &definitions, vec![(0, file, vec![])])
}

#[test]
fn both_byte_orders_are_read() {
    for (big_endian, enter) in [(false, [12, 2, 0xe8, 3]), (true, [12, 2, 3, 0xe8])] {
        let archive = by_hand(big_endian, &enter, &[]);
        assert_eq!(archive.creator(), "by hand");
        let definitions = archive.definitions();
        assert_eq!((&*definitions.regions[0].name, definitions.clock.resolution), ("main", 1000));
        let region = ats_model::event::RegionRef(0);
        assert_eq!(common::events_of(&archive, 0), [(77, Event::Enter { region })]);
    }
}

#[test]
fn unknown_records_are_stepped_over() {
    // A list of an attribute that is not defined, a lone field without length (OMP_TASK_CREATE), unknown records short and long, fields of the future.
    let mut events = vec![6, 5, 1, 1, 0, 1, 3, 28, 0xff, 30, 2, 1, 1, 200, 2, 9, 9, 201, 0xff];
    events.extend(300u64.to_le_bytes());
    events.extend([7; 300]);
    events.extend([22, 4, 1, 2, 3, 4]);
    let read = common::events_of(&by_hand(false, &events, &[]), 0);
    let others = [28, 30, 200, 201].map(|record| (77, Event::Other { record: Record(record) }));
    assert_eq!(read[..4], others);
    assert_eq!(read[4..], [(77, Event::MpiCollectiveBegin)]);
}

/// Attributes 4 and 5, whose types do not matter: each value has its own.
const ATTRIBUTES: [u8; 15] = [11, 5, 1, 4, 1, 5, 4, 11, 6, 1, 5, 1, 5, 11, 0];

#[test]
fn attribute_lists_are_read_in_both_byte_orders() {
    for big_endian in [false, true] {
        let ordered = |mut little: Vec<u8>| {
            if big_endian {
                little.reverse();
            }
            little
        };
        let list = |attributes: &[Vec<u8>]| {
            let body = [&[1, attributes.len() as u8][..], &attributes.concat()].concat();
            [&[6, body.len() as u8][..], &body].concat()
        };
        let first = [
            vec![1, 4, 1, 200],
            [vec![1, 4, 2], ordered(vec![0xfe, 0xff])].concat(),
            vec![1, 4, 3, 0xff],
            [vec![1, 4, 4, 2], ordered(vec![1, 2])].concat(),
            vec![1, 4, 5, 200],
            [vec![1, 4, 6], ordered(vec![0xfe, 0xff])].concat(),
            [vec![1, 4, 7, 4], ordered(vec![0xfe, 0xff, 0xff, 0xff])].concat(),
            vec![1, 4, 8, 0xff],
            [vec![1, 4, 9], ordered(1.5_f32.to_le_bytes().to_vec())].concat(),
            [vec![1, 4, 10], ordered((-0.25_f64).to_le_bytes().to_vec())].concat(),
        ];
        let thousand = ordered(vec![0xe8, 3]);
        // A location, an attribute and a type of the future are nothing that the model has; nor is what nobody has defined.
        let second = [
            vec![1, 5, 11, 1, 5],
            [vec![1, 5, 14, 2], thousand].concat(),
            vec![1, 5, 13, 0],
            vec![1, 5, 12, 1, 4],
            vec![1, 5, 99, 1, 7],
            vec![1, 9, 1, 1],
            vec![1, 5, 11, 1, 9],
            vec![1, 5, 14, 1, 9],
        ];
        let events = [list(&first), list(&second), vec![22, 0]].concat();
        let archive = by_hand(big_endian, &events, &ATTRIBUTES);
        let attributes: Vec<_> =
            archive.definitions().attributes.iter().map(|it| (&*it.name, it.value_type)).collect();
        assert_eq!(
            attributes,
            [("main", Some(AttributeType::Uint64)), ("main", Some(AttributeType::String))]
        );
        let mut read: Vec<_> = common::events_of(&archive, 0).into_iter().map(|(_, event)| event).collect();
        assert_eq!(read.pop(), Some(Event::MpiCollectiveBegin));
        let values = read.iter().map(|event| match *event {
            Event::Attribute { attribute, value } => (attribute.0, value.number().ok_or(value)),
            _ => panic!("{event:?}"),
        });
        let reference = |of| (1, Err(AttributeValue { of, bits: 0 }));
        let numbers = [200.0, 65_534.0, 4_294_967_295.0, 513.0, -56.0, -2.0, -2.0, -1.0, 1.5, -0.25];
        let expected = numbers.map(|number| (0, Ok(number))).into_iter();
        let expected = expected.chain([reference(AttributeType::String), reference(AttributeType::Region)]);
        assert!(values.clone().eq(expected), "{:?}", values.collect::<Vec<_>>());
    }
}

#[test]
fn a_damaged_attribute_list_is_told_with_its_place() {
    // The list begins at byte 27. Two attributes that are one, an integer of nine bytes, a list beyond the file's end.
    let cases: [(&[u8], &str); 3] = [
        (
            &[6, 6, 1, 2, 1, 4, 1, 7, 22, 0],
            "is damaged at byte 35: a record runs past its own end or its chunk's",
        ),
        (
            &[6, 6, 1, 1, 1, 4, 4, 9, 22, 0],
            "is damaged at byte 35: an integer of more bytes than it may have",
        ),
        (&[6, 90, 1, 1, 1, 4, 1, 7, 22, 0], "is cut short at byte 39: it ends inside a record"),
    ];
    for (events, expected) in cases {
        let (_, message) = until_error(&by_hand(false, events, &ATTRIBUTES), 0);
        assert!(message.contains(expected), "{message}");
    }
}

#[test]
fn communicators_that_mpi_does_not_have_give_other_events() {
    // COMM 7 of a group of OpenMP, and the inter-communicator 8.
    let group = [18, 8, 1, 3, 0xff, 0, 0, 5, 3, 0];
    let comm = [22, 7, 1, 7, 0xff, 1, 3, 0xff, 0];
    let inter = [43, 2, 1, 8];
    let more = [&group[..], &comm, &inter].concat();
    let send = |comm| [14, 6, 0, 1, comm, 0, 1, 4];
    let archive = by_hand(false, &[send(7), send(8)].concat(), &more);
    assert_eq!(common::events_of(&archive, 0), [(77, Event::Other { record: Record::MPI_SEND }); 2]);
    let (_, message) = until_error(&by_hand(false, &send(9), &more), 0);
    assert!(
        message.contains("damaged at byte 32: communicator 9 is used here, but the definitions have none"),
        "{message}"
    );
}

#[test]
fn threads_of_the_format_s_first_version_are_read() {
    let events = [24, 1, 2, 25, 0, 26, 4, 1, 7, 1, 9, 27, 4, 1, 7, 1, 9];
    let read: Vec<_> =
        common::events_of(&by_hand(false, &events, &[]), 0).into_iter().map(|(_, event)| event).collect();
    let (lock, order) = (7, 9);
    let expected = [
        Event::ThreadFork { requested: 2 },
        Event::ThreadJoin,
        Event::ThreadAcquireLock { lock, order },
        Event::ThreadReleaseLock { lock, order },
    ];
    assert_eq!(read, expected);
}

#[test]
fn an_id_may_be_a_communicator_and_a_team() {
    // COMM 7 of MPI's group 3 and COMM 7 of OpenMP's group 3; OpenMP counts one location.
    let group = |kind, paradigm| [18, 10, 1, 3, 0xff, 0, 1, 1, 0, kind, paradigm, 0];
    let locations = [18, 9, 1, 4, 0xff, 0, 1, 1, 0, 4, 3];
    let comm = [22, 7, 1, 7, 0xff, 1, 3, 0xff, 0];
    let more = [&group(5, 4)[..], &group(5, 3), &locations, &comm].concat();
    let archive = by_hand(false, &[14, 6, 0, 1, 7, 0, 1, 4, 55, 2, 1, 7], &more);
    assert_eq!(archive.definitions().teams[0].members, [0]);
    let send =
        Event::MpiSend { receiver: 0, communicator: ats_model::event::CommunicatorRef(0), tag: 0, bytes: 4 };
    let begin = Event::ThreadTeamBegin { team: TeamRef(0) };
    assert_eq!(common::events_of(&archive, 0), [(77, send), (77, begin)]);
}

#[test]
fn a_team_whose_members_are_nowhere_has_none() {
    // OpenMP's COMM 7 has a group with member 5; which locations are counted is said for none or for one.
    let group = [18, 11, 1, 3, 0xff, 0, 1, 1, 1, 5, 5, 3, 0];
    let locations = [18, 9, 1, 4, 0xff, 0, 1, 1, 0, 4, 3];
    let comm = [22, 7, 1, 7, 0xff, 1, 3, 0xff, 0];
    for more in [[&group[..], &comm].concat(), [&group[..], &locations, &comm].concat()] {
        let archive = by_hand(false, &[56, 2, 1, 7], &more);
        assert!(archive.definitions().teams[0].members.is_empty());
        let end = Event::ThreadTeamEnd { team: TeamRef(0) };
        assert_eq!(common::events_of(&archive, 0), [(77, end)]);
    }
}

#[test]
fn threads_of_other_paradigms_give_other_events() {
    // A team of a group of MPI, a fork and a lock of PThreads.
    let group = [18, 8, 1, 3, 0xff, 0, 0, 5, 4, 0];
    let comm = [22, 7, 1, 7, 0xff, 1, 3, 0xff, 0];
    let more = [&group[..], &comm].concat();
    let events = [55, 2, 1, 7, 59, 5, 1, 7, 0, 1, 1, 53, 3, 9, 1, 2, 57, 4, 9, 0, 1, 1];
    let read = common::events_of(&by_hand(false, &events, &more), 0);
    assert_eq!(read, [55, 59, 53, 57].map(|record| (77, Event::Other { record: Record(record) })));
    let (_, message) = until_error(&by_hand(false, &[55, 2, 1, 8], &more), 0);
    assert!(message.contains("communicator 8 is used here"), "{message}");
}

#[test]
fn teams_that_repeat_a_group_beyond_measure_are_refused() {
    let mut group = vec![18, 0xff];
    let members = 100_000u32;
    let mut body = vec![1, 3, 0xff, 0, 4];
    body.extend(members.to_le_bytes());
    body.extend(vec![0; members as usize]);
    body.extend([5, 3, 0]);
    group.extend((body.len() as u64).to_le_bytes());
    group.extend(body);
    for id in 0..2_000u16 {
        group.extend([22, 8, 2]);
        group.extend(id.to_le_bytes());
        group.extend([0xff, 1, 3, 0xff, 0]);
    }
    let error = try_by_hand(false, &[], &group).err().expect("800 MB of members from 120 kB");
    assert!(error.to_string().contains("repeat one name or group beyond all measure"), "{error}");
}

#[test]
fn impossible_events_are_damage() {
    for (events, what) in [
        (&[12, 9, 0, 0, 0, 0, 0, 0, 0, 0, 0][..], "an integer of more bytes than it may have"),
        (&[12, 1, 5], "region 5 is used here"),
        (&[9, 0], "a record with the impossible id 9"),
        (&[23, 2, 0, 1, 8, 0xff, 0, 0], "a record longer than it says"),
        (&[58, 1, 3, 1, 2, 0], "a record longer than it says"),
        (&[59, 2, 1, 8, 9, 9, 9], "an integer of more bytes than it may have"),
    ] {
        let before = [&[22, 0][..], events].concat();
        let (read, message) = until_error(&by_hand(false, &before, &[43, 2, 1, 8]), 0);
        assert_eq!(read, [(77, Event::MpiCollectiveBegin)]);
        assert!(
            message.starts_with("traces/0.evt is damaged at byte ") && message.contains(what),
            "{message}"
        );
    }
}

/// Reads all there is; how many events, and how many errors. Chunk by chunk it is the same.
fn read_all(parts: &Parts) -> (u64, u64) {
    let Ok(mut archive) = parts.open() else { return (0, 1) };
    let locations = archive.definitions().locations.len().min(8);
    let read = |archive: &Archive| {
        let (mut events, mut errors) = (0, 0);
        for index in 0..locations {
            errors += u64::from(archive.read_location(index, |_, _| events += 1).is_err());
        }
        (events, errors)
    };
    let at_once = read(&archive);
    archive.set_part_bytes(1);
    assert_eq!(read(&archive), at_once);
    at_once
}

/// Flips, cuts, copies or overwrites something somewhere.
fn mutate(parts: &mut Parts, random: &mut Xoshiro256PlusPlus) {
    let mut below = |limit: usize| (random.next_u64() % limit.max(1) as u64) as usize;
    let mut files = parts.files();
    let chosen = below(files.len());
    let file = &mut *files[chosen];
    if file.is_empty() {
        return;
    }
    let at = below(file.len());
    match below(5) {
        0 => file[at] ^= 1 << below(8),
        1 => file[at] = [0, 1, 0x7f, 0x80, 0xff][below(5)],
        2 => file.truncate(at),
        3 => {
            let end = (at + below(40)).min(file.len());
            let piece: Vec<u8> = file[at..end].to_vec();
            let to = below(file.len());
            file.splice(to..to, piece);
        }
        _ => {
            let end = (at + 8).min(file.len());
            file[at..end].fill(0xff);
        }
    }
}

#[test]
fn no_mutation_makes_it_panic_or_hang() {
    let mut originals = vec![Parts::with_events(40)];
    let hybrid = peer("scorep-hybrid-2x2/traces.otf2");
    originals.push(Parts::read(&hybrid, &[0, 1, 4_294_967_296, 4_294_967_297]));
    let eztrace = peer("eztrace-7props-4ranks/eztrace_log.otf2");
    originals.push(Parts::read(&eztrace, &[0, 536_870_911, 1_073_741_822, 1_610_612_733]));
    let mut random = Xoshiro256PlusPlus::seed_from_u64(2);
    for original in &originals {
        let (whole, 0) = read_all(original) else { panic!("the original is sound") };
        let mut damaged = 0;
        for _ in ats_testing::seeds(1_000) {
            let mut parts = original.clone();
            for _ in 0..=random.next_u64() % 3 {
                mutate(&mut parts, &mut random);
            }
            let (events, errors) = read_all(&parts);
            damaged += u64::from(errors > 0);
            // A file holds no more events than bytes.
            let bytes: usize = parts.locations.iter().map(|(_, events, _)| events.len()).sum();
            assert!(events <= 8 * bytes as u64, "{events} events of {whole} in {bytes} bytes");
        }
        assert!(damaged > 250, "only {damaged} mutations were noticed");
    }
}

#[test]
fn special_files_are_neither_waited_for_nor_read() {
    use std::os::unix::fs::symlink;
    use std::process::Command;

    let dir = tempfile::tempdir().unwrap();
    let mut writer = ArchiveWriter::create(dir.path()).unwrap();
    for id in 0..2 {
        let location = writer.add_location(id);
        writer.event(location, 1_000, &some_events()[0]).unwrap();
    }
    writer.finish(&one_team(), &ArchiveProperties::default()).unwrap();
    let anchor = dir.path().join("traces.otf2");
    for name in ["traces/0.evt", "traces/0.def", "traces.def", "traces.otf2"] {
        let file = dir.path().join(name);
        let aside = file.with_extension("aside");
        std::fs::rename(&file, &aside).unwrap();
        let read = || Archive::open(&anchor).and_then(|archive| archive.read_location(0, |_, _| {}));
        let refuses = |what: &str| {
            let error = read().unwrap_err().to_string();
            assert!(error.contains(name) && error.contains(what), "{error}");
            std::fs::remove_file(&file).unwrap();
        };
        symlink("/dev/zero", &file).unwrap();
        refuses("it is a device, not a regular file");
        assert!(Command::new("mkfifo").arg(&file).status().unwrap().success());
        refuses("it is a pipe, not a regular file");
        std::fs::rename(&aside, &file).unwrap();
        read().unwrap();
    }
}
