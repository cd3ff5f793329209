//! The scorecard: a row per expectation, a column per tool, truth against found.

use std::collections::BTreeMap;

use ats_documents::{
    finding::{Quantity, Unit},
    score::{Expectation, Grade, Outcome, ProgramResult, Rates, RunStatus, Totals},
};
use ats_model::locations;
use serde::Serialize;

use super::{Page, Tool};
use crate::words;

/// The data of all tools that the template shows.
#[derive(Debug, Serialize)]
pub(super) struct Scorecard {
    tools: Vec<Column>,
    programs: Vec<Rows>,
    /// Programs without any report, as it should be.
    silent: Vec<Name>,
    /// Under this share a finding does not count.
    threshold: String,
}

/// A tool's sums.
#[derive(Debug, Serialize)]
struct Column {
    name: String,
    environment: Vec<(String, String)>,
    programs: u64,
    /// The outcomes of all expectations: kind, number, per cent.
    outcomes: Vec<(&'static str, &'static str, u64, f64)>,
    precision: String,
    recall: String,
    f1: String,
    false_alarms: u64,
    false_seconds: String,
    /// Further measures, if the document has them.
    measures: Vec<(&'static str, String)>,
    /// Rates by class of wait states.
    classes: Vec<(String, String, String, String)>,
}

#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
struct Name {
    name: String,
    size: String,
    /// Whether there is more to see than the scorecard has.
    has_view: bool,
    /// The number of runs under the tool that ran it most, if more than one.
    runs: Option<u32>,
}

/// The rows of a program.
#[derive(Debug, Serialize)]
struct Rows {
    program: Name,
    rows: Vec<Row>,
    remarks: Vec<Remark>,
}

#[derive(Debug, Serialize)]
struct Row {
    property: String,
    /// The address of its place in the reference.
    reference: Option<String>,
    call: String,
    call_path: String,
    locations: String,
    truth: String,
    /// The cells, per tool.
    cells: Vec<Option<Cell>>,
}

/// The judgement of a tool on an expectation.
#[derive(Debug, Serialize)]
struct Cell {
    kind: &'static str,
    verdict: String,
    found: String,
    /// Lengths of bars, in per cent of the largest in the scorecard.
    found_share: f64,
    truth_share: f64,
    title: String,
}

/// Another finding of a tool, or the reason why it has none.
#[derive(Debug, Serialize)]
struct Remark {
    kind: &'static str,
    what: String,
    tool: String,
    text: String,
}

type Key = (String, u32, u32);

/// The text for a run that the machine disturbed.
const DISTURBED: &str = "disturbed";

/// The scorecard that the template shows; `None` without tools.
pub(super) fn scorecard(page: &Page<'_>) -> Option<Scorecard> {
    let first = page.tools.first()?;
    let mut programs: BTreeMap<Key, Vec<Option<&ProgramResult>>> = BTreeMap::new();
    for (index, tool) in page.tools.iter().enumerate() {
        for program in &tool.score.programs {
            let key = (program.program.clone(), program.ranks, program.threads);
            let results = programs.entry(key).or_insert_with(|| vec![None; page.tools.len()]);
            results[index] = Some(program);
        }
    }
    let mut scorecard = Scorecard {
        tools: page.tools.iter().map(column).collect(),
        programs: Vec::new(),
        silent: Vec::new(),
        threshold: words::percent(first.score.totals.threshold),
    };
    for ((name, ranks, threads), results) in programs {
        let has_view =
            page.programs.iter().any(|p| p.name == name && (p.ranks, p.threads) == (ranks, threads));
        let runs = results.iter().flatten().map(|program| program.runs).max().filter(|&runs| runs > 1);
        let program = Name { name, size: words::size(ranks, threads), has_view, runs };
        let rows = rows(page, &results);
        let mut remarks = remarks(&page.tools, &results);
        remarks.extend(causes(page, &program.name, ranks, threads));
        if rows.is_empty() && remarks.iter().all(|remark| remark.what == DISTURBED) {
            scorecard.silent.push(program);
        } else {
            scorecard.programs.push(Rows { program, rows, remarks });
        }
    }
    Some(scorecard)
}

fn column(tool: &Tool<'_>) -> Column {
    let totals = &tool.score.totals;
    let environment = tool.score.environment.iter().map(|(name, value)| {
        let value = match value {
            serde_json::Value::String(text) => text.clone(),
            serde_json::Value::Array(words) => words
                .iter()
                .map(|word| word.as_str().map_or_else(|| word.to_string(), str::to_owned))
                .collect::<Vec<_>>()
                .join(" "),
            value => value.to_string(),
        };
        (name.replace('_', " "), value)
    });
    Column {
        name: tool.name.to_owned(),
        environment: environment.collect(),
        programs: totals.programs,
        outcomes: outcomes(totals),
        precision: words::rate(totals.precision),
        recall: words::rate(totals.recall),
        f1: words::rate(totals.f1),
        false_alarms: totals.false_alarms,
        false_seconds: format!("{:.4}", totals.false_seconds),
        measures: measures(totals),
        classes: totals.by_class.iter().map(|(class, rates)| of_class(class.name(), rates)).collect(),
    }
}

fn of_class(name: &str, rates: &Rates) -> (String, String, String, String) {
    let questions = rates.true_positives + rates.false_negatives;
    let found = format!("{} of {questions}", rates.true_positives);
    (words::title(name), found, words::rate(rates.precision), words::rate(rates.recall))
}

/// The measures of a tool besides precision and recall.
fn measures(totals: &Totals) -> Vec<(&'static str, String)> {
    let rate = |name, value: Option<f64>| value.map(|value| (name, words::rate(Some(value))));
    let recall = |grade: Grade| totals.by_grade.get(&grade).and_then(|rates| rates.recall);
    let error = totals.severity_error;
    let thresholds = totals.detection_threshold.iter().map(|(program, from)| {
        let from = from.map_or_else(|| "never".to_owned(), |from| format!("from {}", words::percent(from)));
        ("always found", format!("{program} {from}"))
    });
    let cost = totals.intrusiveness;
    let measures = [
        rate("questions answered", totals.support_rate),
        rate("silent where it should be", totals.specificity),
        rate("consistent", totals.consistency),
        rate("recall, right property", recall(Grade::Property)),
        rate("recall, right place, too", recall(Grade::Place)),
        rate("recall, right locations, too", recall(Grade::Locations)),
        rate("recall, right amount, too", recall(Grade::Amount)),
        error.map(|error| ("amount off by, median", words::percent(error.absolute))),
        error.map(|error| ("amount off by, with its sign", words::percent(error.signed))),
        rate("order of severities (Kendall's tau)", totals.kendall_tau),
        cost.map(|cost| ("run time under the tool", format!("× {:.3}", cost.wall_time))),
    ];
    measures.into_iter().flatten().chain(thresholds).collect()
}

fn outcomes(totals: &Totals) -> Vec<(&'static str, &'static str, u64, f64)> {
    let outcomes = [
        ("found", "found", totals.found),
        ("wrong", "wrong", totals.wrong),
        ("missed", "missed", totals.missed),
        ("consistent", "consistent", totals.consistent),
        ("wrong", "inconsistent", totals.inconsistent),
        ("other", "not manifested", totals.not_manifested),
        ("other", "below threshold", totals.below_threshold),
        ("other", "unsupported", totals.unsupported),
        ("failed", "failed", totals.failed),
    ];
    let sum = outcomes.iter().map(|(_, _, count)| count).sum::<u64>().max(1);
    let share = |count: u64| count as f64 * 100.0 / sum as f64;
    outcomes.into_iter().map(|(kind, name, count)| (kind, name, count, share(count))).collect()
}

fn rows(page: &Page<'_>, results: &[Option<&ProgramResult>]) -> Vec<Row> {
    let tools = &page.tools;
    let mut expectations: Vec<(&str, Vec<Option<&Expectation>>)> = Vec::new();
    for (index, (tool, result)) in tools.iter().zip(results).enumerate() {
        let due =
            result.iter().flat_map(|result| words::due_expectations(result, tool.score.totals.threshold));
        for expectation in due {
            let position = |is_it: &dyn Fn(&str, &[Option<&Expectation>]) -> bool| {
                expectations.iter().position(|(id, cells)| is_it(id, cells))
            };
            // A score of another age has other regions around the same call.
            let is_same = |id: &str, cells: &[Option<&Expectation>]| {
                let what = |one: &Expectation| (one.name().to_owned(), one.call_path.last().cloned());
                let is_its_own =
                    result.iter().flat_map(|result| &result.expectations).any(|one| one.id == id);
                !is_its_own
                    && cells[index].is_none()
                    && cells.iter().flatten().any(|one| what(one) == what(expectation))
            };
            let known = position(&|id, _| id == expectation.id).or_else(|| position(&is_same));
            let cells = match known.and_then(|at| expectations.get_mut(at)) {
                Some((_, cells)) => cells,
                None => {
                    expectations.push((&expectation.id, vec![None; tools.len()]));
                    let Some((_, cells)) = expectations.last_mut() else { continue };
                    cells
                }
            };
            cells[index] = Some(expectation);
        }
    }
    expectations.into_iter().filter_map(|(_, cells)| row(page, cells)).collect()
}

fn row(page: &Page<'_>, cells: Vec<Option<&Expectation>>) -> Option<Row> {
    let any = cells.iter().flatten().next()?;
    let largest = cells
        .iter()
        .flatten()
        .flat_map(|expectation| [expectation.observed, expectation.found])
        .fold(f64::MIN_POSITIVE, f64::max);
    Some(Row {
        property: words::title(any.name()),
        reference: page.explained(any.name()),
        call: any.call_path.last().cloned().unwrap_or_default(),
        call_path: any.call_path.join(" / "),
        locations: locations::in_words(&any.waiting),
        truth: shown(any.unit().quantity(any.observed), any.severity.observed),
        cells: cells.into_iter().map(|cell| cell.map(|cell| self::cell(cell, largest))).collect(),
    })
}

fn cell(expectation: &Expectation, largest: f64) -> Cell {
    let kind = kind(expectation.outcome);
    let is_judged = !matches!(kind, "failed");
    let share = |value: f64| value / largest * 100.0;
    Cell {
        kind,
        verdict: expectation.verdict(),
        found: if is_judged {
            shown(expectation.unit().quantity(expectation.found), expectation.severity.found)
        } else {
            "–".to_owned()
        },
        found_share: share(expectation.found),
        truth_share: share(expectation.observed),
        title: words::comparison(expectation),
    }
}

fn kind(outcome: Outcome) -> &'static str {
    match outcome {
        Outcome::Found => "found",
        Outcome::Wrong => "wrong",
        Outcome::Missed => "missed",
        Outcome::Consistent => "consistent",
        Outcome::Inconsistent => "wrong",
        Outcome::NotManifested | Outcome::BelowThreshold | Outcome::Unsupported | Outcome::Cancelled => {
            "other"
        }
        Outcome::ToolError | Outcome::ParseError | Outcome::Timeout | Outcome::SemanticsChanged => "failed",
    }
}

fn shown(amount: Quantity<'_>, severity: f64) -> String {
    match amount.unit {
        Unit::Seconds => words::percent(severity),
        Unit::Visits => format!("{} ×", amount.value),
        Unit::Inclusive(_) | Unit::Bytes(_) | Unit::Count(_) | Unit::Ratio(_) => amount.to_string(),
    }
}

fn remarks(tools: &[Tool<'_>], results: &[Option<&ProgramResult>]) -> Vec<Remark> {
    let mut remarks = Vec::new();
    for (tool, program) in tools.iter().zip(results).filter_map(|(tool, result)| Some((tool, (*result)?))) {
        let mut add = |kind, what: &str, text| {
            let (what, tool) = (what.to_owned(), tool.name.to_owned());
            remarks.push(Remark { kind, what, tool, text });
        };
        if program.run_status != RunStatus::Ok {
            let message = program.message.clone().unwrap_or_default();
            add("failed", program.run_status.label(), message);
        }
        program.disturbed.iter().for_each(|run| add("other", DISTURBED, run.in_words()));
        program
            .unexpected
            .iter()
            .for_each(|finding| add("alarm", "false alarm", words::false_alarm(finding)));
        program.noise.iter().for_each(|finding| add("other", "noise", words::false_alarm(finding)));
    }
    remarks
}

/// The causes of deviations in a program, each of a tool once.
fn causes(page: &Page<'_>, program: &str, ranks: u32, threads: u32) -> Vec<Remark> {
    let rows = page.board.iter().flat_map(|board| &board.rows);
    let of_it = rows.filter(|row| row.program == program && (row.ranks, row.threads) == (ranks, threads));
    let mut causes: Vec<Remark> = Vec::new();
    for (tool, cell) in of_it.flat_map(|row| page.tools.iter().zip(&row.cells)) {
        let Some(text) = cell.as_ref().and_then(|cell| cell.cause.clone()) else { continue };
        if !causes.iter().any(|known| known.tool == tool.name && known.text == text) {
            causes.push(Remark { kind: "other", what: "cause".to_owned(), tool: tool.name.to_owned(), text });
        }
    }
    causes
}
