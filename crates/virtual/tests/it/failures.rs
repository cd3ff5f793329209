//! Errors are reported clearly, and nothing hangs.

use std::cell::Cell;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::process::Command;

use ats_model::event::Event;
use ats_model::source::InMemory;
use ats_mpi::{Communicator, Datatype, How, Source, Tag};
use ats_virtual::{Network, Place, Simulation, SimulationError};
use ats_work::{do_work, region};

fn ignore(_: ats_mpi::Status) {}

fn message(ranks: usize, program: impl Fn(&dyn Communicator)) -> String {
    Simulation::new(ranks).run(program).unwrap_err().to_string()
}

#[test]
fn a_deadlock_says_who_waits_for_whom() {
    let text = message(3, |c| {
        let _region = region("crossed");
        let buf = c.base_buf();
        match c.rank() {
            0 => ignore(c.recv(Source::Rank(1), Tag::Is(4), &buf)),
            1 => c.ssend(2, 0, &buf),
            _ => c.barrier(),
        }
    });
    assert_eq!(
        text,
        "deadlock: 3 of 3 ranks wait for one another
  rank 0 in crossed/MPI_Recv waits for rank 1 of MPI_COMM_WORLD to send tag 4
  rank 1 in crossed/MPI_Ssend waits for rank 2 of MPI_COMM_WORLD to receive tag 0
  rank 2 in crossed/MPI_Barrier waits for rank 0, 1 to enter MPI_Barrier on MPI_COMM_WORLD"
    );
}

#[test]
fn a_probe_that_nobody_answers_is_a_deadlock_too() {
    let text = message(1, |c| ignore(c.probe(Source::Any, Tag::Any)));
    assert_eq!(
        text,
        "deadlock: 1 of 1 ranks wait for one another\n  rank 0 in MPI_Probe waits for a message to probe"
    );
}

#[test]
fn different_collectives_on_one_communicator_are_refused() {
    let text = message(2, |c| match c.rank() {
        0 => c.barrier(),
        _ => c.bcast(1, &c.base_buf()),
    });
    assert_eq!(
        text,
        "rank 1: collective operation 0 of MPI_COMM_WORLD is MPI_Bcast with root 1 here, but MPI_Barrier on rank 0"
    );
}

#[test]
fn a_message_that_does_not_fit_is_refused() {
    let text = message(2, |c| {
        let bytes = |bytes| c.alloc_mpi_buf(Datatype::Byte, bytes);
        match c.rank() {
            0 => c.send(1, 0, &bytes(9)),
            _ => ignore(c.recv(Source::Rank(0), Tag::Is(0), &bytes(8))),
        }
    });
    assert_eq!(text, "rank 1: a message of 9 bytes from rank 0 does not fit the receive buffer of 8 bytes");
}

#[test]
fn a_rank_that_does_not_exist_is_refused() {
    let text = message(2, |c| c.send(2, 0, &c.base_buf()));
    assert_eq!(text, "rank 0: MPI_Send names rank 2 of a communicator of 2 ranks");
}

#[test]
fn a_panic_names_its_rank() {
    let error = Simulation::new(3).run(|c| {
        assert!(c.rank() != 1, "rank one gives up");
        c.barrier();
    });
    assert!(
        matches!(error, Err(SimulationError::Panic { place: Place { rank: 1, thread: 0 }, message }) if message == "rank one gives up")
    );
}

#[test]
fn a_simulation_can_follow_a_failed_one() {
    message(2, |c| c.send(7, 0, &c.base_buf()));
    Simulation::new(2).run(|c| c.barrier()).unwrap();
}

/// Neither a rank that never waits goes on then, nor members of a team; and destructors do not stop it again.
#[test]
fn a_run_can_be_stopped() {
    let endless = |c: &dyn Communicator| {
        for _ in 0..u32::MAX {
            let _region = region("again");
            if c.rank() == 0 { do_work(1e-9) } else { c.barrier() }
        }
    };
    let ever = |_: &dyn Communicator| (0..u32::MAX).for_each(|_| do_work(1e-9));
    for program in [&endless as &dyn Fn(&dyn Communicator), &ever] {
        let asked = Cell::new(0);
        let stop = || asked.replace(asked.get() + 1) == 3;
        let error = Simulation::new(2).stop_if(&stop).run(program).unwrap_err();
        assert!(matches!(error, SimulationError::Stopped), "{error}");
        assert_eq!(asked.get(), 4, "it is asked no more then");
    }
    Simulation::new(2).stop_if(&|| true).run(|c| c.barrier()).unwrap();
}

/// Receives from itself a message that is never sent.
fn wait_for_ever(c: &dyn Communicator) {
    ignore(c.recv(Source::Rank(c.rank()), Tag::Is(0), &c.base_buf()));
}

#[test]
fn a_run_that_is_longer_than_the_clock_is_refused() {
    let too_long = |simulation: Simulation<'_>, program: &dyn Fn(&dyn Communicator)| {
        let error = simulation.run(program).unwrap_err();
        assert!(matches!(error, SimulationError::TooLong { place: Place { rank: 1, thread: 0 } }), "{error}");
        assert!(error.asks_too_much());
        assert_eq!(
            error.to_string(),
            "rank 1 is beyond the 213 days that a run can last; give it less work or fewer repetitions"
        );
    };
    let work = |seconds: &'static [f64]| {
        move |c: &dyn Communicator| (0..c.rank()).for_each(|_| seconds.iter().copied().for_each(do_work))
    };
    for seconds in [&[1e7, 1e7][..], &[1.9e7], &[1e300], &[1e-6, f64::INFINITY], &[1.8e7, 4e5, 4e5]] {
        too_long(Simulation::new(2), &work(seconds));
    }
    Simulation::new(2).run(work(&[1.8e7, 4e5])).unwrap();

    for network in [
        Network { latency: 1e300, ..Network::default() },
        Network { bandwidth: 1e-300, ..Network::default() },
    ] {
        too_long(Simulation::new(2).network(network), &|c| {
            let buf = c.alloc_mpi_buf(Datatype::Byte, 8);
            if c.rank() == 0 {
                (0..2).for_each(|_| c.send(1, 0, &buf));
            } else {
                do_work(1e7);
                ignore(c.probe(Source::Any, Tag::Any));
                (0..2).for_each(|_| ignore(c.recv(Source::Rank(0), Tag::Is(0), &buf)));
            }
        });
    }
}

#[test]
fn a_destructor_that_communicates_does_not_wait_after_the_end() {
    struct AtEnd<'a>(&'a dyn Communicator);
    impl Drop for AtEnd<'_> {
        fn drop(&mut self) {
            self.0.barrier();
            let mut requests = vec![self.0.irecv(Source::Any, Tag::Any, &self.0.base_buf())];
            self.0.complete(How::Waitany, &mut requests);
            self.0.probe(Source::Any, Tag::Any);
            self.0.barrier();
        }
    }
    let text = message(3, |c| {
        let _at_end = AtEnd(c);
        if c.rank() > 0 {
            wait_for_ever(c);
        }
    });
    assert_eq!(
        text,
        "deadlock: 3 of 3 ranks wait for one another
  rank 0 in MPI_Barrier waits for rank 1, 2 to enter MPI_Barrier on MPI_COMM_WORLD
  rank 1 in MPI_Recv waits for rank 1 of MPI_COMM_WORLD to send tag 0
  rank 2 in MPI_Recv waits for rank 2 of MPI_COMM_WORLD to send tag 0"
    );
    Simulation::new(2).run(|c| c.barrier()).unwrap();
}

#[test]
fn a_body_that_catches_the_end_is_ended_all_the_same() {
    let text = message(3, |c| {
        let caught = catch_unwind(AssertUnwindSafe(|| wait_for_ever(c)));
        assert!(caught.is_err());
        match c.rank() {
            0 => c.barrier(),
            1 => drop(catch_unwind(AssertUnwindSafe(|| c.barrier()))),
            _ => do_work(0.01),
        }
    });
    assert!(text.starts_with("deadlock: 3 of 3 ranks"), "{text}");
    Simulation::new(2).run(|c| c.barrier()).unwrap();
}

#[test]
fn a_body_that_catches_every_end_ends_its_process() {
    const INNER: &str = "ATS_TEST_CATCHES_EVERY_END";
    if std::env::var_os(INNER).is_some() {
        let _ =
            Simulation::new(1).run(|c| while catch_unwind(AssertUnwindSafe(|| wait_for_ever(c))).is_err() {});
        return;
    }
    let name = "failures::a_body_that_catches_every_end_ends_its_process";
    let mut again = Command::new(std::env::current_exe().unwrap());
    let output = again.args(["--exact", name, "--nocapture"]).env(INNER, "1").output().unwrap();
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(!output.status.success() && errors.contains("rank 0 catches every panic"), "{errors}");
}

#[test]
fn unwinding_leaves_its_own_regions() {
    let mut trace = InMemory::default();
    let deadlock = |c: &dyn Communicator| {
        let _outer = region("outer");
        if c.rank() < 2 {
            let _inner = region("inner");
            wait_for_ever(c);
        }
        c.barrier();
    };
    Simulation::new(3).record(&mut trace).run(deadlock).unwrap_err();
    for events in &trace.events {
        let count = |is: fn(&Event) -> bool| events.iter().filter(|(_, event)| is(event)).count();
        let entered = count(|event| matches!(event, Event::Enter { .. }));
        let left = count(|event| matches!(event, Event::Leave { .. }));
        assert_eq!(left, entered - 1, "all but the call that it waits in: {events:?}");
    }
}
