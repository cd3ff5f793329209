//! Costs of work that is described by its amount.

use ats_model::Event;
use ats_model::source::InMemory;
use ats_mpi::{Column, Datatype, SendMode, Source, Tag};
use ats_virtual::{Costs, Network, Simulation};
use ats_work::Amount;
use ats_work::amount::{Bound, Branches, Chase, Multiplications, Pages, Placed, Readings, Triad, Updates};

#[test]
fn loads_cost_what_the_level_says_that_all_lines_fit_into() {
    let costs = Costs::default();
    let chase = |lines, stride_bytes, huge_pages| Chase { lines, stride_bytes, rounds: 2, huge_pages };
    let each = |chase| costs.seconds(&Amount::Chase(chase)) / (2 * chase.lines) as f64;
    for (lines, expected) in [(512, 1e-9), (513, 4e-9), (16_384, 4e-9), (16_385, 20e-9), (524_289, 80e-9)] {
        assert!((each(chase(lines, 64, true)) - expected).abs() < 1e-15, "{lines}");
    }
    let page = 4096 + 64;
    assert!((each(chase(1_537, page, false)) - each(chase(1_537, page, true)) - 10e-9).abs() < 1e-15);
    assert_eq!(each(chase(1_536, 4096, false)), each(chase(1_536, 4096, true)));
}

#[test]
fn each_property_costs_more_than_its_twin() {
    let costs = Costs::default();
    let multiply = |independent, subnormal| {
        costs.seconds(&Amount::Multiplications(Multiplications { number: 100, independent, subnormal }))
    };
    assert!(multiply(false, false) >= 2.0 * multiply(true, false));
    assert!(multiply(false, true) >= 1.5 * multiply(false, false));
    let branches = |share| costs.seconds(&Amount::Branches(Branches { number: 100, share, seed: 1 }));
    assert!(branches(0.5) >= 1.5 * branches(0.0) && branches(1.0) == branches(0.0));
    let triad = |streams| costs.seconds(&Amount::Triad(Triad { elements: 10_000, rounds: 1, streams }));
    assert!(triad(2) >= 1.2 * triad(1));
    for atomic in [false, true] {
        let update = |places, padded| {
            costs.seconds(&Amount::Updates(Updates { number: 100, place: 0, places, padded, atomic }))
        };
        assert!(update(2, false) >= 2.0 * update(2, true) && update(1, false) == update(1, true));
    }
    let read = |copied| costs.seconds(&Amount::Readings(Readings { bytes: 800, copied }));
    assert!(read(true) >= 1.2 * read(false));
    let compute =
        |cores| costs.seconds(&Amount::Bound(Bound { operations: 100, place: 3, places: 4, cores }));
    assert_eq!([1, 2, 4].map(|cores| compute(cores) / compute(4)), [4.0, 2.0, 1.0]);
    let read =
        |home| costs.seconds(&Amount::Placed(Placed { pages: 100, rounds: 3, place: 0, home, node: 1 }));
    assert!(read(0) >= 1.2 * read(1));
    let pages = |fresh| costs.seconds(&Amount::Pages(Pages { number: 100, fresh }));
    assert!(pages(true) > pages(false));
    assert_eq!(Costs::KEYS.len(), 24);
}

/// A column of 1,000 numbers costs 5 us to pack and as much to unpack, and 0.8 us if it has no gaps; whoever is early waits.
#[test]
fn columns_are_packed_and_unpacked() {
    let ends = |stride: usize, eager_limit: usize, is_started: bool| {
        let program = move |c: &dyn ats_mpi::Communicator| {
            let column = Column { datatype: Datatype::Double, count: 1_000, stride };
            let buf = c.column_buf(&c.allocate(column.extent_bytes()), column);
            match (c.rank(), is_started) {
                (0, false) => c.send(1, 0, &buf),
                (0, true) => drop(c.wait(c.isend_as(SendMode::Standard, 1, 0, &buf))),
                (_, false) => drop(c.recv(Source::Any, Tag::Any, &buf)),
                (_, true) => drop(c.wait(c.irecv(Source::Rank(0), Tag::Any, &buf))),
            }
        };
        let network = Network { eager_limit, ..Network::default() };
        let outcome = Simulation::new(2).network(network).run(program).unwrap();
        assert_eq!(outcome.waits.iter().map(|wait| wait.physical_time).sum::<f64>(), 0.0);
        outcome.ends.iter().map(|end| (end * 1e9).round() as u64).collect::<Vec<_>>()
    };
    for is_started in [false, true] {
        assert_eq!(ends(3, 0, is_started), [10_000, 10_000], "with a rendezvous");
        assert_eq!(ends(3, 8_000, is_started), [5_000, 10_000], "the sender packs, and need not wait");
        assert_eq!(ends(1, 0, is_started), [1_600, 1_600], "without gaps");
    }
}

/// 2 s are 4 instructions of half a second; of 3 rounds of 1,024 lines and of 512, the first cache holds the latter.
#[test]
fn a_processor_with_cycles_counts_its_work() {
    let values = |cycle: f64| {
        let mut trace = InMemory::default();
        let costs = Costs { cycle, ..Costs::default() };
        let chase = |lines| Amount::Chase(Chase { lines, stride_bytes: 64, rounds: 3, huge_pages: true });
        let program = |_: &dyn ats_mpi::Communicator| {
            ats_work::do_work(2.0);
            [1024, 512].map(chase).iter().for_each(ats_work::do_amount);
        };
        Simulation::new(1).costs(costs).record(&mut trace).run(program).unwrap();
        let name = |metric: usize| trace.definitions.metrics[metric].name.clone();
        let of_events = trace.events[0].iter().filter_map(|(_, event)| match event {
            Event::Metric { metric, value } => Some((name(metric.0 as usize), value.bits)),
            _ => None,
        });
        of_events.collect::<Vec<_>>()
    };
    let known = [
        ("instructions", 4),
        ("cycles", 4),
        ("L1-dcache-loads", 3072),
        ("L1-dcache-load-misses", 3072),
        ("L1-dcache-loads", 1536),
    ];
    assert_eq!(values(0.5), known.map(|(name, value)| (name.to_owned(), value)));
    assert_eq!(values(0.0), []);
}
