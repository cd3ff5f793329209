//! A score as text: a row per expectation, then the totals.

mod kinds;
mod lines;
mod names;
mod short;
mod tool;
mod verdict;

use ats_documents::score::{Expectation, ProgramResult, RunStatus, Totals};
use ats_documents::{Report, Score};
use ats_model::locations::in_words;

use super::grid::Grid;
use crate::printable::{printable, printable_lines};
use crate::words::percent;
pub use lines::{Line, header, lines};
pub use names::Names;
pub use short::short_score;
pub use verdict::Mood;
use verdict::Verdict;

/// The width, rows and colours of a table.
#[derive(Clone, Copy, Debug)]
pub struct Look {
    /// The terminal's columns; unlimited where there is none.
    pub width: Option<u16>,
    /// The programs that have rows.
    pub shown: Shown,
    /// Colours a verdict.
    pub paint: fn(&str, Mood) -> String,
}

/// The programs that have rows in a table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shown {
    /// All of them.
    All,
    /// Those that did not pass.
    Failed,
    /// None: they were shown as they came.
    None,
}

impl Default for Look {
    /// Everything, as wide as it is and without colours.
    fn default() -> Self {
        Look { width: None, shown: Shown::All, paint: |text, _| text.to_owned() }
    }
}

const VERDICT: usize = 7;
const COLUMNS: [&str; VERDICT + 1] =
    ["program", "nominal", "observed", "found", "seconds", "call path", "locations", "verdict"];

/// A table of a score: a row per expectation, then the totals. It has no control characters but those that `look`
/// paints with.
pub fn results(score: &Score, look: Look) -> String {
    let kinds = kinds::table(&score.programs, score.totals.threshold);
    programs(score, look) + &kinds + &totals(&score.totals)
}

/// The rows of programs, and the remarks on them.
fn programs(score: &Score, look: Look) -> String {
    let threshold = score.totals.threshold;
    let names = Names::of_results(&score.programs);
    let is_shown = |program: &&ProgramResult| match look.shown {
        Shown::All => true,
        Shown::Failed => !program.has_passed(threshold) && !program.is_out_of_reach(threshold),
        Shown::None => false,
    };
    let shown = score.programs.iter().filter(is_shown);
    let rows: Vec<Row> = shown.flat_map(|program| rows(program, &names, threshold)).collect();
    let mut text = String::new();
    if look.shown == Shown::All || !rows.is_empty() {
        text += &(drawn(&rows, look) + "\n");
    }
    let is_told = |program: &&ProgramResult| look.shown == Shown::None || is_shown(program);
    for program in score.programs.iter().filter(is_told) {
        for remark in remarks(program) {
            let is_message = program.message.as_ref() == Some(&remark);
            let remark = if is_message { printable_lines(&remark) } else { printable(&remark) };
            let name = program.program.clone() + &names.told_by(program);
            text += &format!("{}: {remark}\n", printable(&name));
        }
    }
    text
}

fn drawn(rows: &[Row], look: Look) -> String {
    let mut grid = Grid::new(&COLUMNS, &[1, 2, 3, 4], look.width);
    for row in rows {
        grid.row(row.cells.iter().chain([&row.verdict.text]));
    }
    // Verdicts that are never broken each end a line, and are found there to be painted.
    let widest = rows.iter().map(|row| row.verdict.text.chars().count()).max().unwrap_or_default();
    let has_room = look.width.is_none_or(|width| usize::from(width) >= widest + LEFT_OF_VERDICT);
    if has_room {
        grid.keep_whole(VERDICT);
    }
    let mut verdicts = rows.iter().map(|row| &row.verdict).filter(|_| has_room).peekable();
    let mut text = String::new();
    for (number, line) in grid.lines().enumerate() {
        let ends_in = |verdict: &&Verdict| number > 0 && line.ends_with(&*printable(&verdict.text));
        match verdicts.next_if(ends_in) {
            Some(verdict) => {
                let (before, word) = line.split_at(line.len() - printable(&verdict.text).len());
                text += &format!("{before}{}\n", (look.paint)(word, verdict.mood));
            }
            None => text += &format!("{line}\n"),
        }
    }
    text
}

/// So much room the other columns need beside verdicts that are not broken.
const LEFT_OF_VERDICT: usize = 70;

/// A score as text: its programs as they usually went, then the totals and what else is known of the tool.
pub fn score(score: &Score, look: Look) -> String {
    let title = match &*score.tool {
        Report::UNNAMED => String::new(),
        _ => format!("{}\n\n", score.title()),
    };
    title + &results(score, look) + &tool::summary(score)
}

/// A row of the table.
struct Row {
    cells: [String; VERDICT],
    verdict: Verdict,
}

fn rows(program: &ProgramResult, names: &Names, threshold: f64) -> Vec<Row> {
    let expected: Vec<&Expectation> = program.expectations.iter().filter(|e| e.is_due(threshold)).collect();
    let mut rows: Vec<Row> = expected.iter().map(|e| row(program, e)).collect();
    if rows.is_empty() {
        rows.push(Row { cells: Default::default(), verdict: Verdict::of_silence(program) });
    }
    rows[0].cells[0] = names.name(program);
    rows[0].verdict.text += &times(program);
    rows
}

fn row(program: &ProgramResult, e: &Expectation) -> Row {
    let is_time = e.unit().is_time();
    let amount =
        |value, severity| if is_time { percent(severity) } else { e.unit().quantity(value).to_string() };
    let judged = program.run_status == RunStatus::Ok;
    let when_judged = |text: String| if judged { text } else { String::new() };
    let cells = [
        format!("  {}", e.name()),
        amount(e.nominal, e.severity.nominal),
        when_judged(amount(e.observed, e.severity.observed)),
        when_judged(amount(e.found, e.severity.found)),
        if is_time { when_judged(format!("{:.4}", e.found)) } else { String::new() },
        e.call_path.join("/"),
        in_words(&e.waiting),
    ];
    Row { cells, verdict: Verdict::new(program, e) }
}

/// The number of its runs, if some were run again; else empty.
fn times(program: &ProgramResult) -> String {
    match program.disturbed.iter().filter(|run| run.was_run_again()).count() {
        0 => String::new(),
        _ => format!(", {} runs", program.runs),
    }
}

fn remarks(program: &ProgramResult) -> Vec<String> {
    let found = |what: &str, findings: &[ats_documents::Finding]| {
        findings
            .iter()
            .map(|finding| {
                let (percent, seconds) = (percent(finding.severity), finding.waiting_time);
                format!("{what}: {percent} ({seconds:.4} s), {}", finding.title())
            })
            .collect::<Vec<_>>()
    };
    let disturbed = program.disturbed.iter().map(|run| format!("disturbed: {}", run.in_words()));
    let message = program.message.clone().into_iter();
    let otherwise = program.expectations.iter().filter_map(|expectation| {
        expectation.reported_otherwise().map(|otherwise| format!("{} is {otherwise}", expectation.name()))
    });
    let order = program.kendall_tau.map(|tau| format!("rank order: Kendall's tau {tau:.3}"));
    message
        .chain(disturbed)
        .chain(order)
        .chain(otherwise)
        .chain(found("false alarm", &program.unexpected))
        .chain(found("noise", &program.noise))
        .collect()
}

fn totals(totals: &Totals) -> String {
    let rate = |rate: Option<f64>| rate.map_or("n/a".to_owned(), |rate| format!("{rate:.3}"));
    let mut text = format!(
        "programs {}: found {}, wrong {}, missed {}, not manifested {}, failed {}, false alarms {} ({:.4} s), \
         correctly silent {}\nprecision {}, recall {}, F1 {}; farthest from observed {}, from nominal {}\n",
        totals.programs,
        totals.found,
        totals.wrong,
        totals.missed,
        totals.not_manifested,
        totals.failed,
        totals.false_alarms,
        totals.false_seconds,
        totals.correctly_silent,
        rate(totals.precision),
        rate(totals.recall),
        rate(totals.f1),
        off(totals.worst_against_observed),
        off(totals.worst_against_nominal),
    );
    if totals.below_threshold > 0 {
        let (below, threshold) = (totals.below_threshold, percent(totals.threshold));
        text += &format!("below the threshold of {threshold}, and asked of no tool: {below}\n");
    }
    if totals.semantics_changed > 0 {
        text += &format!("programs whose semantics changed {}\n", totals.semantics_changed);
    }
    for (id, threshold) in &totals.detection_threshold {
        let from = threshold.map_or("not even at the largest severity".to_owned(), |severity| {
            format!("from {} on", percent(severity))
        });
        text += &format!("{id} is found {from}\n");
    }
    if totals.disturbed > 0 {
        let (disturbed, runs, again) = (totals.disturbed, totals.runs, totals.run_again);
        text += &format!("the machine disturbed {disturbed} of {runs} runs; programs run again {again}\n");
    }
    if totals.out_of_reruns > 0 {
        let more = totals.out_of_reruns;
        text +=
            &format!("no rerun was left for {more} more: there is one for eight programs, and one besides\n");
    }
    text
}

fn off(share: Option<f64>) -> String {
    share.map_or("n/a".to_owned(), |share| format!("{:.3} %", share * 100.0))
}

#[cfg(test)]
mod tests;
