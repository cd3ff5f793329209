//! Documents that have one of everything, with names that every format has to escape.

use ats_analyzer::{analyze_and_profile_with, notation::parse};
use ats_documents::{
    Analysis, Basis, Causes, Finding, Profile, Score, Truth, Wait,
    causes::{Cause, CausedFinding, CriticalPath, Stretch},
    finding::LocationShare,
    profile::ProcessingUnit,
    score::{Expectation, Judgement, Outcome, ProgramResult, RunStatus, Severities, Totals},
};
use ats_model::{View, WaitState, locations::Location, source::InMemory};
use ats_presentation::{Page, page};
use serde_json::Value;

/// A name that would break HTML, XML, CSV and Markdown.
pub(crate) const EVIL: &str =
    "<b>\"evil\"</b>, a|b & `c` </script><script>document.title='broken'</script>\u{1}";

/// The data that the script of a page gets.
pub(crate) fn data(of: &Page<'_>) -> Value {
    let html = page(of);
    ats_testing::assert_ids_are_unique(&html);
    let data = html.split_once("id=\"data\">").unwrap().1.split("</script>").next().unwrap();
    serde_json::from_str(data).unwrap()
}

pub(crate) fn score() -> Score {
    let expectation = |outcome, state, path: &[&str], found: f64| expectation(outcome, state, path, found);
    let programs = vec![
        program(
            "late_sender",
            vec![expectation(Outcome::Found, Some(WaitState::LateSender), &["late_sender", "MPI_Recv"], 1.0)],
        ),
        program(
            "wrong_order",
            vec![
                expectation(
                    Outcome::Wrong,
                    Some(WaitState::LateSenderWrongOrderSameSource),
                    &["wrong_order", "MPI_Recv"],
                    0.5,
                ),
                expectation(
                    Outcome::Missed,
                    Some(WaitState::LateReceiver),
                    &["wrong_order", "MPI_Ssend"],
                    0.0,
                ),
                expectation(
                    Outcome::NotManifested,
                    Some(WaitState::WaitAtBarrier),
                    &["wrong_order", "MPI_Barrier"],
                    0.0,
                ),
                expectation(
                    Outcome::BelowThreshold,
                    Some(WaitState::WaitAtNxN),
                    &["wrong_order", "MPI_Allreduce"],
                    0.0,
                ),
            ],
        ),
        program(
            "frequent_explicit_barrier",
            vec![expectation(Outcome::Found, None, &["!$omp barrier"], 800.0)],
        ),
        ProgramResult {
            unexpected: vec![finding(&["main", EVIL], 0.25)],
            false_seconds: 0.25,
            ..program(EVIL, Vec::new())
        },
        ProgramResult {
            noise: vec![finding(&["main", "MPI_Send"], 0.05)],
            ..program("noisy_balanced", Vec::new())
        },
        ProgramResult {
            run_status: RunStatus::Timeout,
            message: Some("killed after 60 s".to_owned()),
            ..program(
                "hanging",
                vec![expectation(
                    Outcome::Timeout,
                    Some(WaitState::EarlyReduce),
                    &["hanging", "MPI_Reduce"],
                    0.0,
                )],
            )
        },
        program("late_sender_balanced", Vec::new()),
    ];
    let totals = Totals {
        programs: 7,
        found: 2,
        wrong: 1,
        missed: 1,
        not_manifested: 1,
        below_threshold: 1,
        failed: 1,
        false_alarms: 1,
        correctly_silent: 2,
        precision: Some(0.5),
        recall: Some(0.5),
        f1: Some(0.5),
        specificity: Some(0.75),
        false_seconds: 0.25,
        threshold: 0.01,
        ..Totals::default()
    };
    Score {
        schema: Score::SCHEMA.to_owned(),
        tool: "ats-analyzer".to_owned(),
        version: Some("0.1.0".to_owned()),
        programs,
        totals,
        environment: [("engine".to_owned(), "virtual".into())].into(),
        ..Score::default()
    }
}

pub(crate) fn program(name: &str, expectations: Vec<Expectation>) -> ProgramResult {
    ProgramResult {
        program: name.to_owned(),
        parameters: [("r".to_owned(), "10".to_owned())].into(),
        ranks: 2,
        threads: 1,
        run_status: RunStatus::Ok,
        message: None,
        expectations,
        unexpected: Vec::new(),
        ambient: Vec::new(),
        noise: Vec::new(),
        false_seconds: 0.0,
        kendall_tau: None,
        ..ProgramResult::default()
    }
}

fn expectation(outcome: Outcome, wait_state: Option<WaitState>, path: &[&str], found: f64) -> Expectation {
    let is_count = wait_state.is_none();
    let known = if is_count { 800.0 } else { 1.0 };
    let severity = |amount: f64| if is_count { 0.0 } else { amount / 4.0 };
    Expectation {
        id: format!("{}@{}", wait_state.map_or("visits", WaitState::name), path.join("/")),
        outcome,
        view: if is_count { View::Count } else { View::Wait },
        wait_state,
        metric: None,
        call_path: path.iter().map(|&name| name.to_owned()).collect(),
        waiting: if is_count { Vec::new() } else { vec![Location { rank: 1, thread: 0 }] },
        property: Judgement::from_bool(found > 0.0),
        place: Judgement::NotApplicable,
        locations: Judgement::NotApplicable,
        amount: Judgement::from_bool(found == known),
        nominal: known,
        observed: known,
        found,
        planted: true,
        reported_as: None,
        grade: None,
        error: None,
        spread: None,
        severity: Severities { nominal: severity(known), observed: severity(known), found: severity(found) },
    }
}

pub(crate) fn finding(path: &[&str], seconds: f64) -> Finding {
    let basis = Basis::new(None, 2.0, 2);
    let path = path.iter().map(|&name| name.to_owned()).collect();
    let share = LocationShare { rank: 1, thread: 0, waiting_time: seconds };
    Finding::wait(Some(WaitState::LateReceiver), path, vec![share], 3, &basis, true)
}

/// A trace with its analysis and single waits.
pub(crate) struct Analyzed {
    pub(crate) trace: InMemory,
    pub(crate) analysis: Analysis,
    pub(crate) profile: Profile,
    pub(crate) waits: Vec<Wait>,
}

pub(crate) fn analyzed(text: &str) -> Analyzed {
    let trace = parse(text).unwrap();
    let mut waits = Vec::new();
    let observe = &mut |wait| waits.push(wait);
    let (analysis, profile) = analyze_and_profile_with(&trace, "test", &Default::default(), observe).unwrap();
    Analyzed { trace, analysis, profile, waits }
}

/// A late sender and a barrier: two properties at two call paths on two locations.
pub(crate) const TWO_PROPERTIES: &str = "
    0: 0 enter ats_measured; 0 enter late_sender; 0..5 work; 5..9 MPI_Send send 1 tag 7 bytes 64; 9 leave; 9 enter at_barrier
    0: 9..30 MPI_Barrier barrier; 30 leave; 30 leave
    1: 0 enter ats_measured; 0 enter late_sender; 2..9 MPI_Recv recv 0 tag 7 bytes 64; 9 leave; 9 enter at_barrier
    1: 9..29 work; 29..30 MPI_Barrier barrier; 30 leave; 30 leave";

/// The root causes of [`TWO_PROPERTIES`], from an analysis of it.
pub(crate) fn causes(analysis: &Analysis) -> Causes {
    let find = |state| analysis.findings.iter().find(|finding| finding.property == Some(state)).unwrap();
    let path = |names: [&str; 3]| names.map(str::to_owned).to_vec();
    let caused = |state, call_path, unit, direct, indirect| CausedFinding {
        finding: find(state).id.clone(),
        direct,
        indirect,
        terminal: direct + indirect,
        causes: vec![Cause { call_path, unit, direct, indirect, hops: f64::from(u8::from(indirect > 0.0)) }],
        ..CausedFinding::default()
    };
    Causes {
        units: [0, 1].map(|rank| ProcessingUnit { rank, thread: 0, node: None }).to_vec(),
        call_paths: vec![
            path(["ats_measured", "late_sender", "work"]),
            path(["ats_measured", "at_barrier", "work"]),
        ],
        metrics: [
            ("critical_path", vec![(0, 0, 9.0), (1, 1, 21.0)]),
            ("critical_path_imbalance", vec![(1, 1, 10.0)]),
            ("delay_barrier", vec![(1, 1, 20.0)]),
            ("delay_latesender", vec![(0, 0, 3.0)]),
        ]
        .map(|(name, values)| (name.to_owned(), values))
        .into(),
        findings: vec![
            caused(WaitState::WaitAtBarrier, 1, 1, 20.0, 0.0),
            caused(WaitState::LateSender, 0, 0, 2.0, 1.0),
        ],
        critical_path: CriticalPath {
            seconds: 30.0,
            stretches: vec![
                Stretch { unit: 0, begin: 0.0, end: 9.0 },
                Stretch { unit: 1, begin: 9.0, end: 30.0 },
            ],
            omitted: 0,
        },
        ..Causes::default()
    }
}

/// Two receives in different functions; the first waits 5 s, the second 2 s.
pub(crate) const TWO_CALL_SITES: &str = "
    0: 0..5 work; 5..6 MPI_Send@setup@src/two.c:8 send 1; 6..8 work; 8..9 MPI_Send@halo@src/two.c:20 send 1
    1: 0..6 MPI_Recv@setup@src/two.c:10 recv 0; 6..9 MPI_Recv@halo@src/two.c:22 recv 0";

/// The truth of [`TWO_PROPERTIES`], from an analysis of it: the call paths begin inside the measured part.
pub(crate) fn truth(program: &str, analysis: &Analysis) -> Truth {
    let mut findings = analysis.findings.clone();
    for finding in &mut findings {
        finding.call_path.remove(0);
        finding.id = format!("truth of {}", finding.id);
    }
    Truth {
        schema: Truth::SCHEMA.to_owned(),
        program: program.to_owned(),
        parameters: [("extrawork".to_owned(), "3".to_owned())].into(),
        ranks: 2,
        threads: 1,
        basis: analysis.basis.clone(),
        findings,
        absent: Vec::new(),
        ambient: Vec::new(),
        counts: Default::default(),
        network: None,
        costs: None,
        processors: None,
        skew_left: Vec::new(),
        causes: None,
        runs: Vec::new(),
    }
}
