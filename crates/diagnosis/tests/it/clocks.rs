//! Explanations of traces that have not measured their clocks.

use ats_analyzer::{Options, notation::parse};
use ats_diagnosis::{Limits, explain_trace};
use ats_documents::Explanation;
use ats_documents::explanation::CauseKind;

use crate::common::OfRecorder;

fn explained(trace: &str) -> Explanation {
    let trace = OfRecorder { trace: parse(trace).unwrap(), has_common_clock: false, cost: None };
    explain_trace(&trace, "test", &Options::default(), Limits::default(), &mut |_| {}).unwrap().explanation
}

#[test]
fn aligned_clocks_tell_who_is_late_and_no_intervals() {
    // The clock of rank 1 is 1,000 s ahead.
    let explanation = explained(
        "0: 0..9 solve; 9..10 MPI_Send send 1; 10..11 MPI_Recv recv 1; 11..19 solve; 19..20 MPI_Send send 1
         1: 1000..1001 solve; 1001..1010 MPI_Recv recv 0; 1010..1011 MPI_Send send 0; 1011..1012 solve
         1: 1012..1020 MPI_Recv recv 0",
    );
    let problem = &explanation.problems[0];
    assert_eq!((problem.cause(), problem.seconds), (CauseKind::UnevenWork, 14.125), "{explanation:#?}");
    assert_eq!(problem.culprits.iter().map(|culprit| culprit.location.rank).collect::<Vec<_>>(), [0]);
    assert!(problem.effects.iter().all(|effect| effect.intervals.is_none()), "{problem:#?}");
    assert_eq!(
        (explanation.over_time.efficiency.len(), explanation.over_time.untimed),
        (0, explanation.lost)
    );
    assert!(explanation.notes[0].ends_with("chains, turns, intervals and who is last are not known."));
}

#[test]
fn clocks_that_contradict_each_other_give_a_sentence_and_no_advice() {
    let explanation = explained(
        "0: 0..9 MPI_Barrier barrier; 10..12 MPI_Bcast bcast root 0; 12..19 MPI_Reduce reduce root 0
         0: 20..21 MPI_Allreduce allreduce; 22..23 MPI_Scan scan; 24..25 MPI_Test recv 1; 30..39 MPI_Barrier barrier
         1: 503..512 MPI_Barrier barrier; 512..519 MPI_Bcast bcast root 0; 520..521 MPI_Reduce reduce root 0
         1: 522..527 MPI_Allreduce allreduce; 527..531 MPI_Scan scan; 532..533 MPI_Send send 0
         1: 803..812 MPI_Barrier barrier",
    );
    assert!(explanation.lost > 0.0 && explanation.problems.is_empty(), "{explanation:#?}");
    assert!(explanation.notes[0].ends_with("who waits for whom is not known."), "{:?}", explanation.notes);
}
