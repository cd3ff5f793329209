//! The judgement of tools on a property and its twin, from a scoreboard.

use ats_documents::Scoreboard;
use ats_documents::scoreboard::{Row, Standing};
use ats_model::quantity::Unit;
use serde::Serialize;

use super::Described;
use crate::words;

/// A program, or one thing that it shows, and the judgement of each tool on it.
#[derive(Debug, Serialize)]
pub(super) struct Said {
    program: String,
    size: String,
    property: String,
    call_path: String,
    has_amounts: bool,
    has_causes: bool,
    tools: Vec<OfTool>,
}

#[derive(Debug, Serialize)]
struct OfTool {
    /// The name of its score: a tool may have several.
    score: String,
    tool: String,
    version: Option<String>,
    verdict: String,
    mark: &'static str,
    observed: Option<String>,
    found: Option<String>,
    cause: Option<String>,
}

/// The rows of a scoreboard that are of a property or its twin, with the tools that were asked.
pub(super) fn verdicts(of: &Described, board: &Scoreboard) -> Vec<Said> {
    let names = [of.facts.property, of.facts.twin];
    let rows = board.rows.iter().filter(|row| names.contains(&row.program.as_str()));
    rows.map(|row| verdicts_in(row, of, board)).filter(|said| !said.tools.is_empty()).collect()
}

fn verdicts_in(row: &Row, of: &Described, board: &Scoreboard) -> Said {
    let is_wait = of.shown().any(|state| row.property.as_deref() == Some(state.name()));
    // False alarms are in seconds, too.
    let unit = if is_wait || row.property.is_none() { Some(Unit::Seconds) } else { None };
    let amount = |value: f64| unit.map_or_else(|| value.to_string(), |unit| unit.quantity(value).to_string());
    let asked = board.scores.iter().zip(&row.cells).filter_map(|(score, cell)| Some((score, cell.as_ref()?)));
    let tools = asked.map(|(score, cell)| OfTool {
        score: score.name.clone(),
        tool: score.tool.clone(),
        version: score.version.clone(),
        verdict: cell.verdict.clone(),
        mark: match cell.standing {
            Standing::Right => "found",
            Standing::NotAsked => "none",
            Standing::Otherwise => "missed",
        },
        observed: cell.observed.map(amount),
        found: cell.found.map(amount),
        cause: cell.cause.clone(),
    });
    let tools: Vec<OfTool> = tools.collect();
    Said {
        program: row.program.clone(),
        size: words::size(row.ranks, row.threads),
        property: match row.property.as_deref() {
            None => "nothing else".to_owned(),
            Some(Row::CAUSES) => "root causes".to_owned(),
            Some(property) => property.to_owned(),
        },
        call_path: row.call_path.join("/"),
        has_amounts: tools.iter().any(|of| of.observed.is_some() || of.found.is_some()),
        has_causes: tools.iter().any(|of| of.cause.is_some()),
        tools,
    }
}
