//! The score of a tool, from the results of all its runs.

use std::collections::BTreeMap;
use std::path::Path;
use std::time::SystemTime;

use ats_documents::score::{Intrusiveness, ProgramResult, Spread, Totals};
use ats_documents::{Score, Truth};
use ats_model::files::read_document;
use serde_json::{Value, json};

use super::{grouped, repeats, totals_of, truth_hash};
use ats_launch::environment::of_machine;
use ats_launch::tool::Tool;
use ats_props::Catalogue;

/// Reads a score.
///
/// # Errors
/// The reason why the file is none.
pub fn read(path: &Path) -> Result<Score, String> {
    let bytes = read_document(path).map_err(|error| error.to_string())?;
    let document: Value = serde_json::from_slice(&bytes).map_err(|error| error.to_string())?;
    match document["schema"].as_str().unwrap_or_default() {
        Score::SCHEMA => serde_json::from_value(document).map_err(|error| error.to_string()),
        other => Err(format!("its schema is `{other}`")),
    }
}

/// The ingredients of a score.
#[derive(Clone, Debug, Default)]
pub struct Scored {
    /// The tool, as its description names it.
    pub tool: String,
    /// Its version, where it says it.
    pub version: Option<String>,
    /// The options that it was given besides those of its description.
    pub options: Vec<String>,
    /// The questions that it was asked: the nominal truth of every program.
    pub truths: Vec<Truth>,
    /// The result of every run; those of one program with the same parameters and size are its repeats.
    pub results: Vec<ProgramResult>,
    /// Whether it names wait states; the silence of a profile means nothing.
    pub diagnoses: bool,
    /// Share of the measured location-seconds below which nothing need be reported.
    pub threshold: f64,
    /// The facts that a reader needs to repeat it.
    pub environment: BTreeMap<String, Value>,
}

impl Scored {
    /// Takes in the result of a run, with the truth that its parameters promise.
    pub(crate) fn take(&mut self, nominal: Option<Truth>, result: ProgramResult) {
        self.truths.extend(nominal.filter(|nominal| !self.truths.contains(nominal)));
        self.results.push(result);
    }
}

/// The machine, the command line, the time, and the description of the tool, where there is one.
pub fn environment(tool: Option<&Tool>) -> BTreeMap<String, Value> {
    let mut environment = of_machine();
    let time = humantime::format_rfc3339_seconds(SystemTime::now()).to_string();
    environment.insert("time".to_owned(), json!(time));
    if let Some(tool) = tool {
        environment.insert("tool_description".to_owned(), json!(tool));
    }
    environment
}

/// Adds up. The catalogue has the classes of the programs that showed nothing.
pub fn score(scored: Scored, catalogue: &Catalogue) -> Score {
    let by_program = grouped(scored.results.iter().map(|run| (key(run), run)));
    let programs: Vec<ProgramResult> =
        by_program.iter().filter_map(|(_, runs)| repeats::over(runs)).collect();
    let add_up =
        |results: &[&ProgramResult]| totals_of(results, scored.threshold, scored.diagnoses, catalogue);
    let most = by_program.iter().map(|(_, runs)| runs.len()).max().unwrap_or(0);
    let single: Vec<Totals> = (0..most)
        .filter(|_| most > 1)
        .map(|at| by_program.iter().filter_map(|(_, runs)| runs.get(at).copied()).collect::<Vec<_>>())
        .map(|results| add_up(&results))
        .collect();
    let of_programs: Vec<Intrusiveness> =
        programs.iter().filter_map(|program| program.intrusiveness).collect();
    Score {
        schema: Score::SCHEMA.to_owned(),
        tool: scored.tool,
        version: scored.version,
        options: scored.options,
        truth_hash: truth_hash(&scored.truths),
        totals: Totals {
            intrusiveness: repeats::intrusiveness(&of_programs),
            ..add_up(&programs.iter().collect::<Vec<_>>())
        },
        programs,
        repeats: spreads(&single),
        environment: scored.environment,
    }
}

/// The key of a result: repeats of one program have the same.
fn key(run: &ProgramResult) -> (String, BTreeMap<String, String>, u32, u32) {
    (run.program.clone(), run.parameters.clone(), run.ranks, run.threads)
}

type RateOf = fn(&Totals) -> Option<f64>;

/// The rates of the single repeats, by their names; those that a repeat does not have are left out.
fn spreads(single: &[Totals]) -> BTreeMap<String, Spread> {
    let rates: [(&str, RateOf); 9] = [
        ("precision", |totals| totals.precision),
        ("recall", |totals| totals.recall),
        ("f1", |totals| totals.f1),
        ("specificity", |totals| totals.specificity),
        ("consistency", |totals| totals.consistency),
        ("support_rate", |totals| totals.support_rate),
        ("kendall_tau", |totals| totals.kendall_tau),
        ("severity_error", |totals| totals.severity_error.map(|error| error.signed)),
        ("false_seconds", |totals| Some(totals.false_seconds)),
    ];
    let spread = |rate: RateOf| Spread::over(single.iter().filter_map(rate).collect());
    rates.into_iter().filter_map(|(name, rate)| Some((name.to_owned(), spread(rate)?))).collect()
}
