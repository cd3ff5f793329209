//! Divisions of the location-seconds of small traces.

use ats_analyzer::{Options, analyze_and_profile, notation};
use ats_diagnosis::{Limits, explain_trace};
use ats_documents::Explanation;
use ats_documents::efficiencies::Scaling;
use ats_documents::explanation::{Division, Waiting};
use ats_experiment::Given;

use crate::common::{Kept, assert_close, efficiencies};

fn explained(text: &str, region: Option<&str>) -> Explanation {
    let trace = notation::parse(text).unwrap();
    let options = Options { region: region.map(str::to_owned), ..Options::default() };
    explain_trace(&trace, "test", &options, Limits::default(), &mut |_| {}).unwrap().explanation
}

/// The division of a trace, which adds up, and the other amounts with it.
fn divided(text: &str, region: Option<&str>) -> Division {
    let explanation = explained(text, region);
    let (division, all) = (explanation.division, explanation.basis.location_seconds);
    assert_close(division.computing + division.lost() + division.unknown(), all, &format!("{division:?}"));
    assert_close(explanation.lost, division.lost(), "lost");
    assert_close(explanation.unknown, division.unknown(), "unknown");
    assert_close(explanation.efficiency, (division.computing + division.unknown()) / all, "efficiency");
    assert_close(explanation.least_efficiency(), division.computing / all, "least efficiency");
    division
}

/// Two threads work for 5 and 8 s; the barrier takes until 10 s, and 2 s of serial work follow.
const BARRIER: &str = "team t 0 0.1
    0: 0 enter main; 1 fork; 1 begin t; 2 enter $parallel; 2..7 work; 7..10 $barrier; 10 leave; 10 end t; 11 join; 11..13 serial; 13 leave
    0.1: 1 begin t; 2 enter $parallel; 2..8 work; 8..10 $barrier; 10 leave; 10 end t";

#[test]
fn each_second_of_threads_is_in_one_term() {
    let division = divided(BARRIER, None);
    let waiting = Waiting { omp_barriers: 1.0, ..Waiting::default() };
    // Serial are 3 s. Both threads are in the barrier for 2 s after the last has come, and in fork and join for 2 s.
    let expected = Division { computing: 14.0, waiting, runtime: 8.0, idle: 3.0, ..Division::default() };
    assert_eq!(division, expected);
}

#[test]
fn explanation_and_efficiency_agree_on_a_trace() {
    let messages = "0: 0..4 work; 4..9 MPI_Recv recv 1; 9..10 work
                    1: 0..6 work; 6..8 MPI_Send send 0; 8..9 MPI_File_write; 9..10 work";
    for text in [BARRIER, messages] {
        let (_, profile) =
            analyze_and_profile(&notation::parse(text).unwrap(), "test", &Options::default()).unwrap();
        let run = Kept::new(profile, Given::default());
        let run = efficiencies(&[run.run()], &[], Scaling::Strong, None).unwrap().experiments.remove(0);
        let explanation = explained(text, None);
        assert_close(run.useful, explanation.division.computing, text);
        assert_close(run.factor("parallel efficiency").unwrap(), explanation.least_efficiency(), text);
    }
}

#[test]
fn each_second_of_processes_is_in_one_term() {
    // From 2 s to 20 s. Rank 1 is in MPI_Init for 1 s of it, and waits in MPI_Finalize for 2 s.
    let division = divided(
        "0: 0..2 MPI_Init; 2..3 MPI_Comm_rank; 3..10 a; 10..12 MPI_Send send 1; 12..20 b; 20..21 MPI_Finalize
         1: 0..3 MPI_Init; 3..8 a; 8..12 MPI_Recv recv 0; 12..15 b; 15..17 MPI_Win_fence; 17..18 c; 18..21 MPI_Finalize",
        None,
    );
    let expected = Division {
        computing: 15.0 + 9.0,
        waiting: Waiting { messages: 2.0, collectives: 2.0, ..Waiting::default() },
        transfer: 2.0 + 2.0,
        other_mpi: 1.0 + 1.0,
        not_analyzed: 2.0,
        ..Division::default()
    };
    assert_eq!(division, expected);
}

#[test]
fn completion_of_a_barrier_is_no_wait() {
    let division =
        divided("0: 0..4 a; 4..10 MPI_Barrier barrier\n 1: 0..7 a; 7..9 MPI_Barrier barrier", None);
    let waiting = Waiting { collectives: 3.0, ..Waiting::default() };
    // Rank 1 ends a second before rank 0.
    let expected = Division { computing: 11.0, waiting, transfer: 5.0, absent: 1.0, ..Division::default() };
    assert_eq!(division, expected);
}

#[test]
fn a_unit_outside_the_region_has_no_part_in_it() {
    let division = divided(
        "team t 0 0.1
         0: 0..1 a; 1 enter r; 1..3 a; 3 fork; 3 begin t; 3 enter $parallel; 3..5 b; 5 leave; 5 end t; 5 join; 5..8 a; 8 leave; 8..9 a
         0.1: 3 begin t; 3 enter $parallel; 3..5 b; 5 leave; 5 end t
         1: 0..4 a; 4 enter r; 4..6 a; 6 leave; 6..9 a",
        Some("r"),
    );
    let expected = Division { computing: 7.0 + 2.0 + 2.0, idle: 5.0, absent: 5.0, ..Division::default() };
    assert_eq!(division, expected);
}

#[test]
fn unknown_parts_leave_the_efficiency_open() {
    let explanation = explained(
        "0: 0..4 a; 4..5 MPI_Ibarrier start 1; 5..6 MPI_Test; 8..9 MPI_Test; 11..12 MPI_Test ibarrier request 1; 12..20 a
         1: 0..4 a; 4 off; 8 on; 8..9 a; 9..10 MPI_Ibarrier start 1; 10..12 MPI_Wait ibarrier request 1; 12..20 a",
        None,
    );
    let division = explanation.division;
    assert_eq!((division.polling, division.not_recorded), (4.0, 4.0));
    assert_close(explanation.efficiency - explanation.least_efficiency(), 8.0 / 40.0, "range");
    assert!(explanation.may_hide_problems());
    assert!(explanation.notes.iter().any(|note| note.starts_with("Code between tests in vain takes 4.00 s")));
    // The same in a region of the program is its work.
    let work = divided(
        "0: 0..4 a; 4..5 MPI_Ibarrier start 1; 5..6 MPI_Test; 6..8 a; 8..9 MPI_Test; 9..11 a; 11..12 MPI_Test ibarrier request 1
         1: 0..9 a; 9..10 MPI_Ibarrier start 1; 10..12 MPI_Wait ibarrier request 1",
        None,
    );
    assert_eq!((work.polling, work.computing), (0.0, 17.0));
}

#[test]
fn bars_are_of_the_basis_alone() {
    let explanation = explained(
        "0: 0..10 MPI_Init; 10..60 a; 60..60 MPI_Barrier barrier; 60..100 MPI_Finalize
         1: 0..10 MPI_Init; 10..35 a; 35..60 MPI_Barrier barrier; 60..100 MPI_Finalize",
        None,
    );
    let over_time = &explanation.over_time;
    assert_eq!((over_time.begin, over_time.interval, over_time.untimed), (10.0, 1.0, 0.0));
    let (before, waiting) = over_time.efficiency.split_at(25);
    assert!(before.iter().all(|share| *share == 1.0) && waiting.iter().all(|share| *share == 0.5));
}

#[test]
fn problems_that_are_not_listed_are_not_taken_for_none() {
    let text = "0: 0..9 solve; 9..10 MPI_Barrier barrier\n 1: 0..4 solve; 4..10 MPI_Barrier barrier";
    let with = |limits| {
        let trace = notation::parse(text).unwrap();
        explain_trace(&trace, "test", &Options::default(), limits, &mut |_| {}).unwrap().explanation
    };
    for limits in [Limits { most: 0, ..Limits::default() }, Limits { above: 0.9, ..Limits::default() }] {
        let explanation = with(limits);
        assert!(explanation.problems.is_empty() && explanation.omits_problems(), "{explanation:#?}");
    }
    assert!(!with(Limits::default()).omits_problems());
}
