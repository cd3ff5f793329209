//! Threads that the program makes itself, and that call MPI.

use ats_model::WaitState;

use super::{Foreign, assert_waits, seconds};

#[test]
fn receives_of_another_thread_are_no_wrong_order() {
    let analysis = Foreign::compiled("pthreads.c").on_ranks(2).analysis();
    assert_waits(&analysis, WaitState::LateSender, 0.5);
    for wrong_order in
        [WaitState::LateSenderWrongOrderSameSource, WaitState::LateSenderWrongOrderDifferentSources]
    {
        assert_eq!(seconds(&analysis, wrong_order), 0.0);
    }
    let waiting: Vec<_> =
        analysis.findings.iter().filter(|one| one.property == Some(WaitState::LateSender)).collect();
    let [late] = &waiting[..] else { panic!("{waiting:?}") };
    assert_eq!(late.call_path, ["run", "MPI_Recv"]);
    assert_eq!((late.locations[0].rank, late.locations[0].thread), (1, 1));
    assert!(late.locations[0].waiting_time > 0.45, "{late:?}");
}

#[test]
fn a_request_that_another_thread_completes_is_no_damage() {
    let analysis = Foreign::compiled("handoff.c").on_ranks(2).analysis();
    assert_waits(&analysis, WaitState::LateSender, 0.25);
    let waiting = analysis.findings.iter().find(|one| one.property == Some(WaitState::LateSender)).unwrap();
    assert_eq!((waiting.locations[0].rank, waiting.locations[0].thread), (1, 1));
    let complaints: Vec<_> = analysis.warnings.iter().filter(|warning| warning.contains("request")).collect();
    assert!(complaints.is_empty(), "{complaints:?}");
}
