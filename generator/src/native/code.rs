//! Programs before they are C or Fortran: the constructs of both.

use ats_distr::Distribution;
use ats_props::{CType, CValue};

/// A program with its own functions.
#[derive(Debug, Default)]
pub(crate) struct Code {
    /// The statements of `main`.
    pub(crate) main: Vec<Statement>,
    /// Functions in C beside the properties: Fortran programs call them, C programs have them above `main`.
    pub(crate) teams: Vec<Teams>,
    /// Properties that are sources of the program itself.
    pub(crate) sources: Vec<Prototype>,
}

/// A function that a program brings itself, in C.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Prototype {
    pub(crate) name: String,
    pub(crate) arguments: Vec<(String, CType)>,
    /// Whether a communicator follows them.
    pub(crate) communicator: bool,
}

/// A function that divides a process's threads into teams.
#[derive(Debug)]
pub(crate) struct Teams {
    pub(crate) name: String,
    /// Its only parameter, a number.
    pub(crate) parameter: &'static str,
    /// For each team its threads, and its statements in an iteration.
    pub(crate) members: Vec<(usize, Vec<Statement>)>,
}

/// One step of a program.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Statement {
    /// An empty line.
    Space,
    /// A comment on the next lines.
    Comment(String),
    /// A value that is asked for once, with a word on it.
    Let { ctype: CType, name: String, value: Call, comment: String },
    /// Values that are in the source, one for each run.
    Table { name: String, values: Vec<CValue> },
    /// A function is called.
    Call(Call),
    /// All threads are started.
    StartThreads,
    /// Repetitions, counted from 0 in a variable.
    Repeat { variable: &'static str, times: Expression, body: Vec<Statement> },
    /// The first of the cases whose condition holds, or nothing.
    When(Vec<(Condition, Vec<Statement>)>),
    /// One branch if a call returns anything but 0, else the other.
    Either { test: Call, then: Vec<Statement>, otherwise: Vec<Statement> },
    /// Statements with tables of their own, which come first.
    Block(Vec<Statement>),
    /// The number of this rank, in the variable `me`.
    Me,
    /// Groups of ranks: a colour, and the communicator of ranks with the same colour.
    Split { number: usize, groups: Vec<Vec<Ranks>> },
    /// The communicator of a split is not needed any more.
    Free { number: usize },
}

/// A function with its arguments.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Call {
    pub(crate) function: String,
    pub(crate) arguments: Vec<Expression>,
}

/// A value in a statement.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Expression {
    Literal(CValue),
    Text(String),
    /// A variable, a function, or a constant of the suite.
    Name(String),
    /// A variable whose address is passed.
    Descriptor(String),
    /// The entry of a table for a run.
    Entry {
        table: String,
        run: Run,
        ctype: CType,
    },
    /// The result of a call.
    Value(Box<Call>),
    /// All ranks, or the ranks of a split.
    World,
    Group(usize),
    /// The command line, as `main` got it.
    CommandLine,
}

/// The number of a property's run, counted from 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Run {
    /// The number of repetitions of the phase; its variable is `iteration` if that is more than one.
    pub(crate) phase: usize,
    /// The number of repetitions of the step in each; its variable is `run`.
    pub(crate) step: usize,
}

/// The condition of a statement.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Condition {
    /// Whether this rank is in the group of a split.
    Member { split: usize, group: usize },
    /// Whether it is this run.
    Run(Run, usize),
}

/// Ranks that a condition can name.
pub(crate) use ats_compose::Part as Ranks;

impl Call {
    pub(crate) fn new(function: &str, arguments: impl IntoIterator<Item = Expression>) -> Self {
        Call { function: function.to_owned(), arguments: arguments.into_iter().collect() }
    }
}

impl Statement {
    pub(crate) fn call(function: &str, arguments: impl IntoIterator<Item = Expression>) -> Self {
        Statement::Call(Call::new(function, arguments))
    }

    pub(crate) fn comment(text: &str) -> Self {
        Statement::Comment(text.to_owned())
    }

    /// Statements in a region.
    pub(crate) fn region(name: &str, body: Vec<Statement>) -> Vec<Self> {
        let mark = |function| Statement::call(function, [Expression::Text(name.to_owned())]);
        let mut all = vec![mark("ats_enter")];
        all.extend(body);
        all.push(mark("ats_leave"));
        all
    }

    /// Statements repeated `times` times; without a loop for one.
    pub(crate) fn repeated(variable: &'static str, times: usize, body: Vec<Statement>) -> Vec<Self> {
        let times = match times {
            1 => return body,
            times => Expression::integer(times),
        };
        vec![Statement::Repeat { variable, times, body }]
    }
}

impl Expression {
    /// A whole number that stands in the source.
    pub(crate) fn integer(number: usize) -> Self {
        Expression::Literal(integer(number))
    }
}

fn integer(number: usize) -> CValue {
    CValue::Int(i32::try_from(number).unwrap_or(i32::MAX))
}

/// The structure of a distribution's descriptor, its function, and its fields in the order of the structure.
pub(crate) fn descriptor(
    distribution: &Distribution,
) -> (&'static str, &'static str, Vec<(&'static str, CValue)>) {
    let real = CValue::Real;
    match distribution {
        Distribution::Same(dd) => ("val1_distr_t", "df_same", vec![("val", real(dd.val))]),
        Distribution::Cyclic2(dd) => ("val2_distr_t", "df_cyclic2", low_high(dd)),
        Distribution::Block2(dd) => ("val2_distr_t", "df_block2", low_high(dd)),
        Distribution::Linear(dd) => ("val2_distr_t", "df_linear", low_high(dd)),
        Distribution::Peak(dd) => (
            "val2_n_distr_t",
            "df_peak",
            vec![("low", real(dd.low)), ("high", real(dd.high)), ("n", integer(dd.n))],
        ),
        Distribution::Cyclic3(dd) => ("val3_distr_t", "df_cyclic3", low_high_med(dd)),
        Distribution::Block3(dd) => ("val3_distr_t", "df_block3", low_high_med(dd)),
        Distribution::User(_) => unreachable!("a text is never a function of the user's own"),
    }
}

fn low_high(dd: &ats_distr::Val2) -> Vec<(&'static str, CValue)> {
    vec![("low", CValue::Real(dd.low)), ("high", CValue::Real(dd.high))]
}

fn low_high_med(dd: &ats_distr::Val3) -> Vec<(&'static str, CValue)> {
    [("low", dd.low), ("high", dd.high), ("med", dd.med)]
        .map(|(name, value)| (name, CValue::Real(value)))
        .into()
}
