//! JUnit's XML, as CI systems read it.

use ats_documents::{
    Score,
    score::{Expectation, Outcome, ProgramResult, RunStatus},
};
use ats_model::xml::allowed;
use quick_junit::{NonSuccessKind, Property, Report, TestCase, TestCaseStatus, TestSuite};

use crate::words;

/// A score as a JUnit report: a test suite per program, a test case per expectation that is due, and one for
/// unexpected reports.
///
/// Missed and wrong findings and false alarms are failures; expectations that a run did not show, or showed too little
/// of, and those that a tool cannot know are skipped; a program that did not run, and a report that could not be read,
/// is an error.
///
/// ```
/// # use ats_documents::Score;
/// let score = Score { schema: Score::SCHEMA.to_owned(), tool: "mine".to_owned(), ..Score::default() };
/// let report = ats_presentation::junit(&score);
/// assert!(report.contains(r#"tests="0" skipped="0" failures="0" errors="0""#));
/// ```
pub fn junit(score: &Score) -> String {
    let threshold = score.totals.threshold;
    let mut report = Report::new(allowed(&name(score)));
    report.add_test_suites(score.programs.iter().map(|program| suite(program, threshold)));
    report.to_string().expect("it is made of texts")
}

fn name(score: &Score) -> String {
    let engine = score.environment.get("engine").and_then(|engine| engine.as_str()).unwrap_or_default();
    let words = ["ats validate", &score.title(), engine];
    words.into_iter().filter(|word| !word.is_empty()).collect::<Vec<_>>().join(" ")
}

/// The judgement of a program.
fn suite(program: &ProgramResult, threshold: f64) -> TestSuite {
    let name = format!("{} {}", program.program, words::size(program.ranks, program.threads));
    let mut suite = TestSuite::new(allowed(&name));
    let size = [("ranks", program.ranks.to_string()), ("threads", program.threads.to_string())];
    let parameters = program.parameters.iter().map(|(name, value)| (name.as_str(), value.to_string()));
    let properties = size.into_iter().chain(parameters);
    suite.add_properties(properties.map(|(name, value)| Property::new(allowed(name), allowed(&value))));
    let case = |name: &str, status: TestCaseStatus| {
        let mut case = TestCase::new(allowed(name), status);
        case.set_classname(allowed(&program.program));
        case
    };
    let due = words::due(program, threshold);
    suite.add_test_cases(due.map(|expectation| case(&expectation.id, judged(program, expectation))));
    suite.add_test_case(case("nothing else is reported", nothing_else(program)));
    suite
}

fn judged(program: &ProgramResult, expectation: &Expectation) -> TestCaseStatus {
    let status = match expectation.outcome {
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
    let reason = expectation.verdict();
    let compared = || words::comparison(expectation);
    let message = match &program.message {
        Some(message) if program.run_status == RunStatus::Ok => {
            format!("{reason}: {}; {message}", compared())
        }
        Some(message) => format!("{reason}: {message}"),
        None => format!("{reason}: {}", compared()),
    };
    because(status, &reason, &message)
}

fn nothing_else(program: &ProgramResult) -> TestCaseStatus {
    if program.run_status != RunStatus::Ok {
        let reason = program.run_status.label();
        let message = program.message.as_deref().unwrap_or(reason);
        return because(TestCaseStatus::non_success(NonSuccessKind::Error), reason, message);
    }
    let alarms: Vec<String> = program.unexpected.iter().map(words::false_alarm).collect();
    if alarms.is_empty() {
        return TestCaseStatus::success();
    }
    because(TestCaseStatus::non_success(NonSuccessKind::Failure), "false alarm", &alarms.join("\n"))
}

/// The same with its reason, in a word and in full.
fn because(mut status: TestCaseStatus, reason: &str, message: &str) -> TestCaseStatus {
    status.set_message(allowed(message)).set_type(allowed(reason));
    status
}
