//! The score of a tool, from the results of all its runs.

use std::collections::BTreeMap;
use std::time::SystemTime;

use ats_documents::score::{ProgramScore, Spread};
use ats_documents::validation::{Expectation, Intrusiveness, ProgramResult, RunStatus, Totals};
use ats_documents::{Score, Truth};
use serde_json::{Value, json};

use super::{grouped, repeats, totals_of, truth_hash};
use ats_launch::environment::of_machine;
use ats_launch::tool::Tool;
use ats_props::Catalogue;

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
    /// The changes that the tool made, for every program that also ran without it, as in `results`.
    pub intrusions: Vec<(ProgramResult, Intrusiveness)>,
    /// Whether it names wait states; the silence of a profile means nothing.
    pub diagnoses: bool,
    /// Share of the measured location-seconds below which nothing need be reported.
    pub threshold: f64,
    /// The facts that a reader needs to repeat it.
    pub environment: BTreeMap<String, Value>,
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
    let mut intrusions = grouped(scored.intrusions.iter().map(|(run, intrusion)| (key(run), *intrusion)))
        .into_iter()
        .collect::<BTreeMap<_, _>>();
    let programs: Vec<ProgramScore> = by_program
        .iter()
        .filter_map(|(key, runs)| {
            let intrusiveness = median(&intrusions.remove(key).unwrap_or_default());
            Some(ProgramScore { intrusiveness, ..repeats::over(runs)? })
        })
        .collect();
    let usual: Vec<ProgramResult> = programs.iter().map(ProgramScore::result).collect();
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
        totals: Totals { intrusiveness: median(&of_programs), ..add_up(&usual.iter().collect::<Vec<_>>()) },
        programs,
        repeats: spreads(&single),
        environment: scored.environment,
    }
}

/// Whether all that was asked was answered, and answered rightly: what the tool cannot know does not count against it.
pub fn is_clean(score: &Score) -> bool {
    let threshold = score.totals.threshold;
    let fits = |program: &ProgramScore| {
        use ats_documents::validation::Outcome::{Consistent, Found};
        let result = program.result();
        let is_fine = |e: &Expectation| matches!(e.outcome, Found | Consistent) || e.is_forgiven(threshold);
        let is_consistent = |e: &Expectation| e.outcome == Consistent;
        result.has_passed(threshold)
            || result.is_out_of_reach(threshold)
            || result.run_status == RunStatus::Ok
                && result.unexpected.is_empty()
                && result.expectations.iter().any(is_consistent)
                && result.expectations.iter().all(is_fine)
    };
    !score.programs.is_empty() && score.programs.iter().all(fits)
}

/// The key of a result: repeats of one program have the same.
fn key(run: &ProgramResult) -> (String, BTreeMap<String, String>, u32, u32) {
    (run.program.clone(), run.parameters.clone(), run.ranks, run.threads)
}

fn median(intrusions: &[Intrusiveness]) -> Option<Intrusiveness> {
    let wall_time = Spread::over(intrusions.iter().map(|intrusion| intrusion.wall_time).collect())?;
    let severity = Spread::over(intrusions.iter().filter_map(|intrusion| intrusion.severity).collect());
    Some(Intrusiveness {
        wall_time: wall_time.median,
        severity: severity.map(|spread| spread.median),
        of: wall_time.of.into(),
    })
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
