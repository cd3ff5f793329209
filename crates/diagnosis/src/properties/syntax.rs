//! Syntax of expressions: `max(parallel.time) / basis.time`.

use ats_model::derived::Derived;
use ats_model::mistakes::nearest;

use crate::properties::amounts::{Amount, Amounts};
use crate::properties::quantity::Reduce;
use crate::properties::token::{Token, tokens};

/// The most bytes of an expression, the most levels of brackets and terms in a row, and the most steps that it may take: one for
/// each number, variable, operator and function.
const LONGEST: usize = 2_000;
const DEEPEST: usize = 32;
const MOST_STEPS: usize = 200;

/// The functions of expressions, with their arguments.
const FUNCTIONS: [(&str, &str); 12] = [
    ("min", "min(numbers) or min(a, b)"),
    ("max", "max(numbers) or max(a, b)"),
    ("mean", "mean(numbers)"),
    ("sum", "sum(numbers)"),
    ("deviation", "deviation(numbers)"),
    ("share", "share(part, whole)"),
    ("known", "known(a, b)"),
    ("sqrt", "sqrt(a)"),
    ("log2", "log2(a)"),
    ("ceil", "ceil(a)"),
    (VISITS, "visits(\"region\")"),
    (PARAMETER, "parallel.parameter(\"name\")"),
];

/// The function of a variable that names a parameter of its run.
const PARAMETER: &str = "parameter";

/// The function of the number of visits of a region, a variable with the region in its name.
const VISITS: &str = "visits";

/// A part of an expression, and the byte that it is at.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Node {
    pub(crate) at: usize,
    pub(crate) kind: Kind,
    /// The number of levels.
    depth: usize,
}

#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Kind {
    Number(f64),
    Truth(bool),
    Text,
    Variable(String),
    /// An amount of a variable.
    Amount(String, Amount),
    /// A parameter of the run of a variable.
    Parameter(String, String),
    Unary(Unary, Box<Node>),
    Binary(Binary, Box<[Node; 2]>),
    Reduce(Reduce, Box<Node>),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Unary {
    Minus,
    Not,
    SquareRoot,
    Logarithm,
    Ceiling,
}

/// An operator or function of two.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Binary {
    Or,
    And,
    Equal,
    NotEqual,
    Less,
    LessOrEqual,
    Greater,
    GreaterOrEqual,
    Plus,
    Minus,
    Times,
    Per,
    Power,
    /// A number that is only known to be between two.
    Range,
    Min,
    Max,
    Share,
    Known,
}

/// The operators, and how strongly they bind.
const OPERATORS: [(&str, u8, Binary); 13] = [
    ("||", 1, Binary::Or),
    ("&&", 2, Binary::And),
    ("==", 3, Binary::Equal),
    ("!=", 3, Binary::NotEqual),
    ("<", 4, Binary::Less),
    ("<=", 4, Binary::LessOrEqual),
    (">", 4, Binary::Greater),
    (">=", 4, Binary::GreaterOrEqual),
    ("..", 5, Binary::Range),
    ("+", 6, Binary::Plus),
    ("-", 6, Binary::Minus),
    ("*", 7, Binary::Times),
    ("/", 7, Binary::Per),
];

/// The operator of powers, which binds most strongly, also more than a sign before it, and to the right: `-n^2^k` is
/// `-(n^(2^k))`.
const POWER: &str = "^";

/// The functions of one number.
const OF_ONE: [(&str, Unary); 3] =
    [("sqrt", Unary::SquareRoot), ("log2", Unary::Logarithm), ("ceil", Unary::Ceiling)];

/// The functions of two.
const OF_TWO: [(&str, Binary); 4] =
    [("min", Binary::Min), ("max", Binary::Max), ("share", Binary::Share), ("known", Binary::Known)];

impl Binary {
    /// The sign of an operator, or the name of a function.
    pub(crate) fn name(self) -> &'static str {
        let operators = OPERATORS.iter().map(|(sign, _, of)| (*sign, *of));
        operators
            .chain(OF_TWO)
            .chain([(POWER, Binary::Power)])
            .find(|(_, of)| *of == self)
            .map_or("", |(name, _)| name)
    }
}

/// The mistake in an expression, and the byte that it is at.
pub(crate) type Mistake = (usize, String);

/// Reads an expression.
pub(crate) fn parse(text: &str, amounts: &mut Amounts) -> Result<Node, Mistake> {
    if text.len() > LONGEST {
        let what = format!(
            "an expression has at most {LONGEST} bytes, and this one {}; divide it into `let` parts",
            text.len()
        );
        return Err((0, what));
    }
    let mut parser = Parser { tokens: tokens(text)?, next: 0, end: text.len(), steps: 0, level: 0, amounts };
    let node = parser.terms(0)?;
    match parser.peek() {
        None => Ok(node),
        Some(_) => Err(parser.unexpected()),
    }
}

/// The mistake that a function has other arguments.
pub(crate) fn other_arguments(name: &str) -> String {
    let usage = FUNCTIONS.iter().find(|(known, _)| *known == name).map_or(name, |(_, usage)| usage);
    format!("`{name}` has other arguments; write {usage}")
}

/// A recursive-descent parser in which operators have numbers for how strongly they bind (Pratt 1973).
struct Parser<'a> {
    tokens: Vec<(usize, Token<'a>)>,
    next: usize,
    /// The byte after the last.
    end: usize,
    steps: usize,
    /// The number of brackets and signs that are open.
    level: usize,
    amounts: &'a mut Amounts,
}

impl<'a> Parser<'a> {
    fn peek(&self) -> Option<&Token<'a>> {
        self.tokens.get(self.next).map(|(_, token)| token)
    }

    /// The byte of the next token.
    fn position(&self) -> usize {
        self.tokens.get(self.next).map_or(self.end, |(at, _)| *at)
    }

    /// Takes a sign if it is next.
    fn takes(&mut self, sign: &str) -> bool {
        let is_next = matches!(self.peek(), Some(Token::Sign(next)) if *next == sign);
        self.next += usize::from(is_next);
        is_next
    }

    fn expect(&mut self, sign: &str) -> Result<(), Mistake> {
        if self.takes(sign) { Ok(()) } else { Err(self.unexpected()) }
    }

    fn unexpected(&self) -> Mistake {
        let what = match self.peek() {
            None => "the expression is not complete".to_owned(),
            Some(token) => format!("it is not an expression: {token} is not expected here"),
        };
        (self.position(), what)
    }

    fn node(&mut self, at: usize, kind: Kind) -> Result<Node, Mistake> {
        self.steps += 1;
        if self.steps > MOST_STEPS {
            let what =
                format!("it takes more than {MOST_STEPS} steps to evaluate; divide it into `let` parts");
            return Err((at, what));
        }
        let depth = 1 + match &kind {
            Kind::Unary(_, of) | Kind::Reduce(_, of) => of.depth,
            Kind::Binary(_, of) => of[0].depth.max(of[1].depth),
            _ => 0,
        };
        if depth > DEEPEST { Err(too_deep(at)) } else { Ok(Node { at, kind, depth }) }
    }

    /// Terms with operators between them that bind more strongly than `weakest`.
    fn terms(&mut self, weakest: u8) -> Result<Node, Mistake> {
        let mut left = self.term()?;
        loop {
            let next = match self.peek() {
                Some(Token::Sign(sign)) => OPERATORS.iter().find(|(known, ..)| known == sign),
                _ => None,
            };
            let Some(&(_, strength, operator)) = next.filter(|(_, strength, _)| *strength > weakest) else {
                return Ok(left);
            };
            let at = self.position();
            self.next += 1;
            let right = self.terms(strength)?;
            left = self.node(at, Kind::Binary(operator, Box::new([left, right])))?;
        }
    }

    /// A term, with its brackets or signs.
    fn term(&mut self) -> Result<Node, Mistake> {
        let at = self.position();
        self.level += 1;
        if self.level > DEEPEST {
            return Err(too_deep(at));
        }
        let sign = [("-", Unary::Minus), ("!", Unary::Not)].into_iter().find(|(sign, _)| self.takes(sign));
        let term = match sign {
            Some((_, sign)) => {
                let of = self.term()?;
                self.node(at, Kind::Unary(sign, Box::new(of)))
            }
            None if self.takes("+") => self.term(),
            None => self.power(),
        };
        self.level -= 1;
        term
    }

    /// A term without a sign, to the power of the next one.
    fn power(&mut self) -> Result<Node, Mistake> {
        let base = if self.takes("(") {
            let inner = self.terms(0)?;
            self.expect(")")?;
            inner
        } else {
            self.plain_term()?
        };
        let at = self.position();
        if !self.takes(POWER) {
            return Ok(base);
        }
        let exponent = self.term()?;
        self.node(at, Kind::Binary(Binary::Power, Box::new([base, exponent])))
    }

    fn plain_term(&mut self) -> Result<Node, Mistake> {
        let at = self.position();
        let unexpected = self.unexpected();
        let token = self.peek().cloned().ok_or(unexpected)?;
        let kind = match token {
            Token::Number(number) => Kind::Number(number),
            Token::Text(_) => Kind::Text,
            Token::Name("true") => Kind::Truth(true),
            Token::Name("false") => Kind::Truth(false),
            Token::Name(name) => {
                self.next += 1;
                return if self.takes("(") { self.function(at, name) } else { self.variable(at, name) };
            }
            Token::Sign(_) => return Err(self.unexpected()),
        };
        self.next += 1;
        self.node(at, kind)
    }

    /// A variable, with the name of an amount or a parameter.
    fn variable(&mut self, at: usize, variable: &str) -> Result<Node, Mistake> {
        let (dot, variable) = (self.position(), variable.to_owned());
        if dot != at + variable.len() {
            return self.node(at, Kind::Variable(variable));
        }
        if self.takes("[") {
            let name = self.text()?;
            self.expect("]")?;
            return self.amount(dot, &variable, &name);
        }
        if !self.takes(".") {
            return self.node(at, Kind::Variable(variable));
        }
        let Some(&Token::Name(name)) = self.peek() else { return Err(self.unexpected()) };
        let of_function = self.position();
        self.next += 1;
        if !self.takes("(") {
            return self.amount(dot, &variable, name);
        }
        if name != PARAMETER {
            return Err((of_function, no_function(name)));
        }
        if !matches!(self.peek(), Some(Token::Text(_))) {
            return Err((of_function, other_arguments(PARAMETER)));
        }
        let name = self.text()?;
        self.expect(")")?;
        self.node(dot, Kind::Parameter(variable, name))
    }

    /// An amount of a variable. One that follows from others is the first of its quotients that is known.
    fn amount(&mut self, at: usize, variable: &str, name: &str) -> Result<Node, Mistake> {
        let Some(derived) = Derived::named(name) else {
            let amount = self.amounts.named(name);
            return self.node(at, Kind::Amount(variable.to_owned(), amount));
        };
        let divide = if derived.is_share { Binary::Share } else { Binary::Per };
        let mut quotients = Vec::new();
        for quotient in derived.quotients {
            let [of, over] = [quotient.of, quotient.over].map(|names| self.sum(at, variable, names));
            quotients.push(self.node(at, Kind::Binary(divide, Box::new([of?, over?])))?);
        }
        let known = |parser: &mut Self, one, other| {
            parser.node(at, Kind::Binary(Binary::Known, Box::new([one, other])))
        };
        let first = quotients.remove(0);
        quotients.into_iter().try_fold(first, |one, other| known(self, one, other))
    }

    /// The sum of amounts of a variable.
    fn sum(&mut self, at: usize, variable: &str, names: &[&str]) -> Result<Node, Mistake> {
        let mut sum = None;
        for name in names {
            let amount = self.amount(at, variable, name)?;
            sum = Some(match sum {
                None => amount,
                Some(sum) => self.node(at, Kind::Binary(Binary::Plus, Box::new([sum, amount])))?,
            });
        }
        Ok(sum.expect("a quotient has amounts on both sides"))
    }

    fn text(&mut self) -> Result<String, Mistake> {
        let Some(Token::Text(text)) = self.peek() else { return Err(self.unexpected()) };
        let text = text.clone();
        self.next += 1;
        Ok(text)
    }

    /// A function, after its opening bracket.
    fn function(&mut self, at: usize, name: &str) -> Result<Node, Mistake> {
        if name == VISITS {
            let Some(Token::Text(_)) = self.peek() else { return Err((at, other_arguments(name))) };
            let region = self.text()?;
            self.expect(")")?;
            return self.node(at, Kind::Variable(visits_of(&region)));
        }
        let mut arguments = Vec::new();
        if !self.takes(")") {
            arguments.push(self.terms(0)?);
            while self.takes(",") {
                arguments.push(self.terms(0)?);
            }
            self.expect(")")?;
        }
        if FUNCTIONS.iter().all(|(known, _)| *known != name) {
            return Err((at, no_function(name)));
        }
        let of_one = Reduce::ALL.into_iter().find(|(known, _)| *known == name);
        let of_two = OF_TWO.into_iter().find(|(known, _)| *known == name);
        let of_number = OF_ONE.into_iter().find(|(known, _)| *known == name);
        if let (Some((_, function)), 1) = (of_number, arguments.len()) {
            return self.node(at, Kind::Unary(function, Box::new(arguments.remove(0))));
        }
        match (<[Node; 1]>::try_from(arguments), of_one, of_two) {
            (Ok([argument]), Some((_, reduce)), _) => self.node(at, Kind::Reduce(reduce, Box::new(argument))),
            (Err(arguments), _, Some((_, binary))) => match <[Node; 2]>::try_from(arguments) {
                Ok(two) => self.node(at, Kind::Binary(binary, Box::new(two))),
                Err(_) => Err((at, other_arguments(name))),
            },
            _ => Err((at, other_arguments(name))),
        }
    }
}

/// The variable that `visits("region")` names.
pub(crate) fn visits_of(region: &str) -> String {
    format!("{VISITS}({region:?})")
}

fn too_deep(at: usize) -> Mistake {
    let what = format!(
        "it is more than {DEEPEST} levels deep, of brackets or of terms in a row; divide it into `let` parts"
    );
    (at, what)
}

fn no_function(name: &str) -> String {
    match nearest(name, FUNCTIONS.map(|(known, _)| known)) {
        Some(near) => format!("there is no function `{name}`; did you mean {near}?"),
        None => {
            let known = FUNCTIONS.map(|(known, _)| known).join(", ");
            format!("there is no function `{name}`; there are {known}")
        }
    }
}
