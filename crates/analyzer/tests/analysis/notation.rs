//! The notation itself.

use ats_analyzer::notation::parse;
use ats_model::{
    Event,
    definitions::{Members, Paradigm},
    event::{CollectiveOperation, CommunicatorRef, RegionRef, TaskId, TeamRef},
};

#[test]
fn starts_lie_at_the_enter_and_completions_at_the_leave() {
    let trace = parse("0: 3..8 MPI_Sendrecv send 0 tag 1 bytes 2, recv 0 tag 1 bytes 2").unwrap();
    let (region, communicator) = (RegionRef(0), CommunicatorRef(0));
    assert_eq!(
        trace.events[0],
        [
            (3, Event::Enter { region }),
            (3, Event::MpiSend { receiver: 0, communicator, tag: 1, bytes: 2 }),
            (8, Event::MpiRecv { sender: 0, communicator, tag: 1, bytes: 2 }),
            (8, Event::Leave { region }),
        ]
    );
}

#[test]
fn a_collective_spans_its_call_and_names_its_communicator() {
    let trace =
        parse("comm c 1 0 \n 0: 3..8 MPI_Bcast bcast root 1 received 4 on c \n 1: 0..1 work").unwrap();
    let operation = CollectiveOperation::Bcast;
    let end = Event::MpiCollectiveEnd {
        operation,
        communicator: CommunicatorRef(2),
        root: Some(1),
        sent: 1,
        received: 4,
    };
    assert_eq!(trace.events[0][1..3], [(3, Event::MpiCollectiveBegin), (8, end)]);
    assert_eq!(trace.definitions.communicators[2].members, Members::Ranks(vec![1, 0]));
    assert_eq!(trace.definitions.communicators[0].members, Members::Ranks(vec![0, 1]));
}

#[test]
fn a_non_blocking_collective_starts_in_one_call_and_ends_in_another() {
    let trace =
        parse("0: 3..4 MPI_Ibcast start 7; 5..8 MPI_Wait ibcast root 0 received 4 request 7").unwrap();
    let end = Event::NonBlockingCollectiveComplete {
        operation: CollectiveOperation::Bcast,
        communicator: CommunicatorRef(0),
        root: Some(0).into(),
        sent: 1.into(),
        received: 4.into(),
        request: 7,
    };
    assert_eq!(trace.events[0][1], (3, Event::NonBlockingCollectiveRequest { request: 7 }));
    assert_eq!(trace.events[0][4], (8, end));
}

#[test]
fn lines_of_a_location_continue_each_other() {
    let trace = parse("0: 0 enter a \n 0.1: 0..1 b \n 0: 5 leave # a comment").unwrap();
    let a = RegionRef(0);
    assert_eq!(trace.events[0], [(0, Event::Enter { region: a }), (5, Event::Leave { region: a })]);
    assert_eq!(trace.definitions.locations[1].thread, 1);
    assert_eq!(trace.definitions.clock.length, 5);
}

#[test]
fn threads_have_teams_locks_and_tasks() {
    let trace = parse(
        "team t 0 0.1
         0.1: 1 begin t; 2..5 omp_set_lock lock 7 order 3; 6..7 omp_unset_lock unlock 7 order 3; 8 switch 2; 9 end t
         0: 0 fork; 1..2 $implicit-barrier; 9 join",
    )
    .unwrap();
    let team = TeamRef(0);
    assert_eq!(trace.definitions.teams[0].members, [0, 1]);
    assert_eq!(trace.events[1][2], (5, Event::ThreadAcquireLock { lock: 7, order: 3 }));
    assert_eq!(trace.events[1][5], (6, Event::ThreadReleaseLock { lock: 7, order: 3 }));
    let task = TaskId { creator: 0, generation: 2 };
    let end = [(8, Event::ThreadTaskSwitch { team, task }), (9, Event::ThreadTeamEnd { team })];
    assert_eq!(trace.events[1][7..], end);
    assert_eq!(trace.events[0][0], (0, Event::ThreadFork { requested: 0 }));
    assert_eq!(trace.events[0][3], (9, Event::ThreadJoin));
    let barrier = &trace.definitions.regions[2];
    assert_eq!((&*barrier.name, barrier.paradigm), ("!$omp implicit barrier", Paradigm::OpenMp));
}

#[test]
fn mistakes_are_reported_with_their_line() {
    for (line, message) in [
        (
            "0 0..1 work",
            "expected `RANK: …`, `comm NAME …`, `neighbors NAME RANK …`, `team NAME …`, `metric NAME …`, `attribute NAME` or `# …`",
        ),
        ("team t 0.x", "expected a number, found `x`"),
        ("0: 0 begin t", "team `t` is not defined; add a line `team t RANK.THREAD …` above"),
        ("0: 0 lock 3 number 4", "`number` does not belong into `lock 3 number 4`"),
        ("x: 0..1 work", "expected a number, found `x`"),
        ("0: 5", "`5` is incomplete"),
        ("0: 5 leave", "`leave` without a region that was entered"),
        ("0: 0..1 f recieve 3", "`recieve` is neither a record nor a collective operation"),
        ("0: 0..1 f send 3 request", "expected a number, found ``"),
        ("0: 0..1 f isend 3", "`isend` needs `request N`"),
        ("0: 0..1 f ibarrier", "`ibarrier` needs `request N`"),
        ("0: 0..1 f barrier request 3", "`barrier` blocks and has no `request`"),
        ("0: 0..1 f send 3 size 4", "a message has no `size`"),
        ("0: 0..1 f sent 3 4", "`4` does not belong into `sent 3 4`"),
        ("0: 0 with size 3", "attribute `size` is not defined; add a line `attribute size` above"),
        ("0: 0..1 f barrier on c", "communicator `c` is not defined; add a line `comm c RANK …` above"),
    ] {
        let error = parse(&format!("# first\n{line}")).unwrap_err();
        assert_eq!((error.line, error.message.as_str()), (2, message));
    }
}
