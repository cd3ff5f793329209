//! Paraver traces: reading them, and damaged ones.

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

/// In short: regions by name, and all else.
fn lines(trace: &Paraver, index: usize) -> Vec<String> {
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
        lines(&trace, 0),
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
        lines(&trace, 1),
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
fn reduce_scatter_block_sends_though_extrae_has_no_bytes() {
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

/// Two threads of a process under GNU's runtime: a critical section, sections, and the end of the region. Thread 2 has its core
/// taken before it says that its work is over.
const THREADS: &str = "\
#Paraver ():100_ns:1(2):1:1(2:1),0
2:1:1:1:1:10:60000:43:60002:1
2:2:1:1:2:12:60002:2:60001:1
2:1:1:1:1:13:60002:2:60001:1
2:1:1:1:1:20:60000:6:60004:31:60005:38:60006:77
2:1:1:1:1:21:60005:39:60006:77
2:1:1:1:1:21:60000:0
2:2:1:1:2:22:60000:79:60004:31:60005:38:60006:77
2:1:1:1:1:30:60000:7:60005:40:60006:77
2:1:1:1:1:31:60005:0:60006:77:60004:0
2:2:1:1:2:32:60000:79:60005:39:60006:77
2:2:1:1:2:33:60000:80:60005:40:60006:77
2:2:1:1:2:34:60005:0:60006:77:60004:0
2:1:1:1:1:40:60000:36:60003:23:60003:9
2:1:1:1:1:41:60003:0
2:1:1:1:1:45:60000:38:60004:27
2:1:1:1:1:50:60004:0:60003:0
2:1:1:1:1:60:60001:1:60012:0:60002:0
2:1:1:1:1:70:60002:0
2:2:1:1:2:71:60001:1:60012:0:60002:0
2:2:1:1:2:100:60002:2
";

const PCF_OF_THREADS: &str = "\
EVENT_TYPE
0 60000 OpenMP RT Call
VALUES
79 GOMP_set_lock
80 GOMP_unset_lock

EVENT_TYPE
0 60002 OpenMP Parallel
VALUES
0 End
1 PARALLEL REGION Fork/Join
2 PARALLEL REGION

EVENT_TYPE
0 60003 OpenMP Worksharing
VALUES
9 NEXT CHUNK Request
23 SECTION

EVENT_TYPE
0 60004 OpenMP Synchronization
VALUES
27 JOIN (wait)
31 CRITICAL (named)

EVENT_TYPE
0 60005 OpenMP Lock Status
VALUES
38 LOCK: Obtaining
39 LOCK: Taken
40 LOCK: Releasing
";

#[test]
fn teams_and_locks_are_made_of_what_extrae_tells_of_openmp() {
    let trace = Paraver::from_parts(THREADS.as_bytes(), PCF_OF_THREADS.as_bytes(), b"").unwrap();
    let teams: Vec<_> = trace.definitions().teams.iter().map(|team| team.members.clone()).collect();
    assert_eq!(teams, [[0, 1]]);
    assert_eq!(
        lines(&trace, 0),
        [
            "10 ThreadFork { requested: 0 }",
            "13 ThreadTeamBegin { team: TeamRef(0) }",
            "13 enter !$omp parallel",
            "20 enter !$omp critical",
            "21 ThreadAcquireLock { lock: 0, order: 0 }",
            "21 enter !$omp critical sblock",
            "30 leave !$omp critical sblock",
            "31 ThreadReleaseLock { lock: 0, order: 0 }",
            "31 leave !$omp critical",
            "40 enter !$omp sections",
            "45 enter !$omp implicit barrier",
            "50 leave !$omp implicit barrier",
            "50 leave !$omp sections",
            "60 enter !$omp implicit barrier",
            "70 leave !$omp implicit barrier",
            "70 leave !$omp parallel",
            "70 ThreadTeamEnd { team: TeamRef(0) }",
            "70 ThreadJoin",
        ]
    );
    assert_eq!(
        lines(&trace, 1),
        [
            "12 ThreadTeamBegin { team: TeamRef(0) }",
            "12 enter !$omp parallel",
            "22 enter omp_set_lock",
            "32 ThreadAcquireLock { lock: 0, order: 1 }",
            "32 leave omp_set_lock",
            "33 enter omp_unset_lock",
            "34 ThreadReleaseLock { lock: 0, order: 1 }",
            "34 leave omp_unset_lock",
            "70 leave !$omp parallel",
            "70 ThreadTeamEnd { team: TeamRef(0) }",
        ]
    );
    assert_eq!(trace.remarks(), ["threads worked 1 times for no parallel region, which is left out"]);
}

#[test]
fn teams_are_made_of_the_older_types_of_events_too() {
    let prv = "#Paraver ():100_ns:1(2):1:1(2:1),0\n\
        2:1:1:1:1:10:60000001:3\n2:1:1:1:1:11:60000018:99:60000118:99\n2:2:1:1:2:12:60000018:99\n\
        2:1:1:1:1:15:60000002:6\n2:1:1:1:1:16:60000002:0\n2:1:1:1:1:17:60000005:1\n2:2:1:1:2:20:60000005:1\n\
        2:1:1:1:1:21:60000005:0\n2:2:1:1:2:21:60000005:0\n2:2:1:1:2:30:60000018:0:60000118:0\n\
        2:1:1:1:1:40:60000018:0\n2:1:1:1:1:100:60000001:0\n";
    let pcf = "EVENT_TYPE\n0 60000002 Worksharing (OMP)\nVALUES\n0 End\n4 DO\n6 SINGLE\n";
    let trace = Paraver::from_parts(prv.as_bytes(), pcf.as_bytes(), b"").unwrap();
    assert_eq!(
        lines(&trace, 0),
        [
            "10 ThreadFork { requested: 0 }",
            "11 ThreadTeamBegin { team: TeamRef(0) }",
            "11 enter !$omp parallel",
            "15 enter !$omp single",
            "16 leave !$omp single",
            "17 enter !$omp barrier",
            "21 leave !$omp barrier",
            "40 enter !$omp implicit barrier",
            "100 leave !$omp implicit barrier",
            "100 leave !$omp parallel",
            "100 ThreadTeamEnd { team: TeamRef(0) }",
            "100 ThreadJoin",
        ]
    );
    assert!(lines(&trace, 1).contains(&"30 enter !$omp implicit barrier".to_owned()));
    let [remark] = &trace.remarks()[..] else { panic!("{:?}", trace.remarks()) };
    assert!(remark.contains("all are taken for `!$omp barrier`"), "{remark}");
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
fn other_files_are_refused() {
    let error = |prv: &str| open(prv).err().unwrap().to_string();
    assert!(error("").contains("trace.prv is not a Paraver trace"));
    assert!(error("PK").contains("unpacked"));
    assert!(error("#Paraver (").contains("is cut short at byte 10"));
    let two = error("#Paraver ():5:1:2:1(1:1):1(1:1)\n");
    assert!(
        two.ends_with("is a trace of 2 applications; merge the records of one application alone (mpi2prv)"),
        "{two}"
    );
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
    for seed in ats_testing::seeds(4_000) {
        let mut random = Xoshiro256PlusPlus::seed_from_u64(seed);
        let (prv, pcf) = if seed % 2 == 0 { (PRV, PCF) } else { (THREADS, PCF_OF_THREADS) };
        let mut bytes = prv.as_bytes().to_vec();
        for _ in 0..1 + random.next_u64() % 4 {
            let at = random.next_u64() as usize % bytes.len();
            bytes[at] = b"0123456789:\n#c-(),_x"[random.next_u64() as usize % 20];
        }
        let Ok(trace) = Paraver::from_parts(&bytes, pcf.as_bytes(), &bytes) else { continue };
        for index in 0..trace.definitions().locations.len().min(4) {
            let (events, _) = events(&trace, index);
            assert!(events.len() <= bytes.len());
        }
    }
}
