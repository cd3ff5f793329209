//! Contents of the traces of simulations.

use ats_model::definitions::Paradigm;
use ats_model::event::{CollectiveOperation, CommunicatorRef, Event, RegionRef};
use ats_model::source::InMemory;
use ats_mpi::{Communicator, Datatype, Source, Tag};
use ats_virtual::Simulation;
use ats_work::{do_work, region};

fn record(ranks: usize, program: impl Fn(&dyn Communicator)) -> InMemory {
    let mut trace = InMemory::default();
    Simulation::new(ranks).whole_program().record(&mut trace).run(program).unwrap();
    trace
}

fn name(trace: &InMemory, region: RegionRef) -> &str {
    &trace.definitions.regions[region.0 as usize].name
}

/// When a location leaves the regions of this name, and enters or leaves its next one.
fn leaves(trace: &InMemory, location: usize, region: &str) -> Vec<(u64, u64)> {
    let switches: Vec<(u64, Event)> = trace.events[location]
        .iter()
        .copied()
        .filter(|(_, event)| matches!(event, Event::Enter { .. } | Event::Leave { .. }))
        .collect();
    let pairs = switches.windows(2).filter_map(|pair| match pair {
        &[(left, Event::Leave { region: of }), (next, _)] if name(trace, of) == region => Some((left, next)),
        _ => None,
    });
    pairs.collect()
}

/// A millisecond in picoseconds.
const MILLISECOND: u64 = 1_000_000_000;

/// Rank 0 sends, and then executes `next`; rank 1 receives 20 ms later.
fn late_receiver(next: impl Fn(&dyn Communicator)) -> InMemory {
    record(2, |c| {
        let buf = c.alloc_mpi_buf(Datatype::Byte, 1);
        if c.rank() == 0 {
            let around = region("around");
            c.ssend(1, 0, &buf);
            drop(around);
            next(c);
        } else {
            do_work(0.02);
            c.recv(Source::Rank(0), Tag::Is(0), &buf);
        }
        c.barrier();
    })
}

#[test]
fn a_held_send_takes_a_tick_of_what_its_location_does_next() {
    let released = 20 * MILLISECOND;
    let trace = late_receiver(|_| do_work(0.03));
    assert_eq!(leaves(&trace, 0, "MPI_Ssend"), [(released + 1, released + 1)]);
    assert_eq!(leaves(&trace, 0, "around"), [(released + 1, 50 * MILLISECOND)]);
    assert_eq!(leaves(&trace, 1, "MPI_Recv"), [(released, released)]);
}

#[test]
fn a_held_send_takes_no_tick_of_another_call() {
    let released = 20 * MILLISECOND;
    let trace = late_receiver(|_| ());
    assert_eq!(leaves(&trace, 0, "MPI_Ssend"), [(released, released)]);
    assert_eq!(leaves(&trace, 0, "around"), [(released, released)]);
}

#[test]
fn a_send_that_was_not_held_takes_no_tick() {
    let trace = record(2, |c| {
        let buf = c.alloc_mpi_buf(Datatype::Byte, 1);
        if c.rank() == 0 {
            do_work(0.02);
            c.ssend(1, 0, &buf);
            do_work(0.01);
        } else {
            c.recv(Source::Rank(0), Tag::Is(0), &buf);
        }
    });
    let left = leaves(&trace, 0, "MPI_Ssend")[0].0;
    assert_eq!(left, 20 * MILLISECOND);
}

#[test]
fn of_a_send_that_was_held_last_nothing_is_lost() {
    let send_last = |c: &dyn Communicator| {
        let buf = c.alloc_mpi_buf(Datatype::Byte, 1);
        if c.rank() == 0 {
            c.ssend(1, 0, &buf);
        } else {
            do_work(0.02);
            c.recv(Source::Rank(0), Tag::Is(0), &buf);
        }
    };
    let trace = record(2, send_last);
    let after = 20 * MILLISECOND + 1;
    assert_eq!(leaves(&trace, 0, "MPI_Ssend"), [(after, after)]);
    let mut unfinished = InMemory::default();
    Simulation::new(2).record(&mut unfinished).run(send_last).unwrap();
    assert!(matches!(unfinished.events[0][..], [(0, _), (0, _), (_, Event::Leave { .. })]));
}

#[test]
fn mpi_is_initialized_and_finalized_by_all_as_recorders_write_it() {
    let trace = record(3, |_| do_work(0.01));
    for events in &trace.events {
        let [ref begin @ .., (_, Event::Leave { region: last })] = events[..] else { panic!("{events:?}") };
        assert_eq!(name(&trace, last), "MPI_Finalize");
        let collective = |operation| Event::MpiCollectiveEnd {
            operation,
            communicator: CommunicatorRef(0),
            root: None,
            sent: 0,
            received: 0,
        };
        let told: Vec<Event> = begin.iter().map(|&(_, event)| event).collect();
        let [init, finalize] = [RegionRef(0), last];
        let create = collective(CollectiveOperation::CreateHandle);
        assert_eq!(
            told,
            [
                Event::Enter { region: init },
                Event::MpiCollectiveBegin,
                create,
                Event::Leave { region: init },
                Event::Enter { region: finalize },
                Event::MpiCollectiveBegin,
                collective(CollectiveOperation::DestroyHandle),
            ]
        );
    }
    let regions = &trace.definitions.regions;
    assert!(regions.iter().all(|region| (region.paradigm, region.file.as_str()) == (Paradigm::Mpi, "MPI")));
}
