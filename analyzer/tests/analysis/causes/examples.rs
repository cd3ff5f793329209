//! Root causes of small traces, as calculated by hand from the definitions.

use ats_analyzer::notation::parse;
use ats_model::delay::Extent;
use ats_testing::causes::examples::{
    COLLECTIVE, Example, INIT_FINALIZE, LATE_RECEIVER, LATE_SENDER, THREADS,
};

use super::{analysis, values};

fn check(examples: &'static str) {
    for example in Example::all(examples) {
        let trace = parse(&example.trace).unwrap();
        let locations: Vec<(u32, u32)> =
            trace.definitions.locations.iter().map(|location| (location.rank, location.thread)).collect();
        for records_in_memory in [0, 4_000_000] {
            let found = values(&analysis(&trace, Extent::Scalasca, records_in_memory));
            assert_eq!(example.rows(&found, &locations), example.expected, "{}", example.title);
        }
    }
}

#[test]
fn of_late_senders() {
    check(LATE_SENDER);
}

#[test]
fn of_late_receivers() {
    check(LATE_RECEIVER);
}

#[test]
fn of_collective_operations() {
    check(COLLECTIVE);
}

#[test]
fn of_init_finalize_and_the_path_between_them() {
    check(INIT_FINALIZE);
}

#[test]
fn of_threads() {
    check(THREADS);
}
