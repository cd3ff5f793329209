//! Explanations as SARIF logs.

use std::path::Path;

use ats_documents::Explanation;
use ats_documents::explanation::{
    CauseKind, Effect, Gate, JudgedCalls, JudgedProblem, KnownPlace, Problem, ProblemState, SourceLine,
};
use serde_json::{Value, json};

use super::log::{Run, index, location, notification, rank, rule};
use crate::words;

/// An explanation as a SARIF log: the rules are the causes, the results the problems, the largest first. Limits of what
/// the trace tells are notifications.
///
/// The place of a result is the region that the culprits are late in, or the call that waits if that region has no line; its
/// related places are the calls that wait. A file in the folder `sources` has a path from there. A result's `rank` is the share of the problem in per cent.
///
/// ```
/// # let explanation = ats_documents::Explanation::default();
/// let log = ats_presentation::sarif_of_explanation(&explanation, ".".as_ref());
/// assert!(log.contains(r#""version": "2.1.0""#));
/// ```
pub fn sarif_of_explanation(explanation: &Explanation, sources: &Path) -> String {
    let Explanation {
        trace,
        basis,
        division,
        lost,
        unknown,
        efficiency,
        required,
        omitted,
        notes,
        problems,
        gate,
        ..
    } = explanation;
    Run {
        version: env!("CARGO_PKG_VERSION").to_owned(),
        rules: CauseKind::ALL.map(rule_of).to_vec(),
        is_successful: true,
        notifications: notes.iter().map(|note| notification("note", note)).collect(),
        results: match gate {
            Some(gate) => judged(gate, problems, trace, sources),
            None => problems.iter().map(|problem| result(problem, trace, sources)).collect(),
        },
        properties: json!({
            "trace": trace,
            "basis": basis,
            "division": division,
            "lost": lost,
            "unknown": unknown,
            "efficiency": efficiency,
            "required": required,
            "omitted": omitted,
        }),
    }
    .log()
}

/// The problems beside those of earlier runs: a problem that has moved or grown is updated, and one that is gone is absent. Those that
/// the explanation does not list have fewer properties. More calls are results without a rule.
fn judged(gate: &Gate, problems: &[Problem], trace: &str, sources: &Path) -> Vec<Value> {
    let of_problem = |of: &JudgedProblem| {
        let listed = of.problem.and_then(|at| problems.get(at));
        let mut value =
            listed.map_or_else(|| in_short(of, trace, sources), |problem| result(problem, trace, sources));
        value["baselineState"] = match of.state {
            ProblemState::New => "new",
            ProblemState::Moved | ProblemState::Grown => "updated",
            ProblemState::Gone => "absent",
            ProblemState::NotJudged | ProblemState::Unchanged => "unchanged",
        }
        .into();
        if of.state == ProblemState::NotJudged {
            value["kind"] = "review".into();
            value["level"] = "none".into();
        }
        value["properties"]["judged"] =
            json!({ "state": of.state, "said": words::judged(of), "least": of.least });
        value
    };
    let of_calls = |calls: &JudgedCalls| {
        json!({
            "message": { "text": words::calls(calls) },
            "level": "warning",
            "kind": "fail",
            "baselineState": "updated",
            "locations": [location(std::slice::from_ref(&calls.call), trace, None, sources)],
        })
    };
    let more = gate.calls.iter().filter(|of| of.are_more()).map(of_calls);
    gate.problems.iter().map(of_problem).chain(more).collect()
}

/// A problem that the explanation does not list.
fn in_short(of: &JudgedProblem, trace: &str, sources: &Path) -> Value {
    let cause = of.cause.name();
    let place_of = |of: &KnownPlace| location(&of.call_path, trace, place(of.source.as_ref()), sources);
    let with_line = [&of.code, &of.call].into_iter().flatten().find(|of| of.source.is_some());
    json!({
        "ruleId": cause,
        "ruleIndex": index(CauseKind::ALL.into_iter().map(CauseKind::name), cause),
        "level": "warning",
        "kind": "fail",
        "message": { "text": words::judged(of) },
        "locations": [with_line.or(of.code.as_ref()).or(of.call.as_ref()).map_or_else(
            || location(&[], trace, None, sources),
            place_of
        )],
        "rank": rank(of.share.b),
        "properties": { "share": of.share.b, "culprits": of.culprits },
    })
}

fn rule_of(cause: CauseKind) -> Value {
    let name = match cause {
        CauseKind::Unknown => "Cause not known".to_owned(),
        cause => words::title(cause.name()),
    };
    rule(cause.name(), &name, cause.definition())
}

fn result(problem: &Problem, trace: &str, sources: &Path) -> Value {
    let cause = problem.cause().name();
    let related = (0..).zip(&problem.effects).map(|(id, effect)| related(id, effect, trace, sources));
    json!({
        "ruleId": cause,
        "ruleIndex": index(CauseKind::ALL.into_iter().map(CauseKind::name), cause),
        "level": "warning",
        "kind": "fail",
        "message": { "text": problem.text },
        "locations": [place_of(problem, trace, sources)],
        "relatedLocations": related.collect::<Vec<_>>(),
        "partialFingerprints": { "atsProblem/v1": fingerprint(problem) },
        "rank": rank(problem.share),
        "properties": {
            "seconds": problem.seconds,
            "share": problem.share,
            "culprits": problem.culprits,
            "causes": problem.causes,
        },
    })
}

/// The place of a problem. Code scanners drop a result without a line.
fn place_of(problem: &Problem, trace: &str, sources: &Path) -> Value {
    let late = place(problem.source.as_ref());
    let waits = || problem.effects.iter().find_map(|of| Some((&of.call_path, place(of.source.as_ref())?)));
    match late.is_none().then(waits).flatten() {
        Some((call_path, line)) => location(call_path, trace, Some(line), sources),
        None => location(&problem.call_path, trace, late, sources),
    }
}

/// A call that waits, with its finding.
fn related(id: u32, effect: &Effect, trace: &str, sources: &Path) -> Value {
    let mut location = location(&effect.call_path, trace, place(effect.source.as_ref()), sources);
    location["id"] = id.into();
    location["message"] = json!({ "text": words::effect(effect) });
    location
}

/// The place of a line; a compiler that does not know it writes line 0.
fn place(source: Option<&SourceLine>) -> Option<(&str, u32)> {
    source.filter(|source| source.line > 0).map(|source| (source.file.as_str(), source.line))
}

/// The same for the same problem of another run, whose amounts differ: the cause, the largest wait state, and the region
/// that the culprits are late in, or the call that waits if the region is not known. Of several call paths to it, that with
/// the most seconds changes from run to run, and the first by name does not.
fn fingerprint(problem: &Problem) -> String {
    let wait_state = problem.effects.first().map_or("", |effect| effect.property.name());
    let late = std::iter::once(&problem.call_path).chain(&problem.other_call_paths);
    let first = late.filter(|path| !path.is_empty()).min();
    let path = first.or_else(|| problem.effects.iter().map(|effect| &effect.call_path).min());
    let path = path.map_or_else(String::new, |path| path.join("/"));
    format!("{} {wait_state} {path}", problem.cause().name())
}
