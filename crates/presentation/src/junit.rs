//! JUnit's XML, as CI systems read it.

use ats_documents::explanation::ProblemState;
use ats_documents::{
    Explanation, Score,
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
    let time = score.environment.get("time").and_then(|time| time.as_str());
    let timestamp = time.and_then(|time| time.parse().ok());
    report.timestamp = timestamp;
    report.add_test_suites(score.programs.iter().map(|program| {
        let mut suite = suite(program, threshold);
        suite.timestamp = timestamp;
        suite
    }));
    report.to_string().expect("it is made of texts")
}

fn name(score: &Score) -> String {
    let engine = score.environment.get("engine").and_then(|engine| engine.as_str()).unwrap_or_default();
    let words = ["ats validate", &score.title(), engine];
    words.into_iter().filter(|word| !word.is_empty()).collect::<Vec<_>>().join(" ")
}

/// The gate of an explanation as a JUnit report: a test case for each problem of this run or of the earlier ones, and one for the
/// calls. A problem that is new, moved or grown is a failure, and so are more calls; what was not judged is skipped.
///
/// ```
/// # use ats_documents::Explanation;
/// # use ats_documents::explanation::Gate;
/// let explanation = Explanation { gate: Some(Gate::default()), ..Explanation::default() };
/// let report = ats_presentation::junit_of_gate(&explanation);
/// assert!(report.contains(r#"tests="1" skipped="0" failures="0" errors="0""#));
/// ```
pub fn junit_of_gate(explanation: &Explanation) -> String {
    let mut report = Report::new("ats explain");
    let mut suite = TestSuite::new(allowed(&explanation.trace));
    let case = |name: &str, status: TestCaseStatus| {
        let mut case = TestCase::new(allowed(name), status);
        case.set_classname(allowed(&explanation.trace));
        case
    };
    if let Some(gate) = &explanation.gate {
        suite.add_test_cases(gate.problems.iter().map(|problem| {
            let status = match problem.state {
                state if state.fails() => TestCaseStatus::non_success(NonSuccessKind::Failure),
                ProblemState::NotJudged => TestCaseStatus::skipped(),
                _ => TestCaseStatus::success(),
            };
            let said = words::judged(problem);
            let is_success = matches!(status, TestCaseStatus::Success { .. });
            let status = if is_success { status } else { because(status, problem.state.name(), &said) };
            case(said.split_once(':').map_or(&said[..], |(name, _)| name), status)
        }));
        let more: Vec<String> = gate.calls.iter().filter(|of| of.are_more()).map(words::calls).collect();
        let status = match more.is_empty() {
            true => TestCaseStatus::success(),
            false => {
                because(TestCaseStatus::non_success(NonSuccessKind::Failure), "more calls", &more.join("\n"))
            }
        };
        suite.add_test_case(case("no function has more calls", status));
        if !gate.not_judged.is_empty() {
            suite.set_system_out(allowed(&gate.not_judged.join("\n")));
        }
    }
    report.add_test_suite(suite);
    report.to_string().expect("it is made of texts")
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
    let due = words::due_expectations(program, threshold);
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
