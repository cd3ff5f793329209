//! Reports that count and measure no time: those of valgrind and perf.

use ats_documents::{Profile, Report};
use ats_testing::peer;

use crate::common::{error, parse, spoiled};

const CACHEGRIND: &str = "../../../../peers/counts/cachegrind.out";
const CALLGRIND: &str = "../../../../peers/counts/callgrind.out";
const PERF: &str = "../../../../peers/counts/perf.json";

fn profile(name: &str) -> Profile {
    ats_reports::profile(&peer("counts").join(name)).unwrap()
}

fn report(name: &str) -> Report {
    ats_reports::read(&peer("counts").join(name), None).unwrap()
}

/// The number of a metric that a call path has alone.
fn alone(profile: &Profile, path: &str, metric: &str) -> f64 {
    let path: Vec<&str> = path.split('/').collect();
    let is_it = |node: &&ats_documents::profile::CallNode| profile.path(node.id) == path;
    let node = profile.call_tree.iter().find(is_it).unwrap_or_else(|| panic!("no {path:?}"));
    profile.exclusive(metric, |_| true)[node.id as usize]
}

/// The number of a metric in a report.
fn number(report: &Report, path: &str, metric: &str) -> Option<u64> {
    let path: Vec<&str> = path.split('/').collect();
    let mut there = report.findings.iter().filter(|finding| finding.call_path == path);
    there.find(|finding| finding.metric.as_deref() == Some(metric)).map(|finding| finding.instances)
}

#[test]
fn cachegrind_counts_what_each_function_does() {
    let profile = profile("cachegrind.out");
    // The lines 21 to 23 of `fib`, and 11 of `sum`: 3 rounds of 1,024 lines of which 512 fit, and 256 once.
    assert_eq!(alone(&profile, "fib", "PAPI_TOT_INS"), 268.0 + 365.0 + 335.0);
    assert_eq!(alone(&profile, "sum", "PAPI_L1_DCM"), 3.0 * 1024.0 + 259.0);
    assert_eq!(alone(&profile, "sum", "PAPI_LD_INS"), 54_475.0);
    assert_eq!(alone(&profile, "fib", "PAPI_L1_DCA"), 201.0 + 200.0);
    assert_eq!(alone(&profile, "fib", "PAPI_BR_MSP"), 23.0);
    let metrics: Vec<&str> = profile.metrics.iter().map(|metric| metric.name.as_str()).collect();
    let own = ["ILmr", "Bi", "Bim"];
    assert!(metrics.starts_with(&["PAPI_TOT_INS", "PAPI_LD_INS"]) && metrics.ends_with(&own), "{metrics:?}");
    let report = report("cachegrind.out");
    assert_eq!(number(&report, "sum", "PAPI_TOT_INS"), Some(203 + 272_781));
    assert_eq!(number(&report, "sum", "PAPI_SR_INS"), None, "what is zero is not said");
    assert!(report.calls.is_empty() && report.names.is_empty(), "it knows no times and no waits");
}

#[test]
fn callgrind_counts_in_the_regions_that_the_program_marks() {
    let profile = profile("callgrind.out");
    assert_eq!(alone(&profile, "outer/sum", "PAPI_L1_DCM"), 3.0 * 1024.0 + 3.0);
    // Twice a hundred rounds of 256 lines, which fit: they miss in the first of all.
    assert_eq!(alone(&profile, "outer/inner/sum", "PAPI_LD_INS"), 2.0 * 25_700.0);
    assert_eq!(alone(&profile, "outer/inner/sum", "PAPI_L1_LDM"), 256.0);
    assert_eq!(alone(&profile, "outer/inner", Profile::VISITS), 2.0);
    assert_eq!(alone(&profile, "outer/inner/sum", Profile::VISITS), 200.0);
    assert_eq!(alone(&profile, "outer/fib", Profile::VISITS), 67.0, "also those inside itself");
    let report = report("callgrind.out");
    assert_eq!(report.version.as_deref(), Some("3.19.0"));
    assert_eq!(number(&report, "outer/inner", "PAPI_L1_LDM"), Some(256));
    assert_eq!(number(&report, "outer/inner", "visits"), Some(2));
    assert_eq!(number(&report, "outer/sum", "PAPI_L1_LDM"), None, "regions alone");
    let sums = [("outer", 3_075), ("outer/inner", 256)];
    assert!(sums.iter().all(|(path, misses)| number(&report, path, "PAPI_L1_LDM") == Some(*misses)));
}

#[test]
fn without_marks_functions_are_reported() {
    let text = "# callgrind format\nversion: 1\ncreator: me\npositions: line\nevents: Ir Dr\n\
        fn=(1) main\n17 5 1\ncfn=(2) f'2\ncalls=3 +4\n* 100 7\n+1 2\nfn=(2)\n21 100 7\ntotals: 107 8\n";
    let report = parse("callgrind.out", text);
    assert_eq!(number(&report, "main", "PAPI_TOT_INS"), Some(7));
    assert_eq!((number(&report, "f", "PAPI_LD_INS"), number(&report, "f", "visits")), (Some(7), Some(3)));
}

#[test]
fn perf_counts_the_program_and_what_it_refused_is_unknown() {
    let profile = profile("perf.json");
    assert_eq!(alone(&profile, "…", "page-faults"), 3.0);
    assert_eq!(alone(&profile, "…", "user_time"), 788_000.0);
    assert_eq!(profile.warnings, ["instructions is unknown: not supported"]);
    let units: Vec<_> =
        profile.metrics.iter().map(|metric| (metric.name.as_str(), metric.unit.as_str())).collect();
    assert_eq!(
        units,
        [("task-clock", "ms"), ("page-faults", "occ"), ("user_time", "ns"), ("context-switches", "occ")]
    );
    let report = report("perf.json");
    assert_eq!(number(&report, "…", "page-faults"), Some(3));
    assert_eq!(report.findings.len(), 1, "times are none of its counts");
}

#[test]
fn scaled_numbers_are_marked() {
    let line =
        r#"{"counter-value" : "4000.000000", "unit" : "", "event" : "branches:u", "pcnt-running" : 25.00}"#;
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("perf.json");
    std::fs::write(&path, line).unwrap();
    let profile = ats_reports::profile(&path).unwrap();
    assert_eq!(profile.metrics[0].name, "branches");
    assert_eq!(profile.metrics[0].rule.as_deref(), Some("counted in 25 % of the time, and scaled by perf"));
    assert_eq!(
        profile.warnings,
        [
            "branches is of a part of the time: perf counted branches:u",
            "branches was counted in 25 % of the time, and scaled by perf"
        ]
    );
}

#[test]
fn errors_name_the_line() {
    let cases = [
        (CACHEGRIND, "summary: ", "sum ", "at line 33: it does not begin with"),
        (CACHEGRIND, "21 268", "21 2x8", "at line 8: \"2x8\" is not a valid count"),
        (CACHEGRIND, "21 268", "21 267", "its summary is not the sum of its lines"),
        (CACHEGRIND, "fn=fib\n", "", "at line 7: there is no line \"fn=\" before it"),
        (CACHEGRIND, "Ir I1mr", "Ir Ir", "at line 5: event \"Ir\" is there twice"),
        (CALLGRIND, "totals: 2 0", "totals: 3 0", "at line 30: it is not the sum of the costs before it"),
        (CALLGRIND, "cfn=(2) run", "cfn=(9)", "at line 26: name (9) was not there before"),
        (CALLGRIND, "(4) rounds", "(2) rounds", "name (2) was \"run\" before"),
        (
            CALLGRIND,
            "ats enter outer",
            "ats leave outer",
            "it leaves region \"outer\", which it has not entered",
        ),
        (PERF, "\"event\"", "\"events\"", "at line 3: missing field `event`"),
        (PERF, "page-faults", "task-clock", "at line 4: event \"task-clock\" is there twice"),
        (
            PERF,
            "\"unit\"",
            "\"cpu\": \"0\", \"unit\"",
            "at line 3 has a number of a part of the run or of the machine; leave",
        ),
        (PERF, "3.000000", "-2", "at line 4: -2 is not a valid count"),
    ];
    for (name, from, to, expected) in cases {
        let message = spoiled(name, from, to);
        assert!(message.contains(expected), "{expected}: {message}");
    }
    let cut = error("x", "cmd: ./x\nevents: Ir\nfn=f\n1 2\n");
    assert!(cut.contains("ends without its line \"summary:\"; let the program end"), "{cut}");
}
