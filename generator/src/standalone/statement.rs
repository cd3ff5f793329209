//! Statements: the content of the program's functions.

use std::collections::{BTreeMap, BTreeSet};

use super::condition::Condition;
use super::expression::Expression;
use super::node::{Cells, Node, Point};
use super::step::{Shape, Step, Value};

/// A statement.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Statement {
    Line {
        shape: Shape,
        takes: Vec<Expression>,
    },
    Loop {
        count: usize,
        body: Vec<Statement>,
    },
    /// The first of them that holds.
    When(Vec<(Condition, Vec<Statement>)>),
}

/// The largest number of nodes that one condition tells apart.
const MOST_TOGETHER: usize = 10;

/// The statements of nodes that are reached at these points, with `ranks` ranks.
///
/// If not all ranks execute all of them, the nodes are cut into pieces: each piece has a branch for all ranks that take
/// the same steps of it. Of all cuts the one with the fewest lines is taken.
pub(crate) fn statements(nodes: &[Node], domain: &BTreeSet<Point>, ranks: usize) -> Vec<Statement> {
    let there: Vec<&Node> = nodes.iter().filter(|node| has_effect(node, domain)).collect();
    let mut best: Vec<(usize, Vec<Statement>)> = vec![(0, Vec::new())];
    for end in 1..=there.len() {
        let begins = end.saturating_sub(MOST_TOGETHER)..end;
        let cuts = begins.rev().filter_map(|begin| {
            let piece = piece(&there[begin..end], domain, ranks)?;
            let (lines, before) = &best[begin];
            Some((lines + lines_of(&piece), before.iter().cloned().chain(piece).collect()))
        });
        let cut = cuts.min_by_key(|(lines, _): &(usize, Vec<Statement>)| *lines);
        best.push(cut.expect("a node can be a piece of its own"));
    }
    best.pop().expect("there is one for each end").1
}

/// Whether a node is executed at one of these points, and is not work for no time.
fn has_effect(node: &Node, domain: &BTreeSet<Point>) -> bool {
    let works = |cells: &Cells| {
        let here = cells.iter().filter(|(point, _)| domain.contains(*point));
        here.flat_map(|(_, values)| values).any(|value| *value != Value::Number(0))
    };
    match node {
        Node::Line { shape: Shape::Work, cells } => works(cells),
        node => domain.iter().any(|point| node.is_at(point)),
    }
}

/// A branch for all ranks that take the same steps of some nodes; `None` if there is a better way to write it.
fn piece(nodes: &[&Node], domain: &BTreeSet<Point>, ranks: usize) -> Option<Vec<Statement>> {
    let mut branches: BTreeMap<Vec<bool>, BTreeSet<Point>> = BTreeMap::new();
    for point in domain {
        let taken = nodes.iter().map(|node| node.is_at(point)).collect();
        branches.entry(taken).or_default().insert(point.clone());
    }
    let is_alone = nodes.len() == 1;
    if branches.keys().all(|taken| taken.iter().all(|&taken| taken)) {
        return is_alone.then(|| vec![statement(nodes[0], domain, ranks)]);
    }
    let mut branches: Vec<_> = branches.into_iter().filter(|(taken, _)| taken.contains(&true)).collect();
    branches.sort_by(|(_, one), (_, other)| one.first().cmp(&other.first()));
    let mut rest = domain.clone();
    let mut cases = Vec::new();
    for (taken, points) in branches {
        let when = match Condition::new(&rest, &points, ranks) {
            Condition::Always => Condition::Always,
            // A word that holds for all of the branch and for nobody else, if it is as short.
            of_rest => match Condition::new(domain, &points, ranks) {
                Condition::All(_) | Condition::Any(_) | Condition::Table { .. } => of_rest,
                of_all => of_all,
            },
        };
        if !is_alone && !when.is_simple() {
            return None;
        }
        let chosen = nodes.iter().zip(taken).filter(|(_, taken)| *taken);
        let body = chosen.map(|(node, _)| statement(node, &points, ranks)).collect();
        rest.retain(|point| !points.contains(point));
        cases.push((when, body));
    }
    Some(vec![Statement::When(cases)])
}

fn statement(node: &Node, domain: &BTreeSet<Point>, ranks: usize) -> Statement {
    match node {
        Node::Line { shape, cells } => {
            let count = cells.values().next().map_or(0, Vec::len);
            let values = |number: usize| -> BTreeMap<Point, Value> {
                let here = cells.iter().filter(|(point, _)| domain.contains(*point));
                here.map(|(point, values)| (point.clone(), values[number].clone())).collect()
            };
            let takes = (0..count).map(|number| Expression::new(&values(number), ranks)).collect();
            Statement::Line { shape: shape.clone(), takes }
        }
        Node::Loop { count, body } => {
            let each = |point: &Point| {
                let point = point.clone();
                (0..*count).map(move |repetition| [&point[..], &[repetition]].concat())
            };
            let within = domain.iter().flat_map(each).collect();
            Statement::Loop { count: *count, body: statements(body, &within, ranks) }
        }
    }
}

/// The number of lines of their text.
pub(crate) fn lines_of(statements: &[Statement]) -> usize {
    let lines = |statement: &Statement| match statement {
        Statement::Line { shape, takes } => {
            1 + takes.iter().map(|takes| takes.lines(*shape == Shape::Work)).sum::<usize>()
        }
        Statement::Loop { body, .. } => 2 + lines_of(body),
        Statement::When(cases) => {
            let of_case = |(when, body): &(Condition, Vec<Statement>)| {
                1 + usize::from(!when.is_simple()) * 2 + lines_of(body)
            };
            1 + cases.iter().map(of_case).sum::<usize>()
        }
    };
    statements.iter().map(lines).sum()
}

/// The steps that a rank takes by these statements, in a call with these parameters.
pub(crate) fn unfolded(
    statements: &[Statement],
    rank: usize,
    ranks: usize,
    parameters: &[Value],
) -> Vec<Step> {
    let mut steps = Vec::new();
    unfold(statements, &mut vec![rank], ranks, parameters, &mut steps);
    steps
}

fn unfold(
    statements: &[Statement],
    point: &mut Point,
    ranks: usize,
    parameters: &[Value],
    steps: &mut Vec<Step>,
) {
    for statement in statements {
        match statement {
            Statement::Line { shape, takes } => {
                let values = takes.iter().map(|takes| takes.value(point, ranks, parameters)).collect();
                steps.push(Step { shape: shape.clone(), values });
            }
            Statement::Loop { count, body } => {
                for repetition in 0..*count {
                    point.push(repetition);
                    unfold(body, point, ranks, parameters, steps);
                    point.pop();
                }
            }
            Statement::When(cases) => {
                if let Some((_, body)) = cases.iter().find(|(when, _)| when.holds(point, ranks)) {
                    unfold(body, point, ranks, parameters, steps);
                }
            }
        }
    }
}
