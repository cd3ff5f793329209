//! The words that every format uses for the same thing.

use ats_model::{
    Finding, WaitState,
    finding::VISITS,
    validation::{Cause, Disturbance, Expectation, Judgement, Outcome, ProgramResult},
};

/// A name for people, as pages and viewers show it: `Late sender`, `Wait at n-to-n`, `OpenMP lock contention`.
///
/// ```
/// assert_eq!(ats_presentation::title("late_sender"), "Late sender");
/// ```
pub fn title(name: &str) -> String {
    let words = name.split('_').map(|word| match word {
        "omp" => "OpenMP",
        "nxn" => "n-to-n",
        word => word,
    });
    let title = words.collect::<Vec<_>>().join(" ");
    let mut letters = title.chars();
    letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
}

/// The name of time that is of no wait state.
pub(crate) const BLOCKED: &str = "blocked";

/// What a wait state is, in a sentence: of the name that documents have for it.
///
/// ```
/// assert!(ats_presentation::definition("late_sender").starts_with("A receive"));
/// ```
pub fn definition(property: &str) -> &'static str {
    match property {
        VISITS => "How often a call is made or a construct is entered.",
        BLOCKED => "Time in which a location is blocked and that no metric counts.",
        _ => WaitState::from_name(property)
            .map_or("A number that is counted under this name.", WaitState::definition),
    }
}

/// What became of an expectation; of a wrong one, what is wrong with it.
pub(crate) fn outcome(expectation: &Expectation) -> String {
    match expectation.outcome {
        Outcome::Found => "found".to_owned(),
        Outcome::Wrong => format!("wrong {}", wrong(expectation).join(", ")),
        Outcome::Missed => "missed".to_owned(),
        Outcome::Consistent => "consistent".to_owned(),
        Outcome::Inconsistent => "inconsistent".to_owned(),
        Outcome::NotManifested => "not manifested".to_owned(),
        Outcome::BelowThreshold => "below threshold".to_owned(),
        Outcome::Unsupported => "unsupported".to_owned(),
        Outcome::ToolError => "tool error".to_owned(),
        Outcome::ParseError => "unreadable".to_owned(),
        Outcome::Timeout => "timeout".to_owned(),
        Outcome::SemanticsChanged => "semantics changed".to_owned(),
        Outcome::Cancelled => "cancelled".to_owned(),
    }
}

/// Which of the judgements are no.
pub(crate) fn wrong(expectation: &Expectation) -> Vec<&'static str> {
    let judgements = [
        ("property", expectation.property),
        ("place", expectation.place),
        ("locations", expectation.locations),
        ("amount", expectation.amount),
    ];
    judgements
        .into_iter()
        .filter(|(_, judgement)| *judgement == Judgement::No)
        .map(|(what, _)| what)
        .collect()
}

/// A judgement.
pub(crate) fn judgement(judgement: Judgement) -> &'static str {
    match judgement {
        Judgement::Yes => "yes",
        Judgement::No => "no",
        Judgement::NotApplicable => "n/a",
    }
}

/// A share: `41.67 %`.
pub(crate) fn percent(share: f64) -> String {
    format!("{:.2} %", share * 100.0)
}

/// A rate; nothing to divide by is `n/a`.
pub(crate) fn rate(rate: Option<f64>) -> String {
    rate.map_or_else(|| "n/a".to_owned(), |rate| format!("{rate:.3}"))
}

/// Ranks and threads: `4×1`.
pub(crate) fn size(ranks: u32, threads: u32) -> String {
    format!("{ranks}×{threads}")
}

/// Expected, observed and found in a sentence.
pub(crate) fn comparison(expectation: &Expectation) -> String {
    let amount = |value| expectation.unit().of(value);
    let otherwise =
        expectation.reported_otherwise().map_or_else(String::new, |otherwise| format!("{otherwise}; "));
    format!(
        "{otherwise}found {}, observed truth {}, nominal truth {}",
        amount(expectation.found),
        amount(expectation.observed),
        amount(expectation.nominal)
    )
}

/// A finding that should not be there, in a sentence.
pub(crate) fn false_alarm(finding: &Finding) -> String {
    format!("{} ({}): {}", percent(finding.severity), finding.quantity(), finding.title())
}

/// What the machine did to a run, in a sentence.
pub(crate) fn disturbance(run: &Disturbance) -> String {
    let share = percent(run.share);
    let what = match run.cause {
        Cause::Noise => format!("waits that nobody planned took {share} of all locations' time"),
        Cause::Deviation => format!("a wait was {share} longer or shorter than planned"),
        Cause::Clocks => format!(
            "the clocks of the trace contradict each other: {share} of messages and collective operations are over too early"
        ),
    };
    match &run.folder {
        Some(folder) => format!("{what}; run again, and this run is kept in {folder}"),
        None => what,
    }
}

/// The expectations that a tool has to meet.
pub(crate) fn due(program: &ProgramResult, threshold: f64) -> impl Iterator<Item = &Expectation> {
    program.expectations.iter().filter(move |expectation| expectation.is_due(threshold))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_wait_state_has_a_title_and_a_definition() {
        assert_eq!(title("late_sender"), "Late sender");
        assert_eq!(title("wait_at_nxn"), "Wait at n-to-n");
        assert_eq!(title("omp_lock_contention"), "OpenMP lock contention");
        for state in WaitState::ALL {
            assert!(definition(state.name()).ends_with('.'), "{}", state.name());
        }
    }
}
