//! An experiment in memory, arranged for expressions.

use std::borrow::Cow;
use std::collections::HashMap;
use std::sync::Arc;

use ats_documents::Experiment;
use ats_documents::experiment::Run;
use ats_documents::profile::{Metric, Origin, ProcessingUnit};
use ats_documents::summaries::{Column, RegionSummaries, Spent};

use crate::properties::amounts::{Amount, Amounts, Set};
use crate::properties::quantity::Quantity;
use crate::properties::unit::Unit;

const NOBODY: &str = "there is no such number";
const NO_BASIS: &str = "the experiment has no region that severities are a part of";

/// An experiment, with the places of its regions, and the amounts that are read.
#[derive(Debug)]
pub(crate) struct Loaded {
    pub(crate) run: Run,
    units: Vec<ProcessingUnit>,
    /// By the numbers of amounts.
    facts: Vec<Facts>,
    regions: Vec<Region>,
    places: HashMap<String, usize>,
    /// The region that severities are a part of, and the most of each amount of it.
    basis: Option<(usize, Vec<Quantity<'static>>)>,
}

/// The units that were in a region, and what they spent there.
#[derive(Debug)]
struct Region {
    name: String,
    /// The units, as runs of their indices, and their number.
    runs: Vec<[u32; 2]>,
    units: usize,
    /// By the numbers of amounts, which rise.
    columns: Vec<(u32, Column)>,
    /// The amounts that are 0 for all units.
    zero: Set,
    /// The other amounts that are there.
    other: Set,
}

/// The state of an amount in an experiment.
#[derive(Debug)]
struct Facts {
    /// The reason why its values cannot be used.
    wrong_unit: Option<Arc<str>>,
    /// Whether it is 0 in regions that have none of it.
    is_zero: bool,
    /// Whether it is 0 for units that have none of it in a region, if others have some.
    is_zero_of_units: bool,
    /// The reasons why a region, or units of one, have none.
    missing: [Arc<str>; 2],
}

impl Loaded {
    /// An experiment with a region that severities are a part of: the given one, or else the longest.
    pub(crate) fn new(experiment: Experiment, basis: Option<&str>, amounts: &Amounts) -> Self {
        let metrics: HashMap<&str, &Metric> =
            experiment.metrics.iter().map(|metric| (metric.name.as_str(), metric)).collect();
        let facts =
            amounts.all.iter().map(|amount| Facts::new(amount, metrics.get(amount.name.as_str()).copied()));
        let mut loaded = Loaded {
            run: experiment.experiment,
            units: experiment.units,
            facts: facts.collect(),
            places: experiment.summaries.iter().map(|of| of.region.clone()).zip(0..).collect(),
            regions: experiment.summaries.into_iter().map(|of| Region::new(of, amounts)).collect(),
            basis: None,
        };
        let basis = match basis {
            Some(basis) => loaded.region(basis),
            None => loaded.longest(amounts.time()),
        };
        loaded.basis = basis.map(|basis| {
            let most = |amount| loaded.most(basis, amount, amount.unit.unwrap_or(Unit::ONE));
            (basis, amounts.all.iter().map(most).collect())
        });
        loaded
    }

    /// The place of a region.
    pub(crate) fn region(&self, name: &str) -> Option<usize> {
        self.places.get(name).copied()
    }

    /// The regions that units were in.
    pub(crate) fn regions(&self) -> impl Iterator<Item = &str> {
        self.regions.iter().filter(|of| of.units > 0).map(|of| of.name.as_str())
    }

    /// The number of units that were in a region, as many as there are instances of it.
    pub(crate) fn instances(&self, region: usize) -> usize {
        self.regions[region].units
    }

    /// The amounts that are 0 for all units of a region, and the others that there are.
    pub(crate) fn entered(&self, region: usize) -> (Set, Set) {
        (self.regions[region].zero, self.regions[region].other)
    }

    /// The unit of a number among those in a region.
    pub(crate) fn unit(&self, region: usize, number: u32) -> Option<ProcessingUnit> {
        let runs = &self.regions[region].runs;
        let index = runs.iter().flat_map(|&[first, end]| first..end).nth(number as usize)?;
        self.units.get(index as usize).copied()
    }

    /// The number of units in a region. An experiment whose only unit stands for all, as in a table from a paper, has those of
    /// the run.
    pub(crate) fn units_in(&self, region: usize) -> usize {
        let of = self.regions[region].units;
        let of_run = self.run.ranks as usize * self.run.threads as usize;
        if self.units.len() == 1 { of.max(of_run) } else { of }
    }

    /// The first region whose slowest unit takes longest.
    fn longest(&self, time: &Amount) -> Option<usize> {
        let mut longest: Option<(usize, f64)> = None;
        for region in 0..self.regions.len() {
            let Ok(times) = self.values(region, time) else { continue };
            let time = times.iter().copied().reduce(f64::max);
            if let Some(time) = time.filter(|time| longest.is_none_or(|(_, most)| *time > most)) {
                longest = Some((region, time));
            }
        }
        longest.map(|(region, _)| region)
    }

    /// The most that a unit has of an amount in a region.
    pub(crate) fn most(&self, region: usize, amount: &Amount, unit: Unit) -> Quantity<'static> {
        match self.values(region, amount) {
            Err(reason) => Quantity::undefined(reason.clone(), unit),
            Ok(values) => match values.iter().copied().reduce(f64::max) {
                Some(most) => Quantity::one(most, unit),
                None => Quantity::undefined(NOBODY, unit),
            },
        }
    }

    /// The same in the region that severities are a part of.
    pub(crate) fn most_of_basis(&self, amount: &Amount, unit: Unit) -> Quantity<'static> {
        match &self.basis {
            None => Quantity::undefined(NO_BASIS, unit),
            Some((_, most)) => most[amount.number as usize].clone(),
        }
    }

    /// The place of that region, or the reason why there is none.
    pub(crate) fn basis(&self) -> Result<usize, &'static str> {
        self.basis.as_ref().map(|(basis, _)| *basis).ok_or(NO_BASIS)
    }

    /// An amount of each unit in a region, or the reason why there is none.
    pub(crate) fn values(&self, region: usize, amount: &Amount) -> Result<Cow<'_, [f64]>, &Arc<str>> {
        let (of, facts) = (&self.regions[region], &self.facts[amount.number as usize]);
        if let Some(reason) = &facts.wrong_unit {
            return Err(reason);
        }
        let is_zero = match amount.class {
            Some(class) => of.column(class).is_some(),
            None => facts.is_zero,
        };
        match of.column(amount.number) {
            None if is_zero => Ok(vec![0.0; of.units].into()),
            None => Err(&facts.missing[0]),
            Some(Column::Each(values)) if values.len() == of.units => Ok(Cow::Borrowed(values)),
            Some(Column::Same(value)) => Ok(vec![*value; of.units].into()),
            Some(column) => {
                let value = |unit| column.of(unit).or(facts.is_zero_of_units.then_some(0.0));
                let values: Option<Vec<f64>> = (0..of.units as u32).map(value).collect();
                values.map(Cow::Owned).ok_or(&facts.missing[1])
            }
        }
    }
}

impl Region {
    fn new(of: RegionSummaries, amounts: &Amounts) -> Self {
        let units = of.units();
        let (mut zero, mut other) = (Set::default(), Set::default());
        let mut columns = Vec::with_capacity(of.spent.len());
        for (name, column) in of.spent {
            let Some(number) = amounts.number(&name) else { continue };
            let set = if column == Column::Same(0.0) { &mut zero } else { &mut other };
            *set = set.and(Set::of(number).unwrap_or_default());
            columns.push((number, column));
        }
        columns.sort_by_key(|(number, _)| *number);
        Region { name: of.region, runs: of.units, units, columns, zero, other }
    }

    fn column(&self, number: u32) -> Option<&Column> {
        self.columns.iter().find(|(known, _)| *known == number).map(|(_, column)| column)
    }
}

impl Facts {
    fn new(amount: &Amount, metric: Option<&Metric>) -> Self {
        let (name, unit) = (&amount.name, amount.unit.unwrap_or(Unit::ONE));
        // A table may give the units of the run instead.
        let has_unit = metric.filter(|metric| !metric.unit.is_empty());
        let is_wrong = |metric: &&Metric| Unit::named(&metric.unit) != Some(unit);
        let wrong_unit = has_unit.filter(is_wrong).map(|metric| {
            let given = &metric.unit;
            format!("{name} is in `{given}` in the experiment, and in {unit} in the property file").into()
        });
        let is_metric = !Spent::AMOUNTS.contains(&name.as_str()) && !name.starts_with("cache_");
        Facts {
            wrong_unit,
            is_zero: is_metric && metric.is_some_and(|metric| metric.origin != Origin::Imported),
            is_zero_of_units: is_metric || amount.class.is_some(),
            missing: [
                format!("the experiment has no {name} in the region").into(),
                format!("the experiment has no {name} of some units").into(),
            ],
        }
    }
}
