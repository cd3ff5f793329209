//! JUnit's XML, as CI systems read it.

use ats_model::{
    Validation,
    validation::{Expectation, Outcome, ProgramResult, RunStatus},
};
use quick_junit::{NonSuccessKind, Property, Report, TestCase, TestCaseStatus, TestSuite};

use crate::words;

/// A validation as a JUnit report: a test suite per program, a test case per expectation that is due, and one for what
/// should not have been reported.
///
/// What was missed, wrong or a false alarm is a failure; what a run did not show, or too little of, and what a tool
/// cannot know is skipped; a
/// program that did not run, and a report that could not be read, is an error.
///
/// ```
/// # use ats_model::{Validation, validation::Totals};
/// # let (programs, totals, environment) = (Vec::new(), Totals::default(), Default::default());
/// let validation = Validation { schema: Validation::SCHEMA.to_owned(), programs, totals, environment };
/// let report = ats_presentation::junit(&validation);
/// assert!(report.contains(r#"tests="0" skipped="0" failures="0" errors="0""#));
/// ```
pub fn junit(validation: &Validation) -> String {
    let mut report = Report::new(name(validation));
    let threshold = validation.totals.threshold;
    report.add_test_suites(validation.programs.iter().map(|program| suite(program, threshold)));
    // Characters that XML forbids are left out by quick-junit, so that only memory could fail.
    report.to_string().unwrap_or_default()
}

fn name(validation: &Validation) -> String {
    let word = |key| validation.environment.get(key).and_then(|value| value.as_str()).unwrap_or_default();
    let words = ["ats validate", word("tool"), word("tool_version"), word("engine")];
    words.into_iter().filter(|word| !word.is_empty()).collect::<Vec<_>>().join(" ")
}

fn suite(program: &ProgramResult, threshold: f64) -> TestSuite {
    let mut suite =
        TestSuite::new(format!("{} {}", program.program, words::size(program.ranks, program.threads)));
    let size = [("ranks", program.ranks.to_string()), ("threads", program.threads.to_string())];
    let parameters = program.parameters.iter().map(|(name, value)| (name.as_str(), value.clone()));
    for (name, value) in size.into_iter().chain(parameters) {
        suite.add_property(Property::new(name, value));
    }
    let mut add = |name: &str, status| {
        let mut case = TestCase::new(name, status);
        case.set_classname(&program.program);
        suite.add_test_case(case);
    };
    words::due(program, threshold).for_each(|expectation| add(&expectation.id, judged(program, expectation)));
    add("nothing else is reported", nothing_else(program));
    suite
}

fn judged(program: &ProgramResult, expectation: &Expectation) -> TestCaseStatus {
    let outcome = expectation.verdict();
    let mut status = match expectation.outcome {
        Outcome::Found | Outcome::Consistent => return TestCaseStatus::success(),
        Outcome::Wrong | Outcome::Missed | Outcome::Inconsistent => {
            TestCaseStatus::non_success(NonSuccessKind::Failure)
        }
        Outcome::NotManifested | Outcome::BelowThreshold | Outcome::Unsupported => TestCaseStatus::skipped(),
        Outcome::ToolError
        | Outcome::ParseError
        | Outcome::Timeout
        | Outcome::SemanticsChanged
        | Outcome::Cancelled => TestCaseStatus::non_success(NonSuccessKind::Error),
    };
    let compared = || words::comparison(expectation);
    let message = match &program.message {
        Some(message) if program.run_status == RunStatus::Ok => {
            format!("{outcome}: {}; {message}", compared())
        }
        Some(message) => format!("{outcome}: {message}"),
        None => format!("{outcome}: {}", compared()),
    };
    status.set_type(outcome).set_message(message);
    status
}

fn nothing_else(program: &ProgramResult) -> TestCaseStatus {
    let (kind, reason, message) = if program.run_status != RunStatus::Ok {
        let status = program.run_status.label();
        (NonSuccessKind::Error, status, program.message.clone().unwrap_or_else(|| status.to_owned()))
    } else if !program.unexpected.is_empty() {
        let alarms: Vec<String> = program.unexpected.iter().map(words::false_alarm).collect();
        (NonSuccessKind::Failure, "false alarm", alarms.join("\n"))
    } else {
        return TestCaseStatus::success();
    };
    let mut status = TestCaseStatus::non_success(kind);
    status.set_type(reason).set_message(message);
    status
}
