//! The notation of Fortran.

use std::collections::BTreeSet;

use ats_props::{CType, CValue};

use super::alike::{condition, index, long, symbol, without_parentheses};
use super::code::{Call, Expression, Prototype, Ranks, Statement, Teams, descriptor};
use super::layout::{broken, pad};

/// The mark of a line that continues in the next.
const MARK: &str = " &";

/// The interface of a function that the program brings itself, in C.
pub(crate) fn interface(prototype: &Prototype) -> String {
    let Prototype { name, arguments, communicator } = prototype;
    let handle = communicator.then(|| ("c".to_owned(), CType::Int));
    let arguments: Vec<_> = arguments.iter().cloned().chain(handle).collect();
    let names: Vec<_> = arguments.iter().map(|(name, _)| name.clone()).collect();
    let head = broken(&format!("        subroutine {name}("), &names, ") &", MARK);
    let bound = format!("                bind(C, name=\"{}\")", symbol(prototype));
    let dummies: String = arguments
        .iter()
        .map(|(name, kind)| format!("            {} :: {name}\n", kind.fortran_argument()))
        .collect();
    let import = if arguments.is_empty() { "" } else { "            import\n" };
    format!("{head}\n{bound}\n{import}{dummies}        end subroutine\n")
}

/// The interface of a function that divides a process's threads.
pub(crate) fn interface_of_teams(Teams { name, parameter, .. }: &Teams) -> String {
    let arguments = vec![((*parameter).to_owned(), CType::Int)];
    interface(&Prototype { name: name.clone(), arguments, communicator: false })
}

/// The interface of the function that starts all threads.
pub(crate) fn interface_of_start() -> String {
    interface(&Prototype { name: "start_threads".to_owned(), arguments: Vec::new(), communicator: false })
}

/// The declarations before the first statement.
pub(crate) fn declarations(all: &[Statement]) -> String {
    let mut lines = Vec::new();
    let mut numbers = BTreeSet::new();
    declare(all, &mut lines, &mut numbers);
    lines.extend(numbers.iter().map(|name| format!("    integer :: {name}\n")));
    lines.concat()
}

fn declare<'a>(all: &'a [Statement], lines: &mut Vec<String>, numbers: &mut BTreeSet<&'a str>) {
    for statement in all {
        match statement {
            Statement::Let { ctype, name, comment: text, .. } => {
                lines.push(format!("{}    {} :: {name}\n", comment(text, 1), ctype.fortran()));
            }
            Statement::Repeat { variable, body, .. } => {
                numbers.insert(variable);
                declare(body, lines, numbers);
            }
            Statement::When(cases) => cases.iter().for_each(|(_, body)| declare(body, lines, numbers)),
            Statement::Either { then, otherwise, .. } => {
                declare(then, lines, numbers);
                declare(otherwise, lines, numbers);
            }
            Statement::Block(body) => declare(body, lines, numbers),
            Statement::Me => numbers.extend(["me", "ierror"]),
            Statement::Split { number, .. } => {
                lines.push(format!("    integer :: color_{number}, group_{number}\n"))
            }
            _ => {}
        }
    }
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
        Statement::Let { ctype: CType::Descriptor, name, value, .. } => {
            format!("{indent}{name} = given_distr_t({})\n", call(value))
        }
        Statement::Let { name, value, .. } => format!("{indent}{name} = {}\n", call(value)),
        Statement::Table { name, values } => table(name, values, &indent),
        Statement::Call(Call { function, arguments }) => {
            let arguments: Vec<_> = arguments.iter().map(expression).collect();
            broken(&format!("{indent}call {function}("), &arguments, ")", MARK) + "\n"
        }
        Statement::StartThreads => format!("{indent}call start_threads()\n"),
        Statement::Repeat { variable, times, body } => {
            let last = match times {
                Expression::Literal(CValue::Int(times)) => (times - 1).to_string(),
                times => expression(times) + " - 1",
            };
            format!("{indent}do {variable} = 0, {last}\n{}{indent}end do\n", statements(body, depth + 1))
        }
        Statement::When(cases) => {
            let cases: Vec<_> = cases
                .iter()
                .map(|(when, body)| {
                    format!("if ({}) then\n{}{indent}", condition(when), statements(body, depth + 1))
                })
                .collect();
            format!("{indent}{}end if\n", cases.join("else "))
        }
        Statement::Either { test, then, otherwise } => format!(
            "{indent}if ({} /= 0) then\n{}{indent}else\n{}{indent}end if\n",
            call(test),
            statements(then, depth + 1),
            statements(otherwise, depth + 1),
        ),
        Statement::Block(body) => {
            format!("{indent}block\n{}{indent}end block\n", statements(body, depth + 1))
        }
        Statement::Me => format!("{indent}call MPI_Comm_rank(MPI_COMM_WORLD, me, ierror)\n"),
        Statement::Split { number, groups } => {
            let colors: Vec<_> = groups
                .iter()
                .enumerate()
                .map(|(color, ranks)| {
                    format!(
                        "if ({}) then\n{indent}    color_{number} = {color}\n{indent}",
                        among(ranks, &indent)
                    )
                })
                .collect();
            format!(
                "{indent}color_{number} = MPI_UNDEFINED\n{indent}{}end if\n\
                 {indent}call MPI_Comm_split(MPI_COMM_WORLD, color_{number}, me, group_{number}, ierror)\n",
                colors.join("else ")
            )
        }
        Statement::Free { number } => format!(
            "{indent}if (group_{number} /= MPI_COMM_NULL) call MPI_Comm_free(group_{number}, ierror)\n"
        ),
    }
}

/// A comment of any length; empty for an empty text.
pub(crate) fn comment(text: &str, depth: usize) -> String {
    let line = |line: &str| {
        // A blank keeps it from being a directive.
        format!("{}! {}", pad(depth), line.replace(char::is_control, " ")).trim_end().to_owned() + "\n"
    };
    text.lines().map(line).collect()
}

/// An expression with this text, whatever it contains; lines are broken as Fortran demands.
pub(crate) fn text(text: &str) -> String {
    const PIECE: usize = 60;
    let (mut all, mut piece) = (String::new(), String::new());
    for letter in text.replace(char::is_control, " ").chars() {
        if piece.len() >= PIECE {
            all += &format!("\"{}\" // &\n        ", std::mem::take(&mut piece));
        }
        piece.push(letter);
        piece.extend((letter == '"').then_some('"'));
    }
    if !piece.is_empty() {
        all += &format!("\"{piece}\" // ");
    }
    all + "c_null_char"
}

fn table(name: &str, values: &[CValue], indent: &str) -> String {
    let kind = match values.first() {
        Some(CValue::Distribution(distribution)) => format!("type({})", descriptor(distribution).0),
        Some(value) => value.types()[0].fortran().to_owned(),
        None => unreachable!("a table has a value for every run"),
    };
    let head = format!("{indent}{kind}, parameter :: {name}({}) = [", values.len());
    broken(&head, &values.iter().map(literal).collect::<Vec<_>>(), "]", MARK) + "\n"
}

fn literal(value: &CValue) -> String {
    match value {
        CValue::Real(value) => real(*value),
        CValue::Int(value) => value.to_string(),
        CValue::Long(value) => long(*value, |number| format!("{number}_c_int64_t")),
        CValue::Distribution(distribution) => {
            let (kind, _, fields) = descriptor(distribution);
            let fields: Vec<_> =
                fields.iter().map(|(name, value)| format!("{name}={}", literal(value))).collect();
            format!("{kind}({})", fields.join(", "))
        }
    }
}

fn call(Call { function, arguments }: &Call) -> String {
    let arguments: Vec<_> = arguments.iter().map(expression).collect();
    format!("{function}({})", arguments.join(", "))
}

fn expression(expression: &Expression) -> String {
    match expression {
        Expression::Literal(value) => literal(value),
        Expression::Text(value) => text(value),
        Expression::Name(name) | Expression::Descriptor(name) => name.clone(),
        Expression::Entry { table, run, .. } => format!("{table}({} + 1)", index(*run)),
        Expression::Value(value) => call(value),
        Expression::World => "MPI_COMM_WORLD".to_owned(),
        Expression::Group(number) => format!("group_{number}"),
        Expression::CommandLine => "0, c_null_ptr".to_owned(),
    }
}

/// Whether this rank is among some.
fn among(ranks: &[Ranks], indent: &str) -> String {
    let parts: Vec<_> = ranks
        .iter()
        .map(|part| match *part {
            Ranks::Range { first, last, .. } if first == last => format!("me == {first}"),
            Ranks::Range { first, last, step: 1 } => format!("(me >= {first} .and. me <= {last})"),
            Ranks::Range { first, last, step } => {
                format!("(me >= {first} .and. me <= {last} .and. mod(me - {first}, {step}) == 0)")
            }
            Ranks::Color { color, colors } => format!("mod(me, {colors}) == {color}"),
        })
        .collect();
    without_parentheses(parts).join(&format!(" .or. &\n{indent}    "))
}

fn real(value: f64) -> String {
    let text = format!("{value:?}");
    if text.contains('e') { text.replace('e', "d") } else { text + "d0" }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_is_one_expression_whatever_it_is() {
        for (given, expression) in [
            ("plain", r#""plain" // c_null_char"#),
            ("\"); call exit(\"x", r#""""); call exit(""x" // c_null_char"#),
            ("two\nlines\0&", r#""two lines &" // c_null_char"#),
            ("", "c_null_char"),
        ] {
            assert_eq!(text(given), expression);
        }
        let long = text(&"\"".repeat(500));
        assert!(long.lines().all(|line| line.len() <= 132), "{long}");
    }

    #[test]
    fn a_comment_is_no_directive_and_has_no_second_line() {
        for hostile in ["$omp parallel", "a\rcall exit()", "one\ncall exit()"] {
            assert!(comment(hostile, 1).lines().all(|line| line.starts_with("    ! ")), "{hostile}");
        }
    }

    #[test]
    fn numbers_are_of_double_precision() {
        assert_eq!([0.01, 1e-9, 3.0].map(real), ["0.01d0", "1d-9", "3.0d0"]);
    }
}
