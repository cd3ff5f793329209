//! Root causes of real runs, judged in the report of a tool. Those of our own analyzer are judged in `real_explanations`.

use std::fs;

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

/// Fails unless the costs found in a run are those that it showed, in the field `observed`, however the machine disturbed it.
#[track_caller]
pub(crate) fn assert_costs(program: &Value) {
    let planned = PROGRAMS.iter().find(|(name, _)| program["program"] == *name).map(|(_, metric)| *metric);
    let is_cost = |of: &&Value| of["view"] == "delay";
    let costs: Vec<&Value> = program["expectations"].as_array().unwrap().iter().filter(is_cost).collect();
    assert!(planned.is_none_or(|metric| costs.iter().any(|cost| cost["metric"] == metric)), "{program:#}");
    for cost in costs {
        let (observed, found) = (cost["observed"].as_f64().unwrap(), cost["found"].as_f64().unwrap());
        assert!((found - observed).abs() <= 1e-6 + 1e-6 * observed, "{}: {cost:#}", program["program"]);
        let outcome = cost["outcome"].as_str().unwrap();
        let is_known = ["found", "not_manifested", "below_threshold"].contains(&outcome);
        assert!(is_known, "{}: {cost:#}", program["program"]);
        let is_planned = planned.is_some_and(|metric| cost["metric"] == metric)
            && observed > cost["nominal"].as_f64().unwrap() / 2.0;
        assert!(!is_planned || outcome == "found", "{}: {cost:#}", program["program"]);
    }
    let alarms = program["unexpected"].as_array().unwrap().iter();
    assert_eq!(alarms.filter(is_cost).count(), 0, "{program:#}");
}

#[test]
fn root_causes_in_the_report_of_a_tool_are_judged() {
    ats_testing::before_others(ats_testing::Priority::OfRunsThatMayBeRepeated);
    let dir = TempDir::new().unwrap();
    fs::write(dir.path().join("mine.toml"), TOOL).unwrap();
    let script = format!("exec {:?} analyze \"$1\" --causes -o \"$2\"\n", env!("CARGO_BIN_EXE_ats"));
    fs::write(dir.path().join("analyze.sh"), script).unwrap();
    let names = PROGRAMS.map(|(name, _)| name);
    let options = ["--np", "4", "--tool", "./mine.toml", "--causes", "--format", "json"];
    let output = ats_in(dir.path(), &[&["validate"], &names[..], &options].concat());
    let said = String::from_utf8_lossy(&output.stderr);
    // The command may fail where the machine is busy.
    let result: Value = serde_json::from_slice(&output.stdout).unwrap_or_else(|_| panic!("{said}"));
    for name in names {
        let programs = result["programs"].as_array().unwrap();
        let program = programs.iter().find(|program| program["program"] == name).unwrap();
        assert_eq!(program["run_status"], "ok", "{program:#}");
        assert_costs(program);
    }
    let kept = dir.path().join("target/ats-validation/late_sender");
    assert!(kept.join("scout.cubex").is_file() && kept.join("trace/traces.otf2").is_file());
}
