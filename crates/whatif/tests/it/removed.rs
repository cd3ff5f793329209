//! What is left out takes no time, and leaves no event.

use std::mem::{Discriminant, discriminant};

use ats_analyzer::notation::parse;
use ats_model::Event;
use ats_whatif::Changes;

use crate::{TICK, program};

#[test]
fn regions_are_left_out_with_what_is_in_them() {
    let trace = parse(
        "0: 0..2 solve; 2..7 setup; 7..8 MPI_Barrier barrier
         1: 0..1 setup; 1..4 solve; 4..8 MPI_Barrier barrier",
    );
    let trace = trace.unwrap();
    let changes = Changes { removals: vec!["setup".parse().unwrap()], ..Changes::default() };
    let (replayed, after) = program(&trace).run_in_memory(&changes).unwrap();
    assert_eq!(replayed.wall, 4 * TICK);
    let without = parse(
        "0: 0..2 solve; 2..4 MPI_Barrier barrier
         1: 0..3 solve; 3..4 MPI_Barrier barrier",
    );
    let expected = without.unwrap().events;
    // Regions have other numbers.
    let kinds = |events: &[(u64, Event)], tick: u64| -> Vec<(u64, Discriminant<Event>)> {
        events.iter().map(|(time, event)| (time / tick, discriminant(event))).collect()
    };
    for (is, was) in after.events.iter().zip(&expected) {
        assert_eq!(kinds(is, TICK), kinds(was, 1));
    }
}
