//! Properties with a team: their source in C with pragmas, with the little of `libats` that it calls.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};

use ats_distr::Distribution;
use ats_mpi::{Direction, Transfer, mpi_commpattern_sendrecv};
use ats_props::{Arguments, CValue, Context, Program, Value};
use ats_virtual::Simulation;
use ats_work::region;
use minijinja::context;

use super::{Standalone, amounts, c, function, note, step};
use crate::native::c::comment;
use crate::template::fill;

const LIBRARY: &str = include_str!("../../templates/standalone.ats.c.j2");

const PATTERN: &str = "mpi_commpattern_sendrecv";
const BROADCAST: &str = "ats_bcast";

/// The calls of the library in sources. In a file of its own, each is a function without parameters.
const CALLED: [(&str, &str); 2] = [(PATTERN, "(buf, DIR_UP, 0, 0, c)"), (BROADCAST, "(buf, root, c)")];

/// The part of a file between `do_work` and `main`, and the calls of `main`.
pub(super) struct Source {
    pub(super) variables: String,
    pub(super) functions: Vec<String>,
    pub(super) call: String,
    /// Whether it works before `MPI_Init`, and so learns its rank from the launcher.
    pub(super) begins_early: bool,
    pub(super) includes: Vec<String>,
}

/// The source of a program.
///
/// # Errors
/// The error names the part of it that such a file cannot have.
pub(super) fn source(
    program: &Program,
    arguments: &Arguments,
    made_for: Standalone<'_>,
) -> Result<Source, String> {
    let property = program.property;
    let source = property.c_source.ok_or("it has no source in C beside it")?;
    let sections = number(arguments, "sections").unwrap_or(made_for.threads);
    let sizes: Vec<usize> = (sections > 0).then_some(sections).into_iter().collect();
    let source = fill(source, context! { sizes, otherwise => "there is no construct for so many sections" });
    let tables = tables(program, arguments, made_for)?;
    let other = if program.balanced { property.name } else { property.twin };
    let own = own(&source, program.name(), other);
    let mut passed = Vec::new();
    for parameter in property.parameters {
        let value = arguments.value(parameter.name).expect("all parameters have a value");
        match &value.to_c()[..] {
            [] => return Err(format!("C has nothing for a {}", parameter.kind.name)),
            values => passed.extend(values.iter().map(|value| match value {
                CValue::Real(value) => format!("{value:?}"),
                CValue::Distribution(_) => format!("{}, NULL", parameter.name),
                value => value.to_string(),
            })),
        }
    }
    passed.extend(property.needs.ranks.then(|| "MPI_COMM_WORLD".to_owned()));
    let root = number(arguments, "root").unwrap_or_default();
    let called = CALLED.iter().find(|(name, _)| own.contains(name));
    let (variables, called) =
        called.map_or_else(|| Ok(Default::default()), |(name, _)| library(name, made_for.ranks, root))?;
    let (amounts, headers) = amounts::functions(&own, true);
    let includes = source.lines().filter_map(|line| line.strip_prefix("#include <")?.strip_suffix('>'));
    let includes = includes.filter(|name| *name != "ats.h").map(str::to_owned).chain(headers).collect();
    let threads = fill(LIBRARY, context! { source => &own, tables });
    let head = [threads.trim(), amounts.trim()].join("\n\n").trim().to_owned() + "\n";
    let functions = [vec![head], called, vec![own]].concat();
    let call = format!("{}({})", program.name(), passed.join(", "));
    Ok(Source { variables, functions, call, begins_early: false, includes })
}

/// The whole number that is the value of a parameter; `None` if there is no such parameter.
fn number(arguments: &Arguments, parameter: &str) -> Option<usize> {
    match arguments.value(parameter)?.to_c()[..] {
        [CValue::Int(number)] => usize::try_from(number).ok(),
        _ => None,
    }
}

/// A program's functions without those of its twin, and without the work of `libats` around them.
fn own(source: &str, name: &str, other: &str) -> String {
    let is_begin = |line: &str, name: &str| line.starts_with(&format!("void {name}("));
    let mut text = String::new();
    let mut is_other = false;
    for line in source.lines() {
        is_other |= other != name && is_begin(line, other);
        let is_ours = ["#include", "    ats_enter(", "    ats_leave(", "    ats_add(", "    ats_cause("]
            .iter()
            .any(|word| line.starts_with(word))
            || line.contains("_mpi_buf(");
        if !is_other && !is_ours {
            let line = line.replace("ats_fail(", "fail(");
            let without_buffer = |line: String, (name, passed): (&str, &str)| {
                line.replace(&format!("{name}{passed}"), &format!("{name}()"))
            };
            text += &(CALLED.into_iter().fold(line, without_buffer) + "\n");
        }
        is_other &= line != "}";
    }
    text.trim().to_owned() + "\n"
}

/// Shares of a distribution: by the number of participants, and by participant.
type Asked = Arc<Mutex<BTreeMap<usize, BTreeMap<usize, f64>>>>;

/// The shares of each distribution that the program is called with, as it asks for them.
fn tables(
    program: &Program,
    arguments: &Arguments,
    made_for: Standalone<'_>,
) -> Result<Vec<minijinja::Value>, String> {
    let mut noted = arguments.clone();
    let mut all: Vec<(&'static str, String, Asked)> = Vec::new();
    for parameter in program.property.parameters {
        let value = arguments.value(parameter.name).expect("all parameters have a value");
        let Some(distribution) = value.get::<Distribution>().cloned() else { continue };
        let asked = Asked::default();
        all.push((parameter.name, format!("{value}, in seconds."), Arc::clone(&asked)));
        let share = move |me, size, scale| {
            let share = distribution.value(me, size, 1.0);
            let mut asked = asked.lock().unwrap_or_else(PoisonError::into_inner);
            asked.entry(size).or_default().insert(me, share);
            scale * share
        };
        noted = noted.with(parameter.name, Value::new(Distribution::user("noted", share)));
    }
    let run = Simulation::new(made_for.ranks).threads(made_for.threads).without_accounts();
    run.run_with_team(|c, team| program.run(&Context::new(Some(c), Some(team)), &noted))
        .map_err(|error| error.to_string())?;
    let table = |(name, text, asked): &(&'static str, String, Asked)| {
        let asked = asked.lock().unwrap_or_else(PoisonError::into_inner);
        let (size, shares) = asked.first_key_value().filter(|_| asked.len() == 1)?;
        let value = |me| c::seconds(step::picoseconds(shares.get(&me).copied().unwrap_or_default()));
        let values: Vec<String> = (0..*size).map(value).collect();
        Some(context! { name => *name, text => comment(text, 0), values })
    };
    let tables: Option<Vec<_>> = all.iter().map(table).collect();
    tables.ok_or_else(|| "it asks for the shares of different numbers of workers".to_owned())
}

/// A call of the library on `ranks` ranks: its variables, and its functions.
fn library(name: &'static str, ranks: usize, root: usize) -> Result<(String, Vec<String>), String> {
    let notes = note::note_ranks(ranks, &|c| match name {
        BROADCAST => {
            let _region = region(BROADCAST);
            c.bcast(root % c.size(), &c.base_buf());
        }
        _ => mpi_commpattern_sendrecv(&c.base_buf(), Direction::Up, Transfer::SYNCHRONOUS, c),
    })?;
    let functions = function::functions(&notes, name)?;
    let text = c::Text { notes: &notes, functions: &functions };
    Ok((text.variables(), text.functions()))
}
