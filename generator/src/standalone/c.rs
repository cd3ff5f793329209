//! The notation of C.

use std::collections::BTreeMap;

use ats_mpi::Datatype;

use super::condition::{Condition, RANK};
use super::expression::Expression;
use super::function::{Function, Parameter};
use super::node::Point;
use super::note::{COLUMN, FLAG, GROUP, MADE, MESSAGE, Notes};
use super::statement::Statement;
use super::step::{Argument, Buffers, Extent, Role, Shape, Value};
use crate::native::layout::{broken, pad};

/// A program, as far as it is the text of its functions.
pub(crate) struct Text<'a> {
    pub(crate) notes: &'a Notes,
    pub(crate) functions: &'a [Function],
}

impl Text<'_> {
    /// The variables that all functions use.
    pub(crate) fn variables(&self) -> String {
        let mut text = String::new();
        for (&(role, _), extent) in &self.notes.buffers {
            let Extent { datatype: Some(datatype), elements, places } = *extent else { continue };
            let places = if places > 1 { format!("[{places}]") } else { String::new() };
            let (name, elements) = (buffer(role, datatype, &self.notes.buffers), elements.max(1));
            text += &format!("static {} {name}{places}[{elements}];\n", element(datatype));
        }
        match self.notes.requests {
            0 => {}
            1 => text += "static MPI_Request request;\n",
            many => text += &format!("static MPI_Request requests[{many}];\n"),
        }
        let says = |word| self.functions.iter().any(|function| has_word(&function.body, word));
        let places = [
            ("&status", "static MPI_Status status;\n"),
            (MADE, "static MPI_Comm made;\n"),
            (GROUP, "static MPI_Group group;\n"),
            (COLUMN, "static MPI_Datatype column;\n"),
            (MESSAGE, "static MPI_Message message;\n"),
            (FLAG, "static int flag;\n"),
        ];
        text + &places
            .into_iter()
            .filter(|(word, _)| says(word))
            .map(|(_, declared)| declared)
            .collect::<String>()
    }

    /// The functions, each behind those that it calls.
    pub(crate) fn functions(&self) -> Vec<String> {
        self.functions.iter().map(|function| self.function(function)).collect()
    }

    fn function(&self, function: &Function) -> String {
        let Function { name, parameters, body } = function;
        let mut writer = Writer { text: self, parameters, tables: Vec::new(), loops: 0 };
        let body = writer.statements(body, 1);
        let kind = |parameter: &Parameter| if parameter.is_real() { "double" } else { "int" };
        let declared: Vec<_> =
            parameters.iter().map(|parameter| format!("{} {}", kind(parameter), parameter.name)).collect();
        let declared = if declared.is_empty() { "void".to_owned() } else { declared.join(", ") };
        let tables: String = writer.tables.iter().map(|table| table.text(self.ranks())).collect();
        format!("static void {name}({declared}) {{\n{tables}{body}}}\n")
    }

    fn ranks(&self) -> usize {
        self.notes.ranks.len()
    }
}

fn has_word(body: &[Statement], word: &'static str) -> bool {
    body.iter().any(|statement| match statement {
        Statement::Line { shape: Shape::Call(_, arguments), .. } => arguments.contains(&Argument::Word(word)),
        Statement::Line { .. } => false,
        Statement::Loop { body, .. } => has_word(body, word),
        Statement::When(cases) => cases.iter().any(|(_, body)| has_word(body, word)),
    })
}

/// The name of a buffer: with its type, if there are several.
fn buffer(role: Role, datatype: Datatype, buffers: &Buffers) -> String {
    let is_only = buffers.keys().filter(|(other, _)| *other == role).count() < 2;
    if is_only { role.name().to_owned() } else { format!("{}_{}", role.name(), element(datatype)) }
}

/// The type of an element in C.
fn element(datatype: Datatype) -> &'static str {
    match datatype {
        Datatype::Byte => "char",
        Datatype::Int => "int",
        Datatype::Double => "double",
    }
}

/// The type of a value in C.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    /// Seconds of work, in picoseconds.
    Seconds,
    Whole,
    /// A list of numbers.
    List,
}

/// A table of a function.
#[derive(Clone, PartialEq)]
struct Table {
    name: String,
    kind: &'static str,
    /// The number of entries in each dimension.
    sizes: Vec<usize>,
    /// The entries by their places.
    entries: BTreeMap<Vec<usize>, String>,
}

impl Table {
    fn text(&self, ranks: usize) -> String {
        let size = |&size: &usize| if size == ranks { "[RANKS]".to_owned() } else { format!("[{size}]") };
        let sizes: String = self.sizes.iter().map(size).collect();
        let constness = if self.kind == "MPI_Datatype" { "" } else { "static " };
        let head = format!("    {constness}const {} {}{sizes} = {{", self.kind, self.name);
        format!("{}\n", broken(&head, &self.rows(&mut Vec::new()), "};", ""))
    }

    fn rows(&self, at: &mut Vec<usize>) -> Vec<String> {
        let depth = at.len();
        let row = |number| {
            at.push(number);
            let row = if depth + 1 == self.sizes.len() {
                self.entries.get(at).cloned().unwrap_or_else(|| "0".to_owned())
            } else {
                format!("{{{}}}", self.rows(at).join(", "))
            };
            at.pop();
            row
        };
        (0..self.sizes[depth]).map(row).collect()
    }
}

/// Writes a function.
struct Writer<'a> {
    text: &'a Text<'a>,
    parameters: &'a [Parameter],
    tables: Vec<Table>,
    /// The number of loops around.
    loops: usize,
}

/// The name of a coordinate.
fn coordinate(of: usize) -> String {
    match of {
        RANK => "rank".to_owned(),
        of => char::from(b'i' + (of - 1).min(16) as u8).to_string(),
    }
}

/// Seconds, to the picosecond.
pub(crate) fn seconds(picoseconds: i64) -> String {
    let text = format!("{}.{:012}", picoseconds / 1_000_000_000_000, picoseconds % 1_000_000_000_000);
    let text = text.trim_end_matches('0');
    if text.ends_with('.') { format!("{text}0") } else { text.to_owned() }
}

impl Writer<'_> {
    fn statements(&mut self, all: &[Statement], depth: usize) -> String {
        all.iter().map(|statement| self.statement(statement, depth)).collect()
    }

    fn statement(&mut self, statement: &Statement, depth: usize) -> String {
        let indent = pad(depth);
        match statement {
            Statement::Line { shape, takes } => self.line(shape, takes, &indent),
            Statement::Loop { count, body } => {
                self.loops += 1;
                let variable = coordinate(self.loops);
                let body = self.statements(body, depth + 1);
                self.loops -= 1;
                format!(
                    "{indent}for (int {variable} = 0; {variable} < {count}; ++{variable}) {{\n{body}{indent}}}\n"
                )
            }
            Statement::When(cases) => {
                let mut case = |(when, body): &(Condition, Vec<Statement>)| {
                    let head = match when {
                        Condition::Always => "{".to_owned(),
                        when => format!("if ({}) {{", self.condition(when)),
                    };
                    format!("{head}\n{}{indent}}}", self.statements(body, depth + 1))
                };
                let cases: Vec<_> = cases.iter().map(&mut case).collect();
                format!("{indent}{}\n", cases.join(" else "))
            }
        }
    }

    fn line(&mut self, shape: &Shape, takes: &[Expression], indent: &str) -> String {
        match shape {
            Shape::Work => {
                let seconds = self.expression(&takes[0], Kind::Seconds, "work");
                format!("{indent}do_work({seconds});\n")
            }
            Shape::Amount(call) => format!("{indent}{call};\n"),
            Shape::Init => INIT.lines().map(|line| format!("{indent}{line}\n")).collect(),
            Shape::Region(name) => {
                let function = self.text.functions.iter().find(|function| function.name == *name);
                let parameters = &function.expect("it is defined before").parameters;
                let takes = parameters.iter().zip(takes).map(|(parameter, takes)| {
                    let kind = if parameter.is_real() { Kind::Seconds } else { Kind::Whole };
                    let hint = if parameter.is_real() { "work" } else { &parameter.name };
                    self.expression(takes, kind, hint)
                });
                format!("{indent}{name}({});\n", takes.collect::<Vec<_>>().join(", "))
            }
            Shape::Call(name, arguments) => {
                let mut takes = takes.iter();
                let mut passed = Vec::new();
                for argument in arguments {
                    let takes = if argument.takes() { takes.next() } else { None };
                    passed.extend(self.argument(*argument, takes));
                }
                if arguments.contains(&Argument::Word(FLAG)) {
                    let test = broken(&format!("{indent}    {name}("), &passed, ");", "");
                    return format!("{indent}do {{\n{test}\n{indent}}} while (!flag);\n");
                }
                broken(&format!("{indent}{name}("), &passed, ");", "") + "\n"
            }
        }
    }

    fn argument(&mut self, argument: Argument, takes: Option<&Expression>) -> Vec<String> {
        let one = match (argument, takes) {
            (Argument::Word(word), _) => word.to_owned(),
            (Argument::Number(name), Some(takes)) => self.expression(takes, Kind::Whole, name),
            (Argument::Buffer(role, datatype), Some(takes)) => {
                let buffers = &self.text.notes.buffers;
                let name = buffer(role, datatype, buffers);
                if buffers[&(role, datatype.name())].places < 2 {
                    name
                } else {
                    format!("{name}[{}]", self.expression(takes, Kind::Whole, "place"))
                }
            }
            (Argument::Request, Some(takes)) => format!("&{}", self.request(takes)),
            (Argument::RequestItself, Some(takes)) => self.request(takes),
            (Argument::Requests, Some(takes)) => {
                let all = if self.text.notes.requests < 2 { "&request" } else { "requests" };
                return vec![self.expression(takes, Kind::Whole, "count"), all.to_owned()];
            }
            (Argument::List(name), Some(takes)) => self.expression(takes, Kind::List, name),
            (Argument::Types(datatype), _) => {
                let ranks = self.text.ranks();
                let entries = (0..ranks).map(|rank| (vec![rank], datatype.name().to_owned())).collect();
                self.table("types", "MPI_Datatype", vec![ranks], entries)
            }
            _ => unreachable!("it takes a value"),
        };
        vec![one]
    }

    fn request(&mut self, place: &Expression) -> String {
        if self.text.notes.requests < 2 {
            return "request".to_owned();
        }
        format!("requests[{}]", self.expression(place, Kind::Whole, "place"))
    }

    /// The name of a table with these entries.
    fn table(
        &mut self,
        name: &str,
        kind: &'static str,
        sizes: Vec<usize>,
        entries: BTreeMap<Vec<usize>, String>,
    ) -> String {
        let is_same = |table: &&Table| (table.kind, &table.sizes, &table.entries) == (kind, &sizes, &entries);
        if let Some(table) = self.tables.iter().find(is_same) {
            return table.name.clone();
        }
        let is_taken = |name: &str| self.tables.iter().any(|table| table.name == name);
        let numbered = (2..).map(|number| format!("{name}_{number}"));
        let mut names = std::iter::once(name.to_owned()).chain(numbered);
        let name = names.find(|name| !is_taken(name)).expect("there is always another");
        self.tables.push(Table { name: name.clone(), kind, sizes, entries });
        name
    }

    fn expression(&mut self, expression: &Expression, kind: Kind, hint: &str) -> String {
        match expression {
            Expression::Number(number) => constant(*number, kind),
            Expression::Sum { of, falls: true, plus } => format!("{plus} - {}", coordinate(*of)),
            Expression::Sum { of, plus, .. } => match plus {
                0 => coordinate(*of),
                plus if *plus < 0 => format!("{} - {}", coordinate(*of), -plus),
                plus => format!("{} + {plus}", coordinate(*of)),
            },
            Expression::Ring { plus } => match self.text.ranks() - plus {
                below if below < *plus => format!("(rank + RANKS - {below}) % RANKS"),
                _ => format!("(rank + {plus}) % RANKS"),
            },
            Expression::Choice { when, then, otherwise } => {
                let when = self.condition(when);
                let [then, otherwise] = [then, otherwise].map(|side| self.expression(side, kind, hint));
                format!("{when} ? {then} : {otherwise}")
            }
            Expression::Parameter(number) => self.parameters[*number].name.clone(),
            Expression::Table { by, values } => self.entry(by, values, kind, hint),
        }
    }

    /// An entry of a table: indexed by the loops, and by the rank in the end, so that each line of it is a repetition.
    fn entry(
        &mut self,
        by: &[usize],
        values: &BTreeMap<Vec<usize>, Value>,
        kind: Kind,
        hint: &str,
    ) -> String {
        let mut order: Vec<usize> = (0..by.len()).collect();
        order.sort_by_key(|&at| (by[at] == RANK, at));
        let ranks = self.text.ranks();
        let mut sizes: Vec<usize> = order
            .iter()
            .map(|&at| match by[at] {
                RANK => ranks,
                _ => 1 + values.keys().map(|key| key[at]).max().unwrap_or_default(),
            })
            .collect();
        let mut entries = BTreeMap::new();
        for (key, value) in values {
            let key: Vec<usize> = order.iter().map(|&at| key[at]).collect();
            match value {
                Value::Number(number) => {
                    entries.insert(key, constant(*number, kind));
                }
                Value::List(list) => {
                    let numbers = list.iter().enumerate();
                    entries
                        .extend(numbers.map(|(at, number)| ([&key[..], &[at]].concat(), number.to_string())));
                }
                Value::Each(_) | Value::Parameter(_) => unreachable!("they are no constants"),
            }
        }
        if kind == Kind::List {
            let length = |value: &Value| if let Value::List(list) = value { list.len() } else { 0 };
            let longest = values.values().map(length).max().unwrap_or_default();
            sizes.push(if longest > 0 { longest } else { ranks });
        }
        let c_kind = if kind == Kind::Seconds { "double" } else { "int" };
        let name = self.table(hint, c_kind, sizes, entries);
        let places: String = order.iter().map(|&at| format!("[{}]", coordinate(by[at]))).collect();
        name + &places
    }

    fn condition(&mut self, condition: &Condition) -> String {
        let ranks = self.text.ranks();
        let number = |of: usize, number: usize| {
            if of == RANK && number + 1 == ranks && ranks > 2 {
                "RANKS - 1".to_owned()
            } else {
                number.to_string()
            }
        };
        match condition {
            Condition::Always => "1".to_owned(),
            Condition::Is { of, number } => format!("{} == {number}", coordinate(*of)),
            Condition::IsNot { of, number } => format!("{} != {number}", coordinate(*of)),
            Condition::Below { of, number: limit } => {
                format!("{} < {}", coordinate(*of), number(*of, *limit))
            }
            Condition::AtLeast { of, number: 1 } => format!("{} > 0", coordinate(*of)),
            Condition::AtLeast { of, number } => format!("{} >= {number}", coordinate(*of)),
            Condition::Modulo { of, by, is } => format!("{} % {by} == {is}", coordinate(*of)),
            Condition::Turn { of } => format!("{} % RANKS == rank", coordinate(*of)),
            Condition::All(all) => self.conditions(all, " && "),
            Condition::Any(any) => self.conditions(any, " || "),
            Condition::Table { all, chosen } => {
                let by: Vec<usize> = (0..all.first().map_or(0, Vec::len)).collect();
                let mut whose: BTreeMap<Vec<usize>, Value> =
                    all.iter().map(|point| (point[1..].to_vec(), Value::Number(-1))).collect();
                let turns =
                    chosen.iter().map(|point| (point[1..].to_vec(), Value::Number(point[RANK] as i64)));
                let turns: BTreeMap<_, _> = turns.collect();
                if turns.len() == chosen.len() && by.len() > 1 {
                    whose.extend(turns);
                    return format!("rank == {}", self.entry(&by[1..], &whose, Kind::Whole, "whose"));
                }
                let does = |point: &Point| (point.clone(), Value::Number(chosen.contains(point).into()));
                self.entry(&by, &all.iter().map(does).collect(), Kind::Whole, "does")
            }
        }
    }

    fn conditions(&mut self, all: &[Condition], word: &str) -> String {
        let all = all.iter().map(|one| match one {
            Condition::Any(_) => format!("({})", self.condition(one)),
            _ => self.condition(one),
        });
        all.collect::<Vec<_>>().join(word)
    }
}

fn constant(number: i64, kind: Kind) -> String {
    if kind == Kind::Seconds { seconds(number) } else { number.to_string() }
}

/// The begin of MPI in a program that initialises it itself.
const INIT: &str = "\
int provided;
MPI_Init_thread(NULL, NULL, MPI_THREAD_SINGLE, &provided);
check_ranks();
";
