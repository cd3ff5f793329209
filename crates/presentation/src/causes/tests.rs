//! An analysis with root causes, for tests of all that shows them.

use ats_documents::causes::{Cause, CausedFinding, CriticalPath, Stretch};
use ats_documents::finding::LocationShare;
use ats_documents::profile::ProcessingUnit;
use ats_documents::{Analysis, Basis, Finding};
use ats_model::WaitState;

use super::*;

/// Three ranks: the first works long in `solve`, which two others wait for, and one of them makes the third wait.
pub(crate) fn analysis() -> Analysis {
    let basis = Basis::new(None, 2.0, 3);
    let found = |state, call: &str, waits: &[(u32, f64)]| {
        let share = |&(rank, waiting_time)| LocationShare { rank, thread: 0, waiting_time };
        let path = vec!["main".to_owned(), call.to_owned()];
        Finding::wait(WaitState::from_name(state), path, waits.iter().map(share).collect(), 2, &basis, true)
    };
    let barrier = found("wait_at_barrier", "MPI_Barrier", &[(1, 0.5), (2, 0.3)]);
    let sender = found("late_sender", "MPI_Recv", &[(1, 0.2)]);
    let path = |names: &[&str]| names.iter().map(|name| (*name).to_owned()).collect();
    let cause = |call_path, unit, direct, indirect, hops| Cause { call_path, unit, direct, indirect, hops };
    let causes = Causes {
        units: [0, 1, 2].map(|rank| ProcessingUnit { rank, thread: 0, node: None }).to_vec(),
        call_paths: vec![
            path(&["main", "solve"]),
            path(&["main", "pack"]),
            Vec::new(),
            path(&["main", "MPI_Send"]),
        ],
        metrics: [
            ("critical_path".to_owned(), vec![(0, 0, 1.2), (1, 1, 0.4), (2, 0, 0.2)]),
            ("critical_path_imbalance".to_owned(), vec![(0, 0, 0.4)]),
            ("delay_barrier".to_owned(), vec![(0, 0, 0.5), (1, 0, 0.06), (2, 1, 0.02)]),
            ("delay_barrier_longterm".to_owned(), vec![(0, 0, 0.12)]),
            ("delay_latesender".to_owned(), vec![(0, 0, 0.15)]),
        ]
        .into(),
        findings: vec![
            CausedFinding {
                finding: barrier.id.clone(),
                direct: 0.6,
                indirect: 0.2,
                terminal: 0.8,
                causes: vec![
                    cause(0, 0, 0.42, 0.0, 0.0),
                    cause(0, 1, 0.08, 0.12, 1.5),
                    cause(1, 0, 0.06, 0.0, 0.0),
                    cause(3, 2, 0.0, 0.08, 1.0),
                    cause(2, 1, 0.04, 0.0, 0.0),
                ],
                ..CausedFinding::default()
            },
            CausedFinding {
                finding: sender.id.clone(),
                direct: 0.15,
                propagating: 0.2,
                unattributed: 0.05,
                causes: vec![cause(0, 0, 0.15, 0.0, 0.0)],
                ..CausedFinding::default()
            },
        ],
        critical_path: CriticalPath {
            seconds: 1.8,
            stretches: vec![
                Stretch { unit: 0, begin: 0.0, end: 1.4 },
                Stretch { unit: 1, begin: 1.4, end: 1.8 },
            ],
            omitted: 0,
        },
        ..Causes::default()
    };
    let json = serde_json::json!({
        "schema": Analysis::SCHEMA, "trace": "t", "locations": 3, "events": 20,
        "basis": basis, "findings": [barrier, sender], "causes": causes,
    });
    serde_json::from_value(json).unwrap()
}

#[test]
fn a_metric_is_summed_over_its_locations() {
    let causes = analysis().causes.unwrap();
    assert_eq!(by_call_path(&causes, "delay_barrier"), [(0, 0.5), (1, 0.06), (2, 0.02)].into());
    let paths = call_paths(&causes, [0, 2, 9].into_iter());
    assert_eq!(paths, ["main/solve", "outside all regions", "outside all regions"]);
}
