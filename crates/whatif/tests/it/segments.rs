//! Changes of the code between two calls, which no region marks.

use ats_analyzer::notation::parse;
use ats_whatif::{Changes, SelectionError, WhatIfError};

use crate::{TICK, program, wall};

/// Two rounds of a step in `main`; rank 1 takes longer for it in the first one, and longer for what is before it.
const ROUNDS: &str = "0: 0 program heat; 2..4 MPI_Init@main@a.c:3; 5..8 MPI_Barrier@main@a.c:5 barrier
                      0: 10..12 MPI_Barrier@main@a.c:7 barrier; 13..15 MPI_Barrier@main@a.c:5 barrier; 16 exit
                      1: 0 program heat; 2..4 MPI_Init@main@a.c:3; 8..8 MPI_Barrier@main@a.c:5 barrier
                      1: 12..12 MPI_Barrier@main@a.c:7 barrier; 15..15 MPI_Barrier@main@a.c:5 barrier; 19 exit";

#[track_caller]
fn check(changes: Changes, expected: u64) {
    assert_eq!(wall(ROUNDS, &changes), expected * TICK);
}

fn speed(words: &str) -> Changes {
    Changes { speeds: vec![words.parse().unwrap()], ..Changes::default() }
}

fn balance(words: &str) -> Changes {
    Changes { balances: vec![words.parse().unwrap()], ..Changes::default() }
}

#[test]
fn nothing_is_nothing() {
    check(Changes::default(), 19);
}

#[test]
fn a_segment_takes_half_its_time() {
    check(speed("between:a.c:3..a.c:5=2"), 17);
    check(speed("between:a.c:5..a.c:7=2"), 17);
    check(speed("between:a.c:5..a.c:7;rank:1=4"), 17);
    check(speed("between:a.c:5..a.c:7;rank:0=2"), 19);
}

#[test]
fn an_end_may_be_any() {
    check(speed("between:..a.c:5=0.5"), 26);
    check(speed("between:a.c:5..=2"), 15);
}

#[test]
fn an_end_may_be_that_of_the_run() {
    check(speed("between:begin..a.c:3=2"), 18);
    check(speed("between:a.c:5..end=2"), 17);
    check(speed("between:a.c:3..end=2"), 19);
}

#[test]
fn a_segment_is_balanced_pass_by_pass() {
    check(balance("between:a.c:5..a.c:7"), 18);
}

#[test]
fn a_segment_is_left_out() {
    check(Changes { removals: vec!["between:a.c:5..a.c:7".parse().unwrap()], ..Changes::default() }, 15);
}

#[test]
fn marked_regions_are_in_the_segment() {
    let trace = "0: 0..1 MPI_Barrier@main@a.c:3 barrier; 1..3 work; 5..9 MPI_Barrier@main@a.c:5 barrier
                 1: 0..1 MPI_Barrier@main@a.c:3 barrier; 2..7 work; 9..9 MPI_Barrier@main@a.c:5 barrier";
    assert_eq!(wall(trace, &balance("between:a.c:3..a.c:5")), 7 * TICK);
    assert_eq!(wall(trace, &speed("between:a.c:3..a.c:5=8")), 2 * TICK);
}

#[test]
fn work_goes_to_those_that_have_none() {
    let trace = "0: 0..1 MPI_Barrier@main@a.c:3 barrier; 1..5 MPI_Barrier@main@a.c:5 barrier
                 1: 0..1 MPI_Barrier@main@a.c:3 barrier; 5..5 MPI_Barrier@main@a.c:5 barrier";
    assert_eq!(wall(trace, &balance("between:a.c:3..a.c:5")), 3 * TICK);
}

#[test]
fn segments_are_outside_of_teams() {
    let trace = "team t 0 0.1
                 0: 0 fork; 0 begin t; 0 enter $parallel-@a.c:3; 0..2 work; 2 leave; 2 end t; 2 join
                 0: 7 fork; 7 begin t; 7 enter $parallel-@a.c:3; 7..9 work; 9 leave; 9 end t; 9 join
                 0.1: 0 begin t; 0 enter $parallel-@a.c:3; 0..2 work; 2 leave; 2 end t
                 0.1: 7 begin t; 7 enter $parallel-@a.c:3; 7..9 work; 9 leave; 9 end t";
    assert_eq!(wall(trace, &speed("between:a.c:3..a.c:3=5")), 5 * TICK);
    assert_eq!(wall(trace, &balance("between:a.c:3..a.c:3")), 9 * TICK);
}

#[test]
fn places_without_calls_are_refused() {
    let trace = parse(ROUNDS).unwrap();
    let refused = program(&trace).run_in_memory(&speed("between:a.c:5..a.c:8=2")).unwrap_err();
    assert!(matches!(refused, WhatIfError::UnknownPlace { .. }));
    assert_eq!(
        refused.to_string(),
        "no call of the trace stands at `a.c:8`; nearest are `a.c:3`, `a.c:5`, `a.c:7`"
    );
}

#[test]
fn malformed_segments_are_refused() {
    for words in ["between:..", "between:a.c:3", "between:a.c:3-a.c:5"] {
        let refused = words.parse::<ats_whatif::Selection>().unwrap_err();
        assert!(matches!(refused, SelectionError::Segment(_)), "{words}");
    }
    let both = "solve;between:a.c:3..a.c:5".parse::<ats_whatif::Selection>().unwrap_err();
    assert_eq!(both, SelectionError::RegionsAndSegment);
}

#[test]
fn words_of_segments_are_read_again() {
    for words in
        ["between:a.c:3..a.c:5", "between:..a.c:5;rank:1", "between:begin..halo+0x1c", "between:a.c:3..end"]
    {
        assert_eq!(words.parse::<ats_whatif::Selection>().unwrap().to_string(), words);
    }
}
