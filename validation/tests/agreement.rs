//! Two independent witnesses: the truth of the virtual engine and what the analyzer finds in its ideal trace agree to
//! the picosecond, for every property and its twin, on many numbers of ranks.

use std::collections::BTreeMap;

use ats_model::{Finding, WaitState};
use ats_props::{Catalogue, Program};
use ats_validation::truth::TruthOptions;
use ats_validation::{ideal_trace, truth};

type Share = ((Option<WaitState>, Vec<String>, u32), f64);

fn shares(findings: &[Finding]) -> BTreeMap<(Option<WaitState>, Vec<String>, u32), f64> {
    let share = |finding: &Finding| -> Vec<Share> {
        let inner: Vec<String> =
            finding.call_path.iter().filter(|&region| region != "ats_measured").cloned().collect();
        let of = |share: &ats_model::finding::LocationShare| {
            ((finding.property, inner.clone(), share.rank), share.waiting_time)
        };
        finding.locations.iter().map(of).collect()
    };
    findings.iter().flat_map(share).collect()
}

fn assert_agreement(program: &Program, given: &[(&str, &str)], ranks: usize) {
    let options = TruthOptions::default();
    let arguments = program.property.arguments(given.iter().copied()).unwrap();
    let truth = truth::nominal(program, &arguments, ranks, &options).unwrap();
    let trace = ideal_trace::in_memory(program, &arguments, ranks, &options).unwrap();
    let analysis = ats_analyzer::analyze(&trace, "ideal", &ats_analyzer::Options::default()).unwrap();

    let known: Vec<Finding> = truth.findings.iter().chain(&truth.ambient).cloned().collect();
    let (known, found) = (shares(&known), shares(&analysis.findings));
    let name = program.name();
    assert_eq!(found.keys().collect::<Vec<_>>(), known.keys().collect::<Vec<_>>(), "{name} on {ranks} ranks");
    for (key, known) in known {
        assert!(
            (found[&key] - known).abs() < 1e-11,
            "{name} on {ranks} ranks: {key:?}: {} {known}",
            found[&key]
        );
    }
    assert!((analysis.basis.wall_time - truth.basis.wall_time).abs() < 1e-11, "{name} on {ranks} ranks");
}

#[test]
fn analyzer_and_truth_agree_on_every_program() {
    for program in Catalogue::builtin().programs() {
        for ranks in (program.property.min_ranks..=9).chain([16, 33]) {
            assert_agreement(&program, &[("r", "3")], ranks);
        }
    }
}

#[test]
fn analyzer_and_truth_agree_on_every_distribution_and_root() {
    let distributions =
        ["cyclic2:0.05:0.01", "linear:0.01:0.05", "peak:0.05:0.01:2", "block3:0.01:0.02:0.05"];
    for program in Catalogue::builtin().programs() {
        let has = |name: &str| program.property.parameters.iter().any(|parameter| parameter.name == name);
        for ranks in [3, 8] {
            if has("distribution") {
                for text in distributions {
                    assert_agreement(&program, &[("distribution", text)], ranks);
                }
            }
            if has("root") {
                for root in ["1", "7"] {
                    assert_agreement(&program, &[("root", root)], ranks);
                }
            }
        }
    }
}
