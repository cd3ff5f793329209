//! Explanations as SARIF logs.

use std::path::Path;

use ats_documents::Explanation;
use ats_documents::explanation::{CauseKind, Effect, Problem, SourceLine};
use serde_json::{Value, json};

use super::log::{Run, index, location, notification, rank, rule};
use crate::words;

/// An explanation as a SARIF log: the rules are the causes, the results the problems, the largest first. Limits of what
/// the trace tells are notifications.
///
/// The place of a result is the region that the culprits are late in, its related places are the calls that wait. A
/// file in the folder `sources` has a path from there. A result's `rank` is the share of the problem in per cent.
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
        ..
    } = explanation;
    Run {
        version: env!("CARGO_PKG_VERSION").to_owned(),
        rules: CauseKind::ALL.map(rule_of).to_vec(),
        is_successful: true,
        notifications: notes.iter().map(|note| notification("note", note)).collect(),
        results: problems.iter().map(|problem| result(problem, trace, sources)).collect(),
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
        "locations": [location(&problem.call_path, trace, place(problem.source.as_ref()), sources)],
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
/// that the culprits are late in, or the call that waits if the region is not known.
fn fingerprint(problem: &Problem) -> String {
    let largest = problem.effects.first();
    let wait_state = largest.map_or("", |effect| effect.property.name());
    let waits = largest.map_or(&[][..], |effect| &effect.call_path);
    let path = if problem.call_path.is_empty() { waits } else { &problem.call_path };
    format!("{} {wait_state} {}", problem.cause().name(), path.join("/"))
}
