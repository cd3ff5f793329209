//! Markdown, for the comment under a pull request and the page of a wiki.

use ats_documents::{
    Score,
    score::{Expectation, Outcome, ProgramResult, RunStatus},
};
use ats_model::locations;

use crate::words;

/// A score as Markdown (GitHub's): the totals, a table of the expectations, the other findings, and the number of
/// silent programs.
///
/// ```
/// # use ats_documents::Score;
/// let score = Score { schema: Score::SCHEMA.to_owned(), tool: "mine".to_owned(), ..Score::default() };
/// assert!(ats_presentation::markdown(&score).contains("| programs | found | wrong |"));
/// ```
pub fn markdown(score: &Score) -> String {
    let totals = &score.totals;
    let mut text = format!("# Validation of {}\n\n", escaped(&score.title()));
    text += &table(
        &[
            "programs",
            "found",
            "wrong",
            "missed",
            "not manifested",
            "below threshold",
            "failed",
            "false alarms",
            "precision",
            "recall",
            "F1",
        ],
        &[true; 11],
        [vec![
            totals.programs.to_string(),
            totals.found.to_string(),
            totals.wrong.to_string(),
            totals.missed.to_string(),
            totals.not_manifested.to_string(),
            totals.below_threshold.to_string(),
            totals.failed.to_string(),
            format!("{} ({:.4} s)", totals.false_alarms, totals.false_seconds),
            words::rate(totals.precision),
            words::rate(totals.recall),
            words::rate(totals.f1),
        ]],
    );
    let rows: Vec<Vec<String>> =
        score.programs.iter().flat_map(|program| rows(program, totals.threshold)).collect();
    if !rows.is_empty() {
        text += "\n## Expected\n\n";
        text += &table(
            &[
                "program",
                "size",
                "wait state",
                "nominal",
                "observed",
                "found",
                "call path",
                "locations",
                "verdict",
            ],
            &[false, false, false, true, true, true, false, false, false],
            rows,
        );
    }
    for (heading, lines) in [("Reported besides", besides(score)), ("Not judged", not_judged(score))] {
        if !lines.is_empty() {
            text += &format!("\n## {heading}\n\n");
            lines.iter().for_each(|line| text += &format!("- {line}\n"));
        }
    }
    text + &format!(
        "\n{} programs with nothing to find were rightly silent. Findings under {} of the location-seconds do not count.\n",
        totals.correctly_silent,
        words::percent(totals.threshold)
    )
}

fn rows(program: &ProgramResult, threshold: f64) -> Vec<Vec<String>> {
    let row = |e: &Expectation| {
        let amount = |value, severity| match e.wait_state {
            Some(_) => words::percent(severity),
            None => e.unit().quantity(value).to_string(),
        };
        vec![
            code(&program.program),
            words::size(program.ranks, program.threads),
            code(e.name()),
            amount(e.nominal, e.severity.nominal),
            amount(e.observed, e.severity.observed),
            amount(e.found, e.severity.found),
            code(&e.call_path.join("/")),
            escaped(&locations::in_words(&e.waiting)),
            verdict(e),
        ]
    };
    words::due_expectations(program, threshold).map(row).collect()
}

fn verdict(expectation: &Expectation) -> String {
    let outcome = expectation.verdict();
    match expectation.outcome {
        Outcome::Found | Outcome::Consistent => outcome,
        Outcome::NotManifested | Outcome::BelowThreshold | Outcome::Unsupported => format!("*{outcome}*"),
        _ => format!("**{outcome}**"),
    }
}

fn besides(score: &Score) -> Vec<String> {
    let lines = score.programs.iter().flat_map(|program| {
        let kinds = [("false alarm", &program.unexpected), ("noise", &program.noise)];
        kinds.into_iter().flat_map(move |(kind, findings)| {
            findings.iter().map(move |finding| {
                let (name, size) = (code(&program.program), words::size(program.ranks, program.threads));
                let amount = finding.quantity();
                let share = words::percent(finding.severity);
                format!("{name} {size}: {kind}, {share} ({amount}), {}", code(&finding.id))
            })
        })
    });
    lines.collect()
}

fn not_judged(score: &Score) -> Vec<String> {
    let failed = score.programs.iter().filter(|program| program.run_status != RunStatus::Ok);
    let line = |program: &ProgramResult| {
        let message =
            program.message.as_deref().map_or_else(String::new, |text| format!(": {}", escaped(text)));
        let size = words::size(program.ranks, program.threads);
        format!("{} {size}, {}{message}", code(&program.program), program.run_status.label())
    };
    failed.map(line).collect()
}

pub(crate) fn table(header: &[&str], right: &[bool], rows: impl IntoIterator<Item = Vec<String>>) -> String {
    let line = |cells: &[String]| format!("| {} |\n", cells.join(" | "));
    let header: Vec<String> = header.iter().map(|&cell| cell.to_owned()).collect();
    let rule: Vec<String> = right.iter().map(|&right| if right { "--:" } else { ":--" }.to_owned()).collect();
    let rows = rows.into_iter().map(|row| line(&row));
    [line(&header), line(&rule)].into_iter().chain(rows).collect()
}

/// Text that Markdown shows as it is, also inside a table.
pub(crate) fn escaped(text: &str) -> String {
    let mut escaped = String::new();
    for letter in text.chars() {
        match letter {
            '\n' | '\r' => escaped.push(' '),
            '&' => escaped += "&amp;",
            '<' => escaped += "&lt;",
            _ if letter.is_ascii_punctuation() && "\\`*_{}[]()#+-!|~>".contains(letter) => {
                escaped.push('\\');
                escaped.push(letter);
            }
            _ => escaped.push(letter),
        }
    }
    escaped
}

/// A name in the type of programs. In a table a `|` ends a cell even there.
pub(crate) fn code(name: &str) -> String {
    let name = name.replace(['\n', '\r'], " ").replace('|', "\\|");
    let longest = name.split(|letter| letter != '`').map(str::len).max().unwrap_or(0);
    let fence = "`".repeat(longest + 1);
    if longest > 0 { format!("{fence} {name} {fence}") } else { format!("{fence}{name}{fence}") }
}
