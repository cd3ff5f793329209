//! Expressions of named numbers and ranges, as files of costs have them: the language of property files.

use crate::properties::amounts::{Amounts, Units};
pub use crate::properties::document::{Located, Source};
use crate::properties::expression::{Computed, Expression, Mishap, Variables};
use crate::properties::property::{UNITS, message, push_units};
use crate::properties::quantity::{Quantity, Value};
use crate::properties::syntax::{Binary, Kind, visits_of};
pub use crate::properties::unit::Unit;

/// An expression of named numbers, such as `a * n^3 / ranks + (1 .. 2) * log2(n)`.
///
/// ```
/// use ats_diagnosis::properties::formula::{Bounds, Formula, Unit};
///
/// let formula = Formula::parse("2 * n^2 + (0.5 .. 1.5) * s / s")?;
/// let n = |name: &str| (name == "n").then(|| Bounds::number(3.0, Unit::ONE));
/// assert_eq!(formula.names().map(|(_, name)| name).collect::<Vec<_>>(), ["n"]);
/// assert_eq!(formula.bounds(&["n"], n, &[])?, Bounds { low: 18.5, high: 19.5, unit: Unit::ONE });
/// # Ok::<(), ats_diagnosis::properties::formula::Misreading>(())
/// ```
#[derive(Clone, Debug)]
pub struct Formula {
    expression: Expression,
    /// The bytes of the signs of ranges.
    ranges: Vec<usize>,
    names: Vec<(usize, String)>,
}

/// A number that lies between two; both are equal if it is known.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Bounds {
    /// The least that it may be.
    pub low: f64,
    /// The most that it may be.
    pub high: f64,
    /// Its unit.
    pub unit: Unit,
}

/// A mistake in a formula.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{what}")]
pub struct Misreading {
    /// The byte that it is at.
    pub at: usize,
    /// The mistake, and what to do.
    pub what: String,
}

impl Bounds {
    /// A number that is known.
    pub fn number(value: f64, unit: Unit) -> Self {
        Bounds { low: value, high: value, unit }
    }

    fn quantity(self) -> Quantity<'static> {
        Quantity::between([self.low, self.high], self.unit)
    }
}

impl Formula {
    /// Reads a formula.
    ///
    /// # Errors
    /// It is not one.
    pub fn parse(text: &str) -> Result<Self, Misreading> {
        let expression = Expression::parse(text, &mut Amounts::new(Units::default())).map_err(misreading)?;
        let (mut ranges, mut names) = (Vec::new(), Vec::new());
        expression.nodes(&mut |node| match &node.kind {
            Kind::Binary(Binary::Range, _) => ranges.push(node.at),
            Kind::Variable(name) if UNITS.iter().all(|(unit, _)| unit != name) => {
                names.push((node.at, name.clone()));
            }
            _ => {}
        });
        Ok(Formula { expression, ranges, names })
    }

    /// The names of the numbers that it needs, with their bytes.
    pub fn names(&self) -> impl Iterator<Item = (usize, &str)> {
        self.names.iter().map(|(at, name)| (*at, name.as_str()))
    }

    /// The number of ranges that are written in it.
    pub fn ranges(&self) -> usize {
        self.ranges.len()
    }

    /// The name that `visits("region")` has among the numbers.
    pub fn visits(region: &str) -> String {
        visits_of(region)
    }

    /// The bounds of its value by interval arithmetic, which are exact where each range is needed once.
    ///
    /// The value is of those numbers `known` with these names, and of these parts of its ranges in their order, each from one
    /// share of the range to another; ranges without one are meant whole.
    ///
    /// # Errors
    /// It has no value, or numbers of units that do not fit each other.
    pub fn bounds(
        &self,
        names: &[&str],
        known: impl Fn(&str) -> Option<Bounds>,
        parts: &[[f64; 2]],
    ) -> Result<Bounds, Misreading> {
        let mut variables = Variables::new(false);
        push_units(&mut variables);
        for name in names {
            if let Some(bounds) = known(name) {
                variables.push(name, Computed::Number(bounds.quantity()));
            }
        }
        variables.parts = self.ranges.iter().copied().zip(parts.iter().copied()).collect();
        let quantity = self.expression.quantity(&variables).map_err(misreading)?;
        match quantity.value {
            Value::Undefined(reason) => Err(Misreading { at: 0, what: reason.to_string() }),
            value => match value.ends() {
                Some([low, high]) => Ok(Bounds { low, high, unit: quantity.unit }),
                None => Err(Misreading { at: 0, what: "it has to be a single number".to_owned() }),
            },
        }
    }
}

fn misreading(Mishap { fault, at }: Mishap) -> Misreading {
    Misreading { at, what: message(fault) }
}
