//! Operations between neighbours: each member waits for those that it receives from, and for no other.

use ats_model::event::{Bytes, CollectiveOperation, CommunicatorRef, Event, Root};
use ats_model::own_attribute::Own;
use ats_model::source::InMemory;
use ats_mpi::{Communicator, Dimension, Op};
use ats_virtual::{Network, Simulation};
use ats_work::do_work;

use crate::common::{Wait, buf, ends, run, waits};

/// A byte for each of `neighbors`.
fn exchange(c: &dyn Communicator, neighbors: usize) -> Op {
    Op::NeighborAlltoall { send: buf(c, neighbors), recv: buf(c, neighbors), count: 1 }
}

/// Rank i receives from rank i - 1, and rank 0 from none.
fn downwards(c: &dyn Communicator) -> Box<dyn Communicator> {
    let (below, above) = (c.rank().checked_sub(1), c.rank() + 1);
    let above = (above < c.size()).then_some(above);
    c.dist_graph(below.as_slice(), above.as_slice())
}

const NAME: &str = "wait_at_neighbors";

#[test]
fn a_member_waits_for_those_that_it_receives_from() {
    let outcome = |late: usize, r: usize| {
        run(4, |c| {
            let made = downwards(c);
            for _ in 0..r {
                do_work(if c.rank() == late { 0.02 } else { 0.01 });
                made.call(exchange(&*made, 1));
            }
        })
    };
    assert_eq!(waits(&outcome(1, 1)), [(2, NAME, 10.0)]);
    assert_eq!(ends(&outcome(1, 1)), [10.0, 20.0, 20.0, 10.0]);
    // In the second repetition rank 3 waits for rank 2, which has waited before.
    assert_eq!(waits(&outcome(1, 2)), [(2, NAME, 20.0), (3, NAME, 10.0)]);
    // No rank receives from the last one.
    assert_eq!(waits(&outcome(3, 5)), []);
}

#[test]
fn on_a_grid_both_sides_are_awaited_and_edges_are_nobody() {
    let outcome = |periodic: bool| {
        waits(&run(5, |c| {
            let line = c.cart(&[Dimension { extent: 4, periodic }]);
            assert_eq!(line.is_some(), c.rank() < 4);
            let Some(line) = line else { return };
            do_work(if c.rank() == 0 { 0.02 } else { 0.01 });
            line.call(exchange(&*line, 2));
        }))
    };
    assert_eq!(outcome(false), [(1, NAME, 10.0)]);
    assert_eq!(outcome(true), [(1, NAME, 10.0), (3, NAME, 10.0)]);
}

#[test]
fn a_duplicate_has_the_same_neighbors() {
    let outcome = run(3, |c| {
        let made = downwards(c).dup();
        do_work(if c.rank() == 0 { 0.02 } else { 0.01 });
        made.call(exchange(&*made, 1));
    });
    assert_eq!(waits(&outcome), [(1, NAME, 10.0)]);
}

#[test]
fn a_completion_waits_for_what_its_work_does_not_cover() {
    let outcome = |overlap: f64| -> Vec<Wait> {
        waits(&run(3, |c| {
            let made = downwards(c);
            do_work(if c.rank() == 1 { 0.03 } else { 0.01 });
            let request = made.start(exchange(&*made, 1));
            do_work(overlap);
            made.wait(request);
        }))
    };
    assert_eq!(outcome(0.0), [(2, NAME, 20.0)]);
    assert_eq!(outcome(0.005), [(2, NAME, 15.0)]);
    assert_eq!(outcome(0.02), []);
}

#[test]
fn it_counts_among_the_other_operations_of_its_communicator() {
    let outcome = run(2, |c| {
        let ring = c.cart(&[Dimension::ring(2)]).unwrap();
        do_work(0.01 * c.rank() as f64);
        let first = ring.start(exchange(&*ring, 2));
        ring.barrier();
        ring.wait(first);
    });
    assert_eq!(waits(&outcome), [(0, "wait_at_barrier", 10.0)]);
}

#[test]
fn neighbors_exchange_a_message_each() {
    let network = Network { latency: 1e-3, bandwidth: 1e6, ..Network::default() };
    let outcome = Simulation::new(8).network(network).run(|c| {
        let ring = c.cart(&[Dimension::ring(8)]).unwrap();
        ring.call(Op::NeighborAlltoall { send: buf(&*ring, 4000), recv: buf(&*ring, 4000), count: 2000 });
    });
    // Three rounds make the communicator; then a latency, and 2000 bytes.
    assert_eq!(ends(&outcome.unwrap()), [6.0; 8]);
}

#[test]
fn a_trace_names_the_communicator_and_its_neighbors() {
    let mut trace = InMemory::default();
    let program = |c: &dyn Communicator| {
        let made = downwards(c);
        made.call(exchange(&*made, 1));
        let request = made.start(exchange(&*made, 1));
        made.wait(request);
    };
    Simulation::new(3).record(&mut trace).run(program).unwrap();
    let communicator = CommunicatorRef(1);
    let neighbors = |rank: u32| trace.definitions.neighbors[&(rank, communicator)].to_string();
    assert_eq!([0, 1, 2].map(neighbors), [";1", "0;2", "1;"]);
    let noted = Own::Neighborhood.noted(1);
    let of_operations: Vec<&Event> = trace.events[1].iter().map(|(_, event)| event).collect();
    let at = of_operations.iter().position(|event| **event == noted).expect("the call is noted");
    assert!(matches!(of_operations[at + 1], Event::Leave { .. }));
    let at = of_operations.iter().rposition(|event| **event == noted).expect("the start is noted");
    let Event::NonBlockingCollectiveRequest { request } = *of_operations[at + 1] else {
        panic!("{:?}", of_operations[at + 1])
    };
    let (operation, root, none) = (CollectiveOperation::Alltoall, Root::NONE, Bytes::from(0));
    let complete = Event::NonBlockingCollectiveComplete {
        operation,
        communicator,
        root,
        sent: none,
        received: none,
        request,
    };
    assert!(of_operations.contains(&&complete));
}

#[test]
fn neighbors_that_do_not_exist_or_disagree_are_refused() {
    let message = |program: fn(&dyn Communicator)| Simulation::new(3).run(program).unwrap_err().to_string();
    assert_eq!(
        message(|c| drop(c.dist_graph(&[3], &[]))),
        "rank 0: MPI_Dist_graph_create_adjacent names rank 3 of a communicator of 3 ranks"
    );
    assert_eq!(
        message(|c| drop(c.cart(&[Dimension::ring(2), Dimension::ring(2)]))),
        "rank 0: MPI_Cart_create: a grid of 4 places on a communicator of 3 ranks; make it of 1 to 3"
    );
    let disagree = |by, other| {
        format!(
            "rank 2: MPI_Dist_graph_create_adjacent: rank {by} names rank {other} as a neighbour, but rank {other} does \
             not name it in return; a source of one rank is to have it as a destination, as often"
        )
    };
    let receives = message(|c| drop(c.dist_graph(if c.rank() == 1 { &[0] } else { &[] }, &[])));
    assert_eq!(receives, disagree(1, 0));
    let sends = message(|c| drop(c.dist_graph(&[], if c.rank() == 1 { &[0] } else { &[] })));
    assert_eq!(sends, disagree(1, 0));
    assert_eq!(
        message(|c| _ = c.call(exchange(c, 2))),
        "rank 0: MPI_Neighbor_alltoall: MPI_COMM_WORLD has no neighbours; make a communicator with `cart` or `dist_graph`"
    );
}

#[test]
fn a_deadlock_of_neighbors_is_reported() {
    let error = Simulation::new(3).run(|c| {
        let made = downwards(c);
        if c.rank() != 0 {
            made.call(exchange(&*made, 1));
        }
    });
    let text = error.unwrap_err().to_string();
    assert!(
        text.contains("rank 1 in MPI_Neighbor_alltoall waits for rank 0 to enter MPI_Neighbor_alltoall"),
        "{text}"
    );
}
