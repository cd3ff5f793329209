//! The amounts of a region that expressions name: `parallel.time`, `unit["late_sender"]`.

use std::borrow::Cow;

use crate::properties::amounts::{Amount, Amounts, SIZES};
use crate::properties::loaded::{Lack, Loaded};
use crate::properties::quantity::{Fault, Quantity};
use crate::properties::unit::Unit;

/// The amounts of a region, as a variable of an expression.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Figures<'a> {
    pub(crate) of: Of<'a>,
    pub(crate) whose: Whose,
    pub(crate) amounts: &'a Amounts,
}

/// The region that amounts are of.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Of<'a> {
    /// None: a made-up one, to check units.
    MadeUp,
    /// There is no such region or experiment.
    Missing(&'static str),
    Region(&'a Loaded, usize),
    /// The region that severities are a part of.
    Basis(&'a Loaded),
}

/// The processing units that amounts are of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Whose {
    /// All that were in the region, together.
    All,
    /// All that were in the region, each an instance of its own.
    Column,
    /// The one of this number.
    One(u32),
    /// The one that has most of it.
    Largest,
}

impl<'a> Figures<'a> {
    /// Made-up ones.
    pub(crate) fn made_up(whose: Whose, amounts: &'a Amounts) -> Self {
        Figures { of: Of::MadeUp, whose, amounts }
    }

    /// An amount by its name.
    pub(crate) fn amount(&self, amount: &Amount) -> Result<Quantity<'a>, Fault> {
        let Some(unit) = amount.unit else {
            return match SIZES.contains(&amount.name.as_str()) {
                true => Ok(self.size(&amount.name)),
                false => Err(Fault::Wrong(self.amounts.unknown(&amount.name))),
            };
        };
        let (run, region) = match self.of {
            Of::MadeUp if self.whose == Whose::All => {
                return Ok(Quantity::each(Cow::Borrowed(&[1.0, 2.0]), 2, unit));
            }
            Of::MadeUp => return Ok(Quantity::one(2.0, unit)),
            Of::Missing(reason) => return Ok(Quantity::undefined(reason, unit)),
            Of::Basis(run) => return Ok(run.most_of_basis(amount, unit)),
            Of::Region(run, region) if self.whose == Whose::Largest => {
                return Ok(run.most(region, amount, unit));
            }
            Of::Region(run, region) => (run, region),
        };
        if let Whose::One(number) = self.whose {
            let value = run.value(region, amount, number);
            return Ok(value.map_or_else(
                |reason| Quantity::undefined(reason.clone(), unit),
                |value| Quantity::one(value, unit),
            ));
        }
        if let (Whose::Column, Some(value)) = (self.whose, run.same(region, amount)) {
            return Ok(Quantity::one(value, unit));
        }
        match (run.values(region, amount), self.whose) {
            (Err(Lack::Some(_)), Whose::Column) => Err(Fault::Mixed),
            (Err(lack), _) => Ok(Quantity::undefined(lack.reason().clone(), unit)),
            (Ok(values), Whose::Column) => Quantity::column(values, unit),
            (Ok(values), _) => Ok(Quantity::each(values, run.units_in(region), unit)),
        }
    }

    /// The run, and its region; or the reason why there is none.
    fn place(&self) -> Result<(&'a Loaded, usize), &'static str> {
        match self.of {
            Of::MadeUp => Err("it is made up"),
            Of::Missing(reason) => Err(reason),
            Of::Region(run, region) => Ok((run, region)),
            Of::Basis(run) => Ok((run, run.basis()?)),
        }
    }

    fn size(&self, name: &str) -> Quantity<'a> {
        let number = match (self.of, self.place()) {
            (Of::MadeUp, _) => 2,
            (_, Err(reason)) => return Quantity::undefined(reason, Unit::ONE),
            (_, Ok((run, region))) => match name {
                "ranks" => run.run.ranks as usize,
                "threads" => run.run.threads as usize,
                _ => run.units_in(region),
            },
        };
        Quantity::one(number as f64, Unit::ONE)
    }

    /// A parameter of the run that is a number.
    pub(crate) fn parameter(&self, name: &str) -> Quantity<'a> {
        let run = match (self.of, self.place()) {
            (Of::MadeUp, _) => return Quantity::one(1.0, Unit::ONE),
            (_, Err(reason)) => return Quantity::undefined(reason, Unit::ONE),
            (_, Ok((run, _))) => &run.run,
        };
        let number = run.parameters.get(name).and_then(|value| value.parse::<f64>().ok());
        match number.filter(|number| number.is_finite()) {
            Some(number) => Quantity::one(number, Unit::ONE),
            None => {
                let reason = format!(
                    "the run has no parameter {name} that is a number; give it to `ats experiment add` as {name}=NUMBER"
                );
                Quantity::undefined(reason, Unit::ONE)
            }
        }
    }
}
