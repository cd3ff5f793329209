//! A model: a constant, and terms in powers and logarithms of the parameters.

use std::fmt;

use serde::{Deserialize, Serialize};

/// A cost as a function of the parameters.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Model {
    /// The names of the parameters.
    pub parameters: Vec<String>,
    /// What does not depend on them.
    pub constant: f64,
    /// What does, the term that grows fastest first.
    pub terms: Vec<Term>,
    /// How far off it is at the largest values, if it is fitted without them: 0.03 is 3 %. The less a model is off, the
    /// more it counts.
    pub error: f64,
}

/// A coefficient times powers and logarithms of parameters.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Term {
    /// The coefficient.
    pub coefficient: f64,
    /// The factors, at most one for each parameter.
    pub factors: Vec<Factor>,
}

/// `parameter^exponent * log2(parameter)^logarithms`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Factor {
    /// The position of the parameter among those of the model.
    pub parameter: usize,
    /// The exponent of the parameter.
    pub exponent: Exponent,
    /// The exponent of its logarithm.
    pub logarithms: u8,
}

/// A small fraction; in documents the text `3/2`, or `2` if it is whole.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct Exponent {
    /// Above the line.
    pub numerator: i8,
    /// Below the line, at least 1.
    pub denominator: u8,
}

impl Model {
    /// Computes the cost at one value of each parameter.
    #[must_use]
    pub fn value(&self, values: &[f64]) -> f64 {
        self.terms.iter().map(|term| term.value(values)).sum::<f64>() + self.constant
    }
}

impl Term {
    /// Computes the term at one value of each parameter.
    #[must_use]
    pub fn value(&self, values: &[f64]) -> f64 {
        self.factors
            .iter()
            .fold(self.coefficient, |product, factor| product * factor.value(values[factor.parameter]))
    }
}

impl Term {
    /// How fast it grows if all parameters do: powers first, logarithms among the same powers.
    pub(super) fn growth(&self) -> f64 {
        // A logarithm grows less than the smallest difference of two exponents, 1/20; at most two for each parameter.
        self.factors.iter().map(|factor| factor.exponent.ratio() + f64::from(factor.logarithms) * 0.01).sum()
    }
}

impl Factor {
    /// Computes the factor at a value of its parameter.
    #[must_use]
    pub fn value(self, value: f64) -> f64 {
        self.exponent.power(value) * value.log2().powi(i32::from(self.logarithms))
    }
}

impl Exponent {
    /// Computes a power. Whole exponents and halves are as exact as numbers can be.
    #[must_use]
    pub fn power(self, value: f64) -> f64 {
        match self.denominator {
            1 => value.powi(i32::from(self.numerator)),
            2 => value.sqrt().powi(i32::from(self.numerator)),
            _ => value.powf(self.ratio()),
        }
    }

    /// The fraction as a number.
    #[must_use]
    pub fn ratio(self) -> f64 {
        f64::from(self.numerator) / f64::from(self.denominator)
    }
}

impl From<Exponent> for String {
    fn from(exponent: Exponent) -> Self {
        exponent.to_string()
    }
}

impl TryFrom<String> for Exponent {
    type Error = String;

    fn try_from(text: String) -> Result<Self, String> {
        let (numerator, denominator) = text.split_once('/').unwrap_or((&text, "1"));
        match (numerator.parse(), denominator.parse()) {
            (Ok(numerator), Ok(denominator)) if denominator > 0 => Ok(Self { numerator, denominator }),
            _ => Err(format!("`{text}` is no exponent; write a fraction such as `3/2`")),
        }
    }
}

impl fmt::Display for Exponent {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.denominator {
            1 => write!(f, "{}", self.numerator),
            denominator => write!(f, "{}/{denominator}", self.numerator),
        }
    }
}

/// A coefficient with six digits, as many as measurements have.
struct Coefficient(f64);

impl fmt::Display for Coefficient {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let rounded: f64 = format!("{:.5e}", self.0).parse().unwrap_or(self.0);
        if rounded != 0.0 && !(1e-4..1e9).contains(&rounded.abs()) {
            return write!(f, "{rounded:e}");
        }
        write!(f, "{rounded}")
    }
}

impl Model {
    /// Writes a factor in the language of property files.
    fn factor(&self, factor: Factor) -> String {
        let name = self.parameters.get(factor.parameter).map_or("?", String::as_str);
        let power = match factor.exponent {
            Exponent { numerator: 0, .. } => None,
            Exponent { numerator: 1, denominator: 1 } => Some(name.to_owned()),
            whole @ Exponent { denominator: 1, .. } => Some(format!("{name}^{whole}")),
            fraction => Some(format!("{name}^({fraction})")),
        };
        let logarithm = match factor.logarithms {
            0 => None,
            1 => Some(format!("log2({name})")),
            more => Some(format!("log2({name})^{more}")),
        };
        power.into_iter().chain(logarithm).collect::<Vec<_>>().join(" * ")
    }
}

impl fmt::Display for Model {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let with_factors = |term: &Term| {
            let factors = term.factors.iter().map(|factor| self.factor(*factor));
            (term.coefficient, factors.collect::<Vec<_>>().join(" * "))
        };
        let mut parts: Vec<(f64, String)> = self.terms.iter().map(with_factors).collect();
        if self.constant != 0.0 || parts.is_empty() {
            parts.push((self.constant, String::new()));
        }
        for (place, (coefficient, factors)) in parts.iter().enumerate() {
            let sign = match (place, *coefficient < 0.0) {
                (0, false) => "",
                (0, true) => "-",
                (_, false) => " + ",
                (_, true) => " - ",
            };
            write!(f, "{sign}{}", Coefficient(coefficient.abs()))?;
            if !factors.is_empty() {
                write!(f, " * {factors}")?;
            }
        }
        Ok(())
    }
}
