//! The arguments of a line, as expressions of the rank and the repetition.

use std::collections::{BTreeMap, BTreeSet};

use super::condition::{Condition, RANK};
use super::node::Point;
use super::step::Value;

/// An argument of a line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Expression {
    Number(i64),
    /// A rank or a repetition, and a number more, or a number less the repetition.
    Sum {
        of: usize,
        falls: bool,
        plus: i64,
    },
    /// The rank and a number more, modulo the number of ranks.
    Ring {
        plus: usize,
    },
    Choice {
        when: Condition,
        then: Box<Expression>,
        otherwise: Box<Expression>,
    },
    /// A table indexed by these coordinates.
    Table {
        by: Vec<usize>,
        values: BTreeMap<Vec<usize>, Value>,
    },
    /// A parameter of the function, by its number.
    Parameter(usize),
}

impl Expression {
    /// The expression that has these values.
    pub(crate) fn new(values: &BTreeMap<Point, Value>, ranks: usize) -> Expression {
        parameter(values)
            .or_else(|| short(values, ranks))
            .or_else(|| choice(values, ranks))
            .unwrap_or_else(|| table(values))
    }

    /// Its value there.
    pub(crate) fn value(&self, point: &[usize], ranks: usize, parameters: &[Value]) -> Value {
        match self {
            Expression::Number(number) => Value::Number(*number),
            Expression::Sum { of, falls, plus } => {
                let value = point[*of] as i64;
                Value::Number(plus + if *falls { -value } else { value })
            }
            Expression::Ring { plus } => Value::Number(((point[RANK] + plus) % ranks) as i64),
            Expression::Choice { when, then, otherwise } => {
                let chosen = if when.holds(point, ranks) { then } else { otherwise };
                chosen.value(point, ranks, parameters)
            }
            Expression::Table { by, values } => {
                let key: Vec<usize> = by.iter().map(|&of| point[of]).collect();
                values[&key].clone()
            }
            Expression::Parameter(number) => parameters[*number].clone(),
        }
    }

    /// The cost of the expression, in lines of text; a choice between two values costs more in an argument of MPI than
    /// in work.
    pub(crate) fn lines(&self, is_work: bool) -> usize {
        match self {
            Expression::Choice { .. } if is_work => 1,
            Expression::Choice { .. } => 2,
            Expression::Table { values, .. } => 1 + values.len() / 8,
            _ => 0,
        }
    }
}

fn parameter(values: &BTreeMap<Point, Value>) -> Option<Expression> {
    match values.values().next()? {
        Value::Parameter(number) => Some(Expression::Parameter(*number)),
        _ => None,
    }
}

/// One that is read at a glance.
fn short(values: &BTreeMap<Point, Value>, ranks: usize) -> Option<Expression> {
    let numbers: Vec<(&Point, i64)> = values
        .iter()
        .map(|(point, value)| if let Value::Number(number) = value { Some((point, *number)) } else { None })
        .collect::<Option<_>>()?;
    let &(first, number) = numbers.first()?;
    let fits = |expression: &Expression| {
        numbers.iter().all(|&(point, number)| expression.value(point, ranks, &[]) == Value::Number(number))
    };
    let sums = (0..first.len()).flat_map(|of| {
        let value = first[of] as i64;
        let sum = move |falls, plus| Expression::Sum { of, falls, plus };
        [sum(false, number - value), sum(true, number + value)]
    });
    // A rank that falls is no neighbour of anybody.
    let sums = sums.filter(|sum| !matches!(sum, Expression::Sum { of: RANK, falls: true, .. }));
    let plus = (number - first[RANK] as i64).rem_euclid(ranks as i64) as usize;
    let mut tried = vec![Expression::Number(number)];
    tried.extend(sums);
    tried.push(Expression::Ring { plus });
    tried.into_iter().find(fits)
}

/// A choice between two values.
fn choice(values: &BTreeMap<Point, Value>, ranks: usize) -> Option<Expression> {
    let points: BTreeSet<Point> = values.keys().cloned().collect();
    let different: BTreeSet<&Value> = values.values().collect();
    let halves: Vec<BTreeSet<Point>> = if different.len() == 2 {
        let with = |value: &Value| {
            let chosen = values.iter().filter(|(_, other)| *other == value);
            chosen.map(|(point, _)| point.clone()).collect()
        };
        // The one that comes first is named first, unless the other is named in fewer words.
        let first = values.values().next()?;
        let other = different.into_iter().find(|value| *value != first)?;
        vec![with(first), with(other)]
    } else {
        vec![points.iter().filter(|point| point[RANK] % 2 == 0).cloned().collect()]
    };
    halves.into_iter().find_map(|half| {
        let when = Condition::new(&points, &half, ranks);
        if when == Condition::Always || !when.is_simple() {
            return None;
        }
        let side = |chosen: bool| -> Option<Box<Expression>> {
            let side = values.iter().filter(|(point, _)| half.contains(*point) == chosen);
            short(&side.map(|(point, value)| (point.clone(), value.clone())).collect(), ranks).map(Box::new)
        };
        Some(Expression::Choice { when, then: side(true)?, otherwise: side(false)? })
    })
}

/// All of them, by the coordinates that they depend on.
fn table(values: &BTreeMap<Point, Value>) -> Expression {
    let coordinates = values.keys().next().map_or(0, Vec::len);
    let mut by: Vec<usize> = (0..coordinates).collect();
    for of in (0..coordinates).rev() {
        let fewer: Vec<usize> = by.iter().copied().filter(|&other| other != of).collect();
        if tabled(values, &fewer).is_some() {
            by = fewer;
        }
    }
    let values = tabled(values, &by).expect("all coordinates tell all points apart");
    Expression::Table { by, values }
}

/// The values by some coordinates; `None` if these do not tell them apart. An empty list equals any other.
fn tabled(values: &BTreeMap<Point, Value>, by: &[usize]) -> Option<BTreeMap<Vec<usize>, Value>> {
    let mut tabled = BTreeMap::<Vec<usize>, Value>::new();
    for (point, value) in values {
        let kept = tabled.entry(by.iter().map(|&of| point[of]).collect()).or_insert_with(|| value.clone());
        if is_any(kept) {
            *kept = value.clone();
        } else if !is_any(value) && kept != value {
            return None;
        }
    }
    Some(tabled)
}

/// Whether MPI ignores the value.
fn is_any(value: &Value) -> bool {
    *value == Value::List(Vec::new())
}
