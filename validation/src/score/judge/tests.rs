use ats_documents::Analysis;
use ats_documents::finding::{Basis, LocationShare};
use ats_documents::machine::Machine;
use ats_model::traffic::CallCount;
use ats_model::{CallSite, WaitState};

use super::*;
use crate::score;

const WAIT: f64 = 0.1;

fn finding(state: WaitState, path: &str, shares: &[(u32, f64)]) -> Finding {
    let shares =
        shares.iter().map(|&(rank, waiting_time)| LocationShare { rank, thread: 0, waiting_time }).collect();
    Finding::wait(Some(state), path.split('/').map(str::to_owned).collect(), shares, 10, &basis(), true)
}

/// Ten location-seconds.
fn basis() -> Basis {
    Basis::new(Some("ats_measured".to_owned()), 2.5, 4)
}

fn truth(program: &str, findings: Vec<Finding>) -> Truth {
    Truth {
        schema: Truth::SCHEMA.to_owned(),
        program: program.to_owned(),
        parameters: BTreeMap::new(),
        ranks: 4,
        threads: 1,
        basis: basis(),
        findings,
        absent: Vec::new(),
        ambient: Vec::new(),
        counts: BTreeMap::new(),
        network: None,
        costs: None,
        processors: None,
        skew_left: vec![0.0; 4],
        causes: None,
        runs: Vec::new(),
    }
}

fn analysis(findings: Vec<Finding>) -> Report {
    Report::from(analyzed(findings, BTreeMap::new()))
}

fn analyzed(findings: Vec<Finding>, counts: BTreeMap<String, u64>) -> Analysis {
    Analysis {
        schema: Analysis::SCHEMA.to_owned(),
        trace: "traces.otf2".to_owned(),
        locations: 4,
        events: 0,
        basis: basis(),
        findings,
        counts,
        traffic: BTreeMap::new(),
        calls: Vec::new(),
        causes: None,
        messages: None,
        not_analyzed: Vec::new(),
        clock_correction: None,
        machine: Machine::default(),
        warnings: Vec::new(),
    }
}

/// The finding that every program here is expected to show: ranks 1 and 3 wait 2 s each.
fn late_sender(seconds: f64) -> Finding {
    finding(WaitState::LateSender, "late_sender/MPI_Recv", &[(1, seconds), (3, seconds)])
}

fn reported(state: WaitState, path: &str, shares: &[(u32, f64)]) -> Finding {
    finding(state, &format!("main/ats_measured/{path}"), shares)
}

fn judge_with(observed: Vec<Finding>, found: Vec<Finding>) -> ProgramResult {
    let nominal = truth("late_sender", vec![late_sender(2.0)]);
    let observed = truth("late_sender", observed);
    judge(
        Case {
            nominal: &nominal,
            observed: &observed,
            report: &analysis(found),
            call_paths: CallPaths::UserRegions,
            catalogue: &Catalogue::builtin(),
        },
        &Rules::MEASURED,
    )
}

fn judge_twin(observed: Vec<Finding>, found: Vec<Finding>) -> ProgramResult {
    let nominal = truth("late_sender_balanced", Vec::new());
    let observed = truth("late_sender_balanced", observed);
    judge(
        Case {
            nominal: &nominal,
            observed: &observed,
            report: &analysis(found),
            call_paths: CallPaths::UserRegions,
            catalogue: &Catalogue::builtin(),
        },
        &Rules::MEASURED,
    )
}

/// Property, place, locations, amount as one letter each.
fn judgements(expectation: &Expectation) -> String {
    let letter = |judgement| match judgement {
        Judgement::Yes => 'y',
        Judgement::No => 'n',
        Judgement::NotApplicable => '-',
    };
    [expectation.property, expectation.place, expectation.locations, expectation.amount]
        .map(letter)
        .iter()
        .collect()
}

fn only(result: &ProgramResult) -> &Expectation {
    let [expectation] = &result.expectations[..] else {
        panic!("one expectation: {:?}", result.expectations)
    };
    expectation
}

#[test]
fn a_right_finding_is_found() {
    let result = judge_with(
        vec![late_sender(2.25)],
        vec![reported(WaitState::LateSender, "late_sender/pattern/MPI_Recv", &[(1, 2.25), (3, 2.25)])],
    );
    let expectation = only(&result);
    assert_eq!((expectation.outcome, judgements(expectation).as_str()), (Outcome::Found, "yyyy"));
    assert_eq!((expectation.nominal, expectation.observed, expectation.found), (4.0, 4.5, 4.5));
    assert_eq!(expectation.severity, Severities { nominal: 0.4, observed: 0.45, found: 0.45 });
    let waiting: Vec<_> =
        expectation.waiting.iter().map(|location| (location.rank, location.thread)).collect();
    assert_eq!(waiting, [(1, 0), (3, 0)]);
    assert_eq!(result.run_status, RunStatus::Ok);
    assert!(result.unexpected.is_empty() && result.ambient.is_empty() && result.noise.is_empty());
}

#[test]
fn each_judgement_fails_alone() {
    let state = WaitState::LateSender;
    for (found, wanted) in [
        (reported(state, "late_sender/MPI_Wait", &[(1, 2.0), (3, 2.0)]), "ynyy"),
        (reported(state, "late_sender/MPI_Recv", &[(0, 2.0), (3, 2.0)]), "yyny"),
        (reported(state, "late_sender/MPI_Recv", &[(1, 2.02), (3, 2.02)]), "yyyn"),
        (reported(state, "late_sender/MPI_Recv", &[(1, 1.98), (3, 1.98)]), "yyyn"),
    ] {
        let result = judge_with(vec![late_sender(2.0)], vec![found]);
        assert_eq!((only(&result).outcome, judgements(only(&result)).as_str()), (Outcome::Wrong, wanted));
        assert!(result.unexpected.is_empty(), "a wrong report is not a false alarm besides");
    }
}

#[test]
fn another_wait_state_at_the_place_is_a_miss_and_a_false_alarm() {
    let found = reported(WaitState::LateReceiver, "late_sender/MPI_Recv", &[(1, 2.0), (3, 2.0)]);
    let result = judge_with(vec![late_sender(2.0)], vec![found]);
    assert_eq!(only(&result).outcome, Outcome::Missed);
    assert_eq!(judgements(only(&result)), "nyyy");
    assert_eq!(only(&result).reported_as.as_deref(), Some("late_receiver"));
    assert_eq!(result.unexpected.len(), 1);
    assert_eq!(result.false_seconds, 4.0);
}

#[test]
fn nothing_reported_is_a_miss() {
    let result = judge_with(vec![late_sender(2.0)], Vec::new());
    assert_eq!((only(&result).outcome, judgements(only(&result)).as_str()), (Outcome::Missed, "n---"));
}

#[test]
fn a_report_below_the_threshold_is_a_miss() {
    let found = reported(WaitState::LateSender, "late_sender/MPI_Recv", &[(1, 0.04), (3, 0.04)]);
    let result = judge_with(vec![late_sender(2.0)], vec![found]);
    assert_eq!((only(&result).outcome, judgements(only(&result)).as_str()), (Outcome::Missed, "n---"));
}

#[test]
fn a_wait_that_the_run_lacks_is_not_manifested() {
    for observed in [vec![late_sender(0.99)], vec![late_sender(0.04)], Vec::new()] {
        let result = judge_with(observed, Vec::new());
        assert_eq!(
            (only(&result).outcome, judgements(only(&result)).as_str()),
            (Outcome::NotManifested, "----")
        );
    }
    assert_eq!(only(&judge_with(vec![late_sender(1.0)], Vec::new())).outcome, Outcome::Missed);
}

#[test]
fn a_wait_below_the_threshold_is_not_required() {
    let small = late_sender(0.04);
    let truth = truth("late_sender", vec![small.clone()]);
    let judged = |report: &Report| {
        let case = Case {
            nominal: &truth,
            observed: &truth,
            report,
            call_paths: CallPaths::UserRegions,
            catalogue: &Catalogue::builtin(),
        };
        let result = judge(case, &Rules::MEASURED);
        (only(&result).outcome, judgements(only(&result)), only(&result).found, result.unexpected.len())
    };
    let below = |found| (Outcome::BelowThreshold, "----".to_owned(), found, 0);
    assert_eq!(judged(&analysis(vec![small])), below(0.08));
    assert_eq!(judged(&analysis(Vec::new())), below(0.0));
    let large = judged(&analysis(vec![late_sender(2.0)]));
    assert_eq!((large.0, large.3), (Outcome::BelowThreshold, 1), "a false alarm");
    let profile = Report { names: Vec::new(), ..analysis(Vec::new()) };
    assert_eq!(judged(&profile).0, Outcome::BelowThreshold);
}

#[test]
fn a_report_of_what_the_run_did_not_show_is_a_false_alarm() {
    let found = reported(WaitState::LateSender, "late_sender/MPI_Recv", &[(1, 2.0), (3, 2.0)]);
    let result = judge_with(Vec::new(), vec![found]);
    assert_eq!(only(&result).outcome, Outcome::NotManifested);
    assert_eq!((result.unexpected.len(), result.false_seconds), (1, 4.0));
}

#[test]
fn the_machine_is_held_against_nobody() {
    let noisy = reported(WaitState::LateSender, "late_sender/MPI_Recv", &[(1, 3.5), (3, 3.0)]);
    let observed = finding(WaitState::LateSender, "late_sender/MPI_Recv", &[(1, 3.5), (3, 3.0)]);
    assert_eq!(only(&judge_with(vec![observed], vec![noisy])).outcome, Outcome::Found);
}

#[test]
fn a_tolerance_given_goes_before_the_truths_before_the_default() {
    let found = vec![reported(WaitState::LateSender, "late_sender/MPI_Recv", &[(1, 2.1), (3, 2.1)])];
    let mut known = late_sender(2.0);
    let amount = |known: &Finding, rules: &Rules| {
        let truth = truth("late_sender", vec![known.clone()]);
        let result = judge(
            Case {
                nominal: &truth,
                observed: &truth,
                report: &analysis(found.clone()),
                call_paths: CallPaths::UserRegions,
                catalogue: &Catalogue::builtin(),
            },
            rules,
        );
        only(&result).amount
    };
    let given = |relative| Rules {
        amounts: Amounts::Fixed(Tolerance { absolute: 0.0, relative }),
        ..Rules::MEASURED
    };
    assert_eq!(amount(&known, &Rules::MEASURED), Judgement::No);
    assert_eq!(amount(&known, &given(0.06)), Judgement::Yes);
    known.tolerance = Some(Tolerance { absolute: 0.0, relative: 0.06 });
    assert_eq!(amount(&known, &Rules::MEASURED), Judgement::Yes);
    assert_eq!(amount(&known, &given(0.01)), Judgement::No);
}

#[test]
fn an_accepted_metric_answers_where_no_exact_one_does() {
    let mut parent = reported(WaitState::LateSender, "late_sender/MPI_Recv", &[(1, 2.0), (3, 2.0)]);
    parent.property = None;
    parent.metric = Some("mpi_point2point".to_owned());
    let exact = reported(WaitState::LateSender, "late_sender/MPI_Recv", &[(1, 2.0), (3, 2.0)]);
    assert_eq!(only(&judge_with(vec![late_sender(2.0)], vec![parent.clone()])).outcome, Outcome::Found);
    let both = judge_with(vec![late_sender(2.0)], vec![parent, exact]);
    assert_eq!((only(&both).outcome, only(&both).found), (Outcome::Found, 4.0));
}

#[test]
fn reports_of_one_place_under_several_paths_are_added() {
    let found = [1, 3].map(|rank| {
        let path = if rank == 1 { "late_sender/MPI_Recv" } else { "late_sender/pattern/MPI_Recv" };
        reported(WaitState::LateSender, path, &[(rank, 2.0)])
    });
    assert_eq!(only(&judge_with(vec![late_sender(2.0)], found.to_vec())).outcome, Outcome::Found);
}

#[test]
fn a_wait_in_calls_at_several_places_is_one() {
    let at = |finding: Finding, line: u32| {
        finding.called_at(Some(CallSite { function: "halo".to_owned(), file: "two.c".to_owned(), line }))
    };
    let sites = |finding: fn(f64) -> Finding, seconds: [f64; 3]| {
        let [first, second, third] = seconds;
        vec![at(finding(first), 3), at(finding(second), 7), finding(third)]
    };
    let result = judge_with(vec![late_sender(2.0)], sites(late_sender, [1.2, 0.5, 0.3]));
    assert_eq!((only(&result).outcome, &result.unexpected), (Outcome::Found, &vec![]));

    // Elsewhere each of them is too little to be an alarm, and together they are one.
    let elsewhere = |seconds| reported(WaitState::LateReceiver, "main/MPI_Send", &[(0, seconds)]);
    let found = [sites(late_sender, [1.2, 0.5, 0.3]), sites(elsewhere, [0.06, 0.05, 0.04])].concat();
    let result = judge_with(vec![late_sender(2.0)], found);
    assert_eq!(only(&result).outcome, Outcome::Found);
    let [alarm] = &result.unexpected[..] else { panic!("{:?}", result.unexpected) };
    assert!((alarm.waiting_time - 0.15).abs() < 1e-9, "{alarm:?}");
    assert_eq!(alarm.call_site.as_ref().map(|site| site.line), Some(3));
}

#[test]
fn the_longer_expected_path_claims() {
    let expected =
        [late_sender(2.0), finding(WaitState::LateSender, "late_sender/inner/MPI_Recv", &[(1, 1.0)])];
    let truth = truth("late_sender", expected.to_vec());
    let found = analysis(vec![
        reported(WaitState::LateSender, "late_sender/inner/MPI_Recv", &[(1, 1.0)]),
        reported(WaitState::LateSender, "late_sender/MPI_Recv", &[(1, 2.0), (3, 2.0)]),
    ]);
    let result = judge(
        Case {
            nominal: &truth,
            observed: &truth,
            report: &found,
            call_paths: CallPaths::UserRegions,
            catalogue: &Catalogue::builtin(),
        },
        &Rules::EXACT,
    );
    assert_eq!(result.expectations.iter().map(|e| e.found).collect::<Vec<_>>(), [4.0, 1.0]);
    assert!(result.expectations.iter().all(|e| e.outcome == Outcome::Found));
}

#[test]
fn blocked_time_without_a_metric_is_no_expectation() {
    let mut blocked = late_sender(1.0);
    blocked.property = None;
    blocked.metric = None;
    let truth = truth("probe", vec![blocked]);
    let none = analysis(Vec::new());
    assert_eq!(
        judge(
            Case {
                nominal: &truth,
                observed: &truth,
                report: &none,
                call_paths: CallPaths::UserRegions,
                catalogue: &Catalogue::builtin()
            },
            &Rules::EXACT
        )
        .expectations,
        []
    );
}

#[test]
fn a_wait_without_a_wait_state_may_have_a_name() {
    let path = "late_sender/!$omp ordered";
    let mut turn = finding(WaitState::OmpLockContention, path, &[]);
    (turn.property, turn.metric, turn.physical_time) = (None, None, Some(3.0));
    turn.accept = vec!["omp_lock_contention_api".to_owned()];
    let sorted = |state, path, seconds| {
        let found = vec![reported(state, path, &[(0, seconds)])];
        let result = judge_twin(vec![turn.clone()], found);
        [result.ambient.len(), result.noise.len(), result.unexpected.len()]
    };
    assert_eq!(sorted(WaitState::OmpLockContention, path, 3.1), [1, 0, 0]);
    assert_eq!(sorted(WaitState::OmpLockContention, path, 3.3), [0, 0, 1], "more than there was");
    assert_eq!(sorted(WaitState::OmpCriticalContention, path, 3.0), [0, 0, 1]);
    assert_eq!(sorted(WaitState::OmpLockContention, "late_sender/omp_set_lock", 3.0), [0, 0, 1]);
}

#[test]
fn a_twin_is_silent_up_to_its_own_threshold() {
    let barrier =
        |seconds| reported(WaitState::WaitAtBarrier, "late_sender_balanced/MPI_Barrier", &[(0, seconds)]);
    let quiet = judge_twin(Vec::new(), vec![barrier(1.9 * WAIT)]);
    assert!(quiet.unexpected.is_empty());
    let loud = judge_twin(Vec::new(), vec![barrier(2.1 * WAIT)]);
    assert_eq!(loud.unexpected.len(), 1);
    assert_eq!(loud.false_seconds, 2.1 * WAIT);
}

#[test]
fn waits_that_the_witness_confirms_are_noise() {
    let path = "late_sender_balanced/MPI_Barrier";
    let found = || vec![reported(WaitState::WaitAtBarrier, path, &[(0, 5.0 * WAIT)])];
    let observed = |seconds| vec![finding(WaitState::WaitAtBarrier, path, &[(0, seconds)])];
    let confirmed = judge_twin(observed(5.0 * WAIT), found());
    assert_eq!((confirmed.noise.len(), confirmed.unexpected.len()), (1, 0));
    let exaggerated = judge_twin(observed(2.5 * WAIT), found());
    assert_eq!((exaggerated.noise.len(), exaggerated.unexpected.len()), (0, 1));
}

#[test]
fn the_harness_and_what_lies_outside_the_basis_are_ambient() {
    let mut finalize = reported(WaitState::WaitAtFinalize, "MPI_Finalize", &[(0, 5.0)]);
    finalize.in_basis = false;
    let warmup = finding(WaitState::LateSender, "main/ats_warmup/late_sender/MPI_Recv", &[(1, 5.0)]);
    let right = reported(WaitState::LateSender, "late_sender/MPI_Recv", &[(1, 2.0), (3, 2.0)]);
    let result = judge_with(vec![late_sender(2.0)], vec![finalize, warmup, right]);
    assert_eq!(only(&result).outcome, Outcome::Found);
    assert_eq!((result.ambient.len(), result.unexpected.len()), (2, 0));
    assert!(result.ambient.iter().all(|finding| finding.any_amount), "nobody knows how much of it there is");
}

#[test]
fn waits_of_the_harness_are_never_required() {
    let idle = |path: &str| finding(WaitState::IdleThreads, path, &[(0, 5.0)]);
    let truth = truth("random_6038", vec![late_sender(2.0), idle("ats_align")]);
    let found = [
        reported(WaitState::LateSender, "late_sender/MPI_Recv", &[(1, 2.0), (3, 2.0)]),
        idle("main/ats_measured/ats_align"),
    ];
    for found in [&found[..], &found[..1]] {
        let report = analysis(found.to_vec());
        let case = Case {
            nominal: &truth,
            observed: &truth,
            report: &report,
            call_paths: CallPaths::UserRegions,
            catalogue: &Catalogue::builtin(),
        };
        let result = judge(case, &Rules::MEASURED);
        assert_eq!((only(&result).outcome, result.unexpected.len()), (Outcome::Found, 0));
        assert_eq!(result.ambient.len(), found.len() - 1);
    }
}

/// The result for a known wait of the harness, if a report has this many seconds of it.
fn judge_ambient(known: Finding, seconds: f64, rules: &Rules) -> ProgramResult {
    let report = analysis(vec![Finding {
        in_basis: known.in_basis,
        ..finding(WaitState::WaitAtBarrier, "MPI_Barrier", &[(0, seconds)])
    }]);
    let mut truth = truth("late_sender_balanced", Vec::new());
    truth.ambient = vec![known];
    let (nominal, observed) = (&truth, &truth);
    judge(
        Case {
            nominal,
            observed,
            report: &report,
            call_paths: CallPaths::UserRegions,
            catalogue: &Catalogue::builtin(),
        },
        rules,
    )
}

#[test]
fn ambient_waits_are_held_to_their_known_amount() {
    let known = || finding(WaitState::WaitAtBarrier, "MPI_Barrier", &[(0, 2.0)]);
    let outside = || Finding { in_basis: false, ..known() };
    let any = || Finding { any_amount: true, ..known() };
    // Ambient, marked as of any amount, unexpected.
    let sorted = |known: Finding, seconds: f64, rules: &Rules| {
        let result = judge_ambient(known, seconds, rules);
        let marked = result.ambient.iter().filter(|finding| finding.any_amount).count();
        (result.ambient.len(), marked, result.unexpected.len())
    };
    for rules in [Rules::MEASURED, Rules::EXACT] {
        assert_eq!(sorted(known(), 2.0, &rules), (1, 0, 0));
        assert_eq!(sorted(known(), 5.0, &rules), (0, 0, 1));
        assert_eq!(sorted(any(), 5.0, &rules), (1, 1, 0));
    }
    assert_eq!(sorted(outside(), 5.0, &Rules::MEASURED), (1, 1, 0), "start and end are the machine's");
    assert_eq!(sorted(outside(), 5.0, &Rules::EXACT), (0, 0, 1), "but not in virtual time");
    assert_eq!(sorted(outside(), 2.0, &Rules::EXACT), (1, 0, 0));
}

#[test]
fn on_an_exact_machine_nothing_is_too_little_to_be_a_false_alarm() {
    let alarm = reported(WaitState::WaitAtBarrier, "late_sender_balanced/MPI_Barrier", &[(0, 1e-6)]);
    let truth = truth("late_sender_balanced", Vec::new());
    let report = analysis(vec![alarm]);
    let case = Case {
        nominal: &truth,
        observed: &truth,
        report: &report,
        call_paths: CallPaths::UserRegions,
        catalogue: &Catalogue::builtin(),
    };
    assert_eq!(judge(case, &Rules::EXACT).unexpected.len(), 1);
    assert_eq!(judge(case, &Rules::MEASURED).unexpected.len(), 0);
}

#[test]
fn intended_waits_differ_from_side_effects() {
    let formula = Some("W = r·extra".to_owned());
    let barrier = finding(WaitState::WaitAtBarrier, "late_sender/MPI_Barrier", &[(0, 1.0)]);
    let planted = |findings: Vec<Finding>| {
        let truth = truth("late_sender", findings);
        let none = analysis(Vec::new());
        let case = Case {
            nominal: &truth,
            observed: &truth,
            report: &none,
            call_paths: CallPaths::UserRegions,
            catalogue: &Catalogue::builtin(),
        };
        judge(case, &Rules::EXACT).expectations.iter().map(|e| e.planted).collect::<Vec<_>>()
    };
    assert_eq!(planted(vec![Finding { formula, ..late_sender(2.0) }, barrier.clone()]), [true, false]);
    assert_eq!(planted(vec![late_sender(2.0), barrier]), [true, true], "without a closed form all is meant");
}

#[test]
fn a_run_that_failed_judges_nothing_and_is_no_silence() {
    let nominal = truth("late_sender", vec![late_sender(2.0)]);
    for (status, outcome) in [
        (RunStatus::Timeout, Outcome::Timeout),
        (RunStatus::Crashed, Outcome::ToolError),
        (RunStatus::NotStarted, Outcome::ToolError),
        (RunStatus::ParseError, Outcome::ParseError),
    ] {
        let result = not_judged(
            "late_sender",
            BTreeMap::new(),
            Size::ranks(4),
            Some(&nominal),
            status,
            "why it failed".to_owned(),
        );
        assert_eq!((only(&result).outcome, judgements(only(&result)).as_str()), (outcome, "----"));
        assert_eq!((only(&result).nominal, only(&result).found), (4.0, 0.0));
        assert_eq!(result.message.as_deref(), Some("why it failed"));
    }
}

/// The truth of so many entries into a construct.
fn entries(construct: &str, visits: u64) -> Truth {
    let path = ["p", construct].map(str::to_owned).to_vec();
    let mut truth = truth("p", vec![Finding::count(path, VISITS, visits)]);
    truth.counts.insert(construct.to_owned(), CallCount { calls: visits, ..CallCount::default() });
    truth
}

fn judge_entries(construct: &str, nominal: &Truth, observed: &Truth, found: u64) -> ProgramResult {
    let report = Report::from(analyzed(Vec::new(), [(construct.to_owned(), found)].into()));
    let (report, call_paths, catalogue) = (&report, CallPaths::UserRegions, &Catalogue::builtin());
    judge(Case { nominal, observed, report, call_paths, catalogue }, &Rules::MEASURED)
}

fn judge_count(nominal: u64, observed: u64, found: u64) -> ProgramResult {
    let call = "!$omp barrier";
    judge_entries(call, &entries(call, nominal), &entries(call, observed), found)
}

#[test]
fn a_construct_that_compilers_do_not_tell_of_is_unsupported_without_a_witness() {
    let outcome = |observed: &Truth, found: u64| {
        let result = judge_entries("!$omp atomic", &entries("!$omp atomic", 800), observed, found);
        let why = result.message.unwrap_or_default();
        assert_eq!(why.contains("clang and gcc"), result.expectations[0].outcome == Outcome::Unsupported);
        result.expectations[0].outcome
    };
    let promised = entries("!$omp atomic", 800);
    let by_witness = Truth { skew_left: vec![1e-6], ..promised.clone() };
    let outcomes = |observed| [0, 799, 800].map(|found| outcome(observed, found));
    assert_eq!(outcomes(&promised), [Outcome::Unsupported, Outcome::Wrong, Outcome::Found]);
    assert_eq!(outcomes(&by_witness), [Outcome::Missed, Outcome::Wrong, Outcome::Found]);
    let in_c = Truth { counts: BTreeMap::new(), ..by_witness };
    assert_eq!(outcome(&in_c, 0), Outcome::Unsupported);
}

#[test]
fn a_count_is_right_or_wrong_by_one() {
    for (nominal, observed, found, outcome, wanted) in [
        (800, 800, 800, Outcome::Found, "y--y"),
        (800, 800, 799, Outcome::Wrong, "y--n"),
        (800, 800, 801, Outcome::Wrong, "y--n"),
        (800, 800, 0, Outcome::Missed, "n---"),
        (800, 799, 799, Outcome::NotManifested, "----"),
        (800, 0, 800, Outcome::NotManifested, "----"),
    ] {
        let result = judge_count(nominal, observed, found);
        let expectation = only(&result);
        assert_eq!((expectation.outcome, judgements(expectation).as_str()), (outcome, wanted));
        let amounts = (expectation.nominal, expectation.observed, expectation.found);
        assert_eq!(amounts, (nominal as f64, observed as f64, found as f64));
        assert_eq!(
            (expectation.view, expectation.wait_state, result.false_seconds),
            (View::Count, None, 0.0)
        );
    }
}

#[test]
fn a_program_with_a_count_is_not_one_with_nothing_to_find() {
    let threshold = Rules::MEASURED.threshold;
    let right = judge_count(800, 800, 800);
    assert!(right.has_passed(threshold) && !right.is_correctly_silent(threshold));
    assert!(!judge_count(800, 800, 799).has_passed(threshold));
    assert!(!judge_count(800, 700, 700).has_passed(threshold));
    let totals = score::totals(&[right, judge_count(800, 800, 799)], threshold, &Catalogue::builtin());
    assert_eq!((totals.found, totals.wrong, totals.recall), (1, 1, Some(0.5)));
    let recall = |judgement: &str| totals.recall_by_judgement[judgement];
    assert_eq!((recall("property"), recall("amount")), (Some(1.0), Some(0.5)));
    assert_eq!((recall("place"), recall("locations")), (None, None));
}

/// The judgement on a finding, written as JSON, with the amounts that the run showed and that the report has.
fn judge_number(expected: &str, key: &str, (nominal, observed): (&str, &str), found: &str) -> Expectation {
    let read = |amount: &str| -> Vec<Finding> {
        let amounts = amount.split_whitespace();
        let finding = |amount: &str| {
            let json = format!(r#"{{ "call_path": ["p", "MPI_Send"], {expected}, "{key}": {amount} }}"#);
            serde_json::from_str(&json).unwrap()
        };
        amounts.map(finding).collect()
    };
    let written = |amount: &str| {
        let mut truth = truth("p", read(amount));
        truth.complete().unwrap();
        truth
    };
    let (nominal, observed) = (written(nominal), written(observed));
    let mut report = Report { findings: read(found), ..analysis(Vec::new()) };
    report.complete().unwrap();
    let case = Case {
        nominal: &nominal,
        observed: &observed,
        report: &report,
        call_paths: CallPaths::UserRegions,
        catalogue: &Catalogue::builtin(),
    };
    let result = judge(case, &Rules::MEASURED);
    assert_eq!((result.unexpected.len(), result.false_seconds, result.kendall_tau), (0, 0.0, None));
    only(&result).clone()
}

#[test]
fn bytes_and_what_else_is_counted_are_right_or_wrong_by_one() {
    use Outcome::{Found, NotManifested, Unsupported, Wrong};
    for (metric, shown) in [("bytes_sent", "4096 bytes"), ("comms_send", "4096 comms_send")] {
        let written = format!(r#""view": "count", "metric": "{metric}""#);
        for (known, found, outcome, wanted) in [
            (("4096", "4096"), "4096", Found, "y--y"),
            (("4096", "4096"), "4000 96", Found, "y--y"),
            (("4096", "4096"), "4095", Wrong, "y--n"),
            (("4096", "4095"), "4095", NotManifested, "----"),
            (("4096", "4096"), "", Unsupported, "----"),
        ] {
            let expectation = judge_number(&written, "instances", known, found);
            assert_eq!(
                (expectation.outcome, judgements(&expectation).as_str()),
                (outcome, wanted),
                "{known:?} {found}"
            );
            assert_eq!((expectation.name(), expectation.label()), (metric, Some(metric)));
            assert_eq!(expectation.unit().quantity(expectation.nominal).to_string(), shown);
            assert!(expectation.is_due(1.0));
        }
    }
    // Hardware counts as many as it likes.
    let about =
        r#""view": "count", "metric": "PAPI_L1_DCM", "tolerance": { "absolute": 0, "relative": 0.1 }"#;
    assert_eq!(judge_number(about, "instances", ("1000", "950"), "900").outcome, Found);
    assert_eq!(judge_number(about, "instances", ("1000", "950"), "800").outcome, Wrong);
}

#[test]
fn a_ratio_has_to_reach_what_is_promised_and_is_reported_about() {
    use Outcome::{Found, NotManifested, Unsupported, Wrong};
    let written =
        r#""view": "ratio", "metric": "packing", "tolerance": { "absolute": 0.0, "relative": 0.05 }"#;
    for (known, found, outcome, wanted) in [
        (("1.5", "1.8"), "1.75", Found, "y--y"),
        (("1.5", "1.8"), "1.5", Wrong, "y--n"),
        (("1.5", "1.4"), "1.4", NotManifested, "----"),
        (("1.5", "1.8"), "", Unsupported, "----"),
    ] {
        let expectation = judge_number(written, "ratio", known, found);
        assert_eq!(
            (expectation.outcome, judgements(&expectation).as_str()),
            (outcome, wanted),
            "{known:?} {found}"
        );
        assert_eq!(expectation.unit().quantity(expectation.nominal).to_string(), "1.500");
        let document = serde_json::to_value(&expectation).unwrap();
        assert_eq!((&document["view"], &document["metric"]), (&"ratio".into(), &"packing".into()));
        assert_eq!(serde_json::from_value::<Expectation>(document).unwrap(), expectation);
    }
}

mod tools;
