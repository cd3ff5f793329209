//! Numbers with units, as expressions compute with them.

use std::borrow::Cow;
use std::cmp::Ordering;
use std::sync::Arc;

use crate::properties::unit::Unit;

/// A number with its unit, or several, or none with the reason.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Quantity<'a> {
    pub(crate) unit: Unit,
    pub(crate) value: Value<'a>,
}

/// The number or numbers of a quantity.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Value<'a> {
    One(f64),
    /// Several, which are looked at together, out of as many as there should be.
    Each(Cow<'a, [f64]>, usize),
    /// One of each instance of several that are evaluated together; those that are all equal are `One`.
    Column(Cow<'a, [f64]>),
    /// A number that is only known to be from one to another.
    Range(f64, f64),
    Undefined(Arc<str>),
}

/// Whether something is true: for one instance, or for each of several.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Truth {
    One(bool),
    Column(Vec<bool>),
}

/// A reason why an expression has no value.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Fault {
    /// The expression is wrong.
    Wrong(String),
    /// The data lack a part.
    Undefined(Arc<str>),
    /// Some instances have a value and others do not: they have to be evaluated one by one.
    Mixed,
}

/// A result that is no number is undefined for this reason.
const NOT_FINITE: &str = "a number is too large to compute with";
const NOT_A_RANGE: &str = "it is a range of numbers, and has to be a single number; ranges are for costs";
const DIVISION_BY_0: &str = "it would be a division by 0";

impl<'a> Quantity<'a> {
    pub(crate) fn one(value: f64, unit: Unit) -> Self {
        if value.is_finite() {
            Quantity { unit, value: Value::One(value) }
        } else {
            Quantity::undefined(NOT_FINITE, unit)
        }
    }

    pub(crate) fn each(values: Cow<'a, [f64]>, of: usize, unit: Unit) -> Self {
        if are_finite(&values) {
            Quantity { unit, value: Value::Each(values, of) }
        } else {
            Quantity::undefined(NOT_FINITE, unit)
        }
    }

    pub(crate) fn column(values: Cow<'a, [f64]>, unit: Unit) -> Result<Self, Fault> {
        if are_finite(&values) {
            Ok(Quantity { unit, value: Value::Column(values) })
        } else {
            Err(Fault::Mixed)
        }
    }

    pub(crate) fn undefined(reason: impl Into<Arc<str>>, unit: Unit) -> Self {
        Quantity { unit, value: Value::Undefined(reason.into()) }
    }

    /// The same, without a copy of its numbers.
    pub(crate) fn borrowed(&self) -> Quantity<'_> {
        let value = match &self.value {
            Value::One(value) => Value::One(*value),
            Value::Each(values, of) => Value::Each(Cow::Borrowed(values), *of),
            Value::Column(values) => Value::Column(Cow::Borrowed(values)),
            Value::Range(low, high) => Value::Range(*low, *high),
            Value::Undefined(reason) => Value::Undefined(reason.clone()),
        };
        Quantity { unit: self.unit, value }
    }

    /// The same, with numbers of its own.
    pub(crate) fn into_owned(self) -> Quantity<'static> {
        let value = match self.value {
            Value::One(value) => Value::One(value),
            Value::Each(values, of) => Value::Each(values.into_owned().into(), of),
            Value::Column(values) => Value::Column(values.into_owned().into()),
            Value::Range(low, high) => Value::Range(low, high),
            Value::Undefined(reason) => Value::Undefined(reason),
        };
        Quantity { unit: self.unit, value }
    }

    /// The sum.
    pub(crate) fn plus(self, other: Self) -> Result<Self, Fault> {
        let unit = self.same_unit(&other, "adds")?;
        self.combine(other, |one, other| one + other, unit)
    }

    /// The difference.
    pub(crate) fn minus(self, other: Self) -> Result<Self, Fault> {
        let unit = self.same_unit(&other, "subtracts")?;
        self.combine(other, |one, other| one - other, unit)
    }

    pub(crate) fn negative(self) -> Result<Self, Fault> {
        Quantity::one(-1.0, Unit::ONE).times(self)
    }

    pub(crate) fn times(self, other: Self) -> Result<Self, Fault> {
        let unit = self.unit.times(other.unit);
        self.combine(other, |one, other| one * other, unit)
    }

    /// The quotient; undefined if it divides by 0.
    pub(crate) fn per(self, other: Self) -> Result<Self, Fault> {
        let is_zero = match &other.value {
            Value::One(value) => *value == 0.0,
            Value::Each(values, _) => values.contains(&0.0),
            Value::Column(values) => values.contains(&0.0),
            Value::Range(low, high) => *low <= 0.0 && *high >= 0.0,
            Value::Undefined(_) => false,
        };
        if is_zero && !matches!(self.value, Value::Undefined(_)) {
            return match other.value {
                Value::Column(_) => Err(Fault::Mixed),
                _ => Ok(Self::undefined(DIVISION_BY_0, self.unit.per(other.unit))),
            };
        }
        let unit = self.unit.per(other.unit);
        self.combine(other, |one, other| one / other, unit)
    }

    /// The quotient; 0 if it is the share of nothing.
    pub(crate) fn share(self, other: Self) -> Result<Self, Fault> {
        let unit = self.unit.per(other.unit);
        let share = |part: f64, whole: f64| if part == 0.0 { 0.0 } else { part / whole };
        match (&self.value, &other.value) {
            (Value::One(0.0), whole) if !matches!(whole, Value::Undefined(_)) => Ok(Self::one(0.0, unit)),
            (Value::Column(_), Value::One(_)) | (Value::Column(_) | Value::One(_), Value::Column(_)) => {
                self.combine(other, share, unit)
            }
            _ => self.per(other),
        }
    }

    /// The numbers from one to another.
    pub(crate) fn range(self, other: Self) -> Result<Self, Fault> {
        let unit = self.same_unit(&other, "leads between")?;
        match (&self.value, &other.value) {
            (Value::Undefined(_), _) => Ok(self),
            (_, Value::Undefined(_)) => Ok(other),
            (Value::One(low), Value::One(high)) if low <= high => Ok(Self::between([*low, *high], unit)),
            (Value::One(low), Value::One(high)) => Err(Fault::Wrong(format!(
                "the range begins at {low} and ends at {high}; write {high} .. {low}"
            ))),
            _ => Err(Fault::Wrong("a range is from one number to another, as 0.01 .. 0.05".to_owned())),
        }
    }

    /// The range of these numbers.
    pub(crate) fn between(numbers: impl IntoIterator<Item = f64>, unit: Unit) -> Self {
        let ends = |[low, high]: [f64; 2], one: f64| [low.min(one), high.max(one)];
        let mut is_finite = true;
        let numbers = numbers.into_iter().inspect(|number| is_finite &= number.is_finite());
        let [low, high] = numbers.fold([f64::INFINITY, f64::NEG_INFINITY], ends);
        if !is_finite {
            return Self::undefined(NOT_FINITE, unit);
        }
        Quantity { unit, value: if low == high { Value::One(low) } else { Value::Range(low, high) } }
    }

    /// The part of a range from one share of it to another.
    pub(crate) fn part(self, shares: [f64; 2]) -> Self {
        match self.value {
            Value::Range(low, high) => Self::between(shares.map(|at| low + at * (high - low)), self.unit),
            _ => self,
        }
    }

    /// The power of plain numbers, or a whole power of one with a unit.
    pub(crate) fn power(self, exponent: &Self) -> Result<Self, Fault> {
        if exponent.unit.common(Unit::ONE).is_none() {
            let what = format!("an exponent is a plain number, and this is in {}; divide it", exponent.unit);
            return Err(Fault::Wrong(what));
        }
        let unit = match (self.unit, &exponent.value) {
            (Unit::ONE, _) => Unit::ONE,
            (unit, Value::One(number)) => unit.power(*number).ok_or_else(|| Fault::Wrong(no_power(unit)))?,
            (unit, Value::Undefined(_)) => unit,
            (unit, _) => return Err(Fault::Wrong(no_power(unit))),
        };
        let base = self.value.ends();
        let is_negative = base.is_some_and(|[low, _]| low < 0.0);
        let is_whole = matches!(exponent.value, Value::One(number) if number.fract() == 0.0);
        if is_negative && !is_whole {
            return Ok(Self::undefined("it would be a root of a negative number", unit));
        }
        let is_even = matches!(exponent.value, Value::One(number) if number % 2.0 == 0.0 && number != 0.0);
        let spans_0 = base.is_some_and(|[low, high]| low <= 0.0 && high >= 0.0);
        let falls = exponent.value.ends().is_some_and(|[low, _]| low < 0.0);
        if spans_0 && falls {
            return Ok(Self::undefined(DIVISION_BY_0, unit));
        }
        let of_numbers = self.combine(exponent.borrowed().into_owned(), f64::powf, unit)?;
        Ok(match of_numbers.value {
            // A square is least at 0, between the ends, which may have the same.
            Value::Range(_, high) | Value::One(high) if is_even && spans_0 => {
                Self::between([0.0, high], unit)
            }
            _ => of_numbers,
        })
    }

    /// The square root, which is undefined for negative numbers.
    pub(crate) fn square_root(self) -> Result<Self, Fault> {
        self.power(&Quantity::one(0.5, Unit::ONE))
    }

    /// The logarithm to the base 2 of a plain number; undefined below 1, where it is negative, as no cost is.
    pub(crate) fn logarithm(self) -> Result<Self, Fault> {
        if self.unit.common(Unit::ONE).is_none() {
            let what = format!("`log2` is for plain numbers, and this is in {}; divide it", self.unit);
            return Err(Fault::Wrong(what));
        }
        if self.value.ends().is_some_and(|[low, _]| low < 1.0) {
            let reason =
                "it would be the logarithm of a number below 1, which is negative; write log2(max(1, …))";
            return Ok(Self::undefined(reason, Unit::ONE));
        }
        self.combine(Quantity::one(0.0, Unit::ONE), |one, _| one.log2(), Unit::ONE)
    }

    /// The least whole number that is not less.
    pub(crate) fn ceiling(self) -> Result<Self, Fault> {
        let unit = self.unit;
        self.combine(Quantity::one(0.0, Unit::ONE), |one, _| one.ceil(), unit)
    }

    /// The first of two that is defined.
    pub(crate) fn known(self, other: Self) -> Result<Self, Fault> {
        self.same_unit(&other, "chooses between")?;
        Ok(if let Value::Undefined(_) = self.value { other } else { self })
    }

    /// The lesser or the greater of two.
    pub(crate) fn choose(self, other: Self, choose: impl Fn(f64, f64) -> f64) -> Result<Self, Fault> {
        let unit = self.same_unit(&other, "compares")?;
        self.combine(other, choose, unit)
    }

    /// Whether the order of two is as wanted.
    pub(crate) fn compare(&self, other: &Self, is_wanted: fn(Ordering) -> bool) -> Result<Truth, Fault> {
        self.same_unit(other, "compares")?;
        // No negative zero, which is less than zero in a total order.
        let is = |one: f64, other: f64| is_wanted((one + 0.0).total_cmp(&(other + 0.0)));
        Ok(match (&self.value, &other.value) {
            (Value::Undefined(reason), _) | (_, Value::Undefined(reason)) => {
                return Err(Fault::Undefined(reason.clone()));
            }
            (Value::Column(ones), Value::Column(others)) => {
                Truth::Column(ones.iter().zip(&**others).map(|(one, other)| is(*one, *other)).collect())
            }
            (Value::Column(ones), Value::One(other)) => {
                Truth::Column(ones.iter().map(|one| is(*one, *other)).collect())
            }
            (Value::One(one), Value::Column(others)) => {
                Truth::Column(others.iter().map(|other| is(*one, *other)).collect())
            }
            _ => Truth::One(is(self.single()?, other.single()?)),
        })
    }

    /// A single number, of several or of one.
    pub(crate) fn reduce(self, reduce: Reduce) -> Result<Self, Fault> {
        let (values, of) = match self.value {
            Value::Each(values, of) => (values, of),
            Value::Undefined(_) => return Ok(self),
            Value::One(_) | Value::Column(_) | Value::Range(..) => {
                let what = "it is a single number; only numbers of several units have a maximum or mean";
                return Err(Fault::Wrong(what.to_owned()));
            }
        };
        let unit = self.unit;
        if values.is_empty() {
            return Ok(Self::undefined("there is no such number", unit));
        }
        if values.len() != of && reduce != Reduce::Max {
            let reason = "the experiment has one number for all its units, and none for each";
            return Ok(Self::undefined(reason, unit));
        }
        Ok(Self::one(reduce.value(&values), unit))
    }

    /// The number, if it is a single one.
    pub(crate) fn single(&self) -> Result<f64, Fault> {
        match &self.value {
            // No negative zero, which is less than zero in a total order.
            Value::One(value) => Ok(value + 0.0),
            Value::Undefined(reason) => Err(Fault::Undefined(reason.clone())),
            Value::Column(_) => Err(Fault::Mixed),
            Value::Range(..) => Err(Fault::Wrong(NOT_A_RANGE.to_owned())),
            Value::Each(..) => Err(Fault::Wrong(
                "it has a number for each unit; take one of them, as with max(…) or mean(…)".to_owned(),
            )),
        }
    }

    /// The unit that both have.
    fn same_unit(&self, other: &Self, action: &str) -> Result<Unit, Fault> {
        let (one, other) = (self.unit, other.unit);
        let wrong = || Fault::Wrong(format!("it {action} numbers in {one} and {other}; convert one of them"));
        one.common(other).ok_or_else(wrong)
    }

    fn combine(self, other: Self, of: impl Fn(f64, f64) -> f64, unit: Unit) -> Result<Self, Fault> {
        let all = |ones: Cow<'a, [f64]>, others: &Numbers<'_>| -> Cow<'a, [f64]> {
            let mut ones = ones.into_owned();
            match others {
                Numbers::One(other) => ones.iter_mut().for_each(|one| *one = of(*one, *other)),
                Numbers::All(others) => {
                    ones.iter_mut().zip(*others).for_each(|(one, other)| *one = of(*one, *other));
                }
            }
            ones.into()
        };
        let all_of_one = |one: f64, mut others: Cow<'a, [f64]>| -> Cow<'a, [f64]> {
            others.to_mut().iter_mut().for_each(|other| *other = of(one, *other));
            others
        };
        Ok(match (self.value, other.value) {
            (Value::Undefined(reason), _) | (_, Value::Undefined(reason)) => Self::undefined(reason, unit),
            (Value::One(one), Value::One(other)) => Self::one(of(one, other), unit),
            (Value::Each(ones, count), Value::One(other)) => {
                Self::each(all(ones, &Numbers::One(other)), count, unit)
            }
            (Value::One(one), Value::Each(others, count)) => Self::each(all_of_one(one, others), count, unit),
            (Value::Each(ones, count), Value::Each(others, same)) => {
                if (ones.len(), count) != (others.len(), same) {
                    let what = "it combines numbers of different units; take one of each, as with max(…)";
                    return Err(Fault::Wrong(what.to_owned()));
                }
                Self::each(all(ones, &Numbers::All(&others)), count, unit)
            }
            (Value::Column(ones), Value::One(other)) => {
                return Self::column(all(ones, &Numbers::One(other)), unit);
            }
            (Value::One(one), Value::Column(others)) => return Self::column(all_of_one(one, others), unit),
            (Value::Column(ones), Value::Column(others)) => {
                return Self::column(all(ones, &Numbers::All(&others)), unit);
            }
            (Value::Column(_), Value::Each(..)) | (Value::Each(..), Value::Column(_)) => {
                return Err(Fault::Mixed);
            }
            (ones, others) => {
                let (Some(ones), Some(others)) = (ones.ends(), others.ends()) else {
                    return Err(Fault::Wrong(NOT_A_RANGE.to_owned()));
                };
                // What is monotone in both has its extremes where both are at an end.
                let corners = ones.map(|one| others.map(|other| of(one, other)));
                Self::between(corners.into_iter().flatten(), unit)
            }
        })
    }
}

impl Value<'_> {
    /// The least and the greatest of a number or a range.
    pub(crate) fn ends(&self) -> Option<[f64; 2]> {
        match self {
            Value::One(value) => Some([*value; 2]),
            Value::Range(low, high) => Some([*low, *high]),
            Value::Each(..) | Value::Column(_) | Value::Undefined(_) => None,
        }
    }
}

/// The mistake that a power has no unit.
fn no_power(unit: Unit) -> String {
    format!("a power of a number in {unit} has no unit; divide it by one in {unit} first")
}

/// One number for several, or one of each.
enum Numbers<'a> {
    One(f64),
    All(&'a [f64]),
}

fn are_finite(values: &[f64]) -> bool {
    // Not `all`, which would stop at the first and so take one at a time.
    values.iter().fold(true, |are, value| are & value.is_finite())
}

/// A way to make one number of several.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Reduce {
    Min,
    Max,
    Mean,
    Sum,
    /// The standard deviation of all, not of a sample.
    Deviation,
}

impl Reduce {
    pub(crate) const ALL: [(&str, Reduce); 5] = [
        ("min", Reduce::Min),
        ("max", Reduce::Max),
        ("mean", Reduce::Mean),
        ("sum", Reduce::Sum),
        ("deviation", Reduce::Deviation),
    ];

    /// Its name in expressions.
    pub(crate) fn name(self) -> &'static str {
        Self::ALL.into_iter().find(|(_, known)| *known == self).map_or("", |(name, _)| name)
    }

    fn value(self, values: &[f64]) -> f64 {
        let least = values.iter().copied().fold(f64::INFINITY, f64::min);
        let most = values.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        let sum = || values.iter().sum::<f64>();
        // Rounding does not put the mean of equal numbers beside them.
        let mean = || (sum() / values.len() as f64).clamp(least, most);
        match self {
            Reduce::Min => least,
            Reduce::Max => most,
            Reduce::Sum => sum(),
            Reduce::Mean => mean(),
            Reduce::Deviation => {
                let mean = mean();
                let squares: f64 = values.iter().map(|value| (value - mean) * (value - mean)).sum();
                (squares / values.len() as f64).sqrt()
            }
        }
    }
}
