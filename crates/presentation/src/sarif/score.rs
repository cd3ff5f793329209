//! Scores as SARIF logs.

use std::collections::BTreeMap;
use std::path::Path;

use ats_documents::{
    Finding, Score,
    finding::VISITS,
    score::{Expectation, Outcome, ProgramResult, RunStatus},
};
use ats_model::{WaitState, openmp};
use serde_json::{Value, json};

use super::log::{Run, index, location, notification, rank, rule};
use crate::words;

/// A score as a SARIF log: the rules are the wait states, the results the tool's errors: missed, wrong and false
/// alarms. A wait state that the run did not show, or showed too little of, is a result of the kind `notApplicable`;
/// programs that could not be judged are notifications.
///
/// Logical locations are call paths. The physical location is the call site of a call of MPI, or the place of an OpenMP
/// construct: a file in the folder `sources` has a path from there. A result's `rank` is its severity in per cent; its
/// bag of properties has the amounts.
///
/// ```
/// # use ats_documents::Score;
/// let score = Score { schema: Score::SCHEMA.to_owned(), tool: "mine".to_owned(), ..Score::default() };
/// assert!(ats_presentation::sarif(&score, ".".as_ref()).contains(r#""version": "2.1.0""#));
/// ```
pub fn sarif(score: &Score, sources: &Path) -> String {
    let threshold = score.totals.threshold;
    let results: Vec<Value> =
        score.programs.iter().flat_map(|program| results(program, threshold, sources)).collect();
    let failed = score.programs.iter().filter(|program| program.run_status != RunStatus::Ok);
    let notifications: Vec<Value> = failed.map(failure).collect();
    let word = |key| score.environment.get(key).and_then(Value::as_str);
    let properties: BTreeMap<_, _> = score.environment.iter().collect();
    Run {
        version: word("suite_version").unwrap_or(env!("CARGO_PKG_VERSION")).to_owned(),
        rules: rules(),
        is_successful: notifications.is_empty(),
        notifications,
        results,
        properties: json!({ "tool": score.title(), "environment": properties, "totals": score.totals }),
    }
    .log()
}

/// The subjects that a result can have, in the order of the rules; other counts have a name and no rule.
fn rule_names() -> impl Iterator<Item = &'static str> {
    WaitState::ALL.into_iter().map(WaitState::name).chain([words::BLOCKED, VISITS])
}

fn rules() -> Vec<Value> {
    let of = |name| {
        let metric = WaitState::from_name(name).map_or(name, WaitState::label);
        let mut rule = rule(name, &words::title(name), words::definition(name));
        rule["properties"] = json!({ "metric": metric });
        rule
    };
    rule_names().map(of).collect()
}

fn results(program: &ProgramResult, threshold: f64, sources: &Path) -> Vec<Value> {
    let expected = words::due_expectations(program, threshold)
        .filter_map(|expectation| expected(program, expectation, sources));
    let unexpected = program.unexpected.iter().map(|finding| unexpected(program, finding, sources));
    expected.chain(unexpected).collect()
}

fn expected(program: &ProgramResult, expectation: &Expectation, sources: &Path) -> Option<Value> {
    let (level, kind) = match expectation.outcome {
        Outcome::Missed | Outcome::Wrong | Outcome::Inconsistent => ("error", "fail"),
        Outcome::NotManifested | Outcome::BelowThreshold | Outcome::Unsupported => ("none", "notApplicable"),
        _ => return None,
    };
    let outcome = expectation.verdict();
    let text = format!("{}: {outcome}; {}", program.program, words::comparison(expectation));
    let location = location(&expectation.call_path, &program.program, None, sources);
    let mut result = result(program, expectation.name(), location, &expectation.id, text);
    result["level"] = level.into();
    result["kind"] = kind.into();
    result["rank"] = rank(expectation.severity.observed);
    let properties = &mut result["properties"];
    properties["outcome"] = outcome.into();
    for (name, amount) in
        [("nominal", expectation.nominal), ("observed", expectation.observed), ("found", expectation.found)]
    {
        properties[name] = amount.into();
    }
    Some(result)
}

fn unexpected(program: &ProgramResult, finding: &Finding, sources: &Path) -> Value {
    let text = format!("{}: false alarm; {}", program.program, words::false_alarm(finding));
    let location = location(&finding.call_path, &program.program, place(finding), sources);
    let mut result = result(program, finding.name(), location, &finding.id, text);
    result["level"] = "warning".into();
    result["kind"] = "fail".into();
    result["rank"] = rank(finding.severity);
    result["properties"]["outcome"] = "false alarm".into();
    result["properties"]["found"] = finding.quantity().value.into();
    result
}

/// The file and line of a finding: those of its call site, or of the innermost construct of OpenMP that has them. A
/// truth has neither.
fn place(finding: &Finding) -> Option<(&str, u32)> {
    let call = finding.call_site.as_ref().filter(|site| site.line > 0);
    let construct = || finding.call_path.iter().rev().find_map(|region| openmp::place(region));
    call.map(|site| (site.file.as_str(), site.line)).or_else(construct)
}

fn result(program: &ProgramResult, property: &str, location: Value, id: &str, text: String) -> Value {
    let size = words::size(program.ranks, program.threads);
    json!({
        "ruleId": property,
        "ruleIndex": index(rule_names(), property),
        "message": { "text": text },
        "locations": [location],
        "partialFingerprints": { "atsProgramAndFinding/v1": format!("{} {size} {id}", program.program) },
        "properties": {
            "program": program.program,
            "ranks": program.ranks,
            "threads": program.threads,
            "parameters": program.parameters,
        },
    })
}

fn failure(program: &ProgramResult) -> Value {
    let status = program.run_status.label();
    let message = program.message.as_deref().map_or_else(String::new, |message| format!(": {message}"));
    let size = words::size(program.ranks, program.threads);
    notification("error", &format!("{} {size}: {status}{message}", program.program))
}
