//! The verdict on a program or an expectation, in a word or two.

use ats_documents::score::{Expectation, Outcome, ProgramResult, RunStatus};

use crate::words::percent;

/// Whether a verdict is what was hoped for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mood {
    /// It is.
    Good,
    /// It is not known, or no fault of the program.
    Unsure,
    /// It is not.
    Bad,
}

/// A verdict.
#[derive(Clone, Debug)]
pub(super) struct Verdict {
    pub(super) text: String,
    pub(super) mood: Mood,
}

impl Verdict {
    /// On something that was expected.
    pub(super) fn new(program: &ProgramResult, expectation: &Expectation) -> Self {
        Verdict { text: text(program, expectation), mood: mood(program.run_status, expectation.outcome) }
    }

    /// On a program without expectations.
    pub(super) fn of_silence(program: &ProgramResult) -> Self {
        let (text, mood) = match (program.run_status, &program.unexpected[..], &program.noise[..]) {
            (RunStatus::Ok, [], []) => ("silent".to_owned(), Mood::Good),
            (RunStatus::Ok, [], noise) => {
                let share: f64 = noise.iter().map(|finding| finding.severity).sum();
                (format!("noise {}", percent(share)), Mood::Unsure)
            }
            (RunStatus::Ok, ..) => ("false alarm".to_owned(), Mood::Bad),
            (status, ..) => (status.label().to_owned(), of_failed(status)),
        };
        Verdict { text, mood }
    }
}

fn text(program: &ProgramResult, expectation: &Expectation) -> String {
    match (expectation.outcome, &expectation.reported_as) {
        (Outcome::Missed, Some(name)) => format!("missed, reported as {name}"),
        // How the run ended says more.
        (Outcome::ToolError | Outcome::ParseError | Outcome::Timeout | Outcome::Cancelled, _) => {
            program.run_status.label().to_owned()
        }
        _ => expectation.verdict(),
    }
}

fn mood(status: RunStatus, outcome: Outcome) -> Mood {
    match outcome {
        Outcome::Found | Outcome::Consistent => Mood::Good,
        Outcome::NotManifested | Outcome::BelowThreshold | Outcome::Unsupported | Outcome::Cancelled => {
            Mood::Unsure
        }
        Outcome::Wrong | Outcome::Missed | Outcome::Inconsistent | Outcome::SemanticsChanged => Mood::Bad,
        Outcome::ToolError | Outcome::ParseError | Outcome::Timeout => of_failed(status),
    }
}

fn of_failed(status: RunStatus) -> Mood {
    match status {
        RunStatus::Unsupported | RunStatus::Cancelled => Mood::Unsure,
        _ => Mood::Bad,
    }
}
