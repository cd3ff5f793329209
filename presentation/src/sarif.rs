//! SARIF 2.1.0, as code scanners and editors read it.

use std::collections::BTreeMap;
use std::path::Path;

use ats_documents::{
    Finding, Validation,
    finding::VISITS,
    validation::{Expectation, Outcome, ProgramResult, RunStatus},
};
use ats_model::{WaitState, openmp};
use serde_json::{Value, json};

use crate::{sources::path_in, words};

/// A validation as a SARIF log: the rules are the wait states, the results the tool's errors: missed, wrong and false
/// alarms. A wait state that the run did not show, or showed too little of, is a result of the kind `notApplicable`;
/// programs that could not be judged are notifications.
///
/// Logical locations are call paths. The physical location is the call site of a call of MPI, or the place of an OpenMP
/// construct: a file in the folder `sources` has a path from there. A result's `rank` is its severity in per cent; its
/// bag of properties has the amounts.
///
/// ```
/// # use ats_documents::{Validation, validation::Totals};
/// # let (programs, totals, environment) = (Vec::new(), Totals::default(), Default::default());
/// let validation = Validation { schema: Validation::SCHEMA.to_owned(), programs, totals, environment };
/// assert!(ats_presentation::sarif(&validation, ".".as_ref()).contains(r#""version": "2.1.0""#));
/// ```
pub fn sarif(validation: &Validation, sources: &Path) -> String {
    let threshold = validation.totals.threshold;
    let results: Vec<Value> =
        validation.programs.iter().flat_map(|program| results(program, threshold, sources)).collect();
    let failed = validation.programs.iter().filter(|program| program.run_status != RunStatus::Ok);
    let notifications: Vec<Value> = failed.map(notification).collect();
    let word = |key| validation.environment.get(key).and_then(Value::as_str);
    let properties: BTreeMap<_, _> = validation.environment.iter().collect();
    let log = json!({
        "$schema": "https://json.schemastore.org/sarif-2.1.0.json",
        "version": "2.1.0",
        "runs": [{
            "tool": {
                "driver": {
                    "name": "ats",
                    "version": word("suite_version").unwrap_or(env!("CARGO_PKG_VERSION")),
                    "informationUri": env!("CARGO_PKG_REPOSITORY"),
                    "rules": rules(),
                }
            },
            "invocations": [{
                "executionSuccessful": notifications.is_empty(),
                "toolExecutionNotifications": notifications,
            }],
            "results": results,
            "properties": { "environment": properties, "totals": validation.totals },
        }],
    });
    format!("{log:#}\n")
}

/// The subjects that a result can have, in the order of the rules; other counts have a name and no rule.
fn rule_names() -> impl Iterator<Item = &'static str> {
    WaitState::ALL.into_iter().map(WaitState::name).chain([words::BLOCKED, VISITS])
}

fn rules() -> Vec<Value> {
    let rule = |name| {
        let metric = WaitState::from_name(name).map_or(name, WaitState::label);
        json!({
            "id": name,
            "name": words::title(name),
            "shortDescription": { "text": words::definition(name) },
            "properties": { "metric": metric },
        })
    };
    rule_names().map(rule).collect()
}

fn results(program: &ProgramResult, threshold: f64, sources: &Path) -> Vec<Value> {
    let expected = words::due(program, threshold).filter_map(|expectation| expected(program, expectation));
    let unexpected = program.unexpected.iter().map(|finding| unexpected(program, finding, sources));
    expected.chain(unexpected).collect()
}

fn expected(program: &ProgramResult, expectation: &Expectation) -> Option<Value> {
    let (level, kind) = match expectation.outcome {
        Outcome::Missed | Outcome::Wrong | Outcome::Inconsistent => ("error", "fail"),
        Outcome::NotManifested | Outcome::BelowThreshold | Outcome::Unsupported => ("none", "notApplicable"),
        _ => return None,
    };
    let outcome = expectation.verdict();
    let text = format!("{}: {outcome}; {}", program.program, words::comparison(expectation));
    let mut result = result(program, expectation.name(), &expectation.call_path, &expectation.id, text);
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
    let mut result = result(program, finding.name(), &finding.call_path, &finding.id, text);
    result["level"] = "warning".into();
    result["kind"] = "fail".into();
    result["rank"] = rank(finding.severity);
    result["properties"]["outcome"] = "false alarm".into();
    result["properties"]["found"] = finding.quantity().value.into();
    if let Some((file, line)) = place(finding) {
        result["locations"][0]["physicalLocation"] =
            json!({ "artifactLocation": { "uri": uri(file, sources) }, "region": { "startLine": line } });
    }
    result
}

/// The file and line of a finding: those of its call site, or of the innermost construct of OpenMP that has them. A
/// truth has neither.
fn place(finding: &Finding) -> Option<(&str, u32)> {
    let call = finding.call_site.as_ref().filter(|site| site.line > 0);
    let construct = || finding.call_path.iter().rev().find_map(|region| openmp::place(region));
    call.map(|site| (site.file.as_str(), site.line)).or_else(construct)
}

/// A reference to a source file: its path from the folder if it lies there, else the path in the trace.
fn uri(file: &str, sources: &Path) -> String {
    let path = path_in(sources, file).map_or_else(|| file.into(), |path| path.display().to_string());
    let scheme = if path.starts_with('/') { "file://" } else { "" };
    let encoded = path.bytes().map(|byte| match byte {
        b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' | b'.' | b'_' | b'~' | b'/' => {
            char::from(byte).to_string()
        }
        _ => format!("%{byte:02X}"),
    });
    scheme.to_owned() + &encoded.collect::<String>()
}

fn result(program: &ProgramResult, property: &str, call_path: &[String], id: &str, text: String) -> Value {
    let size = words::size(program.ranks, program.threads);
    json!({
        "ruleId": property,
        "ruleIndex": rule_names().position(|name| name == property).map_or(-1, |at| at as i64),
        "message": { "text": text },
        "locations": [{ "logicalLocations": [logical_location(program, call_path)] }],
        "partialFingerprints": { "atsProgramAndFinding/v1": format!("{} {size} {id}", program.program) },
        "properties": {
            "program": program.program,
            "ranks": program.ranks,
            "threads": program.threads,
            "parameters": program.parameters,
        },
    })
}

/// A call path; a finding without one shows in the program as a whole.
fn logical_location(program: &ProgramResult, call_path: &[String]) -> Value {
    match call_path.last() {
        Some(call) => {
            json!({ "name": call, "fullyQualifiedName": call_path.join("/"), "kind": "function" })
        }
        None => json!({ "name": program.program, "kind": "module" }),
    }
}

/// Per cent, in the bounds that the standard sets.
fn rank(severity: f64) -> Value {
    (severity * 100.0).clamp(0.0, 100.0).into()
}

fn notification(program: &ProgramResult) -> Value {
    let status = program.run_status.label();
    let message = program.message.as_deref().map_or_else(String::new, |message| format!(": {message}"));
    let size = words::size(program.ranks, program.threads);
    json!({ "level": "error", "message": { "text": format!("{} {size}: {status}{message}", program.program) } })
}
