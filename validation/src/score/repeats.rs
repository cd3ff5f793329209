//! Several runs of one program, as one.

use std::collections::BTreeMap;

use ats_documents::score::{
    Expectation, ExpectationSpread, Intrusiveness, Outcome, ProgramResult, RunStatus, Severities, Spread,
};

use super::{error, grouped, rank_correlation};

/// The typical result of several runs; `None` without runs.
pub(super) fn over(runs: &[&ProgramResult]) -> Option<ProgramResult> {
    let run_status = usual(runs.iter().map(|run| run.run_status), |&status| badness_of_run(status))?;
    let typical = *runs.iter().find(|run| run.run_status == run_status)?;
    let mut by_alarms: Vec<&ProgramResult> =
        runs.iter().copied().filter(|run| run.run_status == run_status).collect();
    by_alarms.sort_by(|a, b| a.false_seconds.total_cmp(&b.false_seconds));
    let middle = by_alarms[(by_alarms.len() - 1) / 2];
    let expected = runs.iter().flat_map(|run| &run.expectations).map(|e| (e.id.clone(), e));
    let expectations: Vec<Expectation> =
        grouped(expected).iter().filter_map(|(_, repeats)| expectation(repeats)).collect();
    let intrusions: Vec<Intrusiveness> = runs.iter().filter_map(|run| run.intrusiveness).collect();
    Some(ProgramResult {
        program: typical.program.clone(),
        parameters: typical.parameters.clone(),
        ranks: typical.ranks,
        threads: typical.threads,
        run_status,
        message: typical.message.clone(),
        repeats: runs.len() as u32,
        runs: runs.iter().map(|run| run.runs).sum(),
        disturbed: runs.iter().flat_map(|run| run.disturbed.iter().cloned()).collect(),
        environment: typical.environment.clone(),
        unexpected: middle.unexpected.clone(),
        ambient: middle.ambient.clone(),
        noise: middle.noise.clone(),
        false_seconds: middle.false_seconds,
        kendall_tau: rank_correlation(&expectations),
        expectations,
        intrusiveness: intrusiveness(&intrusions),
    })
}

fn expectation(repeats: &[&Expectation]) -> Option<Expectation> {
    let outcome = usual(repeats.iter().map(|e| e.outcome), |&outcome| badness(outcome))?;
    let typical = repeats.iter().find(|e| e.outcome == outcome)?;
    // Where nothing was judged, nothing was seen.
    let any_judged = repeats.iter().any(|e| e.is_judged());
    let seen = || repeats.iter().filter(|e| !any_judged || e.is_judged());
    let spread = |value: fn(&Expectation) -> f64| Spread::over(seen().map(|e| value(e)).collect());
    let median = |value: fn(&Expectation) -> f64| spread(value).map_or(0.0, |spread| spread.median);
    let errors = repeats.iter().filter_map(|e| error::relative(e)).collect();
    let mut outcomes: BTreeMap<Outcome, u32> = BTreeMap::new();
    for repeat in repeats {
        *outcomes.entry(repeat.outcome).or_default() += 1;
    }
    Some(Expectation {
        id: typical.id.clone(),
        outcome,
        grade: typical.reached_grade(),
        view: typical.view,
        wait_state: typical.wait_state,
        metric: typical.metric.clone(),
        planted: typical.planted,
        call_path: typical.call_path.clone(),
        waiting: typical.waiting.clone(),
        property: typical.property,
        place: typical.place,
        locations: typical.locations,
        amount: typical.amount,
        nominal: typical.nominal,
        observed: median(|e| e.observed),
        found: median(|e| e.found),
        reported_as: typical.reported_as.clone(),
        error: Spread::over(errors).map(|spread| spread.median),
        severity: Severities {
            nominal: typical.severity.nominal,
            observed: median(|e| e.severity.observed),
            found: median(|e| e.severity.found),
        },
        spread: (repeats.len() > 1)
            .then(|| {
                Some(ExpectationSpread {
                    outcomes,
                    observed: spread(|e| e.observed)?,
                    found: spread(|e| e.found)?,
                })
            })
            .flatten(),
    })
}

/// The median of changes that a tool made, of repeats or of programs.
pub(super) fn intrusiveness(changes: &[Intrusiveness]) -> Option<Intrusiveness> {
    let wall_time = Spread::over(changes.iter().map(|change| change.wall_time).collect())?;
    let severity = Spread::over(changes.iter().filter_map(|change| change.severity).collect());
    Some(Intrusiveness {
        wall_time: wall_time.median,
        severity: severity.map(|spread| spread.median),
        of: wall_time.of.into(),
    })
}

/// The most frequent value; among equally frequent ones, the worst.
fn usual<T: Copy + PartialEq>(values: impl Iterator<Item = T>, badness: impl Fn(&T) -> u32) -> Option<T> {
    let values: Vec<T> = values.collect();
    let often = |value: &T| values.iter().filter(|other| *other == value).count();
    values.iter().copied().max_by_key(|value| (often(value), badness(value)))
}

/// The badness of an outcome: the higher, the worse.
pub(super) fn badness(outcome: Outcome) -> u32 {
    match outcome {
        Outcome::Found | Outcome::Consistent => 0,
        Outcome::NotManifested | Outcome::BelowThreshold => 1,
        Outcome::Unsupported => 2,
        Outcome::Wrong | Outcome::Inconsistent => 3,
        Outcome::Missed => 4,
        Outcome::ParseError => 5,
        Outcome::Cancelled => 6,
        Outcome::ToolError => 7,
        Outcome::Timeout => 8,
        Outcome::SemanticsChanged => 9,
    }
}

fn badness_of_run(status: RunStatus) -> u32 {
    match status {
        RunStatus::Ok => 0,
        RunStatus::Unsupported => 1,
        RunStatus::ParseError | RunStatus::SeveralReports | RunStatus::OtherRun => 2,
        RunStatus::Cancelled => 3,
        RunStatus::NotStarted | RunStatus::NoReport => 4,
        RunStatus::Crashed | RunStatus::LeftCore | RunStatus::WantedTerminal => 5,
        RunStatus::Timeout | RunStatus::HungAtExit => 6,
        RunStatus::SemanticsChanged => 7,
    }
}
