//! An experiment in memory, arranged for expressions.

use std::borrow::Cow;
use std::collections::HashMap;
use std::sync::Arc;

use ats_documents::Experiment;
use ats_documents::experiment::Run;
use ats_documents::profile::{Metric, Origin, ProcessingUnit};
use ats_documents::summaries::{Column, RegionSummaries, Spent};
use ats_model::machine_counter::MachineCounter;

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

/// The names that an experiment has for amounts: those of counters may be perf's or PAPI's.
struct Sources {
    /// By the numbers of amounts.
    names: Vec<String>,
    /// The numbers of the amounts that a name stands for.
    numbers: HashMap<String, Vec<u32>>,
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
    /// The reasons why a region, some units of one, or one of them have none.
    missing: [Arc<str>; 3],
}

/// The reason why units have no amount.
#[derive(Debug)]
pub(crate) enum Lack<'a> {
    /// No unit of the region has one.
    All(&'a Arc<str>),
    /// Some have none.
    Some(&'a Arc<str>),
}

impl Sources {
    /// Those of an experiment that has these metrics.
    fn new(amounts: &Amounts, is_there: impl Fn(&str) -> bool) -> Self {
        let source = |amount: &Amount| {
            MachineCounter::name_among(&amount.name, &is_there).unwrap_or(&amount.name).to_owned()
        };
        let names: Vec<String> = amounts.all.iter().map(source).collect();
        let mut numbers: HashMap<String, Vec<u32>> = HashMap::new();
        for (name, number) in names.iter().zip(0..) {
            numbers.entry(name.clone()).or_default().push(number);
        }
        Sources { names, numbers }
    }

    /// The numbers of the amounts that a name stands for.
    fn amounts(&self, name: &str) -> &[u32] {
        self.numbers.get(name).map_or(&[], Vec::as_slice)
    }
}

impl<'a> Lack<'a> {
    /// The reason in words.
    pub(crate) fn reason(self) -> &'a Arc<str> {
        let (Lack::All(reason) | Lack::Some(reason)) = self;
        reason
    }
}

impl Loaded {
    /// An experiment with a region that severities are a part of: the given one, or else the longest.
    pub(crate) fn new(experiment: Experiment, basis: Option<&str>, amounts: &Amounts) -> Self {
        let metrics: HashMap<&str, &Metric> =
            experiment.metrics.iter().map(|metric| (metric.name.as_str(), metric)).collect();
        // Tables have no profile.
        let is_table = experiment.profile_bytes.is_none();
        let sources = Sources::new(amounts, |name| metrics.contains_key(name));
        let facts = |amount: &Amount| {
            let source = sources.names[amount.number as usize].as_str();
            Facts::new(amount, metrics.get(source).copied(), is_table)
        };
        let facts = amounts.all.iter().map(facts);
        let mut loaded = Loaded {
            run: experiment.experiment,
            units: experiment.units,
            facts: facts.collect(),
            places: experiment.summaries.iter().map(|of| of.region.clone()).zip(0..).collect(),
            regions: experiment.summaries.into_iter().map(|of| Region::new(of, &sources)).collect(),
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
    pub(crate) fn amounts(&self, region: usize) -> (Set, Set) {
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
            Err(lack) => Quantity::undefined(lack.reason().clone(), unit),
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
    pub(crate) fn values(&self, region: usize, amount: &Amount) -> Result<Cow<'_, [f64]>, Lack<'_>> {
        let of = &self.regions[region];
        let facts = self.facts(amount).map_err(Lack::All)?;
        match of.column(amount.number) {
            Some(Column::Each(values)) if values.len() == of.units => Ok(Cow::Borrowed(values)),
            Some(Column::Same(value)) => Ok(vec![*value; of.units].into()),
            column => {
                let value = |unit| self.known(region, amount, column, unit);
                let values: Option<Vec<f64>> = (0..of.units as u32).map(value).collect();
                values.map(Cow::Owned).ok_or(match column {
                    None => Lack::All(&facts.missing[0]),
                    Some(_) => Lack::Some(&facts.missing[1]),
                })
            }
        }
    }

    /// An amount that is the same for all units in a region.
    pub(crate) fn same(&self, region: usize, amount: &Amount) -> Option<f64> {
        self.facts(amount).ok()?;
        match self.regions[region].column(amount.number) {
            Some(Column::Same(value)) => Some(*value),
            _ => None,
        }
    }

    /// An amount of the unit of a number among those in a region, or the reason why there is none.
    pub(crate) fn value(&self, region: usize, amount: &Amount, number: u32) -> Result<f64, &Arc<str>> {
        let facts = self.facts(amount)?;
        let column = self.regions[region].column(amount.number);
        let missing = if column.is_none() { &facts.missing[0] } else { &facts.missing[2] };
        self.known(region, amount, column, number).ok_or(missing)
    }

    /// The state of an amount, if its values can be used.
    fn facts(&self, amount: &Amount) -> Result<&Facts, &Arc<str>> {
        let facts = &self.facts[amount.number as usize];
        facts.wrong_unit.as_ref().map_or(Ok(facts), Err)
    }

    /// An amount of a unit: 0 if the experiment would have it if there were any.
    fn known(&self, region: usize, amount: &Amount, column: Option<&Column>, unit: u32) -> Option<f64> {
        let is_zero = match amount.class {
            Some(class) => self.regions[region].column(class).is_some_and(|of| of.get(unit).is_some()),
            None if column.is_none() => self.facts[amount.number as usize].is_zero,
            None => self.facts[amount.number as usize].is_zero_of_units,
        };
        column.and_then(|column| column.get(unit)).or(is_zero.then_some(0.0))
    }
}

impl Region {
    fn new(of: RegionSummaries, sources: &Sources) -> Self {
        let units = of.units();
        let (mut zero, mut other) = (Set::default(), Set::default());
        let mut columns = Vec::with_capacity(of.spent.len());
        for (name, column) in of.spent {
            let Some((&last, numbers)) = sources.amounts(&name).split_last() else { continue };
            let set = if column == Column::Same(0.0) { &mut zero } else { &mut other };
            let of_numbers = numbers.iter().chain([&last]).filter_map(|&number| Set::of_amount(number));
            *set = of_numbers.fold(*set, Set::and);
            columns.extend(numbers.iter().map(|&number| (number, column.clone())));
            columns.push((last, column));
        }
        columns.sort_by_key(|(number, _)| *number);
        Region { name: of.region, runs: of.units, units, columns, zero, other }
    }

    fn column(&self, number: u32) -> Option<&Column> {
        self.columns.iter().find(|(known, _)| *known == number).map(|(_, column)| column)
    }
}

impl Facts {
    fn new(amount: &Amount, metric: Option<&Metric>, is_table: bool) -> Self {
        let (name, unit) = (&amount.name, amount.unit.unwrap_or(Unit::ONE));
        // A table may give the units of the run instead.
        let has_unit = metric.filter(|metric| !metric.unit.is_empty());
        let is_wrong = |metric: &&Metric| Unit::named(&metric.unit) != Some(unit);
        let wrong_unit = has_unit.filter(is_wrong).map(|metric| {
            let given = &metric.unit;
            format!("{name} is in `{given}` in the experiment, and in {unit} in the property file").into()
        });
        let is_metric = !Spent::AMOUNTS.contains(&name.as_str()) && !name.starts_with("cache_");
        let is_imported = metric.is_none_or(|metric| metric.origin == Origin::Imported);
        Facts {
            wrong_unit,
            is_zero: is_metric && !is_imported,
            // Reports omit what is 0; what a table has no line for is not known.
            is_zero_of_units: is_metric && !(is_imported && is_table),
            missing: [
                format!("the experiment has no {name} in the region").into(),
                format!("the experiment has no {name} of some units").into(),
                format!("the experiment has no {name} of the unit").into(),
            ],
        }
    }
}
