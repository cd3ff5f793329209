//! Expressions of property files, and their values.

use ats_model::mistakes::nearest;

use crate::properties::amounts::{Amount, Amounts};
use crate::properties::figures::Figures;
use crate::properties::quantity::{Fault, Quantity, Truth};
use crate::properties::syntax::{Binary, Kind, Node, Unary, other_arguments, parse};
use crate::properties::unit::Unit;

/// An expression. It has no loops, and a limited number of parts, so that each evaluation ends soon.
#[derive(Clone, Debug)]
pub(crate) struct Expression(Node);

/// A fault, and the byte of the expression that it is at.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Mishap {
    pub(crate) fault: Fault,
    pub(crate) at: usize,
}

/// The value of a variable or an expression.
#[derive(Clone, Debug)]
pub(crate) enum Computed<'a> {
    Number(Quantity<'a>),
    Truth(Truth),
    Figures(Figures<'a>),
    Text,
}

/// The variables of an expression.
#[derive(Clone, Debug)]
pub(crate) struct Variables<'a> {
    all: Vec<(&'a str, Computed<'a>)>,
    /// Whether every part of an expression is evaluated, also one that decides nothing.
    check: bool,
    /// The parts of ranges that are looked at, by the bytes of their signs: from one share of a range to another.
    pub(crate) parts: Vec<(usize, [f64; 2])>,
}

/// The number of variables that there is room for at first: with it they take less than the 1,032 bytes up to which the C
/// library's allocator is fast, and most properties have no more.
const ROOM: usize = 12;

impl<'a> Variables<'a> {
    /// None; with `check`, every part of an expression is evaluated.
    pub(crate) fn new(check: bool) -> Self {
        Variables { all: Vec::with_capacity(ROOM), check, parts: Vec::new() }
    }

    pub(crate) fn push(&mut self, name: &'a str, value: Computed<'a>) {
        self.all.push((name, value));
    }

    pub(crate) fn get(&self, name: &str) -> Option<&Computed<'a>> {
        self.all.iter().rev().find(|(known, _)| *known == name).map(|(_, value)| value)
    }

    fn unknown(&self, name: &str) -> Fault {
        let known: Vec<&str> = self.all.iter().map(|(name, _)| *name).collect();
        Fault::Wrong(match nearest(name, known.iter().copied()) {
            Some(near) => format!("there is no `{name}` here; did you mean {near}?"),
            None => format!("there is no `{name}` here; there are {}", known.join(", ")),
        })
    }
}

impl Computed<'_> {
    /// The same, without a copy of its numbers.
    fn borrowed(&self) -> Computed<'_> {
        match self {
            Computed::Number(number) => Computed::Number(number.borrowed()),
            other => other.clone(),
        }
    }

    /// The kind, in words.
    fn kind(&self) -> &'static str {
        match self {
            Computed::Number(_) => "a number",
            Computed::Truth(_) => "true or false",
            Computed::Figures(_) => "all amounts of a region; name one, as parallel.time",
            Computed::Text => "a text",
        }
    }

    fn is_not(&self, wanted: &str) -> Fault {
        Fault::Wrong(format!("it has to be {wanted}, and is {}", self.kind()))
    }
}

impl Expression {
    pub(crate) fn parse(text: &str, amounts: &mut Amounts) -> Result<Self, Mishap> {
        parse(text, amounts).map(Expression).map_err(|(at, what)| Mishap { fault: Fault::Wrong(what), at })
    }

    /// Its value, which is a number.
    pub(crate) fn quantity<'a>(&self, variables: &'a Variables<'_>) -> Result<Quantity<'a>, Mishap> {
        match value(&self.0, variables)? {
            Computed::Number(number) => Ok(number),
            other => Err(Mishap { fault: other.is_not("a number"), at: 0 }),
        }
    }

    /// Its value, which is true or false.
    pub(crate) fn truth(&self, variables: &Variables<'_>) -> Result<Truth, Mishap> {
        match value(&self.0, variables)? {
            Computed::Truth(truth) => Ok(truth),
            other => Err(Mishap { fault: other.is_not("true or false, such as a comparison"), at: 0 }),
        }
    }

    /// Calls a function with the variable and each amount that it reads.
    pub(crate) fn amounts<'e>(&'e self, found: &mut dyn FnMut(&'e str, &'e Amount)) {
        self.nodes(&mut |node| {
            if let Kind::Amount(variable, amount) = &node.kind {
                found(variable, amount);
            }
        });
    }

    /// Calls a function with each part of it.
    pub(crate) fn nodes<'e>(&'e self, found: &mut dyn FnMut(&'e Node)) {
        nodes(&self.0, found);
    }
}

fn nodes<'e>(node: &'e Node, found: &mut dyn FnMut(&'e Node)) {
    found(node);
    match &node.kind {
        Kind::Unary(_, of) | Kind::Reduce(_, of) => nodes(of, found),
        Kind::Binary(_, of) => of.iter().for_each(|of| nodes(of, found)),
        _ => {}
    }
}

fn value<'a>(node: &Node, variables: &'a Variables<'_>) -> Result<Computed<'a>, Mishap> {
    let mishap = |fault| Mishap { fault, at: node.at };
    let figures = |variable: &str, sign: &str| match variables.get(variable) {
        Some(Computed::Figures(figures)) => Ok(figures),
        Some(_) => Err(mishap(not_for_numbers(sign))),
        // The name stands before the sign.
        None => Err(Mishap { fault: variables.unknown(variable), at: node.at - variable.len() }),
    };
    match &node.kind {
        Kind::Number(number) => Ok(Computed::Number(Quantity::one(*number, Unit::ONE))),
        Kind::Truth(truth) => Ok(Computed::Truth(Truth::One(*truth))),
        Kind::Text => Ok(Computed::Text),
        Kind::Variable(name) => {
            let known = variables.get(name).map(Computed::borrowed);
            known.ok_or_else(|| mishap(variables.unknown(name)))
        }
        Kind::Amount(of, amount) => figures(of, "[…]")?.amount(amount).map(Computed::Number).map_err(mishap),
        Kind::Parameter(of, name) => Ok(Computed::Number(figures(of, "parameter")?.parameter(name))),
        Kind::Unary(operator, of) => unary(*operator, value(of, variables)?).map_err(mishap),
        Kind::Binary(operator @ (Binary::And | Binary::Or), of) => {
            logical(*operator == Binary::Or, of, variables).map(Computed::Truth)
        }
        Kind::Binary(operator, of) => {
            let [one, other] = [value(&of[0], variables)?, value(&of[1], variables)?];
            let (Computed::Number(one), Computed::Number(other)) = (one, other) else {
                return Err(mishap(not_for_numbers(operator.name())));
            };
            let whole = binary(*operator, one, other).map_err(mishap)?;
            let part = variables.parts.iter().find(|(at, _)| *operator == Binary::Range && *at == node.at);
            Ok(match (whole, part) {
                (Computed::Number(range), Some((_, part))) => Computed::Number(range.part(*part)),
                (whole, _) => whole,
            })
        }
        Kind::Reduce(reduce, of) => match value(of, variables)? {
            Computed::Number(number) => number.reduce(*reduce).map(Computed::Number).map_err(mishap),
            _ => Err(mishap(Fault::Wrong(other_arguments(reduce.name())))),
        },
    }
}

/// The mistake that an operator or function of numbers has none.
fn not_for_numbers(sign: &str) -> Fault {
    Fault::Wrong(if sign.starts_with(|letter: char| letter.is_alphabetic()) {
        other_arguments(sign)
    } else {
        format!("`{sign}` is for numbers, such as parallel.units or max(parallel.time), and these are not")
    })
}

fn unary(operator: Unary, of: Computed<'_>) -> Result<Computed<'_>, Fault> {
    let number = match (operator, of) {
        (Unary::Minus, Computed::Number(number)) => number.negative(),
        (Unary::SquareRoot, Computed::Number(number)) => number.square_root(),
        (Unary::Logarithm, Computed::Number(number)) => number.logarithm(),
        (Unary::Ceiling, Computed::Number(number)) => number.ceiling(),
        (Unary::Not, Computed::Truth(truth)) => return Ok(Computed::Truth(not(truth))),
        (Unary::Not, other) => return Err(other.is_not("true or false")),
        (Unary::Minus, _) => return Err(not_for_numbers("-")),
        (Unary::SquareRoot, _) => return Err(not_for_numbers("sqrt")),
        (Unary::Logarithm, _) => return Err(not_for_numbers("log2")),
        (Unary::Ceiling, _) => return Err(not_for_numbers("ceil")),
    };
    number.map(Computed::Number)
}

fn binary<'a>(operator: Binary, one: Quantity<'a>, other: Quantity<'a>) -> Result<Computed<'a>, Fault> {
    use std::cmp::Ordering;
    let compare = |is_wanted| one.compare(&other, is_wanted).map(Computed::Truth);
    let number = match operator {
        Binary::Equal => return compare(Ordering::is_eq),
        Binary::NotEqual => return compare(Ordering::is_ne),
        Binary::Less => return compare(Ordering::is_lt),
        Binary::LessOrEqual => return compare(Ordering::is_le),
        Binary::Greater => return compare(Ordering::is_gt),
        Binary::GreaterOrEqual => return compare(Ordering::is_ge),
        Binary::Plus => one.plus(other),
        Binary::Minus => one.minus(other),
        Binary::Times => one.times(other),
        Binary::Per => one.per(other),
        Binary::Power => one.power(&other),
        Binary::Range => one.range(other),
        Binary::Min => one.choose(other, f64::min),
        Binary::Max => one.choose(other, f64::max),
        Binary::Share => one.share(other),
        Binary::Known => one.known(other),
        Binary::And | Binary::Or => unreachable!("they are of truths, and have their own function"),
    };
    number.map(Computed::Number)
}

fn not(truth: Truth) -> Truth {
    match truth {
        Truth::One(truth) => Truth::One(!truth),
        Truth::Column(truths) => Truth::Column(truths.into_iter().map(|truth| !truth).collect()),
    }
}

/// Two truths; the second is not looked at if the first, which is then `deciding`, decides.
fn logical(deciding: bool, of: &[Node; 2], variables: &Variables<'_>) -> Result<Truth, Mishap> {
    let truth = |node: &Node| match value(node, variables)? {
        Computed::Truth(truth) => Ok(truth),
        other => Err(Mishap { fault: other.is_not("true or false"), at: node.at }),
    };
    let first = truth(&of[0])?;
    let (decide, leave) = match &first {
        Truth::One(first) => (*first == deciding, *first != deciding),
        Truth::Column(all) => {
            (all.iter().all(|one| *one == deciding), all.iter().all(|one| *one != deciding))
        }
    };
    if decide && !variables.check {
        return Ok(Truth::One(deciding));
    }
    let second = truth(&of[1]);
    if leave || (variables.check && matches!(second, Err(Mishap { fault: Fault::Wrong(_), .. }))) {
        return second;
    }
    let (Truth::Column(mut all), second) = (first, second) else { return Ok(Truth::One(deciding)) };
    // It may be undefined for those for which it decides.
    let second = second.map_err(|mishap| Mishap { fault: Fault::Mixed, ..mishap })?;
    for (at, one) in all.iter_mut().enumerate() {
        if *one != deciding {
            *one = match &second {
                Truth::One(second) => *second,
                Truth::Column(second) => second[at],
            };
        }
    }
    Ok(Truth::Column(all))
}
