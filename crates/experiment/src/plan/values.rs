//! The values of a name: one, a list, or a range.

use std::ops::Range;

use toml::Spanned;
use toml::de::{DeTable, DeValue};

use super::reader::{Keys, Reader, entries, kind};
use crate::identity::shortened;

/// A name, and its values run by run.
pub(super) struct Axis {
    pub(super) name: String,
    /// The place of the name.
    pub(super) at: usize,
    /// The values as text, each with its place.
    pub(super) values: Vec<(String, usize)>,
}

/// The bytes that a name or a value may have, which are part of the name of a folder.
pub(super) const LONGEST: usize = 100;

/// Values that are numbers of something.
pub(super) const SIZES: [&str; 4] = ["ranks", "threads", "nodes", "units"];

/// Placeholders besides the values: the number of the repetition, and the folder of the run.
pub(super) const OWN: [&str; 2] = ["repeat", "dir"];

/// The most runs of a plan, and so numbers of a range.
pub(super) const MOST_RUNS: usize = 20_000;

/// The most names that have values.
const MOST_NAMES: usize = 32;

/// The keys of a range.
const KEYS: [&str; 4] = ["from", "to", "step", "factor"];

impl Reader<'_> {
    /// All names that have values.
    pub(super) fn axes(&mut self, keys: &Keys<'_, '_>) -> Vec<Axis> {
        let Some(value) = keys.get("values") else { return Vec::new() };
        let Some(table) = value.get_ref().as_table() else {
            self.kind("values", value, "a table, as [values] with ranks = [2, 4] below");
            return Vec::new();
        };
        let mut axes = Vec::new();
        for (key, value) in entries(table) {
            let (name, at) = (key.get_ref().as_ref(), key.span().start);
            let is_letter = |c: char| c.is_alphanumeric() || "_-".contains(c);
            if name.is_empty() || name.len() > LONGEST || !name.chars().all(is_letter) {
                let what = "use letters, digits, `_` and `-`, a hundred at most";
                self.wrong(at, format!("`{}` is not a valid name of values; {what}", shortened(name)));
            } else if OWN.contains(&name) {
                self.wrong(at, format!("{{{name}}} has a meaning already; give these values another name"));
            }
            if axes.len() == MOST_NAMES {
                self.wrong(
                    at,
                    format!(
                        "a plan has values of at most {MOST_NAMES} names; write the others into the command"
                    ),
                );
                break;
            }
            axes.push(self.axis(name, at, value));
        }
        for axis in axes.iter().filter(|axis| SIZES.contains(&axis.name.as_str())) {
            for (text, at) in &axis.values {
                if !text.parse::<u32>().is_ok_and(|number| number > 0) {
                    self.wrong(*at, format!("{} are a whole number from 1 on, and not {text}", axis.name));
                }
            }
        }
        for axis in axes.iter().filter(|axis| axis.name == "sequential") {
            let wrong = axis.values.iter().filter(|(text, _)| text.parse::<bool>().is_err());
            for (text, at) in wrong {
                self.wrong(*at, format!("sequential is true, false or [false, true], and not {text}"));
            }
        }
        let at = |name: &str| axes.iter().find(|axis| axis.name == name).map(|axis| axis.at);
        match (at("nodes"), at("units"), at("ranks")) {
            (Some(_), Some(_), Some(ranks)) => {
                self.wrong(ranks, "ranks follow from nodes × units; omit ranks, or nodes and units");
            }
            (Some(at), None, _) => self.wrong(at, "nodes need units, which is how many each has"),
            (None, Some(at), _) => self.wrong(at, "units are those of each of nodes; say how many these are"),
            _ => {}
        }
        axes
    }

    /// The values of a name.
    fn axis(&mut self, name: &str, at: usize, value: &Spanned<DeValue<'_>>) -> Axis {
        let begin = value.span().start;
        let values = match value.get_ref() {
            DeValue::Array(values) if values.is_empty() => {
                let what =
                    format!("{name} has no values, and so there is nothing to run; give it one or more");
                self.wrong(begin, what);
                Vec::new()
            }
            DeValue::Array(values) => {
                let texts = values.iter().map(|value| (self.scalar(name, value), value.span().start));
                texts.filter_map(|(text, at)| Some((text?, at))).collect()
            }
            DeValue::Table(range) => {
                let texts = self.range(name, begin, range);
                texts.into_iter().map(|text| (text, begin)).collect()
            }
            _ => self.scalar(name, value).map(|text| (text, begin)).into_iter().collect(),
        };
        let mut axis = Axis { name: name.to_owned(), at, values: Vec::new() };
        let mut known = std::collections::BTreeSet::new();
        for (text, at) in values {
            if known.insert(text.clone()) {
                axis.values.push((text, at));
            } else {
                self.wrong(at, format!("{name} has {text} twice; `repeats` says how often all is run"));
            }
        }
        axis
    }

    /// A single value as text.
    fn scalar(&mut self, name: &str, value: &Spanned<DeValue<'_>>) -> Option<String> {
        let text = match value.get_ref() {
            DeValue::String(text) => Some(text.to_string()),
            DeValue::Boolean(is) => Some(is.to_string()),
            number => match Number::from_value(number) {
                Some(Ok(number)) => Some(number.text()),
                Some(Err(why)) => {
                    self.wrong(value.span().start, format!("{name}: {why}"));
                    return None;
                }
                None => None,
            },
        };
        if let Some(text) = text.as_ref().filter(|text| text.len() > LONGEST) {
            let what = format!(
                "{name} has {} letters, and so no folder can be named after it; use {LONGEST} or fewer",
                text.len()
            );
            self.wrong(value.span().start, what);
        }
        if text.is_none() {
            let what = format!(
                "{name} cannot be {}; give a number, a text, a list of these, or a range, as {{ from = 1, to = 8 }}",
                kind(value.get_ref())
            );
            self.wrong(value.span().start, what);
        }
        text
    }

    /// The numbers of a range.
    fn range(&mut self, name: &str, begin: usize, table: &DeTable<'_>) -> Vec<String> {
        let mut numbers: [Option<(Number, Range<usize>)>; KEYS.len()] = Default::default();
        let before = self.count();
        for (key, value) in entries(table) {
            let Some(at) = KEYS.iter().position(|known| known == key.get_ref()) else {
                self.unknown(key.span().start, "a range", key.get_ref(), KEYS);
                continue;
            };
            match Number::from_value(value.get_ref()) {
                Some(Ok(number)) => numbers[at] = Some((number, value.span())),
                Some(Err(why)) => self.wrong(value.span().start, format!("{}: {why}", KEYS[at])),
                None => {
                    let what = format!("{} is a number, and not {}", KEYS[at], kind(value.get_ref()));
                    self.wrong(value.span().start, what);
                }
            }
        }
        if self.count() > before {
            return Vec::new();
        }
        let [from, to, step, factor] = numbers;
        let (Some((from, _)), Some((to, at))) = (from, to) else {
            self.wrong(begin, format!("the range of {name} needs both ends, as {{ from = 1, to = 8 }}"));
            return Vec::new();
        };
        let numbers = match (step, factor) {
            (Some(_), Some((_, factor))) => {
                self.wrong(factor.start, "a range has a step or a factor; omit one of them".to_owned());
                return Vec::new();
            }
            (None, Some((factor, at))) => from.times(to, factor).map_err(|what| (at, what)),
            (Some((step, at)), None) => from.plus(to, step).map_err(|what| (at, what)),
            (None, None) => from.plus(to, Number::Whole(1)).map_err(|what| (at.clone(), what)),
        };
        match numbers {
            Ok(numbers) if numbers.is_empty() => {
                let what =
                    format!("the range of {name} is empty: {} is less than {}", to.text(), from.text());
                self.wrong(at.start, format!("{what}; exchange them"));
                Vec::new()
            }
            Ok(numbers) => numbers,
            Err((at, what)) => {
                self.wrong(at.start, what);
                Vec::new()
            }
        }
    }
}

/// A number of TOML.
#[derive(Clone, Copy)]
enum Number {
    Whole(i64),
    Real(f64),
}

impl Number {
    /// `None` for values that are not numbers; an error for numbers that are not valid here.
    fn from_value(value: &DeValue<'_>) -> Option<Result<Number, String>> {
        match value {
            DeValue::Integer(number) => {
                let whole = i64::from_str_radix(number.as_str(), number.radix()).map(Number::Whole);
                Some(whole.map_err(|_| format!("{} is too large; use at most {}", number.as_str(), i64::MAX)))
            }
            DeValue::Float(number) => {
                let real = number.as_str().parse().ok().filter(|real: &f64| real.is_finite());
                let none = || format!("{} is not finite; give a finite number", number.as_str());
                Some(real.map(Number::Real).ok_or_else(none))
            }
            _ => None,
        }
    }

    fn real(self) -> f64 {
        match self {
            Number::Whole(whole) => whole as f64,
            Number::Real(real) => real,
        }
    }

    /// The number as it is written in a command; without an exponent, unless that is much shorter.
    fn text(self) -> String {
        match self {
            Number::Whole(whole) => whole.to_string(),
            Number::Real(real) => {
                let text = real.to_string();
                if text.len() > 24 { format!("{real:e}") } else { text }
            }
        }
    }

    /// The numbers from this to the other in steps.
    fn plus(self, to: Number, step: Number) -> Result<Vec<String>, String> {
        if step.real() <= 0.0 {
            return Err(format!("a step is above 0, and {} is not; a range goes upwards", step.text()));
        }
        if let (Number::Whole(from), Number::Whole(to), Number::Whole(step)) = (self, to, step) {
            let numbers = (0..).map(|n: i64| Some(from.checked_add(n.checked_mul(step)?)?.to_string()));
            return within(numbers.zip(0..).map_while(|(text, n): (_, i64)| {
                let is_within = i128::from(from) + i128::from(n) * i128::from(step) <= i128::from(to);
                text.filter(|_| is_within)
            }));
        }
        let at = |n: u32| rounded(self.real() + f64::from(n) * step.real());
        within((0..).map(at).take_while(|at| *at <= rounded(to.real())).map(|at| Number::Real(at).text()))
    }

    /// The numbers from this to the other, each a multiple of the one before by the factor.
    fn times(self, to: Number, factor: Number) -> Result<Vec<String>, String> {
        if factor.real() <= 1.0 {
            return Err(format!("a factor is above 1, and {} is not; a range goes upwards", factor.text()));
        }
        if self.real() <= 0.0 {
            return Err(format!("a range with a factor begins above 0, and {} is not", self.text()));
        }
        if let (Number::Whole(from), Number::Whole(to), Number::Whole(factor)) = (self, to, factor) {
            let numbers = std::iter::successors(Some(from), |number| number.checked_mul(factor));
            return within(numbers.take_while(|number| *number <= to).map(|number| number.to_string()));
        }
        let numbers = std::iter::successors(Some(self.real()), |number| Some(number * factor.real()));
        let numbers = numbers.map(rounded).take_while(|number| *number <= rounded(to.real()));
        within(numbers.map(|number| Number::Real(number).text()))
    }
}

/// The number rounded to twelve digits: sums in binary become those in decimals.
fn rounded(number: f64) -> f64 {
    format!("{number:.11e}").parse().unwrap_or(number)
}

/// The numbers, or a message if there are more than a plan may have.
fn within(numbers: impl Iterator<Item = String>) -> Result<Vec<String>, String> {
    let most = MOST_RUNS;
    let numbers: Vec<String> = numbers.take(most + 1).collect();
    match numbers.len() > most {
        true => Err(format!("the range has more than {most} numbers; use a larger step or a factor")),
        false => Ok(numbers),
    }
}
