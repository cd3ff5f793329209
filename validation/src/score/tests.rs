use std::collections::BTreeMap;

use ats_documents::finding::{Basis, LocationShare};
use ats_documents::score::{RunStatus, Severities};
use ats_documents::{Finding, Score};
use ats_model::WaitState;
use ats_model::locations::Location;

use super::*;

const THRESHOLD: f64 = 0.01;

/// An expectation of 1 s; `judgements` has one letter each for property, place, locations and amount.
fn expectation(outcome: Outcome, judgements: &str, found: f64) -> Expectation {
    let judgement = |at: usize| match judgements.as_bytes()[at] {
        b'y' => Judgement::Yes,
        b'n' => Judgement::No,
        _ => Judgement::NotApplicable,
    };
    Expectation {
        id: "late_sender@MPI_Recv".to_owned(),
        outcome,
        view: View::Wait,
        wait_state: Some(WaitState::LateSender),
        metric: None,
        call_path: vec!["MPI_Recv".to_owned()],
        waiting: vec![Location { rank: 1, thread: 0 }],
        property: judgement(0),
        place: judgement(1),
        locations: judgement(2),
        amount: judgement(3),
        nominal: 1.0,
        observed: 1.25,
        found,
        planted: true,
        reported_as: None,
        grade: None,
        error: None,
        spread: None,
        severity: Severities { nominal: 0.1, observed: 0.125, found: 0.1 * found },
    }
}

fn found() -> Expectation {
    expectation(Outcome::Found, "yyyy", 1.25)
}

fn program(expectations: Vec<Expectation>) -> ProgramResult {
    ProgramResult {
        program: "late_sender".to_owned(),
        parameters: BTreeMap::new(),
        ranks: 4,
        threads: 1,
        run_status: RunStatus::Ok,
        message: None,
        expectations,
        runs: 1,
        ..ProgramResult::default()
    }
}

fn alarmed(mut program: ProgramResult, alarms: usize) -> ProgramResult {
    let share = LocationShare { rank: 0, thread: 0, waiting_time: 0.5 };
    let basis = Basis::new(None, 10.0, 1);
    let path = vec!["MPI_Barrier".to_owned()];
    let alarm = Finding::wait(Some(WaitState::WaitAtBarrier), path, vec![share], 1, &basis, true);
    program.unexpected = vec![alarm; alarms];
    program.false_seconds = 0.5 * alarms as f64;
    program
}

fn failed(status: RunStatus) -> ProgramResult {
    ProgramResult { run_status: status, ..program(Vec::new()) }
}

fn totals<P: Borrow<ProgramResult>>(programs: &[P], threshold: f64) -> Totals {
    super::totals(programs, threshold, &Catalogue::builtin())
}

#[test]
fn rates_over_nothing_are_null() {
    for programs in [vec![], vec![program(Vec::new())], vec![failed(RunStatus::Crashed)]] {
        let totals = totals(&programs, THRESHOLD);
        assert_eq!((totals.precision, totals.recall, totals.f1), (None, None, None));
        assert_eq!((totals.worst_against_observed, totals.worst_against_nominal), (None, None));
        assert!(totals.recall_by_judgement.values().all(Option::is_none));
        assert_eq!(totals.recall_by_judgement.len(), 4);
    }
}

#[test]
fn nothing_right_has_no_harmonic_mean() {
    let totals = totals(&[program(vec![expectation(Outcome::Wrong, "ynyy", 1.0)])], THRESHOLD);
    assert_eq!((totals.precision, totals.recall, totals.f1), (Some(0.0), Some(0.0), None));
}

#[test]
fn everything_is_counted_once() {
    let programs = [
        program(vec![found(), expectation(Outcome::Missed, "n---", 0.0)]),
        alarmed(program(vec![expectation(Outcome::Wrong, "yyyn", 1.0)]), 2),
        program(vec![expectation(Outcome::NotManifested, "----", 0.0)]),
        program(vec![found(), expectation(Outcome::BelowThreshold, "----", 0.0)]),
        program(vec![
            expectation(Outcome::Timeout, "----", 0.0),
            expectation(Outcome::ParseError, "----", 0.0),
        ]),
        program(Vec::new()),
        failed(RunStatus::Timeout),
    ];
    let totals = totals(&programs, THRESHOLD);
    assert_eq!((totals.programs, totals.found, totals.wrong, totals.missed), (7, 2, 1, 1));
    assert_eq!((totals.not_manifested, totals.below_threshold), (1, 1));
    assert_eq!((totals.failed, totals.false_alarms), (1, 2));
    assert_eq!((totals.correctly_silent, totals.false_seconds), (1, 1.0));
    assert_eq!(totals.precision, Some(2.0 / 5.0));
    assert_eq!(totals.recall, Some(2.0 / 4.0));
    assert!((totals.f1.unwrap() - 4.0 / 9.0).abs() < 1e-15);
    let by = |name: &str| totals.recall_by_judgement[name];
    assert_eq!((by("property"), by("place")), (Some(3.0 / 4.0), Some(3.0 / 4.0)));
    assert_eq!((by("locations"), by("amount")), (Some(3.0 / 4.0), Some(2.0 / 4.0)));
    assert_eq!(totals.worst_against_observed, Some(0.2));
    assert_eq!(totals.worst_against_nominal, Some(0.25));
}

#[test]
fn a_program_passes_only_if_it_showed_something_and_all_of_it_is_right() {
    let not_manifested = || Expectation { observed: 0.0, ..expectation(Outcome::NotManifested, "----", 0.0) };
    let passes = |program: &ProgramResult| program.has_passed(THRESHOLD);
    assert!(passes(&program(vec![found()])));
    let side_effect = || Expectation { planted: false, ..not_manifested() };
    let too_little = || expectation(Outcome::BelowThreshold, "----", 0.6);
    assert!(passes(&program(vec![found(), side_effect()])));
    assert!(passes(&program(vec![found(), too_little()])), "at least half was there, below the threshold");
    assert!(passes(&program(Vec::new())));
    assert!(!passes(&program(vec![Expectation { planted: false, ..found() }, not_manifested()])));
    assert!(!passes(&program(vec![side_effect()])) && !passes(&program(vec![too_little()])));
    assert!(!passes(&program(vec![not_manifested()])));
    assert!(!passes(&alarmed(program(vec![found()]), 1)));
    for outcome in
        [Outcome::Wrong, Outcome::Missed, Outcome::ToolError, Outcome::Timeout, Outcome::ParseError]
    {
        assert!(!passes(&program(vec![found(), expectation(outcome, "----", 0.0)])), "{outcome:?}");
    }
    for status in [RunStatus::NotStarted, RunStatus::Crashed, RunStatus::Timeout, RunStatus::ParseError] {
        assert!(!passes(&failed(status)), "{status:?}");
        assert!(!failed(status).is_correctly_silent(THRESHOLD), "{status:?}");
    }
}

#[test]
fn an_expectation_below_the_threshold_is_nothing_to_find() {
    let mut small = expectation(Outcome::NotManifested, "----", 0.0);
    small.severity.nominal = THRESHOLD / 2.0;
    let program = program(vec![small]);
    assert!(program.has_passed(THRESHOLD) && program.is_correctly_silent(THRESHOLD));
}

#[test]
fn a_score_of_nothing_does_not_pass() {
    let score = |programs: Vec<ProgramResult>| Score {
        totals: totals(&programs, THRESHOLD),
        programs,
        ..Score::default()
    };
    assert!(!score(Vec::new()).has_passed());
    assert!(score(vec![program(vec![found()]), program(Vec::new())]).has_passed());
    assert!(!score(vec![program(vec![found()]), failed(RunStatus::Crashed)]).has_passed());
    // A library cannot show everything, but something has to be shown.
    let not_manifested = |state| Expectation {
        wait_state: Some(state),
        observed: 0.0,
        ..expectation(Outcome::NotManifested, "----", 0.0)
    };
    let by_itself = || program(vec![not_manifested(WaitState::LateProgress)]);
    let late = || program(vec![not_manifested(WaitState::LateSender)]);
    assert!(score(vec![program(vec![found()]), by_itself(), failed(RunStatus::Unsupported)]).has_passed());
    assert!(!score(vec![by_itself(), failed(RunStatus::Unsupported)]).has_passed());
    // What a tool cannot know of a run is no mistake of it.
    let unknown = || program(vec![expectation(Outcome::Unsupported, "----", 0.0)]);
    assert!(score(vec![unknown(), failed(RunStatus::Unsupported)]).has_passed());
    assert!(!score(vec![unknown(), late()]).has_passed());
    assert!(!score(vec![program(vec![found()]), late()]).has_passed());
    assert!(!score(vec![program(vec![found()]), alarmed(by_itself(), 1)]).has_passed());
}

mod tools;
