//! The amounts that expressions name, each with a number, so that no names are compared when expressions are evaluated.

use std::collections::{BTreeMap, HashMap};

use ats_documents::summaries::Spent;
use ats_experiment::unit_of;
use ats_model::derived::DERIVED;
use ats_model::mistakes::nearest;

use crate::properties::unit::Unit;

/// The units of metrics that property files declare, by name.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Units(pub(crate) BTreeMap<String, Unit>);

/// An amount that expressions name.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Amount {
    pub(crate) name: String,
    /// Its place among all.
    pub(crate) number: u32,
    /// Its unit; `None` if there is no such amount.
    pub(crate) unit: Option<Unit>,
    /// The number of the class that it is a part of.
    pub(crate) class: Option<u32>,
}

/// All of them.
#[derive(Clone, Debug)]
pub(crate) struct Amounts {
    units: Units,
    pub(crate) all: Vec<Amount>,
    numbers: HashMap<String, u32>,
}

/// A set of some of them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub(crate) struct Set(u128);

/// The sizes of a run, which have names as amounts.
pub(crate) const SIZES: [&str; 3] = ["units", "ranks", "threads"];

impl Units {
    /// The unit of an amount, if it is known.
    pub(crate) fn known(&self, name: &str) -> Option<Unit> {
        let known = unit_of(name).and_then(Unit::named);
        known.or_else(|| self.0.get(name).copied())
    }

    /// The mistake that there is no such amount.
    fn unknown(&self, name: &str) -> String {
        let names = Spent::AMOUNTS.into_iter().chain(SIZES).chain(self.0.keys().map(String::as_str));
        let names = names.chain(DERIVED.iter().map(|derived| derived.name));
        let near = nearest(name, names).map(|near| format!("did you mean {near}?"));
        let fix = near.unwrap_or_else(|| {
            format!("if it is a metric of your own, declare its unit, as in [units] {name} = \"s\"")
        });
        format!("there is no amount `{name}`; {fix}")
    }
}

impl Amounts {
    /// Time alone, the first.
    pub(crate) fn new(units: Units) -> Self {
        let mut amounts = Amounts { units, all: Vec::new(), numbers: HashMap::new() };
        amounts.named("time");
        amounts
    }

    /// The amount of a name.
    pub(crate) fn named(&mut self, name: &str) -> Amount {
        if let Some(number) = self.number(name) {
            return self.all[number as usize].clone();
        }
        let class = name.split_once('/').map(|(class, _)| self.named(class).number);
        let number = self.all.len() as u32;
        let amount = Amount { name: name.to_owned(), number, unit: self.units.known(name), class };
        self.numbers.insert(name.to_owned(), number);
        self.all.push(amount.clone());
        amount
    }

    /// The number of a name.
    fn number(&self, name: &str) -> Option<u32> {
        self.numbers.get(name).copied()
    }

    /// The mistake that there is no amount of a name.
    pub(crate) fn unknown(&self, name: &str) -> String {
        self.units.unknown(name)
    }

    pub(crate) fn time(&self) -> &Amount {
        &self.all[0]
    }
}

impl Set {
    /// The set of an amount; `None` if its number is too large.
    pub(crate) fn of_amount(number: u32) -> Option<Set> {
        1_u128.checked_shl(number).map(Set)
    }

    pub(crate) fn and(self, other: Set) -> Set {
        Set(self.0 | other.0)
    }

    pub(crate) fn common(self, other: Set) -> Set {
        Set(self.0 & other.0)
    }

    pub(crate) fn is_empty(self) -> bool {
        self.0 == 0
    }
}
