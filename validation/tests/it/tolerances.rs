//! The tolerances of measured waits, from both sides: half of one is found, and twice as much is wrong.

use ats_compose::Subject;
use ats_documents::Report;
use ats_documents::score::Outcome;
use ats_launch::tool::CallPaths;
use ats_props::Catalogue;
use ats_truth::{Size, TruthOptions, ideal_trace, nominal};
use ats_validation::score::judge::{Case, Rules, judge};

/// The outcome of a property if a tool reports this many times what there is; its truth gives a tolerance or not.
fn outcome(property: &str, given: &[(&str, &str)], size: Size, has_tolerance: bool, factor: f64) -> Outcome {
    let catalogue = &Catalogue::builtin();
    let program = catalogue.program(property).unwrap();
    let arguments = program.property.arguments(given.iter().copied()).unwrap();
    let subject = Subject::Property { program, arguments };
    let mut truth = nominal(&subject, size, &TruthOptions::default()).unwrap();
    if !has_tolerance {
        truth.findings.iter_mut().for_each(|finding| finding.tolerance = None);
    }
    let trace = ideal_trace::in_memory(&subject, size, &TruthOptions::default()).unwrap();
    let mut analysis = ats_analyzer::analyze(&trace, "ideal", &ats_analyzer::Options::default()).unwrap();
    for finding in &mut analysis.findings {
        finding.waiting_time *= factor;
        finding.locations.iter_mut().for_each(|share| share.waiting_time *= factor);
    }
    let (report, call_paths) = (&Report::from(analysis), CallPaths::UserRegions);
    let case = Case { nominal: &truth, observed: &truth, report, call_paths, catalogue };
    let result = judge(case, &Rules::MEASURED);
    let [expectation] = &result.expectations[..] else { panic!("{result:#?}") };
    expectation.outcome
}

/// Processes have a tolerance of 0.5 %, and threads, which share cores, one of 1 %; 2 µs for each wait besides are next to
/// nothing in these.
#[test]
fn half_of_a_tolerance_is_found_and_twice_as_much_is_wrong() {
    let both_sides = |property, given: &[(&str, &str)], size, has_tolerance, tolerance: f64| {
        for (share, expected) in [(0.5, Outcome::Found), (2.0, Outcome::Wrong)] {
            for factor in [1.0 + share * tolerance, 1.0 - share * tolerance] {
                let outcome = outcome(property, given, size, has_tolerance, factor);
                assert_eq!(outcome, expected, "{property} {given:?} × {factor}");
            }
        }
    };
    both_sides("late_sender", &[], Size::ranks(2), true, 0.005);
    both_sides("imbalance_at_omp_barrier", &[], Size { ranks: 1, threads: 4 }, true, 0.01);
    // A truth of others may give none.
    both_sides("late_sender", &[], Size::ranks(2), false, 0.005);
    // Of waits of 20 µs, 2 µs are 10 %; 5 µs, where the truth gives no tolerance, are 25 %.
    let short = [("basework", "20us"), ("extrawork", "20us")];
    both_sides("late_sender", &short, Size::ranks(2), true, 0.105);
    both_sides("late_sender", &short, Size::ranks(2), false, 0.255);
}
