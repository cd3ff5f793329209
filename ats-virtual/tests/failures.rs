//! What goes wrong is said clearly, and nothing hangs.

use ats_mpi::{Communicator, Datatype, Source, Tag};
use ats_virtual::{Place, Simulation, SimulationError};
use ats_work::region;

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
