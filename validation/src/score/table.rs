//! A validation as text: a row per expectation, then the totals.

mod printable;
mod tool;

pub use ats_model::locations::in_words as waiting;
use ats_model::score::ProgramScore;
use ats_model::validation::{
    Cause, Disturbance, Expectation, Judgement, Outcome, ProgramResult, RunStatus, Totals,
};
use ats_model::{Score, Validation};
use comfy_table::presets::NOTHING;
use comfy_table::{CellAlignment, ContentArrangement, Table};
pub use printable::{printable, printable_lines};

/// The table, for a terminal of `width` columns; unlimited where there is none.
pub fn table(validation: &Validation, width: Option<u16>) -> String {
    let threshold = validation.totals.threshold;
    let mut table = Table::new();
    table.load_style(NOTHING);
    table.set_header(["program", "nominal", "observed", "found", "seconds", "call path", "ranks", "verdict"]);
    if let Some(width) = width {
        table.set_content_arrangement(ContentArrangement::Dynamic).set_width(width);
    }
    for program in &validation.programs {
        for row in rows(program, &swept(program, validation), threshold) {
            table.add_row(row.map(|cell| printable(&cell).into_owned()));
        }
    }
    if let Some(first) = table.column_mut(0) {
        first.set_padding((0, 1));
    }
    for column in 1..=4 {
        if let Some(column) = table.column_mut(column) {
            column.set_cell_alignment(CellAlignment::Right);
        }
    }
    let lines: Vec<String> = table.lines().map(|line| line.trim_end().to_owned()).collect();
    let mut text = lines.join("\n") + "\n\n";
    for program in &validation.programs {
        for remark in remarks(program) {
            let is_message = program.message.as_ref() == Some(&remark);
            let remark = if is_message { printable_lines(&remark) } else { printable(&remark) };
            let name = program.program.clone() + &swept(program, validation);
            text += &format!("{}: {remark}\n", printable(&name));
        }
    }
    text + &totals(&validation.totals)
}

/// A score as text: its programs as they usually went, then the totals and what else is known of the tool.
pub fn score_table(score: &Score, width: Option<u16>) -> String {
    let validation = Validation {
        schema: Validation::SCHEMA.to_owned(),
        programs: score.programs.iter().map(ProgramScore::result).collect(),
        totals: score.totals.clone(),
        environment: score.environment.clone(),
    };
    let version = score.version.as_ref().map_or(String::new(), |version| format!(" {version}"));
    format!("{}{version}\n\n{}{}", score.tool, table(&validation, width), tool::summary(score))
}

/// As many columns as the table has.
type Row = [String; 8];

fn rows(program: &ProgramResult, swept: &str, threshold: f64) -> Vec<Row> {
    let name = || name(program) + swept;
    let expected: Vec<&Expectation> = program.expectations.iter().filter(|e| e.is_due(threshold)).collect();
    if expected.is_empty() {
        let mut row = Row::default();
        row[0] = name();
        row[7] = silent_verdict(program) + &times(program);
        return vec![row];
    }
    let row = |(index, e): (usize, &&Expectation)| {
        let is_time = e.unit().is_time();
        let further = || e.label().map_or_else(String::new, |metric| format!("  {metric}"));
        let amount =
            |value, severity| if is_time { percent(severity) } else { e.unit().of(value).to_string() };
        let name = if index == 0 { name() } else { further() };
        let judged = program.run_status == RunStatus::Ok;
        let when_judged = |text: String| if judged { text } else { String::new() };
        [
            name,
            amount(e.nominal, e.severity.nominal),
            when_judged(amount(e.observed, e.severity.observed)),
            when_judged(amount(e.found, e.severity.found)),
            if is_time { when_judged(format!("{:.4}", e.found)) } else { String::new() },
            e.call_path.join("/"),
            waiting(&e.waiting),
            if index == 0 { verdict(program, e) + &times(program) } else { verdict(program, e) },
        ]
    };
    expected.iter().enumerate().map(row).collect()
}

/// A program runs with one number of threads or with several; the number is said where there are threads.
fn name(program: &ProgramResult) -> String {
    match (program.ranks, program.threads) {
        (_, 1) => program.program.clone(),
        (1, threads) => format!("{} ×{threads}", program.program),
        (ranks, threads) => format!("{} {ranks}×{threads}", program.program),
    }
}

/// How often it was run, where that was more often than it was judged.
fn times(program: &ProgramResult) -> String {
    match program.disturbed.iter().filter(|run| run.was_run_again()).count() {
        0 => String::new(),
        _ => format!(", {} runs", program.runs),
    }
}

/// The parameters by which it is told from others of its name and size.
fn swept(program: &ProgramResult, validation: &Validation) -> String {
    let is_alike = |other: &&ProgramResult| {
        (&other.program, other.ranks, other.threads) == (&program.program, program.ranks, program.threads)
    };
    let others: Vec<_> = validation.programs.iter().filter(is_alike).collect();
    let differs = |(name, value): &(&String, &String)| {
        others.iter().any(|other| other.parameters.get(*name) != Some(*value))
    };
    program.parameters.iter().filter(differs).map(|(name, value)| format!(" {name}={value}")).collect()
}

fn verdict(program: &ProgramResult, expectation: &Expectation) -> String {
    let wrong =
        [("place", expectation.place), ("ranks", expectation.locations), ("amount", expectation.amount)];
    match expectation.outcome {
        Outcome::Found => "found".to_owned(),
        Outcome::Wrong => {
            let wrong = wrong.into_iter().filter(|(_, judgement)| *judgement == Judgement::No);
            format!("wrong {}", wrong.map(|(what, _)| what).collect::<Vec<_>>().join(", "))
        }
        Outcome::Missed => match &expectation.reported_as {
            Some(name) => format!("missed, reported as {name}"),
            None => "missed".to_owned(),
        },
        Outcome::NotManifested => "not manifested".to_owned(),
        Outcome::BelowThreshold => "below threshold".to_owned(),
        Outcome::Consistent => "consistent".to_owned(),
        Outcome::Inconsistent => "inconsistent".to_owned(),
        Outcome::Unsupported => "unsupported".to_owned(),
        Outcome::SemanticsChanged => "semantics changed".to_owned(),
        Outcome::ToolError | Outcome::ParseError | Outcome::Timeout | Outcome::Cancelled => {
            program.run_status.label().to_owned()
        }
    }
}

fn silent_verdict(program: &ProgramResult) -> String {
    if program.run_status != RunStatus::Ok {
        return program.run_status.label().to_owned();
    }
    match (&program.unexpected[..], &program.noise[..]) {
        ([], []) => "silent".to_owned(),
        ([], noise) => format!("noise {}", percent(noise.iter().map(|finding| finding.severity).sum())),
        _ => "false alarm".to_owned(),
    }
}

fn remarks(program: &ProgramResult) -> Vec<String> {
    let found = |what: &str, findings: &[ats_model::Finding]| {
        findings
            .iter()
            .map(|finding| {
                let (percent, seconds) = (percent(finding.severity), finding.waiting_time);
                format!("{what}: {percent} ({seconds:.4} s), {}", finding.title())
            })
            .collect::<Vec<_>>()
    };
    let disturbed = program.disturbed.iter().map(disturbance);
    let message = program.message.clone().into_iter();
    let order = program.kendall_tau.map(|tau| format!("rank order: Kendall's tau {tau:.3}"));
    message
        .chain(disturbed)
        .chain(order)
        .chain(found("false alarm", &program.unexpected))
        .chain(found("noise", &program.noise))
        .collect()
}

fn disturbance(run: &Disturbance) -> String {
    let percent = format!("{:.1} %", 100.0 * run.share);
    let what = match run.cause {
        Cause::Noise => format!("waits of {percent} that nobody planned"),
        Cause::Deviation => format!("a wait {percent} off what was planned"),
        Cause::Clocks => {
            format!("clocks of the trace that contradict each other in {percent} of messages and operations")
        }
    };
    match &run.folder {
        Some(folder) => format!("run again: {what}, kept as {folder}"),
        None => format!("disturbed: {what}"),
    }
}

fn totals(totals: &Totals) -> String {
    let rate = |rate: Option<f64>| rate.map_or("n/a".to_owned(), |rate| format!("{rate:.3}"));
    let off = |rate: Option<f64>| rate.map_or("n/a".to_owned(), |rate| format!("{:.3} %", rate * 100.0));
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
    text
}

fn percent(share: f64) -> String {
    format!("{:.2} %", share * 100.0)
}

#[cfg(test)]
mod tests;
