//! Root causes of real runs, judged: those of our own analyzer, and those in the report of a tool.

use std::fs;
use std::path::Path;

use serde_json::Value;
use tempfile::TempDir;

use crate::common::ats_in;

/// A tool that leaves a trace, and then a report with root causes: our own recorder and analyzer, as if they were
/// another's.
const TOOL: &str = r#"
schema = "ats-tool/1"
name = "mine"

[attach.environment]
LD_PRELOAD = "{recorder}"
ATS_RECORDER_DIR = "{dir}/trace"

[[after]]
command = ["sh", "{here}/analyze.sh", "{dir}/trace", "{dir}/scout.cubex"]

[report]
path = "scout.cubex"
format = "report"
"#;

/// The programs: the metric of each that has most of its costs.
const PROGRAMS: [(&str, &str); 2] =
    [("imbalance_at_mpi_barrier", "delay_barrier"), ("late_sender", "delay_latesender")];

/// What `ats validate` says of the programs, which may not pass where the machine is busy.
#[track_caller]
fn validated(dir: &Path, words: &[&str]) -> Vec<Value> {
    let names = PROGRAMS.map(|(name, _)| name);
    let output = ats_in(dir, &[&["validate"], &names[..], words, &["--causes", "--format", "json"]].concat());
    let said = String::from_utf8_lossy(&output.stderr);
    let result: Value = serde_json::from_slice(&output.stdout).unwrap_or_else(|_| panic!("{said}"));
    result["programs"].as_array().unwrap().clone()
}

/// Asserts that the causes found in each program are those that its run showed, in the field `observed`, however the
/// machine disturbed it.
#[track_caller]
fn assert_found(programs: &[Value], observed: &str, found: &str) {
    for (name, metric) in PROGRAMS {
        let program = programs.iter().find(|program| program["program"] == name).unwrap();
        assert_eq!(program["run_status"], "ok", "{program:#}");
        let is_cost = |of: &&Value| of["view"] == "delay";
        let costs: Vec<&Value> = program["expectations"].as_array().unwrap().iter().filter(is_cost).collect();
        assert!(costs.iter().any(|cost| cost["metric"] == metric), "{program:#}");
        for cost in costs {
            let (observed, found) = (cost[observed].as_f64().unwrap(), cost[found].as_f64().unwrap());
            assert!((found - observed).abs() <= 1e-6 + 1e-6 * observed, "{name}: {cost:#}");
            let outcome = cost["outcome"].as_str().unwrap();
            assert!(["found", "not_manifested", "below_threshold"].contains(&outcome), "{name}: {cost:#}");
            let is_planned = cost["metric"] == metric && observed > cost["nominal"].as_f64().unwrap() / 2.0;
            assert!(!is_planned || outcome == "found", "{name}: {cost:#}");
        }
        let alarms = program["unexpected"].as_array().unwrap().iter();
        assert_eq!(alarms.filter(|alarm| alarm["view"] == "delay").count(), 0, "{program:#}");
    }
}

#[test]
#[ignore = "needs an MPI library and builds programs for it: `make test` runs it"]
fn causes_of_real_runs_are_judged_with_and_without_a_tool() {
    let dir = TempDir::new().unwrap();
    assert_found(&validated(dir.path(), &["--np", "4"]), "observed", "found");

    fs::write(dir.path().join("mine.toml"), TOOL).unwrap();
    let script = format!("exec {:?} analyze \"$1\" --causes -o \"$2\"\n", env!("CARGO_BIN_EXE_ats"));
    fs::write(dir.path().join("analyze.sh"), script).unwrap();
    let programs = validated(dir.path(), &["--np", "4", "--tool", "./mine.toml"]);
    assert_found(&programs, "expected", "reported");
    let kept = dir.path().join("target/ats-validation/late_sender");
    assert!(kept.join("scout.cubex").is_file() && kept.join("trace/traces.otf2").is_file());
}
