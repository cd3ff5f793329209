//! Costs at a size, composed over the calls of regions.

use std::collections::BTreeMap;

use ats_diagnosis::properties::formula::{Bounds, Misreading, Unit};
use ats_documents::models::{CostTerm, Count};
use ats_documents::prediction::{Bounded, PredictedCosts};
use ats_model::mistakes::{Mistakes, nearest};

use super::bounds::exact;
use super::read::{Costs, Placed, in_unit};

/// The numbers that expressions need: each from the least to the most that it may be.
#[derive(Clone, Debug, Default)]
pub struct Known {
    /// The parameters.
    pub parameters: BTreeMap<String, [f64; 2]>,
    /// The coefficients.
    pub coefficients: BTreeMap<String, [f64; 2]>,
    /// The parts that runs have counted.
    pub fractions: BTreeMap<String, [f64; 2]>,
}

/// Costs of a visit, or of all visits.
#[derive(Clone, Debug, Default)]
pub(crate) struct Amounts {
    pub(crate) terms: BTreeMap<CostTerm, [f64; 2]>,
    pub(crate) counts: BTreeMap<Count, [f64; 2]>,
}

/// The sum of two ranges.
fn plus(one: [f64; 2], other: [f64; 2]) -> [f64; 2] {
    [one[0] + other[0], one[1] + other[1]]
}

/// The product of two ranges.
fn times(one: [f64; 2], other: [f64; 2]) -> [f64; 2] {
    let corners = one.map(|one| other.map(|other| one * other));
    let corners = corners.into_iter().flatten();
    corners.fold([f64::INFINITY, f64::NEG_INFINITY], |[low, high], one| [low.min(one), high.max(one)])
}

impl Amounts {
    /// Adds so many times others.
    fn add(&mut self, factor: [f64; 2], others: &Amounts) {
        for (term, seconds) in &others.terms {
            let sum = self.terms.entry(*term).or_default();
            *sum = plus(*sum, times(factor, *seconds));
        }
        for (count, number) in &others.counts {
            let sum = self.counts.entry(*count).or_default();
            *sum = plus(*sum, times(factor, *number));
        }
    }

    /// All numbers, in a fixed order, and their sum of seconds.
    fn numbers(&self) -> impl Iterator<Item = [f64; 2]> {
        let sum = self.terms.values().copied().fold([0.0; 2], plus);
        self.terms.values().chain(self.counts.values()).copied().chain([sum])
    }
}

impl Costs {
    /// The program and each of its regions, outer ones first, each with everything inside it.
    ///
    /// The bounds are the least and the most that the numbers may be wherever they lie in their ranges: exact if the extremes are
    /// at the ends of ranges, to a billionth if they are inside of one, else a little too wide.
    ///
    /// # Errors
    /// A number is not known, an expression has no value, or a cost is negative.
    pub fn totals(&self, known: &Known) -> Result<Vec<PredictedCosts>, Mistakes> {
        let varied = self.varied(known);
        let half = vec![[0.5; 2]; self.ranges + varied.len()];
        let at = |parts: &[[f64; 2]]| self.amounts(known, &varied, parts);
        let numbers =
            |parts: &[[f64; 2]]| at(parts).map(|all| all.iter().flat_map(Amounts::numbers).collect());
        let bounds: Vec<[f64; 2]> = exact(half.len(), numbers)?;
        let mut bounds = bounds.into_iter();
        let middle = at(&half)?;
        let names = std::iter::once(None).chain(self.regions.iter().map(|region| Some(region.name.clone())));
        let totals = names.zip(&middle).map(|(region, amounts)| {
            let mut bounded = |of: &[f64; 2]| Bounded::new(of[0], bounds.next().unwrap_or(*of));
            let mut costs = PredictedCosts { region, ..PredictedCosts::default() };
            costs.terms = amounts.terms.iter().map(|(term, of)| (*term, bounded(of))).collect();
            costs.counts = amounts.counts.iter().map(|(count, of)| (*count, bounded(of))).collect();
            let sum = amounts.terms.values().map(|of| of[0]).sum();
            costs.time = bounded(&[sum; 2]);
            costs
        });
        totals.map(|costs| self.checked(costs)).collect()
    }

    /// No cost is negative.
    fn checked(&self, costs: PredictedCosts) -> Result<PredictedCosts, Mistakes> {
        let terms = costs.terms.iter().map(|(term, of)| (term.name(), of));
        let numbers = terms.chain(costs.counts.iter().map(|(count, of)| (count.name(), of)));
        match { numbers }.find(|(_, of)| of.low < 0.0) {
            None => Ok(costs),
            Some((name, of)) => {
                let region = costs.region.as_deref().unwrap_or("the program");
                Err(Mistakes::one(format!(
                    "{name} of {region} would be {} at least, and no cost is negative; write max(0, …), or ask for a size \
                     that the expression is for",
                    of.low
                )))
            }
        }
    }

    /// The names whose numbers are ranges.
    fn varied<'a>(&self, known: &'a Known) -> Vec<&'a str> {
        let all = known.parameters.iter().chain(&known.coefficients).chain(&known.fractions);
        all.filter(|(_, [low, high])| low < high).map(|(name, _)| name.as_str()).collect()
    }

    /// The amounts of the program and of each region, within these parts of the ranges: those of all expressions, then those of
    /// the varied names.
    pub(crate) fn amounts(
        &self,
        known: &Known,
        varied: &[&str],
        parts: &[[f64; 2]],
    ) -> Result<Vec<Amounts>, Mistakes> {
        let scope = Scope::new(self, known, varied, parts)?;
        let mut of_visit = vec![Amounts::default(); self.regions.len()];
        let mut per_call = vec![[1.0; 2]; self.calls.len()];
        for (call, per_call) in self.calls.iter().zip(&mut per_call) {
            if let Some(visits) = &call.visits {
                *per_call = scope.value(visits, Unit::COUNT)?;
            }
        }
        // Inner regions are behind outer ones.
        for (at, region) in self.regions.iter().enumerate().rev() {
            let mut amounts = Amounts::default();
            for (term, placed) in &region.terms {
                amounts.terms.insert(*term, scope.value(placed, Unit::SECOND)?);
            }
            for (count, placed) in &region.counts {
                let unit = if *count == Count::Bytes { Unit::BYTES } else { Unit::COUNT };
                amounts.counts.insert(*count, scope.value(placed, unit)?);
            }
            if let Some(network) = self.network(region) {
                let number = |count| amounts.counts.get(&count).copied().unwrap_or_default();
                let (messages, bytes) = (number(Count::Messages), number(Count::Bytes));
                let seconds = [0, 1].map(|end| network.seconds(messages[end], bytes[end]));
                amounts.terms.insert(CostTerm::Communication, seconds);
            }
            for (call, per_call) in self.calls.iter().zip(&per_call).filter(|(call, _)| call.from == Some(at))
            {
                amounts.add(*per_call, &of_visit[call.to]);
            }
            of_visit[at] = amounts;
        }
        let mut visits = vec![[0.0; 2]; self.regions.len()];
        let mut whole = Amounts::default();
        for at in 0..self.regions.len() {
            for (call, per_call) in self.calls.iter().zip(&per_call).filter(|(call, _)| call.to == at) {
                let outer = call.from.map_or([1.0; 2], |from| visits[from]);
                visits[at] = plus(visits[at], times(outer, *per_call));
                if call.from.is_none() {
                    whole.add(*per_call, &of_visit[at]);
                }
            }
        }
        let total = |(of_visit, visits): (&Amounts, [f64; 2])| {
            let mut total = Amounts::default();
            total.add(visits, of_visit);
            total.counts.insert(Count::Visits, visits);
            total
        };
        let all: Vec<Amounts> =
            std::iter::once(whole).chain(of_visit.iter().zip(visits).map(total)).collect();
        if all.iter().flat_map(Amounts::numbers).flatten().any(|number| !number.is_finite()) {
            return Err(Mistakes::one(
                "a cost is too large to compute with; check the visits, or ask for a smaller size",
            ));
        }
        Ok(all)
    }
}

/// The numbers of names, within parts of their ranges.
struct Scope<'a> {
    known: BTreeMap<&'a str, Bounds>,
    names: Vec<&'a str>,
    parts: &'a [[f64; 2]],
}

impl<'a> Scope<'a> {
    fn new(
        costs: &'a Costs,
        known: &'a Known,
        varied: &[&str],
        parts: &'a [[f64; 2]],
    ) -> Result<Self, Mistakes> {
        let mut scope = Scope { known: BTreeMap::new(), names: Vec::new(), parts };
        let of_names = parts.get(costs.ranges..).unwrap_or_default();
        let within = |name: &str, [low, high]: [f64; 2]| {
            let part = varied.iter().position(|varied| *varied == name).and_then(|at| of_names.get(at));
            let [low, high] = part.map_or([low, high], |part| part.map(|at| low + at * (high - low)));
            Bounds { low, high, unit: Unit::ONE }
        };
        for (name, of) in known.parameters.iter().chain(&known.fractions) {
            scope.insert(name, within(name, *of));
        }
        for (name, of) in &known.coefficients {
            scope.insert(name, Bounds { unit: Unit::ANY, ..within(name, *of) });
        }
        for (name, placed) in &costs.parts {
            if !scope.known.contains_key(name.as_str()) {
                let bounds = scope.bounds(placed)?;
                scope.insert(name, bounds);
            }
        }
        Ok(scope)
    }

    fn insert(&mut self, name: &'a str, bounds: Bounds) {
        if self.known.insert(name, bounds).is_none() {
            self.names.push(name);
        }
    }

    /// The value of a cost.
    fn value(&self, placed: &Placed, unit: Unit) -> Result<[f64; 2], Mistakes> {
        self.bounds(placed).and_then(|value| in_unit(value, unit).map_err(|wrong| placed.mistake(wrong)))
    }

    fn bounds(&self, placed: &Placed) -> Result<Bounds, Mistakes> {
        if let Some((at, name)) = placed.formula.names().find(|(_, name)| !self.known.contains_key(name)) {
            return Err(placed.mistake(Misreading { at, what: self.unknown(name) }));
        }
        let parts = self.parts.get(placed.first_range..).unwrap_or_default();
        let bounds = placed.formula.bounds(&self.names, |name| self.known.get(name).copied(), parts);
        bounds.map_err(|wrong| placed.mistake(wrong))
    }

    fn unknown(&self, name: &str) -> String {
        if name.contains('(') {
            return format!("{name} is counted in runs; give some to `ats model --costs`, or write a number");
        }
        match nearest(name, self.names.iter().copied()) {
            Some(near) => format!("there is no number for `{name}`; did you mean {near}?"),
            None => format!(
                "there is no number for `{name}`; give it, as {name}=4, or let runs calibrate it: `ats model --costs`"
            ),
        }
    }
}
