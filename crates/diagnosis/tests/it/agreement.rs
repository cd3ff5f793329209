//! Explanation, efficiencies, overheads, profile and analysis say the same of one trace.

use ats_analyzer::Options;
use ats_diagnosis::{Limits, explain_trace};
use ats_documents::Profile;
use ats_documents::classes::Classes;
use ats_documents::efficiencies::Scaling;
use ats_experiment::{Given, sequential};
use ats_props::Catalogue;
use ats_truth::{Planned, TruthOptions, ideal_trace};

use crate::common::{Kept, assert_close, composed, efficiencies, of_run};

/// Checks a program in virtual time.
fn check(planned: &Planned, options: &TruthOptions) {
    let trace = ideal_trace::in_memory(&planned.subject, planned.size, options).unwrap();
    let name = planned.subject.name();
    let explained = explain_trace(&trace, name, &Options::default(), Limits::default(), &mut |_| {}).unwrap();
    let (explanation, division) = (&explained.explanation, &explained.explanation.division);
    let basis = &explained.analysis.basis;
    let of_metric = |metric| explained.profile.exclusive(metric, |_| true).into_iter().sum::<f64>();
    let kept = Kept::new(explained.profile.clone(), Given::default());
    let alone = Kept::new(sequential(&explained.profile, &Classes::default()), Given::default());
    let efficiency = efficiencies(&[kept.run()], &[], Scaling::Strong, None).unwrap().experiments.remove(0);
    let overheads = of_run(&kept, &alone);
    let what = |what: &str| format!("{what} of {name} on {}: {division:?}", planned.size);

    assert_eq!(explanation.basis, *basis, "{}", what("basis"));
    assert_close(efficiency.useful, division.computing, &what("useful seconds of efficiency"));
    assert_close(overheads.useful.unwrap(), division.computing, &what("useful seconds of overheads"));
    assert_close(efficiency.outside, of_metric(Profile::OUTSIDE), &what("seconds outside"));
    assert_close(overheads.outside.unwrap(), efficiency.outside, &what("seconds outside of overheads"));
    // What no call path has is of locations that idle or are absent.
    let inside = of_metric(Profile::TIME) - of_metric(Profile::OUTSIDE);
    let all = inside + division.idle + division.absent;
    assert_close(all, basis.location_seconds, &what("seconds of the profile"));
    if basis.region.is_none() {
        assert_close(efficiency.time, basis.wall_time, &what("time"));
        let factor = efficiency.factor("parallel efficiency").unwrap();
        assert_close(factor, explanation.least_efficiency(), &what("efficiency"));
    }
}

#[test]
fn of_all_programs_of_the_suite() {
    let catalogue = Catalogue::builtin();
    for program in catalogue.programs() {
        let needs = program.property.needs;
        let (ranks, threads) = (if needs.ranks { 5 } else { 1 }, if needs.team { 3 } else { 1 });
        check(&crate::common::planned(program.name(), &[], ranks, threads), &TruthOptions::default());
    }
}

#[test]
fn of_random_compositions() {
    for seed in ats_testing::seeds(24) {
        let planned = composed(seed, (2 + seed as usize % 7, 1 + seed as usize % 4), 3);
        let fork = 1e-6 * (seed % 3) as f64;
        check(&planned, &TruthOptions { fork, ..TruthOptions::default() });
    }
}
