//! Lines of a program, and the loops that they are in.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Bound;

use super::step::{Argument, Shape, Step, Value};

/// A point of execution: the rank, and the number of the repetition in each loop around it, the outermost first.
pub(crate) type Point = Vec<usize>;

/// The arguments of a line at each point where it is executed.
pub(crate) type Cells = BTreeMap<Point, Vec<Value>>;

/// A line, or a loop of some.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Node {
    Line { shape: Shape, cells: Cells },
    Loop { count: usize, body: Vec<Node> },
}

impl Node {
    /// A step of a rank, outside loops.
    pub(crate) fn from_step(rank: usize, step: &Step) -> Node {
        let cells = [(vec![rank], step.values.clone())].into();
        Node::Line { shape: step.shape.clone(), cells }
    }

    /// Whether they are the same in a program: but for the values, unless these are asked for, too.
    pub(crate) fn is_like(&self, other: &Node, with_values: bool) -> bool {
        match (self, other) {
            (Node::Line { shape, cells }, Node::Line { shape: other, cells: others }) => {
                shape == other && (!with_values || cells == others)
            }
            (Node::Loop { count, body }, Node::Loop { count: times, body: others }) => {
                count == times
                    && body.len() == others.len()
                    && body.iter().zip(others).all(|(one, other)| one.is_like(other, with_values))
            }
            _ => false,
        }
    }

    /// The number of lines of its text.
    pub(crate) fn lines(&self) -> usize {
        match self {
            Node::Line { .. } => 1,
            Node::Loop { body, .. } => 2 + body.iter().map(Node::lines).sum::<usize>(),
        }
    }

    /// Whether it is executed at a point, or in a loop around which that is.
    pub(crate) fn is_at(&self, point: &[usize]) -> bool {
        match self {
            Node::Line { cells, .. } => cells
                .range::<[usize], _>((Bound::Included(point), Bound::Unbounded))
                .next()
                .is_some_and(|(at, _)| at.starts_with(point)),
            Node::Loop { body, .. } => body.iter().any(|node| node.is_at(point)),
        }
    }

    /// The same as a part of a loop around it, in this repetition; `depth` is the number of loops around that one.
    fn repeated(self, depth: usize, repetition: usize) -> Node {
        match self {
            Node::Line { shape, cells } => {
                let moved = |(mut point, values): (Point, Vec<Value>)| {
                    point.insert(1 + depth, repetition);
                    (point, values)
                };
                Node::Line { shape, cells: cells.into_iter().map(moved).collect() }
            }
            Node::Loop { count, body } => {
                let body = body.into_iter().map(|node| node.repeated(depth, repetition)).collect();
                Node::Loop { count, body }
            }
        }
    }

    /// One node in place of two that are like each other.
    fn joined(self, other: Node) -> Node {
        match (self, other) {
            (Node::Line { shape, mut cells }, Node::Line { cells: more, .. }) => {
                cells.extend(more);
                Node::Line { shape, cells }
            }
            (Node::Loop { count, body }, Node::Loop { body: more, .. }) => {
                let body = body.into_iter().zip(more).map(|(one, other)| one.joined(other)).collect();
                Node::Loop { count, body }
            }
            _ => unreachable!("they are like each other"),
        }
    }
}

impl Shape {
    /// The tags of messages: different ones never share a line.
    fn tags<'a>(&self, cells: &'a Cells) -> BTreeSet<&'a Value> {
        let Shape::Call(_, arguments) = self else { return BTreeSet::new() };
        let taken = arguments.iter().filter(|argument| argument.takes());
        let tags = taken.enumerate().filter(|(_, argument)| **argument == Argument::Number("tag"));
        tags.flat_map(|(number, _)| cells.values().map(move |values| &values[number])).collect()
    }
}

/// A way to make loops.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Fold {
    /// First of steps repeated with all their values, and then of similar ones.
    SameFirst,
    /// Of similar steps.
    Alike,
}

/// Makes loops of repeated nodes.
pub(crate) fn fold(nodes: Vec<Node>, way: Fold) -> Vec<Node> {
    let nodes = if way == Fold::SameFirst { folded(nodes, 0, true) } else { nodes };
    folded_within(folded(nodes, 0, false), 0)
}

/// The same in the existing loops.
fn folded_within(nodes: Vec<Node>, depth: usize) -> Vec<Node> {
    let within = |node| match node {
        Node::Loop { count, body } => {
            let body = folded_within(folded(body, depth + 1, false), depth + 1);
            Node::Loop { count, body }
        }
        line => line,
    };
    nodes.into_iter().map(within).collect()
}

fn folded(mut nodes: Vec<Node>, depth: usize, with_values: bool) -> Vec<Node> {
    loop {
        let before = nodes.len();
        let mut period = 1;
        while 2 * period <= nodes.len() {
            nodes = folded_by(nodes, period, depth, with_values);
            period += 1;
        }
        if nodes.len() == before {
            return nodes;
        }
    }
}

/// Makes loops of blocks of `period` nodes.
fn folded_by(nodes: Vec<Node>, period: usize, depth: usize, with_values: bool) -> Vec<Node> {
    let mut done = Vec::with_capacity(nodes.len());
    let mut at = 0;
    while at < nodes.len() {
        let count = repeats(&nodes[at..], period, with_values);
        let lines: usize = nodes[at..].iter().take(period).map(Node::lines).sum();
        if count < 2 || count * lines < lines + 2 {
            done.push(nodes[at].clone());
            at += 1;
            continue;
        }
        let block = |repetition: usize| {
            let nodes = nodes[at + repetition * period..][..period].iter().cloned();
            nodes.map(move |node| node.repeated(depth, repetition))
        };
        let first: Vec<Node> = block(0).collect();
        let body = (1..count).fold(first, |body, repetition| {
            body.into_iter().zip(block(repetition)).map(|(one, other)| one.joined(other)).collect()
        });
        done.push(Node::Loop { count, body });
        at += count * period;
    }
    done
}

/// The number of repetitions of the first nodes.
fn repeats(nodes: &[Node], period: usize, with_values: bool) -> usize {
    if nodes.len() < period {
        return 0;
    }
    let is_like_next = |at: &usize| nodes[*at].is_like(&nodes[at + period], with_values);
    let alike = (0..nodes.len() - period).take_while(is_like_next).count();
    1 + alike / period
}

/// One list of nodes in place of several of different ranks: similar nodes that can share a line do.
pub(crate) fn merged(lists: Vec<Vec<Node>>) -> Vec<Node> {
    let mut lists = lists.into_iter();
    let first = lists.next().unwrap_or_default();
    lists.fold(first, merge)
}

/// Nodes prepared for comparison with those of another list.
struct Comparable<'a> {
    node: &'a Node,
    tags: BTreeSet<&'a Value>,
}

impl<'a> Comparable<'a> {
    fn from_nodes(nodes: &'a [Node]) -> Vec<Self> {
        let comparable = |node: &'a Node| {
            let tags =
                if let Node::Line { shape, cells } = node { shape.tags(cells) } else { BTreeSet::new() };
            Comparable { node, tags }
        };
        nodes.iter().map(comparable).collect()
    }

    /// The benefit of one line in place of two; 0 if they cannot share one.
    fn weight(&self, other: &Self) -> usize {
        match (self.node, other.node) {
            (Node::Line { shape, .. }, Node::Line { shape: other_shape, .. })
                if self.tags == other.tags && shape == other_shape =>
            {
                shape.weight()
            }
            (Node::Loop { count, body }, Node::Loop { count: times, body: others }) if count == times => {
                1 + alignment(&Comparable::from_nodes(body), &Comparable::from_nodes(others))[0][0]
            }
            _ => 0,
        }
    }
}

/// The weight of the best alignment of the rests of both lists, by their begins.
fn alignment(one: &[Comparable<'_>], other: &[Comparable<'_>]) -> Vec<Vec<usize>> {
    let mut best = vec![vec![0; other.len() + 1]; one.len() + 1];
    for i in (0..one.len()).rev() {
        for j in (0..other.len()).rev() {
            let pair = match one[i].weight(&other[j]) {
                0 => 0,
                weight => weight + best[i + 1][j + 1],
            };
            best[i][j] = pair.max(best[i + 1][j]).max(best[i][j + 1]);
        }
    }
    best
}

fn merge(one: Vec<Node>, other: Vec<Node>) -> Vec<Node> {
    if one.len() == other.len() && one.iter().zip(&other).all(|(one, other)| one.is_like(other, false)) {
        return one.into_iter().zip(other).map(|(one, other)| one.joined(other)).collect();
    }
    let (ones, others) = (Comparable::from_nodes(&one), Comparable::from_nodes(&other));
    let best = alignment(&ones, &others);
    let (mut i, mut j) = (0, 0);
    let mut done = Vec::new();
    while i < one.len() && j < other.len() {
        let weight = ones[i].weight(&others[j]);
        if weight > 0 && best[i][j] == weight + best[i + 1][j + 1] {
            done.push(match (one[i].clone(), other[j].clone()) {
                (Node::Loop { count, body }, Node::Loop { body: more, .. }) => {
                    Node::Loop { count, body: merge(body, more) }
                }
                (line, same) => line.joined(same),
            });
            (i, j) = (i + 1, j + 1);
        } else if best[i][j] == best[i + 1][j] {
            done.push(one[i].clone());
            i += 1;
        } else {
            done.push(other[j].clone());
            j += 1;
        }
    }
    done.extend_from_slice(&one[i..]);
    done.extend_from_slice(&other[j..]);
    done
}
