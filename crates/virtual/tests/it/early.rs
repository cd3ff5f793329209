//! Waits for a message before the call that completes its receive: in probes, and in tests.

use ats_model::Event;
use ats_model::attribute::AttributeValue;
use ats_model::own_attribute::Own;
use ats_model::source::InMemory;
use ats_mpi::{Communicator, How, MpiBuf, Request, Source, Tag};
use ats_virtual::{Outcome, Simulation};
use ats_work::{do_work, region};

use crate::common::{buf, run, waits};

/// Rank 0 sends after 20 ms; rank 1 does this.
fn receives(receive: impl Fn(&dyn Communicator, &MpiBuf)) -> Outcome {
    run(2, |c| {
        let buf = buf(c, 8);
        if c.rank() == 0 {
            do_work(0.02);
            c.send(1, 0, &buf);
        } else {
            receive(c, &buf);
        }
    })
}

fn post(c: &dyn Communicator, buf: &MpiBuf) -> Vec<Request> {
    vec![c.irecv(Source::Rank(0), Tag::Is(0), buf)]
}

#[test]
fn polling_ends_and_waits_from_the_first_test_to_the_send() {
    let outcome = receives(|c, buf| {
        assert!(c.iprobe(Source::Any, Tag::Any).is_none());
        let mut requests = post(c, buf);
        while c.complete(How::Test, &mut requests).completed.is_empty() {}
    });
    assert_eq!(waits(&outcome), [(1, "late_sender_in_test", 19.999)]);
    assert_eq!(outcome.waits[0].call_path, ["MPI_Test"]);
    assert!(outcome.counts["MPI_Test"].calls > 19_000);
}

#[test]
fn a_message_that_is_there_is_not_waited_for() {
    let outcome = receives(|c, buf| {
        do_work(0.03);
        let mut requests = post(c, buf);
        assert_eq!(c.complete(How::Test, &mut requests).completed.len(), 1);
    });
    assert_eq!(waits(&outcome), []);
}

#[test]
fn work_in_regions_is_no_waiting_and_the_loop_is() {
    let outcome = receives(|c, buf| {
        let mut requests = post(c, buf);
        let _polling = region("polling");
        while c.complete(How::Test, &mut requests).completed.is_empty() {
            do_work(0.001);
            let _work = region("work");
            do_work(0.003);
        }
    });
    // Four rounds of four milliseconds, with a poll each, and the work of the fifth.
    assert_eq!(waits(&outcome), [(1, "late_sender_in_test", 5.005)]);
    assert_eq!(outcome.waits[0].call_path, ["polling", "MPI_Test"]);
}

#[test]
fn a_wait_after_tests_has_its_own_share() {
    let outcome = receives(|c, buf| {
        let mut requests = post(c, buf);
        assert!(c.complete(How::Testany, &mut requests).completed.is_empty());
        do_work(0.005);
        c.complete(How::Wait, &mut requests);
    });
    assert_eq!(waits(&outcome), [(1, "late_sender", 14.999), (1, "late_sender_in_test", 5.001)]);
}

#[test]
fn requests_tested_together_are_waited_for_once() {
    let outcome = run(3, |c| {
        let buf = buf(c, 8);
        if c.rank() > 0 {
            do_work(0.01 * c.rank() as f64);
            c.send(0, 0, &buf);
            return;
        }
        let mut requests: Vec<_> = [1, 2].map(|rank| c.irecv(Source::Rank(rank), Tag::Is(0), &buf)).into();
        while !requests.is_empty() {
            c.complete(How::Testsome, &mut requests);
        }
    });
    assert_eq!(waits(&outcome), [(0, "late_sender_in_test", 20.0)]);
    assert_eq!(outcome.waits[0].instances, 2);
}

#[test]
fn a_probe_waits_for_the_send() {
    let outcome = run(3, |c| {
        let buf = buf(c, 8);
        match c.rank() {
            0 => {
                let status = c.probe(Source::Any, Tag::Is(5));
                assert_eq!((status.source, status.bytes), (1, 8));
                c.recv(Source::Rank(1), Tag::Is(5), &buf);
            }
            1 => {
                do_work(0.02);
                c.send(0, 5, &buf);
            }
            _ => c.send(0, 6, &buf),
        }
    });
    assert_eq!(waits(&outcome), [(0, "late_sender_in_probe", 20.0)]);
    assert_eq!(outcome.waits[0].call_path, ["MPI_Probe"]);
}

#[test]
fn a_matched_probe_takes_its_message_away() {
    let outcome = run(2, |c| {
        let buf = buf(c, 8192);
        if c.rank() == 0 {
            do_work(0.02);
            c.send(1, 5, &buf);
            c.send(1, 5, &buf);
        } else {
            let message = c.mprobe(Source::Any, Tag::Any);
            assert_eq!((message.status.source, message.status.tag, message.status.bytes), (0, 5, 8192));
            do_work(0.01);
            assert!(c.iprobe(Source::Rank(0), Tag::Is(5)).is_none(), "the second is not sent yet");
            assert_eq!(c.mrecv(message, &buf).bytes, 8192);
            c.recv(Source::Rank(0), Tag::Is(5), &buf);
        }
    });
    let late_receiver = (0, "late_receiver", 10.001);
    assert_eq!(waits(&outcome), [late_receiver, (1, "late_sender_in_probe", 20.0)]);
}

#[test]
fn a_trace_notes_the_first_test_in_vain_and_what_a_probe_has_found() {
    let mut trace = InMemory::default();
    let simulation = Simulation::new(2).record(&mut trace);
    let outcome = simulation.run(|c| {
        let buf = buf(c, 8);
        if c.rank() == 0 {
            for tag in [7, 8] {
                do_work(0.01);
                c.send(1, tag, &buf);
            }
        } else {
            c.probe(Source::Any, Tag::Any);
            let mut requests = vec![c.irecv(Source::Any, Tag::Is(8), &buf)];
            while c.complete(How::Test, &mut requests).completed.is_empty() {}
            c.recv(Source::Rank(0), Tag::Is(7), &buf);
        }
    });
    outcome.unwrap();
    let events = || trace.events[1].iter().map(|&(_, event)| event);
    assert_eq!(events().filter(|event| matches!(event, Event::MpiRequestTest { .. })).count(), 1);
    let noted: Vec<_> = events()
        .filter_map(|event| match event {
            Event::Attribute { attribute, value: AttributeValue { bits, .. } } => {
                Some((Own::from_definition(&trace.definitions.attributes[attribute.0 as usize])?, bits))
            }
            _ => None,
        })
        .collect();
    assert_eq!(noted, [(Own::ProbedSource, 0), (Own::ProbedTag, 7), (Own::ProbedCommunicator, 0)]);
}
