//! The tolerances of measured waits, from both sides: half of one is found, and twice as much is wrong.

use ats_compose::Subject;
use ats_documents::Report;
use ats_documents::score::Outcome;
use ats_launch::tool::CallPaths;
use ats_props::Catalogue;
use ats_truth::{Size, TruthOptions, ideal_trace, nominal};
use ats_validation::score::judge::{Case, Rules, judge};

/// The outcome of a property if a tool reports this many times what there is.
fn outcome(property: &str, size: Size, factor: f64) -> Outcome {
    let catalogue = &Catalogue::builtin();
    let subject = Subject::from(catalogue.program(property).unwrap().property);
    let truth = nominal(&subject, size, &TruthOptions::default()).unwrap();
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
    for (property, size, tolerance) in [
        ("late_sender", Size::ranks(2), 0.005),
        ("imbalance_at_omp_barrier", Size { ranks: 1, threads: 4 }, 0.01),
    ] {
        for (share, expected) in [(0.5, Outcome::Found), (2.0, Outcome::Wrong)] {
            for factor in [1.0 + share * tolerance, 1.0 - share * tolerance] {
                assert_eq!(outcome(property, size, factor), expected, "{property} × {factor}");
            }
        }
    }
}
