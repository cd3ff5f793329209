//! The notation of C.

use std::iter;

use ats_props::{CType, CValue};

use super::alike::{condition, index, long, symbol, without_parentheses};
use super::code::{Call, Expression, Prototype, Ranks, Statement, Teams, descriptor};
use super::layout::{WIDTH, broken, pad};

/// The head of a function that is called from other files.
pub(crate) fn prototype(Prototype { name, arguments, communicator }: &Prototype) -> String {
    broken(&format!("void {name}("), &declared(arguments, *communicator, "MPI_Comm"), ")", "")
}

fn declared(arguments: &[(String, CType)], communicator: bool, handle: &str) -> Vec<String> {
    let all = arguments.iter().map(|(name, kind)| format!("{} {name}", kind.c()));
    all.chain(communicator.then(|| format!("{handle} c"))).collect()
}

/// The variant of a function with a communicator that Fortran calls: it takes an integer for it.
pub(crate) fn for_fortran(prototype: &Prototype) -> Option<String> {
    let Prototype { name, arguments, communicator } = prototype;
    communicator.then(|| {
        let head = format!("void {}(", symbol(prototype));
        let head = broken(&head, &declared(arguments, true, "MPI_Fint"), ")", "");
        let handle = "MPI_Comm_f2c(c)".to_owned();
        let arguments: Vec<_> = arguments.iter().map(|(name, _)| name.clone()).chain([handle]).collect();
        let call = broken(&format!("    {name}("), &arguments, ");", "");
        format!("/* For Fortran, whose communicators are integers. */\n{head} {{\n{call}\n}}\n")
    })
}

/// The function that divides a process's threads into teams.
pub(crate) fn teams(Teams { name, parameter, members }: &Teams, linkage: &str) -> String {
    let cases: String = members
        .iter()
        .enumerate()
        .map(|(number, (threads, body))| {
            let body = statements(body, 2);
            format!("    case {number}: {{\n        omp_set_num_threads({threads});\n{body}        break;\n    }}\n")
        })
        .collect();
    let unused = if cases.contains(parameter) { String::new() } else { format!("    (void){parameter};\n") };
    format!(
        "/* A region with a thread for each team; the teams run side by side. */
{linkage}void {name}(int {parameter}) {{
{unused}    #pragma omp parallel num_threads({})
    switch (omp_get_thread_num()) {{
{cases}    }}
}}
",
        members.len()
    )
}

/// Statements, so deeply indented.
pub(crate) fn statements(all: &[Statement], depth: usize) -> String {
    all.iter().map(|one| statement(one, depth)).collect()
}

fn statement(statement: &Statement, depth: usize) -> String {
    let indent = pad(depth);
    match statement {
        Statement::Space => "\n".to_owned(),
        Statement::Comment(text) => comment(text, depth),
        Statement::Let { ctype: CType::Descriptor, name, value, comment: text } => {
            let value = call(value);
            format!("{}{indent}given_distr_t {name} = {{{value}}};\n", comment(text, depth))
        }
        Statement::Let { ctype, name, value, comment: text } => {
            format!("{}{indent}const {} {name} = {};\n", comment(text, depth), ctype.c(), call(value))
        }
        Statement::Table { name, values } => table(name, values, &indent),
        Statement::Call(Call { function, arguments }) => {
            let arguments: Vec<_> = arguments.iter().map(expression).collect();
            broken(&format!("{indent}{function}("), &arguments, ");", "") + "\n"
        }
        Statement::StartThreads => format!("{indent}#pragma omp parallel\n{indent}do_work(0.000001);\n"),
        Statement::Repeat { variable, times, body } => {
            let times = expression(times);
            let head = format!("for (int {variable} = 0; {variable} < {times}; ++{variable})");
            format!("{indent}{head} {{\n{}{indent}}}\n", statements(body, depth + 1))
        }
        Statement::When(cases) => {
            let cases: Vec<_> = cases
                .iter()
                .map(|(when, body)| {
                    format!("if ({}) {{\n{}{indent}}}", condition(when), statements(body, depth + 1))
                })
                .collect();
            format!("{indent}{}\n", cases.join(" else "))
        }
        Statement::Either { test, then, otherwise } => format!(
            "{indent}if ({}) {{\n{}{indent}}} else {{\n{}{indent}}}\n",
            call(test),
            statements(then, depth + 1),
            statements(otherwise, depth + 1),
        ),
        Statement::Block(body) => format!("{indent}{{\n{}{indent}}}\n", statements(body, depth + 1)),
        Statement::Me => format!("{indent}int me;\n{indent}MPI_Comm_rank(MPI_COMM_WORLD, &me);\n"),
        Statement::Split { number, groups } => {
            let colors: Vec<_> = groups
                .iter()
                .enumerate()
                .map(|(color, ranks)| format!("if ({}) color_{number} = {color};\n", among(ranks)))
                .collect();
            let colors = colors.join(&format!("{indent}else "));
            format!(
                "{indent}int color_{number} = MPI_UNDEFINED;\n{indent}MPI_Comm group_{number};\n{indent}{colors}\
                 {indent}MPI_Comm_split(MPI_COMM_WORLD, color_{number}, me, &group_{number});\n"
            )
        }
        Statement::Free { number } => {
            format!("{indent}if (group_{number} != MPI_COMM_NULL) MPI_Comm_free(&group_{number});\n")
        }
    }
}

/// A comment of any length; empty for an empty text.
pub(crate) fn comment(text: &str, depth: usize) -> String {
    if text.is_empty() {
        return String::new();
    }
    let indent = pad(depth);
    let lines: Vec<_> = text.lines().map(plain).collect();
    match &lines[..] {
        [line] if indent.len() + line.len() + 6 <= WIDTH => format!("{indent}/* {line} */\n"),
        lines => {
            let lines: String =
                lines.iter().map(|line| format!("{indent} * {line}").trim_end().to_owned() + "\n").collect();
            format!("{indent}/*\n{lines}{indent} */\n")
        }
    }
}

/// A line that cannot end the comment it is in, nor join it with the next line.
fn plain(line: &str) -> String {
    let line = line.replace(char::is_control, " ").replace("*/", "* /").replace("??/", "?? /");
    let ends = line.ends_with('\\') || line.ends_with('*');
    if ends { line + " ." } else { line }
}

/// A literal of C that holds this text, whatever it is.
pub(crate) fn text(text: &str) -> String {
    let escaped: String = text
        .chars()
        .flat_map(|c| match c {
            // A question mark could begin a trigraph.
            '"' | '\\' | '?' => vec!['\\', c],
            c if c.is_ascii_control() => format!("\\{:03o}", u32::from(c)).chars().collect(),
            c => vec![c],
        })
        .collect();
    format!("\"{escaped}\"")
}

fn table(name: &str, values: &[CValue], indent: &str) -> String {
    let kind = match values.first() {
        Some(CValue::Distribution(distribution)) => descriptor(distribution).0.to_owned(),
        Some(value) => format!("const {}", value.types()[0].c()),
        None => unreachable!("a table has a value for every run"),
    };
    let values: Vec<_> = values.iter().map(entry).collect();
    broken(&format!("{indent}static {kind} {name}[] = {{"), &values, "};", "") + "\n"
}

/// A value in a table.
fn entry(value: &CValue) -> String {
    match value {
        CValue::Real(value) => real(*value),
        CValue::Int(value) => value.to_string(),
        CValue::Long(value) => long(*value, |number| number.to_string()),
        CValue::Distribution(distribution) => fields(&descriptor(distribution).2),
    }
}

fn fields(fields: &[(&'static str, CValue)]) -> String {
    let fields: Vec<_> = fields.iter().map(|(name, value)| format!(".{name} = {}", entry(value))).collect();
    format!("{{{}}}", fields.join(", "))
}

fn call(Call { function, arguments }: &Call) -> String {
    let arguments: Vec<_> = arguments.iter().map(expression).collect();
    format!("{function}({})", arguments.join(", "))
}

fn expression(expression: &Expression) -> String {
    match expression {
        Expression::Literal(CValue::Distribution(distribution)) => {
            let (kind, _, values) = descriptor(distribution);
            format!("&({kind}){}", fields(&values))
        }
        Expression::Literal(value) => entry(value),
        Expression::Text(value) => text(value),
        Expression::Name(name) => name.clone(),
        Expression::Descriptor(name) => format!("&{name}"),
        Expression::Entry { table, run, ctype } => {
            let address = if *ctype == CType::Descriptor { "&" } else { "" };
            format!("{address}{table}[{}]", index(*run))
        }
        Expression::Value(value) => call(value),
        Expression::World => "MPI_COMM_WORLD".to_owned(),
        Expression::Group(number) => format!("group_{number}"),
        Expression::CommandLine => "argc, argv".to_owned(),
    }
}

/// Whether this rank is among some.
fn among(ranks: &[Ranks]) -> String {
    let parts: Vec<_> = ranks
        .iter()
        .map(|part| match *part {
            Ranks::Range { first, last, .. } if first == last => format!("me == {first}"),
            Ranks::Range { first, last, step: 1 } => format!("(me >= {first} && me <= {last})"),
            Ranks::Range { first, last, step } => {
                format!("(me >= {first} && me <= {last} && (me - {first}) % {step} == 0)")
            }
            Ranks::Color { color, colors } => format!("me % {colors} == {color}"),
        })
        .collect();
    without_parentheses(parts).join(" || ")
}

fn real(value: f64) -> String {
    format!("{value:?}")
}

/// The header files to include: the suite's, and OpenMP's if teams are made.
pub(crate) fn includes(has_teams: bool) -> Vec<&'static str> {
    iter::once("ats.h").chain(has_teams.then_some("omp.h")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_is_one_literal_whatever_it_is() {
        for (given, literal) in [
            ("plain", r#""plain""#),
            ("\"); system(\"x", r#""\"); system(\"x""#),
            ("back\\slash", r#""back\\slash""#),
            ("two\nlines\0", r#""two\012lines\000""#),
            ("??/ %s */", r#""\?\?/ %s */""#),
            ("größe", "\"größe\""),
        ] {
            assert_eq!(text(given), literal);
        }
    }

    #[test]
    fn a_comment_ends_where_it_should() {
        for hostile in ["*/ int x;", "a\r*/ int x;", "*??/\n/ int x;", "*\\\n/ int x;", "//\\\nint x;"] {
            let comment = comment(hostile, 1);
            assert_eq!(comment.matches("*/").count(), 1, "{comment}");
            assert!(comment.ends_with("*/\n") && !comment.contains("??/"), "{comment}");
            assert!(!comment.contains("\\\n"), "{comment}");
        }
    }
}
