use std::sync::Mutex;

use ats_model::WaitState::{IdleThreads, LateSender, WaitAtBarrier, WaitAtImplicitOmpBarrier};
use ats_mpi::{Communicator, How, Request, Source, Tag};
use ats_omp::{LockKind, Team, Thread};
use ats_virtual::{Outcome, Simulation, SimulationError, VirtualThread};
use ats_work::do_work;

use super::{UNIT, assert_close, assert_only};

/// Runs a region of two threads on every rank.
fn try_region(
    ranks: usize,
    body: impl Fn(&dyn Communicator, &VirtualThread) + Sync,
) -> Result<Outcome, SimulationError> {
    let simulation = Simulation::new(ranks).threads(2);
    simulation.run_with_team(|c, team| team.parallel(2, |t| body(c, t)))
}

fn region_on(ranks: usize, body: impl Fn(&dyn Communicator, &VirtualThread) + Sync) -> Outcome {
    try_region(ranks, body).unwrap()
}

fn error(ranks: usize, body: impl Fn(&dyn Communicator, &VirtualThread) + Sync) -> String {
    try_region(ranks, body).unwrap_err().to_string()
}

fn work(units: usize) {
    do_work(UNIT * units as f64);
}

fn receive(c: &dyn Communicator, from: usize, tag: u32) -> u32 {
    c.recv(Source::Rank(from), Tag::Is(tag), &c.base_buf()).tag
}

fn receive_any(c: &dyn Communicator, from: usize) -> u32 {
    c.recv(Source::Rank(from), Tag::Any, &c.base_buf()).tag
}

/// The late senders of both threads of rank 0, in units.
#[track_caller]
fn assert_late_senders(outcome: &Outcome, known: [f64; 2]) {
    for (thread, known) in known.into_iter().enumerate() {
        assert_close(outcome.waiting_time_at(LateSender, 0, thread), UNIT * known);
    }
}

#[test]
fn two_threads_wait_for_two_senders_independently() {
    for late in [1, 2] {
        let outcome = region_on(3, |c, t| match (c.rank(), t.number()) {
            (0, thread) => assert_eq!(receive(c, thread + 1, 7), 7),
            (rank, 0) => {
                work(if rank == late { 3 } else { 1 });
                c.ssend(0, 7, &c.base_buf());
            }
            _ => {}
        });
        let of_threads = if late == 1 { [3.0, 1.0] } else { [1.0, 3.0] };
        assert_late_senders(&outcome, of_threads);
        // On rank 0 the early thread waits 2 units, on the others thread 1 as long as the master works.
        let known = [(Some(LateSender), 4.0 * UNIT), (Some(WaitAtImplicitOmpBarrier), 6.0 * UNIT)];
        assert_only(&outcome, &known);
    }
}

#[test]
fn messages_go_to_the_thread_that_receives_first() {
    for first in [0, 1] {
        let seen = Mutex::new([0; 2]);
        let outcome = region_on(2, |c, t| match (c.rank(), t.number()) {
            (0, thread) => {
                work(if thread == first { 1 } else { 2 });
                seen.lock().unwrap()[thread] = receive_any(c, 1);
            }
            (_, 0) => {
                c.send(0, 1, &c.base_buf());
                work(5);
                c.send(0, 2, &c.base_buf());
            }
            _ => {}
        });
        let (tags, waits) = if first == 0 { ([1, 2], [0.0, 3.0]) } else { ([2, 1], [3.0, 0.0]) };
        assert_eq!(seen.into_inner().unwrap(), tags);
        assert_late_senders(&outcome, waits);
    }
}

#[test]
fn messages_of_two_threads_are_received_in_the_order_of_time() {
    for first in [0, 1] {
        let outcome = region_on(2, |c, t| match (c.rank(), t.number()) {
            (1, thread) => {
                work(if thread == first { 1 } else { 3 });
                c.send(0, thread as u32, &c.base_buf());
            }
            (_, 0) => assert_eq!([(); 2].map(|()| receive_any(c, 1)), [first as u32, 1 - first as u32]),
            _ => {}
        });
        assert_late_senders(&outcome, [3.0, 0.0]);
    }
}

#[test]
fn wildcards_of_two_threads_take_what_comes_first() {
    let seen = Mutex::new([0; 2]);
    let outcome = region_on(3, |c, t| match (c.rank(), t.number()) {
        (0, thread) => {
            work(1 - thread);
            seen.lock().unwrap()[thread] = c.recv(Source::Any, Tag::Any, &c.base_buf()).source;
        }
        (rank, 0) => {
            work(5 - rank);
            c.send(0, 0, &c.base_buf());
        }
        _ => {}
    });
    // Thread 1 has posted its receive first, and rank 2 sends first.
    assert_eq!(seen.into_inner().unwrap(), [1, 2]);
    assert_late_senders(&outcome, [3.0, 3.0]);
}

#[test]
fn a_thread_sends_while_another_is_in_a_barrier() {
    let outcome = Simulation::new(2).threads(2).run_with_team(|c, team| {
        let of_masters = c.dup();
        team.parallel(2, |t| match (t.number(), c.rank()) {
            (0, rank) => {
                work(5 * rank);
                of_masters.barrier();
            }
            (_, 0) => {
                work(2);
                c.ssend(1, 0, &c.base_buf());
            }
            _ => assert_eq!(receive(c, 0, 0), 0),
        });
    });
    let known = [
        (Some(WaitAtBarrier), 5.0 * UNIT),
        (Some(LateSender), 2.0 * UNIT),
        (Some(WaitAtImplicitOmpBarrier), 6.0 * UNIT),
    ];
    assert_only(&outcome.unwrap(), &known);
}

#[test]
fn a_request_may_be_completed_by_another_thread() {
    let handed = Mutex::new(None);
    let outcome = region_on(2, |c, t| match (c.rank(), t.number()) {
        (0, 0) => {
            *handed.lock().unwrap() = Some(c.irecv(Source::Rank(1), Tag::Is(3), &c.base_buf()));
            t.barrier();
            work(1);
        }
        (0, _) => {
            t.barrier();
            let request = handed.lock().unwrap().take().unwrap();
            assert_eq!(c.wait(request).tag, 3);
        }
        (_, 0) => {
            work(4);
            c.ssend(0, 3, &c.base_buf());
            t.barrier();
        }
        _ => t.barrier(),
    });
    assert_late_senders(&outcome, [0.0, 4.0]);
    assert_close(outcome.waiting_time_at(WaitAtImplicitOmpBarrier, 0, 0), 3.0 * UNIT);
}

#[test]
fn two_threads_wait_for_any_and_all_of_their_requests() {
    let outcome = region_on(2, |c, t| {
        let tags = [0, 1].map(|number| (2 * t.number() + number) as u32);
        if c.rank() == 0 {
            let post = |tag| c.irecv(Source::Rank(1), Tag::Is(tag), &c.base_buf());
            let mut requests = Vec::from(tags.map(post));
            let how = if t.number() == 0 { How::Waitany } else { How::Waitall };
            let first = c.complete(how, &mut requests).completed;
            assert_eq!(first.len(), 1 + t.number());
            c.waitall(requests);
        } else {
            for tag in tags {
                work(1 + t.number());
                c.send(0, tag, &c.base_buf());
            }
        }
    });
    assert_late_senders(&outcome, [2.0, 4.0]);
}

/// Seconds that a thread of rank 0 is blocked in a call.
fn blocked_in(outcome: &Outcome, call: &str, thread: usize) -> f64 {
    let waits = outcome.waits.iter().filter(|wait| wait.rank == 0 && wait.thread == thread);
    waits.filter(|wait| wait.call_path.last() == Some(&call)).map(|wait| wait.physical_time).sum()
}

#[test]
fn a_thread_probes_while_another_receives() {
    for probing in [0, 1] {
        let outcome = region_on(2, |c, t| match (c.rank(), t.number()) {
            (0, thread) if thread == probing => {
                assert_eq!(c.probe(Source::Any, Tag::Is(2)).tag, 2);
                assert_eq!(receive(c, 1, 2), 2);
            }
            (0, _) => assert_eq!(c.recv(Source::Any, Tag::Is(1), &c.base_buf()).tag, 1),
            (_, 0) => {
                for tag in [2, 1] {
                    work(2);
                    c.send(0, tag, &c.base_buf());
                }
            }
            _ => {}
        });
        assert_close(blocked_in(&outcome, "MPI_Probe", probing), 2.0 * UNIT);
        assert_close(blocked_in(&outcome, "MPI_Recv", probing), 0.0);
        assert_close(blocked_in(&outcome, "MPI_Recv", 1 - probing), 4.0 * UNIT);
    }
}

#[test]
fn two_threads_probe_the_same_message() {
    let outcome = region_on(2, |c, t| match (c.rank(), t.number()) {
        (0, _) => assert_eq!(c.probe(Source::Rank(1), Tag::Any).tag, 9),
        (_, 0) => {
            work(2);
            c.send(0, 9, &c.base_buf());
        }
        _ => {}
    });
    for thread in [0, 1] {
        assert_close(blocked_in(&outcome, "MPI_Probe", thread), 2.0 * UNIT);
    }
}

#[test]
fn two_threads_split_two_communicators_at_once() {
    let outcome = Simulation::new(4).threads(2).run_with_team(|c, team| {
        let of_threads = [c.dup(), c.dup()];
        team.parallel(2, |t| {
            let of_thread = &of_threads[t.number()];
            let rank = c.rank() as u32;
            let color = if t.number() == 0 { rank % 2 } else { rank / 2 };
            work(c.rank());
            let half = of_thread.split(Some(color), 0).unwrap();
            let own = if t.number() == 0 { rank / 2 } else { rank % 2 };
            assert_eq!((half.rank(), half.size()), (own as usize, 2));
            work(own as usize);
            half.barrier();
        });
    });
    // In each of two halves of each thread one waits a unit; before that all have waited for the last to split.
    assert_close(outcome.unwrap().waiting_time(WaitAtBarrier), 4.0 * UNIT);
}

#[test]
fn a_communicator_belongs_to_one_thread_at_a_time() {
    let reason = |call: &str, thread: usize, other: usize, its: &str| {
        let place = if thread == 0 { String::new() } else { format!(", thread {thread}") };
        format!(
            "rank 0{place}: {call} on MPI_COMM_WORLD, where thread {other} of the process is in {its}: collective \
             calls of threads on one communicator must follow each other; put a barrier of the team between them, or \
             give each thread a communicator of its own (MPI_Comm_dup)"
        )
    };
    for ranks in [1, 2] {
        for units in [0, 1] {
            let text = error(ranks, |c, t| {
                work(units * t.number());
                c.barrier();
            });
            assert_eq!(text, reason("MPI_Barrier", 1, 0, "MPI_Barrier"));
        }
    }
    let text = error(2, |c, t| match t.number() {
        0 if c.rank() == 0 => c.barrier(),
        0 => work(1),
        _ => drop(c.dup()),
    });
    assert_eq!(text, reason("MPI_Comm_dup", 1, 0, "MPI_Barrier"));
}

#[test]
fn threads_may_take_turns_in_a_communicator() {
    let lock = |c: &dyn Communicator, team: &ats_virtual::VirtualTeam| {
        let lock = team.new_lock(LockKind::Simple);
        team.parallel(2, |t| t.with_lock(&lock, || c.barrier()));
    };
    let outcome = Simulation::new(3).threads(2).run_with_team(lock).unwrap();
    assert_eq!(outcome.counts["MPI_Barrier"].calls, 6);
    let outcome = region_on(3, |c, t| {
        if t.number() == 0 {
            work(c.rank());
            c.barrier();
        }
        t.barrier();
        if t.number() == 1 {
            work(c.rank());
            c.barrier();
        }
    });
    for thread in [0, 1] {
        let waits = [0, 1, 2].map(|rank| outcome.waiting_time_at(WaitAtBarrier, rank, thread));
        waits.into_iter().zip([2.0, 1.0, 0.0]).for_each(|(found, units)| assert_close(found, UNIT * units));
    }
}

#[test]
fn a_request_is_completed_by_one_thread() {
    let text = error(1, |c, t| {
        if t.number() == 0 {
            let request = c.irecv(Source::Rank(0), Tag::Is(0), &c.base_buf());
            assert_eq!(request, Request(0));
            t.barrier();
            c.wait(request);
        } else {
            t.barrier();
            c.wait(Request(0));
        }
    });
    let [first, second] =
        ["rank 0: MPI_Wait", "rank 0, thread 1: MPI_Wait"].map(|place| text.starts_with(place));
    assert!(first || second, "{text}");
    assert!(text.ends_with("of the process waits for: let one thread complete it"), "{text}");
}

#[test]
fn a_deadlock_names_the_threads_that_wait_in_mpi() {
    let text = error(2, |c, t| match (c.rank(), t.number()) {
        (0, thread) => {
            receive(c, 1, thread as u32);
        }
        (_, 0) => c.send(0, 0, &c.base_buf()),
        _ => {
            c.probe(Source::Any, Tag::Any);
        }
    });
    assert_eq!(
        text,
        "deadlock: 2 of 2 ranks wait for one another
  rank 0 in !$omp parallel/!$omp implicit barrier waits for thread 1 of its team
  rank 0, thread 1 in !$omp parallel/MPI_Recv waits for rank 1 of MPI_COMM_WORLD to send tag 1
  rank 1 in !$omp parallel/!$omp implicit barrier waits for thread 1 of its team
  rank 1, thread 1 in !$omp parallel/MPI_Probe waits for a message to probe"
    );
}

#[test]
fn a_message_that_is_too_long_names_the_thread_that_receives_it() {
    for late in [0, 1] {
        let text = error(2, |c, t| {
            let buf = |count| c.alloc_mpi_buf(ats_mpi::Datatype::Byte, count);
            match (c.rank(), t.number()) {
                (0, 1) => {
                    work(1 - late);
                    c.recv(Source::Rank(1), Tag::Any, &buf(1));
                }
                (1, 0) => {
                    work(late);
                    c.send(0, 0, &buf(2));
                }
                _ => {}
            }
        });
        let known =
            "rank 0, thread 1: a message of 2 bytes from rank 1 does not fit the receive buffer of 1 bytes";
        assert_eq!(text, known);
    }
}

#[test]
fn threads_that_never_communicate_are_idle_while_their_master_does() {
    let outcome = Simulation::new(2).threads(2).run_with_team(|c, team| {
        team.parallel(2, |t| {
            if t.number() == 1 {
                match c.rank() {
                    0 => c.send(1, 0, &c.base_buf()),
                    _ => assert_eq!(receive(c, 0, 0), 0),
                }
            }
        });
        work(3 * c.rank());
        c.barrier();
    });
    let known = [(Some(WaitAtBarrier), 3.0 * UNIT), (Some(IdleThreads), 6.0 * UNIT)];
    assert_only(&outcome.unwrap(), &known);
}
