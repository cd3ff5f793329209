//! Changes that cannot be made are refused, with what to do.

use ats_analyzer::notation::parse;
use ats_whatif::{Changes, Selection, Speed};

use crate::{TICK, program, wall};

const TRACE: &str = "0: 0..4 solve; 4..6 MPI_Barrier barrier
                     1: 0..6 solve; 6..6 MPI_Barrier barrier
                     2: 0..2 solve; 2..6 MPI_Barrier barrier";

#[track_caller]
fn check(changes: Changes, expected: &str) {
    let trace = parse(TRACE).unwrap();
    assert_eq!(program(&trace).run_in_memory(&changes).unwrap_err().to_string(), expected);
}

fn selection(words: &str) -> Selection {
    words.parse().unwrap()
}

#[test]
fn unknown_regions() {
    check(
        Changes { balances: vec![selection("solver")], ..Changes::default() },
        "no region of the trace matches `solver`; nearest are `solve`",
    );
    check(
        Changes { removals: vec![selection("xyz")], ..Changes::default() },
        "no region of the trace matches `xyz`; `ats profile TRACE` lists its regions",
    );
}

#[test]
fn locations_that_are_not_there() {
    check(
        Changes { speeds: vec!["solve;rank:3-4=2".parse().unwrap()], ..Changes::default() },
        "`solve;rank:3-4` selects no location of the trace; `ats analyze` counts its ranks and threads",
    );
}

#[test]
fn changes_that_contradict_each_other() {
    check(
        Changes {
            removals: vec![selection("solve")],
            speeds: vec!["solve=2".parse().unwrap()],
            ..Changes::default()
        },
        "`solve` is left out, and its time is changed, too; give one of these changes",
    );
}

#[test]
fn factors_that_are_none() {
    for words in ["solve=0", "solve=-1", "solve=inf", "solve=NaN", "solve=two", "solve="] {
        let refused = words.parse::<Speed>().unwrap_err().to_string();
        let factor = words.trim_start_matches("solve=");
        assert_eq!(refused, format!("`{factor}` is no factor; give a number above 0, such as 2 or 0.5"));
    }
    let refused = "solve".parse::<Speed>().unwrap_err().to_string();
    assert_eq!(refused, "`solve` has no factor; write WHAT=FACTOR, such as solve=2 or rank:3=1.1");
}

#[test]
fn malformed_selections() {
    let refused = |words: &str| words.parse::<Selection>().unwrap_err().to_string();
    assert!(refused("").starts_with("nothing is selected; name a region"));
    assert_eq!(refused("rank:3-1"), "`3-1` is no range of numbers; write one such as 3 or 0-7");
    assert_eq!(refused("rank:1;rank:2"), "`rank` is given twice; give each condition once");
    assert_eq!(
        refused("time:2-1"),
        "`2-1` is no span of time; write seconds from the begin of the trace, such as 1.5-2"
    );
}

#[test]
fn work_of_others_is_no_concern_of_a_balance() {
    let balanced = |words: &str| Changes { balances: vec![selection(words)], ..Changes::default() };
    assert_eq!(wall(TRACE, &balanced("solve;rank:0-1")), 5 * TICK);
    assert_eq!(wall(TRACE, &balanced("solve")), 4 * TICK);
    assert_eq!(wall(TRACE, &balanced("solve;rank:0")), 6 * TICK);
}
