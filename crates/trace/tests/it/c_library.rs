//! The field's own library is the judge: `otf2-print` reads our archives without a warning, and finds the same as we
//! do in archives of other tools.

use std::path::Path;
use std::process::Command;

use crate::common::{all_events, small_definitions, thread_events, threaded_definitions};
use ats_model::attribute::{AttributeDefinition, AttributeType, AttributeValue};
use ats_model::definitions::{CallingContext, Paradigm, RegionRole};
use ats_model::event::{
    AttributeRef, CollectiveOperation, CommunicatorRef, MeasurementMode, MetricRef, Record, RegionRef,
    TaskId, TeamRef,
};
use ats_model::metric::ValueType;
use ats_model::own_attribute::Own;
use ats_model::record::Form;
use ats_model::{CallSite, Definitions, Event, EventSource};
use ats_testing::peer;
use ats_trace::parts::{Local, LocalCall, LocalContext, LocalRegion, Maps, Owner, calling_context, merge};
use ats_trace::{
    Archive, ArchiveProperties, ArchiveWriter, ChunkSize, ClockOffset, LocationWriter, write_definitions,
};

/// Its standard output; it must end well and have nothing to complain of.
fn otf2_print(arguments: &[&str], anchor: &Path) -> Option<String> {
    let otf2_print = ats_testing::find("otf2-print")?;
    let output = Command::new(otf2_print).arg("-Werror").args(arguments).arg(anchor).output().unwrap();
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success() && errors.is_empty(), "otf2-print {arguments:?}: {errors}");
    Some(String::from_utf8_lossy(&output.stdout).into_owned())
}

/// The events as `otf2-print` shows them, without ids and names of peers, sorted.
fn printed_events(anchor: &Path) -> Option<Vec<String>> {
    let output = otf2_print(&[], anchor)?;
    let (_, lines) = output.split_once("\n-----").expect("a rule above the events");
    let lines =
        lines.lines().skip(1).filter(|line| line.starts_with(|first: char| first.is_ascii_uppercase()));
    let mut events: Vec<String> = lines.map(|line| without_arguments(without_ids(line))).collect();
    events.sort();
    Some(events)
}

/// The attributes of events as `otf2-print` shows them, without ids, sorted.
fn printed_attributes(anchor: &Path) -> Option<Vec<String>> {
    let output = otf2_print(&[], anchor)?;
    let lists = output.lines().filter_map(|line| line.trim().strip_prefix("ADDITIONAL ATTRIBUTES: "));
    let attributes = lists.flat_map(|list| list.trim_matches(['(', ')']).split("), ("));
    let mut attributes: Vec<String> =
        attributes.map(|attribute| without_ids(&format!("({attribute})"))).collect();
    attributes.sort();
    Some(attributes)
}

/// An attribute as `otf2-print` shows it.
fn rendered_attribute(definitions: &Definitions, attribute: AttributeRef, value: AttributeValue) -> String {
    let shown = match value.of {
        AttributeType::String => format!("{:?}", definitions.strings.get(value.bits as u32).unwrap()),
        AttributeType::Region => format!("{:?}", definitions.regions[value.bits as usize].name),
        AttributeType::Comm => format!("{:?}", definitions.communicators[value.bits as usize].name),
        AttributeType::CallingContext => {
            let context = &definitions.calling_contexts[value.bits as usize];
            let name = &definitions.regions[context.function.0 as usize].name;
            format!("{:?}", format!("{name}@{}:{}", context.file, context.line))
        }
        AttributeType::Float | AttributeType::Double => value.number().unwrap().to_string(),
        AttributeType::Uint8 | AttributeType::Uint16 | AttributeType::Uint32 | AttributeType::Uint64 => {
            value.bits.to_string()
        }
        AttributeType::Int8 | AttributeType::Int16 | AttributeType::Int32 | AttributeType::Int64 => {
            (value.bits as i64).to_string()
        }
    };
    let name = &definitions.attributes[attribute.0 as usize].name;
    let of = match value.of {
        AttributeType::CallingContext => "CALLING_CONTEXT".to_owned(),
        of => format!("{of:?}").to_uppercase(),
    };
    format!("({name:?}; {of}; {shown})")
}

/// Drops the arguments of a program, which are not kept.
fn without_arguments(mut line: String) -> String {
    if line.starts_with("PROGRAM_BEGIN")
        && let Some(arguments) = line.find("\", ")
    {
        line.truncate(arguments + 1);
    }
    line
}

/// Drops ` <12>` and ` ("name" <12>)`, and runs of blanks.
fn without_ids(line: &str) -> String {
    let mut kept = String::new();
    let mut rest = line;
    while let Some(at) = rest.find(' ') {
        kept += &rest[..at];
        rest = &rest[at + 1..];
        let end = if rest.starts_with('<') {
            rest.find('>')
        } else if rest.starts_with("(\"") {
            rest.find(')').filter(|&end| rest[..end].ends_with('>'))
        } else {
            None
        };
        match end {
            Some(end) => rest = &rest[end + 1..],
            None if rest.starts_with(' ') => {}
            None => kept.push(' '),
        }
    }
    (kept + rest).trim_end().to_owned()
}

/// An event as `otf2-print` shows it; none for one that we know no more of than its id.
fn rendered(definitions: &Definitions, location: u64, time: u64, event: &Event) -> Option<String> {
    let region = |region: RegionRef| format!("Region: \"{}\"", definitions.regions[region.0 as usize].name);
    let comm = |communicator: CommunicatorRef| {
        format!("Communicator: \"{}\"", definitions.communicators[communicator.0 as usize].name)
    };
    let team = |team: TeamRef| format!("Thread Team: \"{}\"", definitions.teams[team.0 as usize].name);
    let task = |of: TeamRef, TaskId { creator, generation }| {
        format!("{}, Creating Thread: {creator}, Generation Number: {generation}", team(of))
    };
    let (kind, attributes) = match *event {
        Event::Enter { region: it } => ("ENTER", region(it)),
        Event::Leave { region: it } => ("LEAVE", region(it)),
        Event::MpiSend { receiver, communicator, tag, bytes } => {
            ("MPI_SEND", format!("Receiver: {receiver}, {}, Tag: {tag}, Length: {bytes}", comm(communicator)))
        }
        Event::MpiRecv { sender, communicator, tag, bytes } => {
            ("MPI_RECV", format!("Sender: {sender}, {}, Tag: {tag}, Length: {bytes}", comm(communicator)))
        }
        Event::MpiIsend { receiver, communicator, tag, bytes, request } => (
            "MPI_ISEND",
            format!(
                "Receiver: {receiver}, {}, Tag: {tag}, Length: {bytes}, Request: {request}",
                comm(communicator)
            ),
        ),
        Event::MpiIrecv { sender, communicator, tag, bytes, request } => (
            "MPI_IRECV",
            format!(
                "Sender: {sender}, {}, Tag: {tag}, Length: {bytes}, Request: {request}",
                comm(communicator)
            ),
        ),
        Event::MpiIsendComplete { request } => ("MPI_ISEND_COMPLETE", format!("Request: {request}")),
        Event::MpiIrecvRequest { request } => ("MPI_IRECV_REQUEST", format!("Request: {request}")),
        Event::MpiRequestTest { request } => ("MPI_REQUEST_TEST", format!("Request: {request}")),
        Event::MpiRequestCancelled { request } => ("MPI_REQUEST_CANCELLED", format!("Request: {request}")),
        Event::MpiCollectiveBegin => ("MPI_COLLECTIVE_BEGIN", String::new()),
        Event::MpiCollectiveEnd { operation, communicator, root, sent, received } => {
            let root = root.map_or("NONE".to_owned(), |root| root.to_string());
            let (operation, comm) = (screaming(operation), comm(communicator));
            (
                "MPI_COLLECTIVE_END",
                format!("Operation: {operation}, {comm}, Root: {root}, Sent: {sent}, Received: {received}"),
            )
        }
        Event::NonBlockingCollectiveRequest { request } => {
            ("NON_BLOCKING_COLLECTIVE_REQUEST", format!("Request: {request}"))
        }
        Event::NonBlockingCollectiveComplete { operation, communicator, root, sent, received, request } => {
            let root = root.rank().map_or("NONE".to_owned(), |root| root.to_string());
            let (operation, comm) = (screaming(operation), comm(communicator));
            let (sent, received) = (u64::from(sent), u64::from(received));
            (
                "NON_BLOCKING_COLLECTIVE_COMPLETE",
                format!(
                    "Operation: {operation}, {comm}, Root: {root}, Sent: {sent}, Received: {received}, \
                     Request: {request}"
                ),
            )
        }
        Event::ThreadFork { requested } => {
            ("THREAD_FORK", format!("Model: \"OpenMP\", # Requested Threads: {requested}"))
        }
        Event::ThreadJoin => ("THREAD_JOIN", "Model: \"OpenMP\"".into()),
        Event::ThreadTeamBegin { team: it } => ("THREAD_TEAM_BEGIN", team(it)),
        Event::ThreadTeamEnd { team: it } => ("THREAD_TEAM_END", team(it)),
        Event::ThreadAcquireLock { lock, order } => {
            ("THREAD_ACQUIRE_LOCK", format!("Model: \"OpenMP\", Lock: {lock}, Acquisition Order: {order}"))
        }
        Event::ThreadReleaseLock { lock, order } => {
            ("THREAD_RELEASE_LOCK", format!("Model: \"OpenMP\", Lock: {lock}, Acquisition Order: {order}"))
        }
        Event::ThreadTaskCreate { team, task: it } => ("THREAD_TASK_CREATE", task(team, it)),
        Event::ThreadTaskSwitch { team, task: it } => ("THREAD_TASK_SWITCH", task(team, it)),
        Event::ThreadTaskComplete { team, task: it } => ("THREAD_TASK_COMPLETE", task(team, it)),
        Event::BufferFlush { stop } => ("BUFFER_FLUSH", format!("Stop Time: {}", stop.0)),
        Event::MeasurementOnOff { mode } => (
            "MEASUREMENT_ON_OFF",
            format!("Mode: {}", if mode == MeasurementMode::On { "ON" } else { "OFF" }),
        ),
        Event::Metric { metric: MetricRef(metric), value } => {
            let name = &definitions.metrics[metric as usize].name;
            let value = match value.of {
                ValueType::Uint64 => format!("UINT64; {}", value.bits),
                ValueType::Int64 => format!("INT64; {}", value.bits as i64),
                ValueType::Double => format!("DOUBLE; {}", f64::from_bits(value.bits)),
            };
            ("METRIC", format!("Metric: {metric}, 1 Value: (\"{name}\"; {value})"))
        }
        Event::CallingContextSample { context, unwind_distance, interrupts } => {
            let CallingContext { function, file, line, .. } =
                &definitions.calling_contexts[context.0 as usize];
            let name = &definitions.regions[function.0 as usize].name;
            let generator = &definitions.interrupt_generators[interrupts.0 as usize].name;
            let distance = match unwind_distance {
                u32::MAX => "UNDEFINED".to_owned(),
                distance => distance.to_string(),
            };
            (
                "CALLING_CONTEXT_SAMPLE",
                format!(
                    "Calling Context: \"{name}@{file}:{line}\", Unwind Distance: {distance}, Interrupt Generator: \
                     \"{generator}\""
                ),
            )
        }
        Event::ProgramBegin { program } => {
            let name = definitions.strings.get(program.0).unwrap();
            ("PROGRAM_BEGIN", format!("Name: \"{name}\""))
        }
        Event::ProgramEnd { status: i64::MIN } => ("PROGRAM_END", "Exit status: UNDEFINED".into()),
        Event::ProgramEnd { status } => ("PROGRAM_END", format!("Exit status: {status}")),
        Event::Attribute { .. } | Event::Other { .. } => return None,
    };
    Some(format!("{kind} {location} {time} {attributes}").trim_end().to_owned())
}

/// `ReduceScatter` as `REDUCE_SCATTER`.
fn screaming(operation: CollectiveOperation) -> String {
    let mut name = String::new();
    for letter in format!("{operation:?}").chars() {
        if letter.is_uppercase() && !name.is_empty() {
            name.push('_');
        }
        name.push(letter.to_ascii_uppercase());
    }
    name
}

/// Both read the same events, ours being `expected`; `others` more are known to us by their id only.
fn agree(anchor: &Path, mut expected: Vec<String>, others: usize) {
    let Some(mut printed) = printed_events(anchor) else { return };
    expected.sort();
    let known: std::collections::HashSet<&str> =
        expected.iter().filter_map(|line| line.split(' ').next()).collect();
    let all = printed.len();
    printed.retain(|line| known.contains(line.split(' ').next().unwrap_or_default()));
    for (ours, theirs) in expected.iter().zip(&printed) {
        assert_eq!(ours, theirs);
    }
    assert_eq!((expected.len(), others), (printed.len(), all - printed.len()));
}

/// Both find the same in an archive.
fn both_read_alike(anchor: &Path) -> Archive {
    let archive = Archive::open(anchor).unwrap();
    let definitions = archive.definitions();
    let (mut expected, mut attributes, mut others) = (Vec::new(), Vec::new(), 0);
    for (index, location) in definitions.locations.iter().enumerate() {
        let mut events = 0;
        let visit = |time, event: Event| {
            // It shows attributes with the event that follows.
            if let Event::Attribute { attribute, value } = event {
                attributes.push(rendered_attribute(definitions, attribute, value));
                return;
            }
            events += 1;
            match rendered(definitions, location.id, time, &event) {
                Some(line) => expected.push(line),
                None => others += 1,
            }
        };
        archive.read_location(index, visit).unwrap();
        assert_eq!(events, location.events, "the definition of location {} says so", location.id);
    }
    agree(anchor, expected, others);
    attributes.sort();
    assert_eq!(attributes, printed_attributes(anchor).unwrap_or_else(|| attributes.clone()));
    archive
}

#[test]
fn it_reads_all_kinds_of_events_in_many_chunks() {
    let dir = tempfile::tempdir().unwrap();
    let definitions = small_definitions(2);
    let events = all_events();
    let mut writer = ArchiveWriter::create(dir.path()).unwrap().memory(100_000).chunk(ChunkSize::MIN);
    let mut expected = Vec::new();
    for id in 0..2 {
        let location = writer.add_location(id);
        for (number, event) in (0..60_000u64).zip(events.iter().cycle()) {
            let time = 1_000_000_000_000 + number / 2 * 700;
            writer.event(location, time, event).unwrap();
            expected.extend(rendered(&definitions, id, time, event));
        }
    }
    writer.finish(&definitions, &ArchiveProperties::default()).unwrap();
    let anchor = dir.path().join("traces.otf2");
    let file = std::fs::read(dir.path().join("traces/0.evt")).unwrap();
    let number = |chunk: &[u8], at: usize| u64::from_le_bytes(chunk[at..at + 8].try_into().unwrap());
    let chunks: Vec<_> =
        file.chunks(ChunkSize::MIN.bytes()).map(|chunk| (number(chunk, 2), number(chunk, 10))).collect();
    assert!(chunks.len() > 2 && chunks[0].0 == 1 && chunks.last().unwrap().1 == 60_000, "{chunks:?}");
    assert!(chunks.windows(2).all(|pair| pair[1].0 == pair[0].1 + 1), "{chunks:?}");
    agree(&anchor, expected, 0);
    both_read_alike(&anchor);
}

/// A record whose fields are all 1, by the table's names of their types.
fn bytes_of(record: Record) -> Vec<u8> {
    let fields = record.fields().iter().flat_map(|&(_, kind)| match kind {
        "u8" | "CollectiveOperation" | "MeasurementMode" => vec![1],
        "Time" => 1_u64.to_le_bytes().to_vec(),
        // How many values follow; of what type one is, 4 being the unsigned integers.
        "MetricRef" => vec![1, 1, 1],
        "MetricValue" => vec![4, 1, 1],
        // How many arguments follow.
        "ProgramRef" => vec![1, 1, 0],
        "TaskId" => vec![1, 1, 1, 1],
        _ => vec![1, 1],
    });
    let fields: Vec<u8> = (record.form() == Form::OfOpenMp).then_some(3).into_iter().chain(fields).collect();
    let length = (record.form() != Form::Lone).then_some(fields.len() as u8);
    [record.0].into_iter().chain(length).chain(fields).collect()
}

#[test]
fn it_knows_the_same_records() {
    let dir = tempfile::tempdir().unwrap();
    let mut records = Record::ALL.to_vec();
    records.sort();
    // Lists of attributes go before a record, and are none.
    assert_eq!(records.remove(0), Record::ATTRIBUTE_LIST);
    assert!(records.iter().map(|record| record.0).eq(10..=88));
    let mut definitions = small_definitions(1);
    definitions.locations[0].events = records.len() as u64;
    LocationWriter::create(dir.path(), 0, ChunkSize::MIN).unwrap().finish().unwrap();
    write_definitions(dir.path(), &definitions, &ArchiveProperties::default()).unwrap();
    let mut file = vec![3, 0x42];
    file.extend([1, records.len() as u64].map(u64::to_le_bytes).concat());
    file.push(5);
    file.extend(77_u64.to_le_bytes());
    file.extend(records.iter().flat_map(|&record| bytes_of(record)));
    file.extend([2, 1]);
    std::fs::write(dir.path().join("traces/0.evt"), file).unwrap();
    let anchor = dir.path().join("traces.otf2");

    let mut read = Vec::new();
    Archive::open(&anchor).unwrap().read_location(0, |_, event| read.push(event)).unwrap();
    let read = read.iter().map(Event::record);
    // The first version's records are today's events.
    let today = |record: &Record| match *record {
        Record::OMP_FORK => Record::THREAD_FORK,
        Record::OMP_JOIN => Record::THREAD_JOIN,
        Record::OMP_ACQUIRE_LOCK => Record::THREAD_ACQUIRE_LOCK,
        Record::OMP_RELEASE_LOCK => Record::THREAD_RELEASE_LOCK,
        record => record,
    };
    assert!(read.eq(records.iter().map(today)));

    let Some(output) = otf2_print(&[], &anchor) else { return };
    let (_, lines) = output.split_once("\n-----").expect("a rule above the events");
    let printed =
        lines.lines().skip(1).filter(|line| line.starts_with(|first: char| first.is_ascii_uppercase()));
    let printed = printed.map(|line| {
        let attributes = line.split_once(" 77").map_or("", |(_, rest)| rest).trim();
        let count = attributes.split(", ").filter(|attribute| !attribute.is_empty()).count();
        (line.split(' ').next().unwrap_or_default().to_owned(), count)
    });
    let expected = records.iter().map(|&record| {
        // It prints these by other names than the format's.
        let name = match record {
            Record::PARAMETER_INT => "PARAMETER_INT64",
            Record::PARAMETER_UNSIGNED_INT => "PARAMETER_UINT64",
            Record::IO_CHANGE_STATUS_FLAGS => "IO_CHANGE_FLAGS",
            record => record.name().unwrap(),
        };
        let two = record.fields().iter().filter(|(_, kind)| matches!(*kind, "TaskId" | "ProgramRef")).count();
        (name.to_owned(), record.fields().len() + two + usize::from(record.form() == Form::OfOpenMp))
    });
    assert_eq!(printed.collect::<Vec<_>>(), expected.collect::<Vec<_>>());
}

#[test]
fn it_reads_the_definitions() {
    let dir = tempfile::tempdir().unwrap();
    let properties = ArchiveProperties {
        creator: "ATS".into(),
        machine: "laptop".into(),
        description: "late_sender".into(),
        properties: vec![("ATS::PROGRAM".into(), "late_sender".into())],
        trace_id: 0xfeed,
        event_chunk: ChunkSize::MIN,
    };
    let writer = ArchiveWriter::create(dir.path()).unwrap().chunk(ChunkSize::MIN);
    writer.finish(&small_definitions(4), &properties).unwrap();
    let Some(output) = otf2_print(&["-A"], &dir.path().join("traces.otf2")) else { return };
    let lines: Vec<String> =
        output.lines().map(|line| line.split_whitespace().collect::<Vec<_>>().join(" ")).collect();
    for expected in [
        "Chunk size events 262144",
        "Number of locations 4",
        "Machine name laptop",
        "Creator ATS",
        "Description late_sender",
        "Property name ATS::PROGRAM",
        "Property value late_sender",
        "Trace identifier feed",
        "CLOCK_PROPERTIES Ticks per Seconds: 1000000000, Global Offset: 0, Length: 0, Date: UNDEFINED",
        "SYSTEM_TREE_NODE 0 Name: \"cluster\" <2>, Class: \"machine\" <3>, Parent: UNDEFINED",
        "SYSTEM_TREE_NODE 1 Name: \"n1\" <4>, Class: \"node\" <5>, Parent: \"machine::cluster\" <0>",
        "LOCATION_GROUP 3 Name: \"MPI Rank 3\" <9>, Type: PROCESS, Parent: \"node::n1\" <1>, Creator: UNDEFINED",
        "LOCATION 3 Name: \"Master thread\" <10>, Type: CPU_THREAD, # Events: 0, Group: \"MPI Rank 3\" <3>",
        "REGION 1 Name: \"MPI_Send\" <13> (Aka. \"MPI_Send\" <13>), Descr.: \"\" <1>, Role: POINT2POINT, Paradigm: MPI, Flags: NONE, File: \"late_sender.c\" <12>, Begin: 17, End: 40",
        "METRIC_MEMBER 1 Name: \"joules\" <18>, Descr.: \"\" <1>, Type: OTHER, Mode: ACCUMULATED_START, Value Type: DOUBLE, Base: DECIMAL, Exponent: -3, Unit: \"#\" <17>",
        "ATTRIBUTE 0 Name: \"ALLOCATION_SIZE\" <19>, Description: \"Size of memory to allocate\" <20>, Type: UINT64",
        "METRIC_CLASS 1 Occurrence: SYNCHRONOUS, Kind: CPU, 1 Member: \"joules\" <1>",
        "GROUP 1 Name: \"\" <1>, Type: COMM_SELF, Paradigm: MPI, Flags: NONE, 0 Members",
        "GROUP 3 Name: \"\" <1>, Type: COMM_GROUP, Paradigm: MPI, Flags: NONE, 2 Members: 0 (\"Master thread\" <0>), 2 (\"Master thread\" <2>)",
        "COMM 0 Name: \"MPI_COMM_WORLD\" <21>, Group: \"\" <2>, Parent: UNDEFINED, Flags: NONE",
        "COMM 2 Name: \"MPI_COMM_SELF\" <23>, Group: \"\" <1>, Parent: UNDEFINED, Flags: NONE",
        "INTERRUPT_GENERATOR 0 Name: \"CPU time\" <24>, Mode: TIME, Base: DECIMAL, Exponent: -9, Period: 5000000",
    ] {
        assert!(lines.iter().any(|line| line == expected), "no line {expected:?} in {output}");
    }
    let definitions = lines.iter().find_map(|line| line.strip_prefix("Number of global definitions "));
    let printed = otf2_print(&["-G"], &dir.path().join("traces.otf2")).unwrap();
    let (_, listed) = printed.split_once("\n-----").expect("a rule above the definitions");
    let listed = listed.lines().skip(1).filter(|line| !line.is_empty()).count();
    assert_eq!(definitions, Some(&*listed.to_string()));
}

/// Scalasca looks for the program by these: role, paradigm, and the canonical name, which is the command line.
#[test]
fn it_reads_a_program_as_score_p_defines_it() {
    let dir = tempfile::tempdir().unwrap();
    let local = Local { program: "/opt/heat/bin/heat".into(), events: [(0, 0)].into(), ..Local::default() };
    let (definitions, _) = merge(&[local]);
    write_definitions(dir.path(), &definitions, &ArchiveProperties::default()).unwrap();
    let anchor = dir.path().join("traces.otf2");
    let Some(output) = otf2_print(&["-G"], &anchor) else { return };
    let regions: Vec<String> =
        output.lines().filter(|line| line.starts_with("REGION")).map(without_ids).collect();
    let [region] = &regions[..] else { panic!("{output}") };
    assert!(
        region.contains("Name: \"heat\" (Aka. \"/opt/heat/bin/heat\"), Descr.: \"\", Role: ARTIFICIAL, Paradigm: MEASUREMENT_SYSTEM,"),
        "{region}"
    );
    // What is read can be written again.
    let read = Archive::open(&anchor).unwrap().definitions().clone();
    let [program] = &read.regions[..] else { panic!("{:?}", read.regions) };
    assert_eq!(
        (&*program.name, program.role, program.paradigm),
        ("heat", RegionRole::Artificial, Paradigm::Other)
    );
}

/// The definitions of a program that calls MPI at two places, the first of them from two functions, and waits for a file.
fn of_calls() -> Local {
    let region = |name: &str, role, line| LocalRegion {
        name: name.into(),
        owner: Owner::Mpi,
        role,
        file: "MPI".into(),
        line: 0,
        call_site: (line > 0).then(|| CallSite { function: "halo".into(), file: "heat.c".into(), line }),
    };
    let context = |function: &str, line, parent| LocalContext {
        function: function.into(),
        file: "heat.c".into(),
        line,
        parent,
    };
    Local {
        program: "heat".into(),
        regions: vec![
            region("MPI_Send", None, 12),
            region("MPI_Send", None, 13),
            region("MPI_Wait", None, 0),
            region("MPI_Wait", Some(RegionRole::FileIo), 0),
        ],
        contexts: vec![
            context("main", 30, None),
            context("halo", 12, Some(0)),
            context("halo", 13, Some(0)),
            context("main", 31, None),
            context("halo", 12, Some(3)),
        ],
        calls: vec![
            None,
            Some(LocalCall { region: 0, context: Some(1) }),
            Some(LocalCall { region: 1, context: Some(2) }),
            Some(LocalCall { region: 0, context: Some(4) }),
        ],
        events: [(0, 8)].into(),
        ..Local::default()
    }
}

#[test]
fn it_reads_calls_as_one_region_with_their_calling_contexts() {
    let dir = tempfile::tempdir().unwrap();
    let (mut definitions, maps) = merge(&[of_calls()]);
    definitions.clock.length = 100;
    let names = |of: &Definitions| of.regions.iter().map(|region| region.name.clone()).collect::<Vec<_>>();
    assert_eq!(
        names(&definitions),
        ["MPI_Send", "MPI_Wait", "main", "halo", "heat", "MPI_Send", "MPI_Send", "MPI_Wait"]
    );
    let mut writer = LocationWriter::create(dir.path(), 0, ChunkSize::default()).unwrap();
    let of_call = |number| Some(calling_context::of_call(number));
    let of_region = Some(calling_context::of_region(RegionRef(3)));
    let entered = [(0, of_call(1)), (1, of_call(2)), (0, of_call(3)), (3, of_region), (2, None)];
    for (time, (region, context)) in (10..).zip(entered) {
        let noted = context.map(|context| Own::CallingContext.noted(context.into()));
        let region = RegionRef(region);
        for event in noted.into_iter().chain([Event::Enter { region }, Event::Leave { region }]) {
            writer.event(time, &event).unwrap();
        }
    }
    writer.maps(&maps[0]);
    definitions.locations[0].events = writer.finish().unwrap();
    write_definitions(dir.path(), &definitions, &ArchiveProperties::default()).unwrap();
    let anchor = dir.path().join("traces.otf2");
    let archive = both_read_alike(&anchor);
    assert_eq!(archive.definitions().regions[5..], definitions.regions[5..]);
    assert_eq!(archive.definitions().calls, definitions.calls);
    assert_eq!(archive.definitions().calling_contexts, definitions.calling_contexts);
    let mut read = Vec::new();
    archive
        .read_location(0, |_, event| {
            if let Event::Enter { region } = event {
                read.push(archive.definitions().regions[region.0 as usize].label());
            }
        })
        .unwrap();
    let send = |line| format!("MPI_Send in halo (heat.c:{line})");
    assert_eq!(read, [send(12), send(13), send(12), "MPI_Wait".into(), "MPI_Wait".into()]);
    let Some(output) = otf2_print(&["-G"], &anchor) else { return };
    let of_kind = |kind: &str| -> Vec<String> {
        let lines = output.lines().filter(|line| line.starts_with(&format!("{kind} ")));
        lines.map(|line| line.split_whitespace().collect::<Vec<_>>().join(" ")).collect()
    };
    assert_eq!(of_kind("REGION").len(), 5, "one for each name");
    let properties = of_kind("CALLING_CONTEXT_PROPERTY");
    for expected in [
        "Name: \"ATS::CALL_SITE\"",
        "Value: \"called in halo at heat.c:13\"",
        "Name: \"ATS::ROLE\"",
        "UINT8, Value: 27",
    ] {
        assert!(
            properties.iter().any(|line| without_ids(line).contains(expected)),
            "{expected}: {properties:?}"
        );
    }
    assert!(
        printed_attributes(&anchor)
            .unwrap()
            .contains(&r#"("ATS::CALLING_CONTEXT"; CALLING_CONTEXT; "MPI_Send@heat.c:13")"#.to_owned())
    );
}

#[test]
fn it_reads_threads_and_teams() {
    let dir = tempfile::tempdir().unwrap();
    let definitions = threaded_definitions(2);
    let mut writer = ArchiveWriter::create(dir.path()).unwrap();
    let mut expected = Vec::new();
    for definition in &definitions.locations {
        let location = writer.add_location(definition.id);
        for (time, event) in (1_000..).zip(all_events().into_iter().chain(thread_events(definition.rank))) {
            writer.event(location, time, &event).unwrap();
            expected.extend(rendered(&definitions, definition.id, time, &event));
        }
    }
    writer.finish(&definitions, &ArchiveProperties::default()).unwrap();
    let anchor = dir.path().join("traces.otf2");
    agree(&anchor, expected, 0);
    both_read_alike(&anchor);
    let Some(output) = otf2_print(&["-G"], &anchor) else { return };
    let lines: Vec<String> =
        output.lines().map(|line| line.split_whitespace().collect::<Vec<_>>().join(" ")).collect();
    for expected in [
        "PARADIGM 3 OPENMP, Name: \"OpenMP\" <20>, Class: THREAD_FORK_JOIN",
        "LOCATION 4294967297 Name: \"OMP thread 1\" <9>, Type: CPU_THREAD, # Events: 36, Group: \"MPI Rank 1\" <1>",
        "GROUP 4 Name: \"OpenMP\" <20>, Type: COMM_LOCATIONS, Paradigm: \"OpenMP\" <3>, Flags: NONE, 4 Members: \"Master thread\" <0>, \"Master thread\" <1>, \"OMP thread 1\" <4294967296>, \"OMP thread 1\" <4294967297>",
        "GROUP 6 Name: \"\" <1>, Type: COMM_GROUP, Paradigm: \"OpenMP\" <3>, Flags: NONE, 2 Members: 1 (\"Master thread\" <1>), 3 (\"OMP thread 1\" <4294967297>)",
        "COMM 4 Name: \"team 1\" <25>, Group: \"\" <6>, Parent: UNDEFINED, Flags: NONE",
    ] {
        assert!(lines.iter().any(|line| line == expected), "no line {expected:?} in {output}");
    }
}

#[test]
fn it_reads_attributes_of_all_types() {
    let dir = tempfile::tempdir().unwrap();
    let mut definitions = small_definitions(1);
    let of_type = |of: AttributeType| AttributeDefinition {
        name: format!("{of:?}"),
        description: "of this type".into(),
        value_type: Some(of),
    };
    definitions.attributes = AttributeType::ALL.map(of_type).to_vec();
    let mut writer = ArchiveWriter::create(dir.path()).unwrap();
    let location = writer.add_location(0);
    let bits = |of| match of {
        AttributeType::Float => u64::from(1.5_f32.to_bits()),
        AttributeType::Double => (-0.25_f64).to_bits(),
        AttributeType::Int8 | AttributeType::Int16 | AttributeType::Int32 | AttributeType::Int64 => {
            -3_i64 as u64
        }
        AttributeType::String
        | AttributeType::Region
        | AttributeType::Comm
        | AttributeType::CallingContext => 0,
        AttributeType::Uint8 => 200,
        AttributeType::Uint16 => 60_000,
        AttributeType::Uint32 => u32::MAX.into(),
        AttributeType::Uint64 => u64::MAX,
    };
    for (attribute, of) in (0..).map(AttributeRef).zip(AttributeType::ALL) {
        let value = AttributeValue { of, bits: bits(of) };
        writer.event(location, 5, &Event::Attribute { attribute, value }).unwrap();
    }
    writer.event(location, 5, &Event::Enter { region: RegionRef(0) }).unwrap();
    writer.finish(&definitions, &ArchiveProperties::default()).unwrap();
    let anchor = dir.path().join("traces.otf2");
    both_read_alike(&anchor);
    let Some(printed) = printed_attributes(&anchor) else { return };
    let expected = [
        r#"("CallingContext"; CALLING_CONTEXT; "@late_sender.c:30")"#,
        r#"("Comm"; COMM; "MPI_COMM_WORLD")"#,
        r#"("Double"; DOUBLE; -0.25)"#,
        r#"("Float"; FLOAT; 1.5)"#,
        r#"("Int16"; INT16; -3)"#,
        r#"("Int32"; INT32; -3)"#,
        r#"("Int64"; INT64; -3)"#,
        r#"("Int8"; INT8; -3)"#,
        r#"("Region"; REGION; "main")"#,
        r#"("String"; STRING; "late_sender")"#,
        r#"("Uint16"; UINT16; 60000)"#,
        r#"("Uint32"; UINT32; 4294967295)"#,
        r#"("Uint64"; UINT64; 18446744073709551615)"#,
        r#"("Uint8"; UINT8; 200)"#,
    ];
    assert_eq!(printed, expected);
}

#[test]
fn it_reads_definitions_of_more_than_a_chunk() {
    let dir = tempfile::tempdir().unwrap();
    let mut definitions = small_definitions(2);
    let name = |number| format!("a_region_with_a_long_name_{number:0>60}");
    definitions.regions = (0..60_000)
        .map(|number| ats_model::definitions::Region { name: name(number), ..Default::default() })
        .collect();
    let mut writer = ArchiveWriter::create(dir.path()).unwrap();
    let location = writer.add_location(0);
    writer.event(location, 5, &Event::Enter { region: RegionRef(59_999) }).unwrap();
    writer.finish(&definitions, &ArchiveProperties::default()).unwrap();
    both_read_alike(&dir.path().join("traces.otf2"));
}

#[test]
fn it_applies_our_clock_offsets_and_id_maps() {
    let dir = tempfile::tempdir().unwrap();
    let mut definitions = small_definitions(2);
    for location in 0..2u64 {
        let mut writer = LocationWriter::create(dir.path(), location, ChunkSize::default()).unwrap();
        for (number, event) in (0..200u64).zip(all_events().iter().cycle()) {
            writer.event(1_000 + 37 * number, event).unwrap();
        }
        let measured = |time, offset| ClockOffset { time, offset, standard_deviation: 1.5 };
        writer.clock_offsets(&[measured(900, 50), measured(3_000, -20), measured(9_000, 1 << 20)]);
        writer.maps(&Maps {
            regions: vec![4, 3, 2, 1, 0],
            communicators: vec![1, 0, 2],
            programs: vec![1, 0],
            ..Maps::default()
        });
        definitions.locations[location as usize].events = writer.finish().unwrap();
    }
    // Members of a communicator of one rank have no rank 1 that could be printed.
    definitions.communicators[1].members = definitions.communicators[0].members.clone();
    write_definitions(dir.path(), &definitions, &ArchiveProperties::default()).unwrap();
    let archive = both_read_alike(&dir.path().join("traces.otf2"));
    assert_eq!(archive.clock_offsets(1).unwrap().len(), 3);
}

#[test]
fn it_finds_the_same_in_score_p_traces() {
    for name in
        ["scorep-patterns-4ranks", "scorep-hybrid-2x2", "scorep-7props-4ranks", "scorep-7props-4ranks-spin"]
    {
        let archive = both_read_alike(&peer(name).join("traces.otf2"));
        assert_eq!(archive.creator(), "Score-P 8.4");
    }
}
