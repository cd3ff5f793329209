//! Calls that are not analyzed are reported, with the time in them.

use std::fs;

use ats_documents::{Analysis, Summaries, analysis::NotAnalyzed, summaries::Spent};
use ats_model::WaitState;
use ats_model::mpi::Unanalyzed::{self, *};

use super::{Foreign, assert_waits};

/// The calls of a function that are said not to be analyzed.
#[track_caller]
fn calls<'a>(analysis: &'a Analysis, function: &str) -> &'a NotAnalyzed {
    let of_it = analysis.not_analyzed.iter().find(|calls| calls.function == function);
    of_it.unwrap_or_else(|| panic!("{function}: {:?}", analysis.not_analyzed))
}

/// Fails unless so many calls of a function are said not to be analyzed, with at least about so many seconds in them.
#[track_caller]
fn assert_not_analyzed(analysis: &Analysis, function: &str, what: Unanalyzed, count: u64, least: f64) {
    let calls = calls(analysis, function);
    assert_eq!((calls.what, calls.calls), (what, count), "{function}");
    assert!(calls.seconds >= 0.9 * least, "{function}: {} s, right {least} s", calls.seconds);
}

/// The part of the time of a function, over all its calls, that is of a class, in a run that was recorded.
#[track_caller]
fn share(foreign: &Foreign, function: &str, class: fn(&Spent) -> Option<f64>) -> f64 {
    let text = foreign.answer(&["profile", "trace", "--summaries", "--format", "json"]);
    let summaries: Summaries = serde_json::from_str(&text).unwrap();
    let of_regions = Summaries::over_units(&summaries.summaries);
    let calls = format!("{function} in ");
    let of_function = || of_regions.iter().filter(|(name, _)| *name == function || name.starts_with(&calls));
    let of_class: f64 = of_function().map(|(_, spent)| class(spent).unwrap_or_default()).sum();
    of_class / of_function().map(|(_, spent)| spent.time.unwrap()).sum::<f64>()
}

#[test]
fn neighborhood_and_non_blocking_collectives_are() {
    let foreign = Foreign::compiled("nbc.c");
    let analysis = foreign.on_ranks(4).analysis();
    assert_waits(&analysis, WaitState::WaitAtNonblockingBarrier, 0.9);
    assert_waits(&analysis, WaitState::WaitAtNeighbors, 0.1);
    assert_eq!(analysis.not_analyzed, []);
    assert_eq!(share(&foreign, "MPI_Wait", |of| of.synchronisation), 1.0);
    assert_eq!(share(&foreign, "MPI_Waitall", |of| of.subs.get("communication/collective").copied()), 1.0);
}

#[test]
fn messages_between_groups_are_not() {
    let foreign = Foreign::compiled("mpmd.c");
    let halves = ["-np", "2", "./program", "a", ":", "-np", "2", "./program", "b"];
    let command = [&["mpirun.openmpi", "--timeout", "60"], &halves[..]].concat();
    let analysis = foreign.record(&command).analysis();
    assert_not_analyzed(&analysis, "MPI_Recv", BetweenGroups, 8, 0.4);
    assert_not_analyzed(&analysis, "MPI_Send", BetweenGroups, 8, 0.0);
    assert_not_analyzed(&analysis, "MPI_Intercomm_create", Communicators, 4, 0.0);
    assert!(analysis.not_analyzed.iter().all(|calls| calls.function != "MPI_Barrier"), "they are analyzed");
}

#[test]
fn one_sided_communication_is_not_and_the_text_and_the_page_say_so() {
    let foreign = Foreign::compiled("rma.c");
    let analysis = foreign.on_ranks(4).analysis();
    assert_not_analyzed(&analysis, "MPI_Win_fence", OneSided, 8, 0.3);
    assert_not_analyzed(&analysis, "MPI_Put", OneSided, 8, 0.0);
    assert_not_analyzed(&analysis, "MPI_Wait", Completions, 4, 0.0);
    assert_eq!(share(&foreign, "MPI_Wait", |of| of.subs.get("communication/one_sided").copied()), 1.0);
    let text = foreign.answer(&["analyze", "trace"]);
    assert!(text.contains("No wait states were found among what is analyzed.\n"), "{text}");
    let (_, table) = text.split_once("\nNot analyzed, so that waits in it are not found:\n").unwrap();
    let mut rows = table.lines().map(|row| row.split_whitespace().skip(1).collect::<Vec<_>>());
    assert!(rows.any(|row| row == ["8", "MPI_Win_fence", "one-sided", "communication"]), "{text}");
    let explanation = foreign.answer(&["explain", "trace"]);
    assert!(explanation.contains(" to ") && explanation.contains(" s not analyzed\n"), "{explanation}");
    let no_problem = "No problem is known; what is not analyzed or not recorded may hide one.";
    assert!(explanation.contains(no_problem), "{explanation}");
    foreign.answer(&["export", "trace", "-o", "page.html"]);
    let page = fs::read_to_string(foreign.dir.path().join("page.html")).unwrap();
    assert!(page.contains(&calls(&analysis, "MPI_Win_fence").to_string()), "the page says so");
}

#[test]
fn files_are_not() {
    let foreign = Foreign::compiled("io.c");
    let analysis = foreign.on_ranks(2).analysis();
    assert_not_analyzed(&analysis, "MPI_File_write_at_all", Files, 2, 0.0);
    assert_not_analyzed(&analysis, "MPI_File_iwrite_at", Files, 4, 0.0);
    assert_not_analyzed(&analysis, "MPI_Wait", Completions, 2, 0.0);
    assert_eq!(share(&foreign, "MPI_Wait", |of| of.io), 1.0);
    assert_eq!(share(&foreign, "MPI_Waitall", |of| of.io), 1.0);
    assert_eq!(share(&foreign, "MPI_Waitsome", |of| of.communication), 1.0);
    assert!(analysis.findings.iter().all(|finding| !finding.in_basis), "{:?}", analysis.findings);
}

#[test]
fn all_of_a_program_with_messages_and_barriers_is() {
    let analysis = Foreign::compiled("late.c").on_ranks(2).analysis();
    assert!(analysis.is_whole(), "{:?} {:?}", analysis.not_analyzed, analysis.warnings);
}
