//! The regions of a program as functions, each with the shortest text for the steps of all ranks in it.

use std::collections::{BTreeMap, BTreeSet};

use super::node::{Fold, Node, fold, merged};
use super::note::Notes;
use super::statement::{Statement, lines_of, statements, unfolded};
use super::step::{Argument, Shape, Step, Value};
use crate::names::is_function_of_c;

/// A function of the program.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Function {
    pub(crate) name: &'static str,
    pub(crate) parameters: Vec<Parameter>,
    pub(crate) body: Vec<Statement>,
}

/// A parameter of a function.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Parameter {
    /// Its name; seconds are a real number, all others whole ones.
    pub(crate) name: String,
    /// For each rank, the values of its calls of the function.
    each: BTreeMap<usize, Vec<i64>>,
}

impl Parameter {
    /// The name of the parameter for the seconds of work.
    pub(crate) const SECONDS: &'static str = "seconds";

    pub(crate) fn is_real(&self) -> bool {
        self.name.starts_with(Self::SECONDS)
    }
}

/// The functions of a program, each behind those that it calls.
///
/// # Errors
/// A region is not the same function each time.
pub(crate) fn functions(notes: &Notes, program: &'static str) -> Result<Vec<Function>, String> {
    let mut done = Vec::new();
    define(program, notes, &mut done, &mut Vec::new())?;
    Ok(done)
}

fn define(
    name: &'static str,
    notes: &Notes,
    done: &mut Vec<Function>,
    open: &mut Vec<&'static str>,
) -> Result<(), String> {
    if done.iter().any(|function| function.name == name) {
        return Ok(());
    }
    if open.contains(&name) {
        return Err(format!("its region {name} is within itself"));
    }
    if !is_function_of_c(name) {
        return Err(format!("its region `{name}` cannot be a function of this name"));
    }
    open.push(name);
    let mut rows = BTreeMap::new();
    for (rank, regions) in notes.ranks.iter().enumerate() {
        let Some(times) = regions.get(name) else { continue };
        for step in times.iter().flatten() {
            if let Shape::Region(inner) = step.shape {
                define(inner, notes, done, open)?;
            }
        }
        let passed =
            times.iter().map(|steps| steps.iter().map(|step| with_parameters(step, rank, done)).collect());
        rows.insert(rank, of_all_times(passed.collect(), name)?);
    }
    open.pop();
    done.push(function(name, &rows, notes.ranks.len())?);
    Ok(())
}

/// A step that enters a region takes the values of the function's parameters, in place of the number of the time.
fn with_parameters(step: &Step, rank: usize, done: &[Function]) -> Step {
    let (Shape::Region(name), [Value::Number(time)]) = (&step.shape, &step.values[..]) else {
        return step.clone();
    };
    let function = done.iter().find(|function| function.name == *name).expect("it is defined before");
    let value = |parameter: &Parameter| {
        let each = &parameter.each[&rank];
        Value::Number(each[(*time as usize).min(each.len() - 1)])
    };
    Step { shape: step.shape.clone(), values: function.parameters.iter().map(value).collect() }
}

/// The steps that a rank takes each time.
fn of_all_times(times: Vec<Vec<Step>>, name: &str) -> Result<Vec<Step>, String> {
    let differs = || format!("it does not do the same each time in its region {name}");
    let first = times.first().expect("it is entered");
    let is_alike = |steps: &Vec<Step>| {
        steps.len() == first.len() && steps.iter().zip(first).all(|(one, other)| one.shape == other.shape)
    };
    if !times.iter().all(is_alike) {
        return Err(differs());
    }
    let step = |at: usize| {
        let values = (0..first[at].values.len()).map(|number| {
            let mut each = times.iter().map(|steps| &steps[at].values[number]);
            if each.clone().all(|value| *value == first[at].values[number]) {
                return Some(first[at].values[number].clone());
            }
            let number = |value: &Value| if let Value::Number(number) = value { Some(*number) } else { None };
            each.by_ref().map(number).collect::<Option<_>>().map(Value::Each)
        });
        Some(Step { shape: first[at].shape.clone(), values: values.collect::<Option<_>>()? })
    };
    (0..first.len()).map(step).collect::<Option<_>>().ok_or_else(differs)
}

/// More steps than this are not compared with each other before there are loops.
const MOST_STEPS: usize = 700;

/// The shortest function with the noted steps.
fn function(name: &'static str, rows: &BTreeMap<usize, Vec<Step>>, ranks: usize) -> Result<Function, String> {
    let domain: BTreeSet<_> = rows.keys().map(|&rank| vec![rank]).collect();
    let mut best: Option<(usize, Function)> = None;
    for way in Way::list() {
        if way.merge_first && rows.values().any(|steps| steps.len() > MOST_STEPS) {
            continue;
        }
        let mut nodes = way.nodes(rows);
        let Some(parameters) = parameters(&mut nodes) else { continue };
        let body = statements(&nodes, &domain, ranks);
        let lines = lines_of(&body);
        let function = Function { name, parameters, body };
        if best.as_ref().is_none_or(|(fewest, _)| lines < *fewest) && function.does(rows, ranks) {
            best = Some((lines, function));
        }
    }
    let function = best.map(|(_, function)| function);
    function.ok_or_else(|| format!("its region {name} is not the same function each time"))
}

/// A way to turn the steps of all ranks into lines.
#[derive(Clone, Copy)]
struct Way {
    /// Whether ranks are compared step by step before common steps become loops; otherwise each has its own loops
    /// first.
    merge_first: bool,
    fold: Fold,
    /// Whether work for no time is a line, if other ranks work there.
    with_zeros: bool,
}

impl Way {
    fn list() -> impl Iterator<Item = Way> {
        [false, true].into_iter().flat_map(|merge_first| {
            [Fold::SameFirst, Fold::Alike].into_iter().flat_map(move |fold| {
                [false, true].into_iter().map(move |with_zeros| Way { merge_first, fold, with_zeros })
            })
        })
    }

    fn nodes(self, rows: &BTreeMap<usize, Vec<Step>>) -> Vec<Node> {
        let is_wanted = |step: &&Step| self.with_zeros || !is_idle(step);
        let lists = rows.iter().map(|(&rank, steps)| {
            let nodes: Vec<Node> =
                steps.iter().filter(is_wanted).map(|step| Node::from_step(rank, step)).collect();
            if self.merge_first { nodes } else { fold(nodes, self.fold) }
        });
        let merged = merged(lists.collect());
        if self.merge_first { fold(merged, self.fold) } else { merged }
    }
}

/// Whether it is work for no time.
fn is_idle(step: &Step) -> bool {
    step.shape == Shape::Work && step.values == [Value::Number(0)]
}

/// Puts parameters in place of values that change with each call of the function; `None` if a rank has several there.
fn parameters(nodes: &mut [Node]) -> Option<Vec<Parameter>> {
    let mut all: Vec<Parameter> = Vec::new();
    replace(nodes, &mut all)?;
    Some(all)
}

fn replace(nodes: &mut [Node], all: &mut Vec<Parameter>) -> Option<()> {
    for node in nodes {
        let (shape, cells) = match node {
            Node::Loop { body, .. } => {
                replace(body, all)?;
                continue;
            }
            Node::Line { shape, cells } => (shape, cells),
        };
        let count = cells.values().next().map_or(0, Vec::len);
        for number in 0..count {
            if !cells.values().any(|values| matches!(values[number], Value::Each(_))) {
                continue;
            }
            let mut each = BTreeMap::new();
            for (point, values) in cells.iter() {
                let of_rank = match &values[number] {
                    Value::Each(each) => each.clone(),
                    Value::Number(number) => vec![*number],
                    _ => return None,
                };
                if each.insert(point[0], of_rank.clone()).is_some_and(|other| other != of_rank) {
                    return None;
                }
            }
            let known = all.iter().position(|parameter| parameter.each == each);
            let known = known.unwrap_or_else(|| {
                let name = parameter_name(shape, number);
                let same = all.iter().filter(|other| other.name.starts_with(name)).count();
                let name = if same == 0 { name.to_owned() } else { format!("{name}_{}", same + 1) };
                all.push(Parameter { name, each });
                all.len() - 1
            });
            cells.values_mut().for_each(|values| values[number] = Value::Parameter(known));
        }
    }
    Some(())
}

/// The name of the parameter that stands for a line's value of this number.
fn parameter_name(shape: &Shape, number: usize) -> &'static str {
    match shape {
        Shape::Call(_, arguments) => {
            let taken = arguments.iter().filter(|argument| argument.takes()).nth(number);
            if let Some(Argument::Number(name)) = taken { name } else { "place" }
        }
        _ => Parameter::SECONDS,
    }
}

impl Function {
    /// Whether it has the noted steps of each rank.
    fn does(&self, rows: &BTreeMap<usize, Vec<Step>>, ranks: usize) -> bool {
        rows.iter().all(|(&rank, steps)| {
            let each = |parameter: &Parameter| {
                parameter.each.get(&rank).cloned().map_or(Value::Number(0), Value::Each)
            };
            let parameters: Vec<Value> = self.parameters.iter().map(each).collect();
            let done = unfolded(&self.body, rank, ranks, &parameters);
            let done = done.iter().filter(|step| !is_idle(step));
            let noted: Vec<&Step> = steps.iter().filter(|step| !is_idle(step)).collect();
            let done: Vec<&Step> = done.collect();
            done.len() == noted.len() && done.iter().zip(noted).all(|(done, noted)| is_same(done, noted))
        })
    }
}

/// Whether a step equals the noted one; values that MPI ignores may differ.
fn is_same(done: &Step, noted: &Step) -> bool {
    let is_same = |(done, noted): (&Value, &Value)| match (done, noted) {
        (_, Value::List(list)) if list.is_empty() => true,
        (Value::Each(each), Value::Number(number)) => each.iter().all(|each| each == number),
        _ => done == noted,
    };
    done.shape == noted.shape
        && done.values.len() == noted.values.len()
        && done.values.iter().zip(&noted.values).all(is_same)
}
