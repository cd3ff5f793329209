//! JUnit's XML, as CI systems read it.

use std::io;

use ats_documents::{
    Score,
    score::{Expectation, Outcome, ProgramResult, RunStatus},
};
use ats_model::xml::allowed;
use quick_xml::{
    ElementWriter, Writer,
    events::{BytesDecl, Event},
};

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
    let suites: Vec<Suite<'_>> = score.programs.iter().map(|program| suite(program, threshold)).collect();
    let mut text = Vec::new();
    write(&name(score), &suites, &mut text).expect("there is memory");
    text.push(b'\n');
    String::from_utf8(text).expect("it is made of texts")
}

/// The judgement of a program.
struct Suite<'a> {
    program: &'a ProgramResult,
    cases: Vec<Case<'a>>,
}

struct Case<'a> {
    name: &'a str,
    /// The fault; `None` if it passed.
    fault: Option<Fault>,
}

struct Fault {
    kind: FaultKind,
    reason: String,
    message: String,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum FaultKind {
    Skipped,
    Failure,
    Error,
}

impl FaultKind {
    /// All kinds, with the names of their counts.
    const ALL: [(FaultKind, &'static str); 3] =
        [(FaultKind::Skipped, "skipped"), (FaultKind::Failure, "failures"), (FaultKind::Error, "errors")];

    fn element(self) -> &'static str {
        match self {
            FaultKind::Skipped => "skipped",
            FaultKind::Failure => "failure",
            FaultKind::Error => "error",
        }
    }
}

fn name(score: &Score) -> String {
    let engine = score.environment.get("engine").and_then(|engine| engine.as_str()).unwrap_or_default();
    let words = ["ats validate", &score.title(), engine];
    words.into_iter().filter(|word| !word.is_empty()).collect::<Vec<_>>().join(" ")
}

fn suite(program: &ProgramResult, threshold: f64) -> Suite<'_> {
    let due = words::due(program, threshold);
    let judged = due.map(|expectation| Case { name: &expectation.id, fault: judged(program, expectation) });
    let nothing_else = Case { name: "nothing else is reported", fault: nothing_else(program) };
    Suite { program, cases: judged.chain([nothing_else]).collect() }
}

fn judged(program: &ProgramResult, expectation: &Expectation) -> Option<Fault> {
    let kind = match expectation.outcome {
        Outcome::Found | Outcome::Consistent => return None,
        Outcome::Wrong | Outcome::Missed | Outcome::Inconsistent => FaultKind::Failure,
        Outcome::NotManifested | Outcome::BelowThreshold | Outcome::Unsupported => FaultKind::Skipped,
        Outcome::ToolError
        | Outcome::ParseError
        | Outcome::Timeout
        | Outcome::SemanticsChanged
        | Outcome::Cancelled => FaultKind::Error,
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
    Some(Fault { kind, reason, message })
}

fn nothing_else(program: &ProgramResult) -> Option<Fault> {
    if program.run_status != RunStatus::Ok {
        let reason = program.run_status.label().to_owned();
        let message = program.message.clone().unwrap_or_else(|| reason.clone());
        return Some(Fault { kind: FaultKind::Error, reason, message });
    }
    let alarms: Vec<String> = program.unexpected.iter().map(words::false_alarm).collect();
    let fault =
        || Fault { kind: FaultKind::Failure, reason: "false alarm".to_owned(), message: alarms.join("\n") };
    (!alarms.is_empty()).then(fault)
}

type Xml<'x> = Writer<&'x mut Vec<u8>>;

fn write(name: &str, suites: &[Suite<'_>], out: &mut Vec<u8>) -> io::Result<()> {
    let mut xml = Writer::new_with_indent(out, b' ', 4);
    xml.write_event(Event::Decl(BytesDecl::new("1.0", Some("UTF-8"), None)))?;
    let numbers = numbers(suites.iter().flat_map(|suite| &suite.cases));
    let report = element(&mut xml, "testsuites", [("name", name)], &numbers);
    report.write_inner_content(|xml| suites.iter().try_for_each(|suite| write_suite(suite, xml)))?;
    Ok(())
}

fn write_suite(suite: &Suite<'_>, xml: &mut Xml<'_>) -> io::Result<()> {
    let program = suite.program;
    let name = format!("{} {}", program.program, words::size(program.ranks, program.threads));
    let size = [("ranks", program.ranks.to_string()), ("threads", program.threads.to_string())];
    let parameters = program.parameters.iter().map(|(name, value)| (name.as_str(), value.to_string()));
    let properties: Vec<_> = size.into_iter().chain(parameters).collect();
    element(xml, "testsuite", [("name", &*name)], &numbers(&suite.cases)).write_inner_content(|xml| {
        xml.create_element("properties").write_inner_content(|xml| {
            properties.iter().try_for_each(|(name, value)| {
                element(xml, "property", [("name", name), ("value", value)], &[]).write_empty().map(drop)
            })
        })?;
        suite.cases.iter().try_for_each(|case| write_case(case, &program.program, xml))
    })?;
    Ok(())
}

fn write_case(case: &Case<'_>, class: &str, xml: &mut Xml<'_>) -> io::Result<()> {
    let element_of_case = element(xml, "testcase", [("name", case.name), ("classname", class)], &[]);
    let Some(Fault { kind, reason, message }) = &case.fault else {
        return element_of_case.write_empty().map(drop);
    };
    element_of_case.write_inner_content(|xml| {
        element(xml, kind.element(), [("message", message), ("type", reason)], &[]).write_empty().map(drop)
    })?;
    Ok(())
}

/// An element with texts and numbers for attributes.
fn element<'w, 'x, const N: usize>(
    xml: &'w mut Xml<'x>,
    name: &'w str,
    texts: [(&str, &str); N],
    numbers: &[(&str, usize)],
) -> ElementWriter<'w, &'x mut Vec<u8>> {
    let element = texts.into_iter().fold(xml.create_element(name), |element, (name, text)| {
        element.with_attribute((name, &*allowed(text)))
    });
    numbers
        .iter()
        .fold(element, |element, (name, number)| element.with_attribute((*name, &*number.to_string())))
}

/// The number of cases, and the number with each kind of fault.
fn numbers<'a>(cases: impl IntoIterator<Item = &'a Case<'a>>) -> [(&'static str, usize); 4] {
    let kinds: Vec<_> = cases.into_iter().map(|case| case.fault.as_ref().map(|fault| fault.kind)).collect();
    let of = |kind| kinds.iter().filter(|&&of_case| of_case == Some(kind)).count();
    let [skipped, failures, errors] = FaultKind::ALL.map(|(kind, name)| (name, of(kind)));
    [("tests", kinds.len()), skipped, failures, errors]
}
