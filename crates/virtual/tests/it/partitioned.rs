//! Messages in partitions: sent when the last partition is ready, and received in the order of their sends.

use ats_model::{Event, Traffic, WaitState, source::InMemory};
use ats_mpi::{Communicator, How, Op, Request, SendMode, Source, Tag};
use ats_omp::{Team, Thread};
use ats_virtual::{Outcome, Simulation, VirtualTeam};
use ats_work::do_work;

use crate::common::{buf, ends, run, waits};

const TAG: u32 = 3;

/// Two messages of four partitions of so many bytes: rank 0 works for 10 ms before each partition, and rank 1 for so many
/// seconds before it starts to receive.
fn messages(bytes: usize, receiver: f64) -> Outcome {
    run(2, |c| pair(c, bytes, receiver))
}

fn pair(c: &dyn Communicator, bytes: usize, receiver: f64) {
    let buf = buf(c, 4 * bytes);
    let mut request =
        vec![if c.rank() == 0 { c.psend_init(4, 1, TAG, &buf) } else { c.precv_init(4, 0, TAG, &buf) }];
    for order in [[2, 0, 3, 1], [0, 1, 2, 3]] {
        if c.rank() == 0 {
            c.restart(&request[0]);
            for partition in order {
                do_work(0.01);
                c.pready(&request[0], partition);
            }
        } else {
            do_work(receiver);
            c.restart(&request[0]);
        }
        let completion = c.complete(How::Wait, &mut request);
        if c.rank() == 1 {
            let (_, status) = completion.completed[0];
            assert_eq!((status.source, status.tag, status.bytes), (0, TAG, 4 * bytes));
        }
    }
}

#[test]
fn a_receive_waits_for_the_last_partition() {
    let outcome = messages(8, 0.01);
    assert_eq!(waits(&outcome), [(1, "late_sender", 60.0)]);
    assert_eq!(*outcome.waits[0].call_path, ["MPI_Wait"]);
    assert_eq!(outcome.waits[0].instances, 2);
    assert_eq!(ends(&outcome), [80.0, 80.0]);
}

#[test]
fn only_a_large_message_waits_for_its_receive() {
    let outcome = messages(1024, 0.05);
    assert_eq!((waits(&outcome), ends(&outcome)), (vec![], vec![80.0, 100.0]));
    let outcome = messages(1025, 0.05);
    assert_eq!(waits(&outcome), [(0, "late_receiver", 20.0)]);
    assert_eq!(ends(&outcome), [100.0, 100.0]);
}

#[test]
fn the_send_is_recorded_and_counted_in_the_last_call() {
    let mut trace = InMemory::default();
    let outcome = Simulation::new(2).record(&mut trace).run(|c| pair(c, 8, 0.01)).unwrap();
    let of = |rank: usize| -> Vec<(u64, Event)> {
        let is_message = |event: &Event| {
            use Event::*;
            matches!(
                event,
                MpiIsend { .. } | MpiIsendComplete { .. } | MpiIrecvRequest { .. } | MpiIrecv { .. }
            )
        };
        let events = trace.events[rank].iter().filter(|(_, event)| is_message(event));
        events.map(|&(time, event)| (time / 10_000_000_000, event)).collect()
    };
    let communicator = ats_model::event::CommunicatorRef(0);
    let sends = [4, 8].map(|time| {
        let send = Event::MpiIsend { receiver: 1, communicator, tag: TAG, bytes: 32, request: 0 };
        [(time, send), (time, Event::MpiIsendComplete { request: 0 })]
    });
    assert_eq!(of(0), sends.concat());
    let receives = [(1, 4), (5, 8)].map(|(posted, done)| {
        let receive = Event::MpiIrecv { sender: 0, communicator, tag: TAG, bytes: 32, request: 0 };
        [(posted, Event::MpiIrecvRequest { request: 0 }), (done, receive)]
    });
    assert_eq!(of(1), receives.concat());
    let [pready, wait, start] = ["MPI_Pready", "MPI_Wait", "MPI_Start"].map(|call| &outcome.counts[call]);
    assert_eq!((pready.calls, start.calls, wait.calls), (8, 4, 4));
    assert_eq!(pready.moved.bytes_sent, 64);
    assert_eq!(start.moved, Traffic::default());
    assert_eq!(wait.moved.bytes_received, 64);
}

#[test]
fn plain_messages_with_the_same_tag_are_others() {
    run(2, |c| {
        let [parts, plain] = [buf(c, 8), buf(c, 4)];
        if c.rank() == 0 {
            let request = c.psend_init(2, 1, TAG, &parts);
            c.restart(&request);
            c.pready(&request, 0);
            c.pready(&request, 1);
            c.complete(How::Wait, &mut vec![request]);
            c.send(1, TAG, &plain);
        } else {
            let mut posted = vec![c.precv_init(2, 0, TAG, &parts)];
            do_work(0.01);
            assert_eq!(c.probe(Source::Rank(0), Tag::Any).bytes, 4);
            assert_eq!(c.recv(Source::Any, Tag::Any, &plain).bytes, 4);
            c.restart(&posted[0]);
            assert_eq!(c.complete(How::Wait, &mut posted).completed[0].1.bytes, 8);
        }
    });
}

/// Each thread of rank 0 works so many units of 10 ms, and says that its partition is ready; a third one waits meanwhile.
fn by_threads(bytes: usize, works: [u32; 2]) -> Outcome {
    let program = |c: &dyn Communicator, team: &VirtualTeam| {
        let buf = buf(c, bytes);
        if c.rank() == 1 {
            do_work(0.01);
            let request = c.precv_init(2, 0, TAG, &buf);
            c.restart(&request);
            c.complete(How::Wait, &mut vec![request]);
            return;
        }
        let request = c.psend_init(2, 1, TAG, &buf);
        c.restart(&request);
        team.parallel(3, |thread| match thread.number() {
            0 => drop(c.complete(How::Wait, &mut vec![Request(request.0)])),
            number => {
                do_work(0.01 * f64::from(works[number - 1]));
                c.pready(&request, number - 1);
            }
        });
    };
    Simulation::new(2).threads(3).run_with_team(program).unwrap()
}

#[test]
fn threads_share_a_message_and_the_last_of_them_sends_it() {
    for bytes in [8, 8192] {
        for works in [[3, 5], [5, 3], [5, 5]] {
            let outcome = by_threads(bytes, works);
            let late: f64 = outcome
                .waits
                .iter()
                .filter(|wait| wait.state == Some(WaitState::LateSender))
                .map(|wait| wait.physical_time)
                .sum();
            assert!((late - 0.04).abs() < 1e-9, "{late} of {works:?}");
            assert!((outcome.ends[0] - 0.05).abs() < 1e-9, "{:?}", outcome.ends);
        }
    }
}

fn message(program: impl Fn(&dyn Communicator)) -> String {
    Simulation::new(2).run(program).unwrap_err().to_string()
}

#[test]
fn misuse_is_refused() {
    let send = |c: &dyn Communicator| c.psend_init(2, 1, TAG, &buf(c, 8));
    let started = |c: &dyn Communicator| {
        let request = send(c);
        c.restart(&request);
        request
    };
    assert_eq!(
        message(|c| c.pready(&send(c), 0)),
        "rank 0: MPI_Pready: the request is not started; start it before its partitions are ready"
    );
    assert_eq!(
        message(|c| c.pready(&started(c), 2)),
        "rank 0: MPI_Pready: there is no partition 2: the message has 2, from 0 on"
    );
    let twice = message(|c| {
        let request = started(c);
        c.pready(&request, 1);
        c.pready(&request, 1);
    });
    assert_eq!(twice, "rank 0: MPI_Pready: partition 1 is ready already; say so once for each start");
    let over = message(|c| {
        let mut request = vec![started(c)];
        c.pready(&request[0], 0);
        c.pready(&request[0], 1);
        c.complete(How::Wait, &mut request);
        c.pready(&request[0], 0);
    });
    assert!(over.contains("the request is not started"), "{over}");
    let no_partitions = "rank 0: MPI_Pready: the request is none that was made by MPI_Psend_init";
    let persistent = message(|c| {
        let op = Op::Send { mode: SendMode::Standard, to: 1, tag: TAG, buf: buf(c, 8) };
        c.pready(&c.init(op), 0);
    });
    assert_eq!(persistent, no_partitions);
    assert_eq!(message(|c| c.pready(&c.precv_init(2, 1, TAG, &buf(c, 8)), 0)), no_partitions);
    assert_eq!(
        message(|c| drop(c.psend_init(3, 1, TAG, &buf(c, 8)))),
        "rank 0: MPI_Psend_init: 8 elements cannot be divided into 3 equal partitions"
    );
    assert!(message(|c| drop(c.psend_init(2, 2, TAG, &buf(c, 8)))).contains("names rank 2"));
    let again = message(|c| c.restart(&started(c)));
    assert!(again.contains("MPI_Start: the request is started already"), "{again}");
}

#[test]
fn a_partition_that_is_never_ready_is_a_deadlock() {
    let text = message(|c| {
        if c.rank() == 0 {
            let request = c.psend_init(2, 1, TAG, &buf(c, 8));
            c.restart(&request);
            c.pready(&request, 1);
            c.complete(How::Wait, &mut vec![request]);
        }
    });
    assert!(
        text.contains(
            "rank 0 in MPI_Wait waits for all partitions of its message to rank 1 of MPI_COMM_WORLD to be ready"
        ),
        "{text}"
    );
}
