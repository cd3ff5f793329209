//! Scores of tools: profiles, partial results, repeats, sweeps, baselines, folders of scores.

use ats_documents::Score;
use ats_documents::score::{Grade, Intrusiveness, Rates};
use ats_model::wait_state::Class;

use super::*;

fn named(name: &str, program: ProgramResult) -> ProgramResult {
    ProgramResult { program: name.to_owned(), ..program }
}

fn twin() -> ProgramResult {
    named("late_sender_balanced", program(Vec::new()))
}

fn scored(results: Vec<ProgramResult>) -> Score {
    let scored = Scored { tool: "mine".to_owned(), results, diagnoses: true, ..Scored::default() };
    score(Scored { threshold: THRESHOLD, ..scored }, &Catalogue::builtin())
}

#[test]
fn each_grade_has_its_rates() {
    let programs = [
        program(vec![found()]),
        program(vec![expectation(Outcome::Wrong, "yyyn", 1.0)]),
        program(vec![expectation(Outcome::Wrong, "yynn", 1.0)]),
        program(vec![expectation(Outcome::Wrong, "ynyy", 1.25)]),
        // Under another name, which is a false alarm besides.
        alarmed(program(vec![expectation(Outcome::Missed, "nyyy", 1.25)]), 1),
        program(vec![expectation(Outcome::Missed, "n---", 0.0)]),
        twin(),
        alarmed(twin(), 1),
    ];
    let totals = totals(&programs, THRESHOLD);
    let counts = |rates: &Rates| (rates.true_positives, rates.false_negatives, rates.false_positives);
    let by = |grade| counts(&totals.by_grade[&grade]);
    assert_eq!(by(Grade::Reported), (5, 1, 2));
    assert_eq!(by(Grade::Property), (4, 2, 2));
    assert_eq!(by(Grade::Place), (3, 3, 3));
    assert_eq!(by(Grade::Locations), (2, 4, 4));
    assert_eq!(by(Grade::Amount), (1, 5, 5));
    let last = &totals.by_grade[&Grade::Amount];
    assert_eq!((last.precision, last.recall, last.f1), (totals.precision, totals.recall, totals.f1));
    assert_eq!((last.silent, last.alarmed, totals.specificity), (1, 1, Some(0.5)));
    assert_eq!(last.youden_j, Some(1.0 / 6.0 + 0.5 - 1.0));
}

#[test]
fn a_grade_of_which_a_tool_says_nothing_has_no_rates() {
    let grades = |programs: &[ProgramResult]| -> Vec<Grade> {
        totals(programs, THRESHOLD).by_grade.into_keys().collect()
    };
    let missed = || program(vec![expectation(Outcome::Missed, "n---", 0.0)]);
    let without = || program(vec![expectation(Outcome::Found, "yy-y", 1.25)]);
    let known = [Grade::Reported, Grade::Property, Grade::Place, Grade::Amount];
    assert_eq!(grades(&[without(), missed()]), known);
    assert_eq!(grades(&[without(), program(vec![found()])]), Grade::ALL);
    assert_eq!(grades(&[missed()]), Grade::ALL, "it did not come so far");
}

#[test]
fn classes_weigh_the_same_however_large_they_are() {
    let barrier = || Expectation { wait_state: Some(WaitState::WaitAtBarrier), ..found() };
    let missed = || expectation(Outcome::Missed, "n---", 0.0);
    let programs =
        [program(vec![barrier(), barrier(), barrier()]), program(vec![missed()]), alarmed(twin(), 1)];
    let totals = totals(&programs, THRESHOLD);
    let recall = |class| totals.by_class[&class].recall;
    assert_eq!((recall(Class::Barrier), recall(Class::PointToPoint)), (Some(1.0), Some(0.0)));
    assert_eq!((totals.recall, totals.macro_average.recall), (Some(0.75), Some(0.5)));
    // The alarm is of a barrier, in the twin of a late sender.
    assert_eq!(totals.by_class[&Class::Barrier].false_positives, 1);
    assert_eq!(totals.by_class[&Class::PointToPoint].alarmed, 1);
}

#[test]
fn nothing_has_no_rates_and_no_classes() {
    let totals = totals::<ProgramResult>(&[], THRESHOLD);
    assert!(
        totals.by_grade.is_empty() && totals.by_class.is_empty() && totals.detection_threshold.is_empty()
    );
    assert_eq!(totals.macro_average, Rates::default());
    assert_eq!((totals.specificity, totals.support_rate, totals.kendall_tau), (None, None, None));
    assert_eq!((totals.consistency, totals.severity_error), (None, None));
}

#[test]
fn a_crash_is_never_silence_and_lowers_the_support() {
    let programs = [program(vec![found()]), failed(RunStatus::Crashed), twin()];
    let totals = totals(&programs, THRESHOLD);
    assert_eq!((totals.correctly_silent, totals.specificity), (1, Some(1.0)));
    assert_eq!(totals.by_grade[&Grade::Amount].silent, 1);
    assert_eq!(totals.support_rate, Some(2.0 / 3.0));
    assert!(!scored(programs.to_vec()).has_passed());
}

#[test]
fn partial_results_count_for_what_they_are() {
    let timeout = || expectation(Outcome::Timeout, "----", 0.0);
    let programs = [
        program(vec![found(), timeout(), expectation(Outcome::Unsupported, "----", 0.0)]),
        ProgramResult { run_status: RunStatus::Timeout, ..program(vec![timeout()]) },
        program(vec![expectation(Outcome::SemanticsChanged, "----", 0.0)]),
    ];
    let totals = totals(&programs, THRESHOLD);
    assert_eq!((totals.recall, totals.precision, totals.support_rate), (Some(1.0), Some(1.0), Some(0.2)));
    assert_eq!((totals.failed, totals.unsupported), (1, 1));
    let crashed = [failed(RunStatus::Crashed), failed(RunStatus::Unsupported)];
    assert_eq!(
        super::totals(&crashed, THRESHOLD).failed,
        1,
        "a twin that crashes expects nothing and has failed"
    );
    assert!(!scored(crashed.to_vec()).has_passed());
}

#[test]
fn noise_that_was_rightly_reported_tests_nothing() {
    let mut noisy = alarmed(twin(), 1);
    noisy.noise = std::mem::take(&mut noisy.unexpected);
    let totals = totals(&[noisy], THRESHOLD);
    assert_eq!((totals.specificity, totals.support_rate), (None, None));
}

#[test]
fn a_profile_has_consistency_and_neither_recall_nor_silence() {
    let programs = [
        program(vec![expectation(Outcome::Consistent, "-yyy", 2.0)]),
        program(vec![expectation(Outcome::Inconsistent, "-ynn", 0.5)]),
        twin(),
    ];
    let totals = totals_of(&programs, THRESHOLD, false, &Catalogue::builtin());
    assert_eq!((totals.consistent, totals.inconsistent, totals.consistency), (1, 1, Some(0.5)));
    assert_eq!((totals.recall, totals.precision, totals.f1, totals.specificity), (None, None, None, None));
    assert_eq!((totals.correctly_silent, totals.support_rate), (0, Some(1.0)));
    assert_eq!(totals.recall_by_judgement["property"], None);
    assert_eq!(totals.recall_by_judgement["place"], Some(1.0));
    assert_eq!(totals.severity_error, None, "a call does more than waiting");
    let clean = |results: &[ProgramResult]| {
        let scored = Scored { results: results.to_vec(), threshold: THRESHOLD, ..Scored::default() };
        score(scored, &Catalogue::builtin()).has_passed()
    };
    assert!(clean(&programs[..1]) && !clean(&programs[..2]));
}

#[test]
fn errors_have_a_sign_and_a_size() {
    let reports =
        [1.0, 1.25, 1.5, 2.5].map(|found| program(vec![expectation(Outcome::Wrong, "yyyn", found)]));
    let error = totals(&reports, THRESHOLD).severity_error.unwrap();
    assert_eq!((error.of, error.signed), (4, 0.1));
    assert!((error.absolute - 0.2).abs() < 1e-15);
}

#[test]
fn ranks_are_correlated_within_a_program() {
    let wait = |observed, found, outcome| Expectation { observed, ..expectation(outcome, "yyyy", found) };
    let composite = program(vec![
        wait(3.0, 3.0, Outcome::Found),
        wait(2.0, 2.1, Outcome::Found),
        Expectation { property: Judgement::No, ..wait(1.0, 9.0, Outcome::Missed) },
    ]);
    assert_eq!(
        rank_correlation(&composite.expectations),
        Some(1.0),
        "another name's seconds are none of its own"
    );
    assert_eq!(rank_correlation(&[found()]), None);
    assert_eq!(totals(&[composite, program(vec![found()])], THRESHOLD).kendall_tau, Some(1.0));
}

fn at_severity(severity: f64, property: Judgement) -> ProgramResult {
    let outcome = if property == Judgement::Yes { Outcome::Found } else { Outcome::Missed };
    let mut expectation = Expectation { property, ..expectation(outcome, "yyyy", 1.0) };
    expectation.severity.observed = severity;
    let parameters = [("extrawork".to_owned(), severity.to_string())].into();
    ProgramResult { parameters, ..program(vec![expectation]) }
}

#[test]
fn a_detection_threshold_is_where_it_is_always_found_from() {
    let (yes, no) = (Judgement::Yes, Judgement::No);
    let threshold = |points: &[(f64, Judgement)]| {
        let programs: Vec<_> = points.iter().map(|&(severity, found)| at_severity(severity, found)).collect();
        detection_thresholds(&programs.iter().collect::<Vec<_>>()).into_values().next()
    };
    assert_eq!(threshold(&[(0.02, no), (0.1, yes), (0.05, yes), (0.4, yes)]), Some(Some(0.05)));
    assert_eq!(threshold(&[(0.02, yes), (0.05, no), (0.1, yes)]), Some(Some(0.1)));
    assert_eq!(threshold(&[(0.02, yes), (0.1, no)]), Some(None));
    assert_eq!(threshold(&[(0.1, yes)]), None, "one severity is no sweep");
    assert_eq!(threshold(&[(0.1, yes), (0.1, yes)]), None, "nor are repeats");
}

#[test]
fn repeats_are_medians_with_their_spread() {
    let run = |outcome, found: f64, observed: f64| {
        let judged = if outcome == Outcome::Found { "yyyy" } else { "yyyn" };
        program(vec![Expectation { observed, ..expectation(outcome, judged, found) }])
    };
    let score = scored(vec![
        run(Outcome::Found, 1.2, 1.2),
        run(Outcome::Wrong, 1.5, 1.25),
        alarmed(run(Outcome::Found, 1.3, 1.3), 2),
    ]);
    let [program] = &score.programs[..] else { panic!("one program") };
    let [expectation] = &program.expectations[..] else { panic!("one expectation") };
    assert_eq!(
        (program.repeats, expectation.outcome, expectation.grade),
        (3, Outcome::Found, Some(Grade::Amount))
    );
    assert_eq!((expectation.observed, expectation.found), (1.25, 1.3));
    assert_eq!((program.false_seconds, program.unexpected.len()), (0.0, 0));
    let spread = expectation.spread.as_ref().unwrap();
    assert_eq!((spread.found.least, spread.found.most, spread.observed.of), (1.2, 1.5, 3));
    assert_eq!(spread.outcomes, [(Outcome::Found, 2), (Outcome::Wrong, 1)].into());
    let recall = score.repeats["recall"];
    assert_eq!((recall.least, recall.median, recall.most), (0.0, 1.0, 1.0));
    assert_eq!(score.totals.recall, Some(1.0));
    assert_eq!(scored(vec![run(Outcome::Found, 1.2, 1.2)]).programs[0].expectations[0].spread, None);
}

#[test]
fn of_outcomes_that_are_equally_many_the_worst_is_kept_and_failures_are_no_amounts() {
    let timeout = ProgramResult {
        run_status: RunStatus::Timeout,
        ..program(vec![Expectation { observed: 0.0, ..expectation(Outcome::Timeout, "----", 0.0) }])
    };
    let score = scored(vec![program(vec![found()]), timeout]);
    let program = &score.programs[0];
    assert_eq!((program.run_status, program.expectations[0].outcome), (RunStatus::Timeout, Outcome::Timeout));
    assert_eq!((program.expectations[0].observed, program.expectations[0].found), (1.25, 1.25));
    assert_eq!(score.totals.support_rate, Some(0.0));
}

#[test]
fn other_parameters_are_another_program() {
    let score = scored(vec![at_severity(0.1, Judgement::Yes), at_severity(0.2, Judgement::Yes)]);
    assert_eq!(score.programs.len(), 2);
    assert_eq!(score.totals.detection_threshold.into_values().collect::<Vec<_>>(), [Some(0.1)]);
}

#[test]
fn the_effect_of_a_tool_is_a_median() {
    let changed = |program: ProgramResult, wall_time, severity| ProgramResult {
        intrusiveness: Some(Intrusiveness { wall_time, severity, of: 1 }),
        ..program
    };
    let of_late_sender = |wall_time, severity| changed(program(vec![found()]), wall_time, severity);
    let score =
        scored(vec![of_late_sender(1.1, Some(0.01)), of_late_sender(1.3, None), changed(twin(), 1.0, None)]);
    let close = |found: Option<Intrusiveness>, wall_time: f64, severity: Option<f64>, of| {
        let found = found.unwrap();
        assert!((found.wall_time - wall_time).abs() < 1e-12, "{found:?}");
        assert_eq!((found.severity, found.of), (severity, of));
    };
    close(score.programs[0].intrusiveness, 1.2, Some(0.01), 2);
    close(score.totals.intrusiveness, 1.1, Some(0.01), 2);
}

#[test]
fn a_baseline_fails_on_what_is_worse_and_on_nothing_else() {
    let wrong = || program(vec![expectation(Outcome::Wrong, "yyyn", 1.0)]);
    let worse = |old: Vec<ProgramResult>, new: Vec<ProgramResult>| {
        let comparison = compare(&scored(old), &scored(new));
        (comparison.regressions.len(), comparison.improvements.len(), comparison.compared)
    };
    let right = || program(vec![found()]);
    let misplaced = || program(vec![expectation(Outcome::Wrong, "ynyy", 1.25)]);
    let hidden = || program(vec![expectation(Outcome::NotManifested, "----", 0.0)]);
    assert_eq!(worse(vec![right()], vec![right()]), (0, 0, 1));
    assert_eq!(worse(vec![right()], vec![wrong()]), (1, 0, 1));
    assert_eq!(worse(vec![wrong()], vec![right()]), (0, 1, 1));
    assert_eq!(worse(vec![wrong()], vec![misplaced()]), (1, 0, 1));
    assert_eq!(worse(vec![right()], vec![hidden()]), (0, 0, 1), "the machine's doing");
    assert_eq!(worse(vec![twin()], vec![alarmed(twin(), 1)]), (1, 0, 1));
    assert_eq!(worse(vec![alarmed(twin(), 2)], vec![alarmed(twin(), 1)]), (0, 1, 1));
    assert_eq!(
        worse(vec![twin()], vec![named("late_sender_balanced", failed(RunStatus::Crashed))]),
        (1, 0, 1)
    );
    assert_eq!(worse(vec![right(), twin()], vec![right()]), (0, 0, 1));
    let gone = compare(&scored(vec![twin()]), &scored(vec![right()]));
    assert_eq!(gone.remarks, ["late_sender_balanced is in the baseline alone"]);
    let text = compare(&scored(vec![right()]), &scored(vec![wrong()])).regressions[0].clone();
    assert_eq!(text, "late_sender: late_sender@MPI_Recv is wrong (locations), was found (amount)");
}

#[test]
fn a_folder_of_scores_grows_and_is_read_in_order() {
    let dir = tempfile::TempDir::new().unwrap();
    let dir = dir.path().join("scores");
    let at = |time: &str| {
        let mut score = scored(vec![program(vec![found()])]);
        score.environment.insert("time".to_owned(), time.into());
        score
    };
    let (late, early) = ("2026-11-21T10:00:00Z", "2026-02-01T10:00:00Z");
    let first = append(&dir, &at(late)).unwrap();
    assert_eq!(first.file_name().unwrap(), "2026-11-21T10-00-00Z-mine.json");
    assert_ne!(append(&dir, &at(late)).unwrap(), first, "nothing is overwritten");
    append(&dir, &at(early)).unwrap();
    let read = history(&dir).unwrap();
    assert_eq!(read.iter().map(|entry| entry.time.as_str()).collect::<Vec<_>>(), [early, late, late]);
    assert_eq!(read[0].score, at(early));
    std::fs::write(dir.join("other.json"), "{}").unwrap();
    let error = history(&dir).unwrap_err().to_string();
    assert!(error.contains("other.json cannot be read as a score (ats-score/1)"), "{error}");
}

#[test]
fn scores_of_one_second_are_read_in_the_order_in_which_they_were_kept() {
    let dir = tempfile::TempDir::new().unwrap();
    let order: Vec<String> = (0..12).map(|number| number.to_string()).collect();
    for number in &order {
        let mut score = scored(vec![program(vec![found()])]);
        score.environment.insert("time".to_owned(), "2026-11-21T10:00:00Z".into());
        score.options = vec![number.clone()];
        append(dir.path(), &score).unwrap();
    }
    let read: Vec<String> =
        history(dir.path()).unwrap().into_iter().flat_map(|entry| entry.score.options).collect();
    assert_eq!(read, order);
}
