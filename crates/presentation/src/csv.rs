//! Comma-separated values (RFC 4180), for spreadsheets and data frames.

use ats_documents::{
    Finding, Score,
    score::{Expectation, ProgramResult},
};
use ats_model::locations::in_words;

use crate::words;

/// A score as a table: a row per expectation and per unexpected finding, and one for a program with neither.
///
/// The column `kind` is `expected`, `false_alarm`, `noise`, `ambient` or `silent`. Amounts are seconds, in rows of the
/// property `visits` numbers of visits; severities are shares of the location-seconds of the basis. Empty fields do not
/// apply. Text that a spreadsheet would take for a formula has an apostrophe before it.
///
/// ```
/// # use ats_documents::Score;
/// let score = Score { schema: Score::SCHEMA.to_owned(), tool: "mine".to_owned(), ..Score::default() };
/// assert!(ats_presentation::csv(&score).starts_with("program,ranks,threads,parameters,run_status,kind,"));
/// ```
pub fn csv(score: &Score) -> String {
    let mut writer = ::csv::Writer::from_writer(Vec::new());
    let threshold = score.totals.threshold;
    let rows = score.programs.iter().flat_map(|program| rows(program, threshold));
    // Into memory nothing fails, and every row has the same columns.
    let written = writer
        .write_record(COLUMNS)
        .and_then(|()| rows.into_iter().try_for_each(|row| writer.write_record(row.map(harmless))));
    debug_assert!(written.is_ok());
    String::from_utf8(writer.into_inner().unwrap_or_default()).unwrap_or_default()
}

const COLUMNS: [&str; 24] = [
    "program",
    "ranks",
    "threads",
    "parameters",
    "run_status",
    "kind",
    "property",
    "call_path",
    "locations",
    "due",
    "outcome",
    "property_judged",
    "place_judged",
    "locations_judged",
    "amount_judged",
    "nominal",
    "observed",
    "found",
    "nominal_severity",
    "observed_severity",
    "found_severity",
    "metric",
    "id",
    "message",
];

/// A field that spreadsheets do not take for a formula: text that begins like one and is not a number gets an
/// apostrophe.
fn harmless(field: String) -> String {
    let is_formula = field.starts_with(['=', '@', '+', '-', '\t', '\r']) && field.parse::<f64>().is_err();
    if is_formula { format!("'{field}") } else { field }
}

/// The fields of [`COLUMNS`].
type Row = [String; COLUMNS.len()];

fn rows(program: &ProgramResult, threshold: f64) -> Vec<Row> {
    let expected = program.expectations.iter().map(|e| expected(program, e, e.is_due(threshold)));
    let others =
        [("false_alarm", &program.unexpected), ("noise", &program.noise), ("ambient", &program.ambient)];
    let others = others
        .into_iter()
        .flat_map(|(kind, findings)| findings.iter().map(move |finding| unexpected(program, kind, finding)));
    let mut rows: Vec<Row> = expected.chain(others).collect();
    if rows.is_empty() {
        rows.push(row(program, "silent", [const { String::new() }; 17]));
    }
    rows
}

/// A row of the program's own fields and the fields between `kind` and `message`.
fn row(program: &ProgramResult, kind: &str, fields: [String; 17]) -> Row {
    let parameters = program.parameters.iter().map(|(name, value)| format!("{name}={value}"));
    let before = [
        program.program.clone(),
        program.ranks.to_string(),
        program.threads.to_string(),
        parameters.collect::<Vec<_>>().join(" "),
        program.run_status.label().to_owned(),
        kind.to_owned(),
    ];
    let mut fields = before.into_iter().chain(fields).chain(program.message.clone());
    std::array::from_fn(|_| fields.next().unwrap_or_default())
}

fn expected(program: &ProgramResult, e: &Expectation, due: bool) -> Row {
    let severity = |severity: f64| if e.unit().is_time() { severity.to_string() } else { String::new() };
    let fields = [
        e.name().to_owned(),
        e.call_path.join("/"),
        in_words(&e.waiting),
        due.to_string(),
        e.verdict(),
        words::judgement(e.property).to_owned(),
        words::judgement(e.place).to_owned(),
        words::judgement(e.locations).to_owned(),
        words::judgement(e.amount).to_owned(),
        e.nominal.to_string(),
        e.observed.to_string(),
        e.found.to_string(),
        severity(e.severity.nominal),
        severity(e.severity.observed),
        severity(e.severity.found),
        e.label().unwrap_or_default().to_owned(),
        e.id.clone(),
    ];
    row(program, "expected", fields)
}

fn unexpected(program: &ProgramResult, kind: &str, finding: &Finding) -> Row {
    let mut fields = [const { String::new() }; 17];
    fields[0] = finding.name().to_owned();
    fields[1] = finding.call_path.join("/");
    fields[2] = in_words(&finding.places());
    fields[11] = finding.waiting_time.to_string();
    fields[14] = finding.severity.to_string();
    fields[15] = finding.metric.clone().unwrap_or_default();
    fields[16] = finding.id.clone();
    row(program, kind, fields)
}
