//! Root causes of small traces, as calculated by hand from the definitions.

use ats_analyzer::notation::parse;
use ats_model::delay::Extent;
use ats_testing::causes::examples::{
    BEYOND, COLLECTIVE, Example, INIT_FINALIZE, LATE_RECEIVER, LATE_SENDER, THREADS,
};

use super::{analysis, values};

fn check(examples: &'static str, extent: Extent) {
    for example in Example::parse(examples) {
        let trace = parse(&example.trace).unwrap();
        let locations: Vec<(u32, u32)> =
            trace.definitions.locations.iter().map(|location| (location.rank, location.thread)).collect();
        for records_in_memory in [0, 4_000_000] {
            let found = values(&analysis(&trace, extent, records_in_memory));
            assert_eq!(example.rows(&found, &locations), example.expected, "{}", example.title);
        }
    }
}

#[test]
fn of_late_senders() {
    check(LATE_SENDER, Extent::Scalasca);
}

#[test]
fn of_late_receivers() {
    check(LATE_RECEIVER, Extent::Scalasca);
}

#[test]
fn of_collective_operations() {
    check(COLLECTIVE, Extent::Scalasca);
}

#[test]
fn of_init_finalize_and_the_path_between_them() {
    check(INIT_FINALIZE, Extent::Scalasca);
}

#[test]
fn of_threads() {
    check(THREADS, Extent::Scalasca);
}

#[test]
fn of_waits_that_scalasca_does_not_analyze() {
    check(BEYOND, Extent::All);
}
