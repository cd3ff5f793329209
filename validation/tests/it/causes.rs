//! Root causes, judged against those of the oracle.

use std::collections::BTreeSet;
use std::sync::atomic::AtomicBool;

use ats_compose::{Composition, Subject};
use ats_documents::finding::View;
use ats_documents::score::{Expectation, Outcome, ProgramResult};
use ats_documents::{Causes, Report, Truth};
use ats_launch::tool::CallPaths;
use ats_model::delay::{CRITICAL_PATH, Extent};
use ats_props::{Catalogue, Needs};
use ats_reports::source::{Wanted, report_with};
use ats_testing::peer;
use ats_trace::Archive;
use ats_truth::{Planned, Size, TruthOptions, causes, ideal_trace, nominal};
use ats_validation::pipeline::{Reporter, Request, validate};
use ats_validation::score::judge::{Amounts, Case, Rules, judge};

fn validated(programs: Vec<Planned>) -> Vec<ProgramResult> {
    let request = Request {
        programs,
        reporter: Reporter::Simulated(TruthOptions::default()),
        rules: Rules::EXACT,
        causes: Some(Extent::Scalasca),
        explanations: false,
        repeats: 1,
        catalogue: Catalogue::builtin(),
    };
    validate(&request, &mut (), &AtomicBool::new(false)).unwrap().programs
}

fn costs(result: &ProgramResult) -> impl Iterator<Item = &Expectation> {
    result.expectations.iter().filter(|expectation| expectation.view == View::Delay)
}

#[test]
fn the_analyzer_finds_the_causes_of_every_program() {
    for many in [4, 7] {
        let size = |needs: Needs| match (needs.ranks, needs.team) {
            (true, true) => Size { ranks: 4, threads: many },
            (false, true) => Size { ranks: 1, threads: many },
            (true, false) => Size::ranks(many),
            (false, false) => Size::ranks(1),
        };
        let planned = |program: ats_props::Program| {
            let arguments = program.property.arguments([]).unwrap();
            Planned { size: size(program.property.needs), subject: Subject::Property { program, arguments } }
        };
        let results = validated(Catalogue::builtin().programs().map(planned).collect());
        let mut number = 0;
        for result in &results {
            let alarms = result.unexpected.iter().filter(|finding| finding.view == View::Delay).count();
            let is_found = |cost: &Expectation| cost.outcome == Outcome::Found;
            assert!(costs(result).all(is_found) && alarms == 0, "{many}: {result:#?}");
            number += costs(result).count();
        }
        assert!(number > 60, "{number}");
    }
}

#[test]
fn the_analyzer_finds_the_causes_of_compositions() {
    let planned = |seed: u64| {
        let size = Size { ranks: 2 + seed as usize % 7, threads: 1 + seed as usize % 4 };
        let composition =
            Composition::random(&Catalogue::builtin(), seed, size.ranks, size.threads, 3).unwrap();
        let threads = if composition.needs().team { size.threads } else { 1 };
        Planned { subject: Subject::from(&composition), size: Size { threads, ..size } }
    };
    for result in validated((0..40).map(planned).collect()) {
        assert!(result.has_passed(0.0), "{result:#?}");
    }
}

/// `late_sender_propagation` on four ranks: rank 0 costs 0.5 s directly and 1 s through the waits of others.
fn propagation() -> (Truth, Report) {
    let program = Catalogue::builtin().program("late_sender_propagation").unwrap();
    let arguments = program.property.arguments([]).unwrap();
    let subject = Subject::Property { program, arguments };
    let options = TruthOptions { causes: Some(Extent::Scalasca), ..TruthOptions::default() };
    let truth = nominal(&subject, Size::ranks(4), &options).unwrap();
    let trace = ideal_trace::in_memory(&subject, Size::ranks(4), &options).unwrap();
    let wanted = Wanted::by(&truth);
    let options = ats_analyzer::Options { causes: wanted.causes, ..Default::default() };
    (truth, Report::from(ats_analyzer::analyze(&trace, "ideal", &options).unwrap()))
}

fn judged(truth: &Truth, report: &Report, rules: &Rules) -> ProgramResult {
    let call_paths = CallPaths::UserRegions;
    let case = Case { nominal: truth, observed: truth, report, call_paths, catalogue: &Catalogue::builtin() };
    judge(case, rules)
}

/// The verdicts on the metrics of [`ALL`], and the number of false alarms, after a change to the reported causes.
fn all_verdicts(change: impl Fn(&mut Causes)) -> (Vec<String>, usize) {
    let (truth, mut report) = propagation();
    change(report.causes.as_mut().unwrap());
    let result = judged(&truth, &report, &Rules::EXACT);
    assert!(result.expectations.iter().any(|wait| wait.view == View::Wait && wait.outcome == Outcome::Found));
    assert!(costs(&result).map(Expectation::name).eq(ALL));
    (costs(&result).map(Expectation::verdict).collect(), result.unexpected.len())
}

/// The same on the costs alone, of the short and the long term.
fn verdicts(change: impl Fn(&mut Causes)) -> (Vec<String>, usize) {
    let (mut verdicts, alarms) = all_verdicts(change);
    assert!(verdicts.drain(2..).eq(["found"; 3]));
    (verdicts, alarms)
}

const ALL: [&str; 5] =
    [SHORT, LONG, "mpi_wait_indirect_latesender", "mpi_wait_propagating_ls", CRITICAL_PATH];
const SHORT: &str = "delay_latesender";
const LONG: &str = "delay_latesender_longterm";

#[test]
fn a_wrong_cause_is_judged_as_a_wrong_wait() {
    let told = |short: &str, alarms| (vec![short.to_owned(), "found".to_owned()], alarms);
    let short = |causes: &mut Causes| causes.metrics.remove(SHORT).unwrap();
    assert_eq!(verdicts(|_| ()), told("found", 0));
    assert_eq!(verdicts(|causes| drop(short(causes))), told("missed", 0));
    assert_eq!(
        verdicts(|causes| causes.metrics.get_mut(SHORT).unwrap()[0].2 *= 1.1),
        told("wrong amount", 0)
    );
    assert_eq!(
        verdicts(|causes| causes.metrics.get_mut(SHORT).unwrap()[0].1 = 3),
        told("wrong locations", 0)
    );
    let elsewhere = |causes: &mut Causes| {
        causes.call_paths.push(vec!["ats_measured".into(), "elsewhere".into()]);
        causes.metrics.get_mut(SHORT).unwrap()[0].0 = causes.call_paths.len() as u32 - 1;
    };
    assert_eq!(verdicts(elsewhere), told("wrong place", 0));
    let in_a_function_that_works = |causes: &mut Causes| {
        let path = causes.metrics[SHORT][0].0 as usize;
        causes.call_paths[path].push("do_work".to_owned());
    };
    assert_eq!(verdicts(in_a_function_that_works), told("found", 0));
    let besides = |causes: &mut Causes| {
        causes.call_paths.push(vec!["ats_measured".into(), "elsewhere".into()]);
        let cost = (causes.call_paths.len() as u32 - 1, 0, 0.1);
        causes.metrics.get_mut(SHORT).unwrap().push(cost);
    };
    assert_eq!(verdicts(besides), told("found", 1));
    let of_another_kind = |causes: &mut Causes| {
        let costs = short(causes);
        causes.metrics.insert("delay_barrier".to_owned(), costs);
    };
    assert_eq!(verdicts(of_another_kind), told("missed", 1));
}

#[test]
fn kinds_of_waits_and_the_critical_path_are_judged_as_costs() {
    let told = |metric: &str, verdict: &str, alarms| {
        let verdict = |one: &str| if one == metric { verdict.to_owned() } else { "found".to_owned() };
        (ALL.map(verdict).to_vec(), alarms)
    };
    for metric in &ALL[2..] {
        let cells = |causes: &mut Causes| causes.metrics.remove(*metric).unwrap();
        assert_eq!(all_verdicts(|causes| drop(cells(causes))), told(metric, "missed", 0));
        let more = |causes: &mut Causes| {
            causes.metrics.get_mut(*metric).unwrap().iter_mut().for_each(|cell| cell.2 *= 1.1);
        };
        assert_eq!(all_verdicts(more), told(metric, "wrong amount", 0));
        let elsewhere = |causes: &mut Causes| {
            causes.metrics.get_mut(*metric).unwrap().iter_mut().for_each(|cell| cell.1 = (cell.1 + 1) % 4);
        };
        assert_eq!(all_verdicts(elsewhere), told(metric, "wrong locations", 0));
        let besides = |causes: &mut Causes| {
            causes.call_paths.push(vec!["ats_measured".into(), "elsewhere".into()]);
            let cell = (causes.call_paths.len() as u32 - 1, 0, 0.1);
            causes.metrics.get_mut(*metric).unwrap().push(cell);
        };
        assert_eq!(all_verdicts(besides), told(metric, "found", 1));
    }
    let costs_alone = |causes: &mut Causes| causes.metrics.retain(|metric, _| metric.starts_with("delay_"));
    let not_asked = ["found", "found", "unsupported", "unsupported", "unsupported"];
    assert_eq!(all_verdicts(costs_alone), (not_asked.map(str::to_owned).to_vec(), 0));
}

#[test]
fn a_tool_that_does_not_look_for_causes_is_not_asked() {
    let (truth, report) = propagation();
    let result = judged(&truth, &Report { causes: None, ..report.clone() }, &Rules::EXACT);
    let metrics: Vec<_> = costs(&result).map(|cost| (cost.name(), cost.outcome)).collect();
    assert_eq!(metrics, ALL.map(|metric| (metric, Outcome::Unsupported)));
    let result = judged(&Truth { causes: None, ..truth }, &report, &Rules::EXACT);
    assert_eq!((costs(&result).count(), result.has_passed(0.0)), (0, true));
}

/// Scalasca's root causes in a real run, against the oracle's in the same trace; the known deviations are long-term costs
/// of barriers (`docs/delays.md`).
#[test]
fn scalascas_causes_are_judged() {
    let mut judged_kinds = BTreeSet::new();
    for run in [
        "scorep-7props-4ranks",
        "scorep-patterns-4ranks",
        "scorep-7props-4ranks-spin",
        "recorder-patterns-4ranks",
    ] {
        let folder = peer(run);
        let found = report_with(&folder.join("scout.cubex"), Wanted::default()).unwrap();
        assert!(found.unmapped.iter().all(|metric| !metric.metric.starts_with("delay_late")), "{run}");
        let archive = Archive::open(&folder.join("traces.otf2")).unwrap();
        let truth = Truth {
            ranks: 4,
            causes: Some(causes::of_trace(&archive, Extent::Scalasca).unwrap()),
            basis: found.basis.clone(),
            findings: Vec::new(),
            absent: Vec::new(),
            ambient: Vec::new(),
            ..propagation().0
        };
        let amounts = Amounts::PerInstance { relative: 0.01, absolute: 2e-6 };
        let result = judged(&truth, &found, &Rules { amounts, ..Rules::MEASURED });
        let due: Vec<_> = costs(&result).filter(|cost| cost.is_due(0.01)).collect();
        assert!(due.len() >= 6, "{run}: {due:#?}");
        for cost in due {
            assert_eq!(cost.verdict(), "found", "{run}: {cost:#?}");
            judged_kinds.insert(cost.name().to_owned());
        }
    }
    assert!(ALL.iter().all(|kind| judged_kinds.contains(*kind)), "{judged_kinds:?}");
}
