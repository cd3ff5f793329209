//! Explanations, judged against the causes that properties are made to have.

use std::collections::{BTreeMap, BTreeSet};
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
use ats_props::{Catalogue, Needs, Program, Property};
use ats_truth::{Planned, Size, TruthOptions, ideal_trace, nominal, processors};
use ats_validation::pipeline::{Reporter, Request, validate};
use ats_validation::score::judge::{Case, Rules, judge_explanation};

use crate::common::has_passed;

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
fn planned(program: Program, many: usize) -> Planned {
    let &Property { needs: Needs { ranks, team, .. }, min_threads, .. } = program.property;
    let threads = if team { many.max(min_threads) } else { 1 };
    let size = Size { ranks: if ranks { many } else { 1 }, threads };
    Planned { size, subject: program.into() }
}

#[test]
fn every_planted_wait_is_explained_by_its_cause_and_its_culprits() {
    let catalogue = Catalogue::builtin();
    let (mut explained, mut with_culprits) = (0, 0);
    for many in [2, 3, 4, 7] {
        let runs = |program: &Program| {
            !Subject::from(*program).is_experiment() && program.property.min_ranks <= many
        };
        let once = catalogue.programs().filter(runs);
        let results = validated(once.map(|program| planned(program, many)).collect());
        for result in &results {
            assert!(has_passed(result, 0.0), "{many}: {result:#?}");
        }
        let all: Vec<&Expectation> = results.iter().flat_map(explanations).collect();
        assert!(all.iter().all(|one| one.outcome == Outcome::Found), "{many}: {all:#?}");
        explained += all.len();
        with_culprits += all.iter().filter(|one| one.locations == Judgement::Yes).count();
    }
    assert!(explained > 400 && with_culprits > 300, "{explained} {with_culprits}");
}

#[test]
fn waits_of_programs_with_any_parameters_are_explained() {
    let catalogue = Catalogue::builtin();
    let planned = |seed: u64| {
        let ranks = 3 + seed as usize % 6;
        let composition = Composition::random(&catalogue, seed, ranks, 4, 1).unwrap();
        let step = composition.steps().next().unwrap();
        let subject = Subject::Property { program: step.program, arguments: step.arguments(0).clone() };
        Planned { subject, ..planned(step.program, ranks) }
    };
    let results = validated(ats_testing::seeds(130).map(planned).collect());
    let wrong = results.iter().flat_map(|result| {
        let wrong = explanations(result).filter(|one| one.outcome != Outcome::Found);
        wrong.map(|one| (&result.program, result.ranks, &result.parameters, one))
    });
    let wrong: Vec<_> = wrong.collect();
    assert!(wrong.is_empty(), "{wrong:#?}");
    assert!(results.iter().flat_map(explanations).count() > 65);
}

/// A program with parameters, and the causes of its waits.
type Twin = (&'static str, &'static [(&'static str, &'static str)], &'static [CauseKind]);

/// Programs in which the same locations wait for as long, and why.
const TWINS: [&[Twin]; 9] = {
    use CauseKind::*;
    [
        // Rank i waits for i times as long as rank 1.
        &[
            ("serialized_chain", &[], &[BlockedSender]),
            ("multiple_output", &[("work", "0.05"), ("r", "1")], &[MultipleOutput]),
            ("intensive_server", &[("service", "0.05"), ("r", "1")], &[BusyMaster]),
            ("early_scan", &[("distribution", "linear:0.15:0"), ("r", "1")], &[LackOfParallelism]),
            ("imbalance_at_mpi_barrier", &[("distribution", "linear:0.15:0"), ("r", "1")], &[LateArrival]),
        ],
        // All but rank 0 wait.
        &[
            ("late_sender_propagation", &[], &[UnevenWork]),
            ("late_broadcast", &[], &[LackOfParallelism]),
            ("imbalance_at_mpi_barrier", &[("distribution", "peak:0.01:0.06:0")], &[LateArrival]),
            ("imbalance_at_mpi_barrier", &[("distribution", "peak:0:0.05:0")], &[LackOfParallelism]),
            ("nxn_completion", &[("distribution", "peak:0.06:0.01:0")], &[SlowCommunication]),
        ],
        // All wait alike.
        &[
            ("ping_pong", &[("work", "0.05"), ("r", "3")], &[Turns]),
            ("diffuse_procedure", &[("work", "0.05"), ("r", "4")], &[LateArrival]),
        ],
        // Rank 0 waits for the slowest, and others for rank 0 or for the slowest.
        &[
            (
                "slow_slaves",
                &[("distribution", "linear:0.03:0.06"), ("masterwork", "0.045"), ("r", "2")],
                &[BusyWorkers],
            ),
            ("imbalance_at_mpi_barrier", &[("distribution", "linear:0.03:0.06"), ("r", "1")], &[LateArrival]),
        ],
        // Even ranks wait.
        &[
            ("late_receiver", &[], &[LateReceiver]),
            ("synchronous_send_without_progress", &[], &[LateProgress]),
        ],
        // Odd ranks wait.
        &[
            ("late_sender", &[("extrawork", "0.02")], &[UnevenWork]),
            ("late_sender_test_polling", &[], &[Polling]),
            ("wrong_order_same_source", &[("work", "0.005")], &[UnevenWork, WrongOrder]),
        ],
        // All threads but the main one wait.
        &[
            ("idle_threads_sequential_part", &[], &[SerialPart]),
            ("unparallelized_in_master_region", &[], &[OneThread]),
            ("imbalance_at_omp_barrier", &[("distribution", "peak:0.01:0.06:0")], &[UnevenTeam]),
            ("imbalance_in_omp_loop", &[("distribution", "peak:0:0.05:0")], &[FewPieces]),
        ],
        // Half of the threads wait.
        &[
            ("limited_parallelism", &[], &[FewThreads]),
            ("imbalance_due_to_not_enough_sections", &[], &[FewPieces]),
        ],
        // Thread t waits for t times as long as thread 1.
        &[
            ("critical_section_contention", &[("r", "1")], &[Contention]),
            ("imbalance_at_omp_barrier", &[("distribution", "linear:0.06:0"), ("r", "1")], &[UnevenTeam]),
        ],
    ]
};

/// The seconds that each location waits in planned waits, in microseconds.
fn waits(planned: &Planned) -> BTreeMap<(u32, u32), u64> {
    let truth = nominal(&planned.subject, planned.size, &TruthOptions::default()).unwrap();
    let mut waits = BTreeMap::new();
    let explained = truth.findings.iter().filter(|finding| !finding.explained_by.is_empty());
    for share in explained.flat_map(|finding| &finding.locations).filter(|share| share.waiting_time > 0.0) {
        *waits.entry((share.rank, share.thread)).or_default() += (share.waiting_time * 1e6).round() as u64;
    }
    waits
}

#[test]
fn waits_that_look_alike_are_told_apart() {
    let catalogue = Catalogue::builtin();
    for twins in TWINS {
        let twins: Vec<_> = twins
            .iter()
            .map(|&(name, arguments, causes)| {
                let program = catalogue.program(name).unwrap();
                let arguments = program.property.arguments(arguments.iter().copied()).unwrap();
                let subject = Subject::Property { program, arguments };
                (Planned { subject, ..planned(program, 4) }, causes)
            })
            .collect();
        let waiting = waits(&twins[0].0);
        for (run, causes) in twins {
            assert_eq!(waits(&run), waiting, "{}", run.subject.name());
            let [result] = &validated(vec![run])[..] else { panic!("one result") };
            let wrong = explanations(result).find(|one| one.outcome != Outcome::Found);
            assert!(wrong.is_none(), "{wrong:#?}");
            let told: BTreeSet<_> = explanations(result).filter_map(|one| one.metric.as_deref()).collect();
            assert_eq!(told, causes.iter().map(|cause| cause.name()).collect(), "{}", result.program);
        }
    }
}

/// The cause of the largest problem of a run, and the microseconds that each rank waits in it.
fn largest(subject: &Subject, options: &TruthOptions) -> (CauseKind, BTreeMap<u32, u64>) {
    let trace = ideal_trace::in_memory(subject, Size::ranks(4), options).unwrap();
    let explained = explain_trace(&trace, "twin", &Options::default(), Limits::NONE, &mut |_| {}).unwrap();
    let mut waits = BTreeMap::new();
    let shares = explained.analysis.findings.iter().flat_map(|finding| &finding.locations);
    for share in shares.filter(|share| share.waiting_time > 0.0) {
        *waits.entry(share.rank).or_default() += (share.waiting_time * 1e6).round() as u64;
    }
    (explained.explanation.problems[0].cause(), waits)
}

#[test]
fn waits_for_a_processor_or_an_eager_limit_are_told_from_those_for_work() {
    let catalogue = Catalogue::builtin();
    let run = |name: &str, given: &[(&str, &str)]| {
        let program = catalogue.program(name).unwrap();
        let arguments = program.property.arguments(given.iter().copied()).unwrap();
        Subject::Property { program, arguments }
    };
    let alone = TruthOptions::default();
    let barrier =
        |distribution| run("imbalance_at_mpi_barrier", &[("distribution", distribution), ("r", "1")]);
    let on_two = TruthOptions { processors: Some(processors("0,1,1,2").unwrap()), ..TruthOptions::default() };
    let mapped = largest(&barrier("same:0.05"), &on_two);
    let worked = largest(&barrier("peak:0.05:0.1:2"), &alone);
    assert_eq!((mapped.0, worked.0), (CauseKind::Mapping, CauseKind::LateArrival));
    assert_eq!(mapped.1, worked.1);
    // Smaller messages before, which wait for nothing, show that there is a limit.
    let text = r#"
        schema = "ats-composition/1"
        name = "both"
        ranks = 4
        [[phase]]
        property = [{ name = "near_eager_threshold_traffic", parameters = { bytes = "limit", r = 1 } }]
        [[phase]]
        property = [{ name = "near_eager_threshold_traffic", parameters = { r = 1 } }]
    "#;
    let both = Composition::parse(text, "both.toml", &catalogue).unwrap();
    let limited = largest(&Subject::from(&both), &alone);
    let late = largest(&run("near_eager_threshold_traffic", &[("r", "1")]), &alone);
    assert_eq!((limited.0, late.0), (CauseKind::EagerLimit, CauseKind::LateReceiver));
    assert_eq!(limited.1, late.1);
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

fn judged(run: (&Truth, &Report), explanation: &Explanation) -> Expectation {
    judged_by(&Rules::EXACT, run, explanation)
}

fn judged_by(rules: &Rules, (truth, report): (&Truth, &Report), explanation: &Explanation) -> Expectation {
    let case = Case {
        nominal: truth,
        observed: truth,
        report,
        call_paths: CallPaths::UserRegions,
        catalogue: &Catalogue::builtin(),
    };
    let [expectation] = &judge_explanation(explanation, &case, rules)[..] else { panic!("one wait") };
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

#[test]
fn noise_may_have_a_small_problem_of_its_own() {
    let (truth, report, right) = known("blocked_sender");
    let scaled = |problem: &Problem, part: f64| {
        let mut problem = problem.clone();
        problem.seconds *= part;
        problem.effects.iter_mut().for_each(|effect| effect.seconds *= part);
        problem.culprits.iter_mut().for_each(|culprit| culprit.seconds *= part);
        problem
    };
    let with_noise = |rules: &Rules, part: f64| {
        let mut noise = scaled(&right.problems[0], part);
        noise.culprits.iter_mut().for_each(|culprit| culprit.location.rank = 64);
        let mut explanation = right.clone();
        explanation.problems[0] = scaled(&right.problems[0], 1.0 - part);
        explanation.problems.push(noise);
        judged_by(rules, (&truth, &report), &explanation).verdict().to_owned()
    };
    assert_eq!(with_noise(&Rules::MEASURED, 0.04), "found");
    assert_eq!(with_noise(&Rules::MEASURED, 0.06), "wrong locations");
    assert_eq!(with_noise(&Rules::EXACT, 0.04), "wrong locations", "virtual time has none");
}
