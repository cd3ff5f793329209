//! Explanations, judged against the causes that properties are made to have.

use std::sync::atomic::AtomicBool;

use ats_analyzer::Options;
use ats_compose::{Composition, Subject};
use ats_diagnosis::{Limits, explain_trace};
use ats_documents::explanation::{CauseKind, Problem};
use ats_documents::finding::View;
use ats_documents::score::{Expectation, Judgement, Outcome, ProgramResult};
use ats_documents::{Explanation, Report, Truth};
use ats_launch::tool::CallPaths;
use ats_model::delay::Extent;
use ats_props::{Catalogue, Needs};
use ats_truth::{Planned, Size, TruthOptions, ideal_trace, nominal};
use ats_validation::pipeline::{Reporter, Request, validate};
use ats_validation::score::judge::{Case, Rules, judge_explanation};

fn validated(programs: Vec<Planned>) -> Vec<ProgramResult> {
    let request = Request {
        programs,
        reporter: Reporter::Simulated(TruthOptions::default()),
        rules: Rules::EXACT,
        causes: Some(Extent::All),
        explanations: true,
        repeats: 1,
        catalogue: Catalogue::builtin(),
    };
    validate(&request, &mut (), &AtomicBool::new(false)).unwrap().programs
}

fn explanations(result: &ProgramResult) -> impl Iterator<Item = &Expectation> {
    result.expectations.iter().filter(|expectation| expectation.view == View::Explanation)
}

/// With all threads and ranks that it needs, and as many as given where it needs any.
fn planned(program: ats_props::Program, many: usize) -> Planned {
    let Needs { ranks, team, .. } = program.property.needs;
    let size = Size { ranks: if ranks { many } else { 1 }, threads: if team { many } else { 1 } };
    Planned { size, subject: program.into() }
}

#[test]
fn every_planted_wait_is_explained_by_its_cause_and_its_culprits() {
    let catalogue = Catalogue::builtin();
    for many in [4, 7] {
        let once = catalogue.programs().filter(|program| !Subject::from(*program).is_experiment());
        let results = validated(once.map(|program| planned(program, many)).collect());
        for result in &results {
            assert!(result.has_passed(0.0), "{many}: {result:#?}");
        }
        let all: Vec<&Expectation> = results.iter().flat_map(explanations).collect();
        assert!(all.iter().all(|one| one.outcome == Outcome::Found), "{many}: {all:#?}");
        let with_culprits = all.iter().filter(|one| one.locations == Judgement::Yes).count();
        assert!(all.len() > 100 && with_culprits > 70, "{} {with_culprits}", all.len());
    }
}

#[test]
fn waits_of_programs_with_any_parameters_are_explained() {
    let catalogue = Catalogue::builtin();
    let planned = |seed: u64| {
        let ranks = 4 + seed as usize % 5;
        let composition = Composition::random(&catalogue, seed, ranks, 4, 1).unwrap();
        let step = composition.steps().next().unwrap();
        let subject = Subject::Property { program: step.program, arguments: step.arguments(0).clone() };
        Planned { subject, ..planned(step.program, ranks) }
    };
    let results = validated(ats_testing::seeds(130).map(planned).collect());
    for result in &results {
        let wrong: Vec<_> = explanations(result).filter(|one| one.outcome != Outcome::Found).collect();
        assert!(wrong.is_empty(), "{} {:?}: {wrong:#?}", result.program, result.parameters);
    }
    assert!(results.iter().flat_map(explanations).count() > 65);
}

/// The truth, the report and the explanation of a program on eight ranks.
fn known(program: &str) -> (Truth, Report, Explanation) {
    let subject = Subject::from(Catalogue::builtin().program(program).unwrap());
    let (size, options) =
        (Size::ranks(8), TruthOptions { causes: Some(Extent::All), ..TruthOptions::default() });
    let trace = ideal_trace::in_memory(&subject, size, &options).unwrap();
    let explained = explain_trace(&trace, program, &Options::default(), Limits::NONE, &mut |_| {}).unwrap();
    (nominal(&subject, size, &options).unwrap(), Report::from(explained.analysis), explained.explanation)
}

fn judged((truth, report): (&Truth, &Report), explanation: &Explanation) -> Expectation {
    let case = Case {
        nominal: truth,
        observed: truth,
        report,
        call_paths: CallPaths::UserRegions,
        catalogue: &Catalogue::builtin(),
    };
    let [expectation] = &judge_explanation(explanation, &case, &Rules::EXACT)[..] else { panic!("one wait") };
    expectation.clone()
}

#[test]
fn wrong_explanations_are_told_from_right_ones() {
    let (truth, report, right) = known("blocked_sender");
    let known_run = (&truth, &report);
    assert_eq!(judged(known_run, &right).verdict(), "found");
    let with = |change: &dyn Fn(&mut Problem)| {
        let mut wrong = right.clone();
        wrong.problems.iter_mut().for_each(change);
        judged(known_run, &wrong)
    };
    let other_cause = with(&|problem| problem.causes[0].cause = CauseKind::MultipleOutput);
    assert_eq!(
        (other_cause.outcome, &*other_cause.reported_as.unwrap()),
        (Outcome::Missed, "multiple_output")
    );
    let other_region = with(&|problem| *problem.call_path.last_mut().unwrap() = "elsewhere".to_owned());
    assert_eq!(other_region.verdict(), "wrong place, locations");
    let other_rank =
        with(&|problem| problem.culprits.iter_mut().for_each(|culprit| culprit.location.rank = 7));
    assert_eq!(other_rank.verdict(), "wrong locations");
    let nothing = judged(known_run, &Explanation::default());
    assert_eq!((nothing.outcome, nothing.reported_as), (Outcome::Missed, None));
    // A look-alike: its waits are at other calls, so that they explain nothing here.
    assert_eq!(judged(known_run, &known("multiple_output").2).outcome, Outcome::Missed);
}
