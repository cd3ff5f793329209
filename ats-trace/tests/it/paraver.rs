//! Paraver traces: what is read of them, and what becomes of damaged ones.

use ats_model::event::CollectiveOperation;
use ats_model::{Definitions, Event, EventSource};
use ats_trace::{Paraver, Trace, TraceError};
use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::{Rng, SeedableRng};

/// Two processes: a message, one that is received later than its receive is started, and a broadcast of rank 1, in a region.
const PRV: &str = "\
#Paraver (23/11/26 at 01:00):100_ns:1(2):1:2(1:1,1:1),3
c:1:1:2:1:2
c:1:2:1:1
c:1:3:1:2
1:1:1:1:1:0:100:1
1:2:1:2:1:0:100:1
2:1:1:1:1:1:7777:5
2:2:1:2:1:1:7777:5
2:2:1:2:1:10:50000001:2:42000050:12
3:1:1:1:1:20:22:2:1:2:1:10:23:8:17
2:1:1:1:1:20:50000001:1
2:1:1:1:1:22:50000001:0
2:2:1:2:1:23:50000001:0
2:2:1:2:1:30:50000001:4
2:2:1:2:1:31:50000001:0
3:1:1:1:1:40:41:2:1:2:1:31:45:16:18
2:2:1:2:1:33:50000001:5
2:1:1:1:1:40:50000001:3
2:1:1:1:1:41:50000001:0
2:2:1:2:1:45:50000001:0
2:1:1:1:1:50:50000002:7:50100001:0:50100002:64:50100004:1
2:2:1:2:1:60:50000002:7:50100001:64:50100002:0:50100003:1:50100004:1
2:1:1:1:1:61:50000002:0
2:2:1:2:1:61:50000002:0
2:1:1:1:1:100:7777:0:40000001:0
2:2:1:2:1:100:7777:0:40000001:0
";

const PCF: &str = "\
EVENT_TYPE
9   50000001    MPI Point-to-point
VALUES
5   MPI_Wait
4   MPI_Irecv
3   MPI_Isend
2   MPI_Recv
1   MPI_Send
0   Outside MPI

EVENT_TYPE
9   50000002    MPI Collective Comm
VALUES
7   MPI_Bcast
0   Outside MPI

EVENT_TYPE
6   7777    Phases
VALUES
0   End
5   solve
";

const ROW: &str = "LEVEL THREAD SIZE 2\nTHREAD 1.1.1\nTHREAD 1.2.1\n";

fn open(prv: &str) -> Result<Paraver, TraceError> {
    Paraver::from_parts(prv.as_bytes(), PCF.as_bytes(), ROW.as_bytes())
}

/// The events of a location, each with its time, and why they end.
fn events(trace: &Paraver, index: usize) -> (Vec<(u64, Event)>, Option<String>) {
    let mut events = Vec::new();
    let read = trace.read_location(index, |time, event| events.push((time, event)));
    (events, read.err().map(|error| error.to_string()))
}

/// In short: regions by name, and what else there is.
fn told(trace: &Paraver, index: usize) -> Vec<String> {
    let name =
        |region: ats_model::event::RegionRef| trace.definitions().regions[region.0 as usize].name.clone();
    let told = |(time, event): &(u64, Event)| match event {
        Event::Enter { region } => format!("{time} enter {}", name(*region)),
        Event::Leave { region } => format!("{time} leave {}", name(*region)),
        Event::MpiSend { receiver, tag, bytes, .. } => format!("{time} send {receiver} {tag} {bytes}"),
        Event::MpiIsend { receiver, tag, bytes, .. } => format!("{time} isend {receiver} {tag} {bytes}"),
        Event::MpiRecv { sender, tag, bytes, .. } => format!("{time} recv {sender} {tag} {bytes}"),
        Event::MpiIrecv { sender, tag, bytes, .. } => format!("{time} irecv {sender} {tag} {bytes}"),
        Event::MpiIrecvRequest { .. } => format!("{time} request"),
        Event::MpiCollectiveBegin => format!("{time} begin"),
        Event::MpiCollectiveEnd { operation: CollectiveOperation::Bcast, root, sent, received, .. } => {
            format!("{time} bcast {root:?} {sent} {received}")
        }
        other => format!("{time} {other:?}"),
    };
    events(trace, index).0.iter().map(told).collect()
}

#[test]
fn regions_messages_and_collective_operations_are_read() {
    let trace = open(PRV).unwrap();
    let Definitions { clock, locations, communicators, .. } = trace.definitions();
    assert_eq!((clock.resolution, clock.length), (1_000_000_000, 100));
    let known: Vec<_> =
        locations.iter().map(|known| (known.rank, known.thread, known.name.as_str())).collect();
    assert_eq!(known, [(0, 0, "THREAD 1.1.1"), (1, 0, "THREAD 1.2.1")]);
    assert_eq!(communicators.len(), 3);
    assert_eq!(
        told(&trace, 0),
        [
            "1 enter solve",
            "20 enter MPI_Send",
            "20 send 1 17 8",
            "22 leave MPI_Send",
            "40 enter MPI_Isend",
            "40 isend 1 18 16",
            "41 leave MPI_Isend",
            "50 enter MPI_Bcast",
            "50 begin",
            "61 bcast Some(1) 0 64",
            "61 leave MPI_Bcast",
            "100 leave solve",
        ]
    );
    assert_eq!(
        told(&trace, 1),
        [
            "1 enter solve",
            "10 enter MPI_Recv",
            "23 recv 0 17 8",
            "23 leave MPI_Recv",
            "30 enter MPI_Irecv",
            "31 request",
            "31 leave MPI_Irecv",
            "33 enter MPI_Wait",
            "45 irecv 0 18 16",
            "45 leave MPI_Wait",
            "60 enter MPI_Bcast",
            "60 begin",
            "61 bcast Some(1) 64 0",
            "61 leave MPI_Bcast",
            "100 leave solve",
        ]
    );
    let remarks = trace.remarks().join("\n");
    assert!(remarks.contains("does not tell the communicators of messages"), "{remarks}");
    assert!(remarks.contains("a send that was only started (1 of 2 messages)"), "{remarks}");
    assert_eq!(trace.remarks().len(), 2, "{remarks}");
}

#[test]
fn who_reduces_and_scatters_blocks_sends_though_extrae_says_nobody_does() {
    let prv = "#Paraver ():30_ns:0:1:2(1:1,1:1),1\nc:1:1:2:1:2\n\
        2:1:1:1:1:10:50000002:168:50100001:0:50100002:4:50100004:1\n\
        2:1:1:2:1:20:50000002:168:50100001:0:50100002:4:50100004:1\n\
        2:1:1:1:1:30:50000002:0\n2:1:1:2:1:30:50000002:0\n";
    let pcf = "EVENT_TYPE\n9 50000002 Collective\nVALUES\n168   MPI_Reduce_scatter_block\n";
    let trace = Paraver::from_parts(prv.as_bytes(), pcf.as_bytes(), b"").unwrap();
    let sent = |(_, event): &(u64, Event)| match event {
        Event::MpiCollectiveEnd { sent, received, root, .. } => Some((*sent, *received, *root)),
        _ => None,
    };
    assert_eq!(events(&trace, 1).0.iter().find_map(sent), Some((8, 4, None)));
}

#[test]
fn a_trace_cut_at_any_byte_gives_what_it_has() {
    let whole = open(PRV).unwrap();
    let all: usize = (0..2).map(|index| events(&whole, index).0.len()).sum();
    let first_line = PRV.find('\n').unwrap();
    for length in 0..PRV.len() {
        let cut = match open(&PRV[..length]) {
            Ok(trace) => trace,
            Err(error) => {
                assert!(length <= first_line, "{length}: {error}");
                continue;
            }
        };
        let handed_over: usize = (0..2).map(|index| events(&cut, index).0.len()).sum();
        assert!(handed_over <= all);
        let (_, error) = events(&cut, 0);
        if PRV[..length].ends_with('\n') {
            assert_eq!(error, None);
            let remarks = cut.remarks();
            // Two records begin at the end; the last of them cannot be missed.
            let is_told = remarks.iter().any(|remark| remark.contains("is it cut?"));
            assert!(is_told || PRV.len() - length < 50, "{length}: {remarks:?}");
        } else {
            let error = error.unwrap();
            assert!(
                error.contains(&format!("trace.prv is cut short at byte {length}: it ends inside a line")),
                "{error}"
            );
        }
    }
}

#[test]
fn overlapping_states_change_nothing_and_are_told() {
    let states = "1:1:1:1:1:10:90:3\n1:1:1:1:1:20:30:4\n";
    let trace = open(&PRV.replacen("\n2:", &format!("\n{states}2:"), 1)).unwrap();
    let whole = open(PRV).unwrap();
    for index in 0..2 {
        assert_eq!(events(&trace, index), events(&whole, index));
    }
    let told = trace.remarks().iter().any(|remark| remark.starts_with("2 states overlap others"));
    assert!(told, "{:?}", trace.remarks());
}

#[test]
fn damage_has_its_place_and_spoils_no_more_than_it_must() {
    let line = "2:1:1:1:1:22:50000001:0";
    for (other, what) in [
        ("2:1:1:1:1:22:50000001", "`:` is expected, not the end of the line"),
        ("2:1:1:1:1:22:50000001:x", "a number is expected"),
        ("2:1:1:1:1:22:50000001:0:", "a number is expected"),
        ("2:1:1:1:1:22:50000001:0 ", "`:` is expected, not ` `"),
        ("2:1:1:1:1:22:5000000100:0", "a type of events above 4294967295"),
        ("2:1:1:1:1:99999999999999999999:50000001:0", "a number above 18446744073709551615"),
        ("2:1:1:3:1:22:50000001:0", "the header has no thread 1.3.1"),
        ("2:1:1:1:2:22:50000001:0", "the header has no thread 1.1.2"),
        ("2:1:1:0:1:22:50000001:0", "the header has no thread 1.0.1"),
        ("2:1:2:1:1:22:50000001:0", "the header has no thread 2.1.1"),
        ("2:1:1:18446744073709551615:1:22:50000001:0", "the header has no thread 1.18446744073709551615.1"),
        ("4:1:1:1:1:22:50000001:0", "there is no record of kind 4"),
        ("1:1:1:1:1:22:21:0", "a state that ends before it begins"),
        ("1:1:1:1:1:22:23:0:7", "the record should end here"),
        ("3:1:1:1:1:20:22:2:1:2:1:10:23:8:4294967296", "a tag above 4294967295"),
        ("c:1:1:1:3", "task 3 of a communicator, and there are 2"),
    ] {
        let trace = open(&PRV.replacen(line, other, 1)).unwrap();
        let (before, error) = events(&trace, 0);
        let error = error.unwrap();
        let begin = PRV.find(line).unwrap() as u64;
        let told = (begin..=begin + other.len() as u64)
            .any(|byte| error.contains(&format!("damaged at byte {byte}: ")));
        assert!(told && error.contains(what), "{other}: {error}");
        assert_eq!(before.len(), 3, "solve, and the call and its message, which stand before: {other}");
    }
}

#[test]
fn what_is_no_such_trace_is_refused() {
    let error = |prv: &str| open(prv).err().unwrap().to_string();
    assert!(error("").contains("trace.prv is no Paraver trace"));
    assert!(error("PK").contains("unpacked"));
    assert!(error("#Paraver (").contains("is cut short at byte 10"));
    assert!(error("#Paraver ():5:1:2:1(1:1):1(1:1)\n").contains("2 applications"));
    assert!(error("#Paraver ():5:1:1:1(4000000000:1)\n").contains("fewer bytes"));
}

#[test]
fn numbers_as_large_as_they_can_be_are_harmless() {
    let most = u64::MAX;
    let lines = format!(
        "2:0:1:1:1:{most}:50000002:7:50100004:{most}:50100001:{most}\n\
         2:0:1:1:1:{most}:4294967295:{most}:7777:-1\n\
         3:0:1:1:1:{most}:{most}:0:1:2:1:{most}:{most}:{most}:4294967295\n\
         3:0:1:1:1:0:0:0:1:1:1:0:0:{most}:0\n\
         1:0:1:2:1:0:{most}:-5\n"
    );
    let trace = open(&format!("{PRV}{lines}")).unwrap();
    assert_eq!(events(&trace, 0).1, None);
    let remarks = trace.remarks().join("\n");
    assert!(remarks.contains("1 collective operations on communicators that are not defined"), "{remarks}");
    assert!(remarks.contains("messages begin or end in no call of MPI"), "{remarks}");
}

#[test]
fn without_labels_there_is_an_error_and_with_empty_ones_a_remark() {
    let dir = tempfile::tempdir().unwrap();
    let prv = dir.path().join("trace.prv");
    std::fs::write(&prv, PRV).unwrap();
    let error = Trace::open(&prv).err().unwrap().to_string();
    assert!(error.contains("trace.pcf: No such file") && error.contains("names the calls"), "{error}");
    std::fs::write(dir.path().join("trace.pcf"), "").unwrap();
    let Ok(Trace::Paraver(trace)) = Trace::open(&prv) else { panic!("a Paraver trace") };
    assert!(
        trace.remarks().iter().any(|remark| remark.contains("names 6 of the calls of MPI not")),
        "{:?}",
        trace.remarks()
    );
    assert!(Trace::is_one(&prv));
}

#[test]
fn any_changes_of_a_trace_are_read_or_refused() {
    for seed in ats_testing::seeds(20_000) {
        let mut random = Xoshiro256PlusPlus::seed_from_u64(seed);
        let mut bytes = PRV.as_bytes().to_vec();
        for _ in 0..1 + random.next_u64() % 4 {
            let at = random.next_u64() as usize % bytes.len();
            bytes[at] = b"0123456789:\n#c-(),_x"[random.next_u64() as usize % 20];
        }
        let Ok(trace) = Paraver::from_parts(&bytes, PCF.as_bytes(), &bytes) else { continue };
        for index in 0..trace.definitions().locations.len().min(4) {
            let (events, _) = events(&trace, index);
            assert!(events.len() <= bytes.len());
        }
    }
}
