//! Reports that tools really wrote, judged: our analysis of the trace of the same run stands for the truth.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use ats_documents::finding::{VISITS, View};
use ats_documents::score::{Expectation, Outcome, ProgramResult};
use ats_documents::{Finding, Report, Truth};
use ats_launch::tool::{CallPaths, Tool};
use ats_model::traffic::CallCounter;
use ats_props::Catalogue;
use ats_reports::source::Wanted;
use ats_testing::peer;
use ats_trace::Archive;
use ats_validation::score::judge::{Amounts, Case, Rules, judge};

/// The runs that Score-P recorded and Scalasca analyzed.
const RUNS: [&str; 3] = ["scorep-7props-4ranks", "scorep-patterns-4ranks", "scorep-7props-4ranks-spin"];

fn truth_of(run: &Path) -> Truth {
    let trace = run.join("traces.otf2");
    let run = run.to_str().unwrap();
    let archive = Archive::open(&trace).unwrap();
    let analysis = ats_analyzer::analyze(&archive, run, &ats_analyzer::Options::default()).unwrap();
    let (findings, ambient): (Vec<Finding>, _) = analysis.findings.into_iter().partition(|f| f.in_basis);
    Truth {
        schema: Truth::SCHEMA.to_owned(),
        program: run.to_owned(),
        parameters: BTreeMap::new(),
        ranks: 4,
        threads: 1,
        basis: analysis.basis,
        findings,
        absent: Vec::new(),
        ambient,
        counts: BTreeMap::new(),
        network: None,
        costs: None,
        processors: None,
        skew_left: Vec::new(),
        causes: None,
        runs: Vec::new(),
    }
}

fn judged(truth: &Truth, report: &Report, relative: f64) -> ProgramResult {
    let amounts = Amounts::PerInstance { relative, absolute: 2e-6 };
    let case = Case {
        nominal: truth,
        observed: truth,
        report,
        call_paths: CallPaths::UserRegions,
        catalogue: &Catalogue::builtin(),
    };
    judge(case, &Rules { amounts, ..Rules::MEASURED })
}

/// The waits that have to be reported.
fn due_expectations(result: &ProgramResult) -> Vec<&Expectation> {
    result.expectations.iter().filter(|e| e.view == View::Wait && e.is_due(0.01)).collect()
}

#[test]
fn scalasca_finds_what_is_there() {
    for run in RUNS.map(peer) {
        let truth = truth_of(&run);
        let report = ats_reports::source::report(&run.join("scout.cubex")).unwrap();
        let result = judged(&truth, &report, 0.005);
        assert!(due_expectations(&result).len() >= 5, "{run:?}: {result:#?}");
        for expectation in due_expectations(&result) {
            assert_eq!(expectation.outcome, Outcome::Found, "{run:?}: {expectation:#?}");
        }
        assert!(result.unexpected.is_empty(), "{run:?}: {:#?}", result.unexpected);
    }
}

/// Seconds of the wait states that Scalasca knows: by metric, call path, rank and thread.
fn waits(findings: &[Finding]) -> BTreeMap<(String, Vec<String>, u32, u32), f64> {
    let mut waits = BTreeMap::new();
    for finding in findings.iter().filter(|finding| finding.view == View::Wait) {
        let Some(metric) = &finding.metric else { continue };
        for share in finding.locations.iter().filter(|share| share.waiting_time > 0.0) {
            let key = (metric.clone(), finding.call_path.clone(), share.rank, share.thread);
            *waits.entry(key).or_default() += share.waiting_time;
        }
    }
    waits
}

#[test]
fn scalasca_finds_in_a_trace_of_our_recorder_what_our_analyzer_finds() {
    let run = peer("recorder-patterns-4ranks");
    let archive = Archive::open(&run.join("traces.otf2")).unwrap();
    assert!(archive.creator().starts_with("ats-recorder "), "{}", archive.creator());
    let analysis = ats_analyzer::analyze(&archive, "", &ats_analyzer::Options::default()).unwrap();
    let report = ats_reports::source::report(&run.join("scout.cubex")).unwrap();
    assert_eq!((report.tool.as_str(), report.version.as_deref()), ("scalasca", Some("2.6")));
    let ours = waits(&analysis.findings);
    // Scalasca puts the program around all.
    let inside = |(metric, path, rank, thread): (_, Vec<String>, _, _)| {
        assert_eq!(path[0], "patterns");
        (metric, path[1..].to_vec(), rank, thread)
    };
    let theirs: BTreeMap<_, _> =
        waits(&report.findings).into_iter().map(|(key, seconds)| (inside(key), seconds)).collect();
    let of = |waits: &BTreeMap<_, f64>, key| waits.get(key).copied().unwrap_or_default();
    for key in ours.keys().chain(theirs.keys()) {
        let [ours, theirs] = [of(&ours, key), of(&theirs, key)];
        assert!((ours - theirs).abs() <= 1e-9 + 1e-6 * theirs, "{key:?}: Scalasca {theirs}, we {ours}");
    }
    assert!(theirs.len() > 40, "{theirs:?}");
    // The program lets messages and collective operations wait for 20 ms and more.
    let long: BTreeSet<_> =
        theirs.iter().filter(|(_, seconds)| **seconds > 0.02).map(|(key, _)| &key.0).collect();
    assert!(long.len() >= 8, "{long:?}");
}

/// The counts by call and kind, over all call paths.
fn counted(report: &Report) -> BTreeMap<(String, String), u64> {
    let mut counted = BTreeMap::new();
    for finding in &report.findings {
        if let (View::Count, Some(metric), Some(call)) =
            (finding.view, &finding.metric, finding.call_path.last())
            && metric != VISITS
        {
            *counted.entry((metric.clone(), call.clone())).or_default() += finding.instances;
        }
    }
    counted
}

#[test]
fn tools_and_our_analyzer_count_the_same_messages_and_bytes() {
    for run in RUNS.map(peer) {
        let archive = Archive::open(&run.join("traces.otf2")).unwrap();
        let analysis = ats_analyzer::analyze(&archive, "", &ats_analyzer::Options::default()).unwrap();
        let ours = counted(&Report::from(analysis));
        assert!(ours.len() > 8, "{ours:?}");
        let scalasca = counted(&ats_reports::source::report(&run.join("scout.cubex")).unwrap());
        assert_eq!(scalasca, ours, "{run:?}");
        // Score-P's profile does not count messages.
        let profile = counted(&ats_reports::source::report(&run.join("profile.cubex")).unwrap());
        let bytes = ours.into_iter().filter(|((metric, _), _)| metric.starts_with("bytes")).collect();
        assert_eq!(profile, bytes, "{run:?}");
    }
}

#[test]
fn mpip_counts_the_messages_and_bytes_that_are_sent() {
    for run in ["mpip-late-sender", "mpip-imbalance-at-mpi-barrier"].map(peer) {
        let truth: Truth =
            serde_json::from_str(&std::fs::read_to_string(run.join("nominal.json")).unwrap()).unwrap();
        let mut files = std::fs::read_dir(&run).unwrap().map(|entry| entry.unwrap().path());
        let report = files.find(|path| path.extension().is_some_and(|end| end == "mpiP")).unwrap();
        let mut expected = BTreeMap::new();
        for (call, count) in truth.counts.iter().filter(|(_, count)| count.moved.messages_sent > 0) {
            for counter in [CallCounter::MessagesSent, CallCounter::BytesSent] {
                expected.insert((counter.metric(call).to_owned(), call.clone()), counter.value(count));
            }
        }
        assert_eq!(counted(&ats_reports::source::report(&report).unwrap()), expected, "{run:?}");
    }
}

#[test]
fn scalasca_is_wrong_where_the_truth_is_another() {
    let run = peer(RUNS[0]);
    let mut truth = truth_of(&run);
    let report = ats_reports::source::report(&run.join("scout.cubex")).unwrap();
    for finding in &mut truth.findings {
        finding.waiting_time *= 1.1;
        finding.locations.iter_mut().for_each(|share| share.waiting_time *= 1.1);
    }
    let result = judged(&truth, &report, 0.005);
    assert!(due_expectations(&result).iter().all(|e| e.outcome == Outcome::Wrong), "{result:#?}");
}

#[test]
fn a_profile_of_the_same_run_is_consistent() {
    for run in RUNS.map(peer) {
        let truth = truth_of(&run);
        let report = ats_reports::source::report(&run.join("profile.cubex")).unwrap();
        assert!(report.names.is_empty());
        let result = judged(&truth, &report, 0.005);
        assert!(due_expectations(&result).len() >= 5, "{run:?}: {result:#?}");
        for expectation in due_expectations(&result) {
            assert_eq!(expectation.outcome, Outcome::Consistent, "{run:?}: {expectation:#?}");
        }
    }
}

#[test]
fn a_trace_is_a_report_by_our_analyzer() {
    let run = peer(RUNS[0]);
    let report = ats_reports::source::report(&run.join("traces.otf2")).unwrap();
    assert_eq!(report.tool, "ats");
    assert!(
        due_expectations(&judged(&truth_of(&run), &report, 0.0)).iter().all(|e| e.outcome == Outcome::Found)
    );
}

#[test]
fn a_paraver_trace_is_a_report_as_one_in_otf2_is() {
    let run = peer("extrae-late-sender");
    let truth =
        |file: &str| -> Truth { serde_json::from_slice(&std::fs::read(run.join(file)).unwrap()).unwrap() };
    let (nominal, observed) = (truth("nominal.json"), truth("observed.json"));
    let mut tool = Tool::named("extrae").unwrap();
    tool.report.path = "trace.prv".to_owned();
    let report = tool.report(&run, Wanted::default()).unwrap().unwrap();
    assert_eq!(report.tool, "extrae");
    let case = Case {
        nominal: &nominal,
        observed: &observed,
        report: &report,
        call_paths: tool.shows.call_paths,
        catalogue: &Catalogue::builtin(),
    };
    let result = judge(case, &Rules::MEASURED);
    let [expectation] = &result.expectations[..] else { panic!("{result:#?}") };
    assert_eq!(expectation.outcome, Outcome::Found, "{result:#?}");
}

#[test]
fn a_tools_report_is_found_by_its_pattern() {
    let run = peer(RUNS[0]);
    let mut tool = Tool::named("scalasca").unwrap();
    tool.report.path = "sc*.cubex".to_owned();
    let report = tool.report(&run, Wanted::default()).unwrap().unwrap();
    assert_eq!(report.tool, "scalasca");
    tool.report.path = "*.cubex".to_owned();
    assert!(tool.report(&run, Wanted::default()).unwrap_err().message.contains("left several reports"));
    tool.report.path = "none/*.cubex".to_owned();
    assert!(tool.report(&run, Wanted::default()).unwrap_err().message.contains("left no none/*.cubex"));
}

#[test]
fn properties_and_patterns_have_frames_of_their_own_on_the_stack() {
    for name in ["late_sender", "imbalance_at_mpi_barrier"] {
        let run = peer(&format!("mpip-{}", name.replace('_', "-")));
        let truth = |file: &str| -> Truth {
            serde_json::from_slice(&std::fs::read(run.join(file)).unwrap()).unwrap()
        };
        let (nominal, observed) = (truth("nominal.json"), truth("observed.json"));
        let report = ats_reports::source::report(&run.join(format!("{name}.4.mpiP"))).unwrap();
        let case = Case {
            nominal: &nominal,
            observed: &observed,
            report: &report,
            call_paths: CallPaths::Unwound,
            catalogue: &Catalogue::builtin(),
        };
        let result = judge(case, &Rules::MEASURED);
        let outcomes: Vec<_> = result.expectations.iter().map(|e| e.outcome).collect();
        assert_eq!(outcomes, [Outcome::Consistent], "{result:#?}");
    }
}

#[test]
fn a_trace_whose_clocks_contradict_each_other_is_told_whatever_the_report_says() {
    let dir = tempfile::tempdir().unwrap();
    let traces = dir.path().join("scorep/traces");
    std::fs::create_dir_all(&traces).unwrap();
    let copy = |from: &Path, to: &Path| {
        for entry in std::fs::read_dir(from).unwrap().map(Result::unwrap) {
            if entry.file_type().unwrap().is_file() {
                std::fs::copy(entry.path(), to.join(entry.file_name())).unwrap();
            }
        }
    };
    let document = serde_json::json!({ "schema": Report::SCHEMA, "tool": "mine", "findings": [] });
    std::fs::write(dir.path().join("mine.json"), document.to_string()).unwrap();
    let mut tool = Tool::named("scalasca").unwrap();
    tool.report.path = "mine.json".to_owned();
    let clocks = || tool.report(dir.path(), Wanted::default()).unwrap().unwrap().clock_correction;
    assert_eq!(clocks(), None, "there is no trace");
    for (run, contradict) in [("scorep-clocks-4ranks", true), ("scorep-7props-4ranks", false)] {
        copy(&peer(run), &dir.path().join("scorep"));
        copy(&peer(run).join("traces"), &traces);
        let told = clocks().map(|clocks| (clocks.after.violated, clocks.after.checked));
        assert_eq!(told, contradict.then_some((84, 392)), "{run}");
    }
}

#[test]
fn the_profile_of_another_run_of_the_same_program_is_consistent_within_the_machines_noise() {
    let truth = truth_of(&peer(RUNS[0]));
    let report = ats_reports::source::report(&peer("mpip-7props-4ranks.txt")).unwrap();
    assert_eq!((report.tool.as_str(), report.names.len()), ("mpip", 0));
    let result = judged(&truth, &report, 0.1);
    assert_eq!(due_expectations(&result).len(), 6);
    assert!(due_expectations(&result).iter().all(|e| e.outcome == Outcome::Consistent), "{result:#?}");
}
