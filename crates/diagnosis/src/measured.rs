//! Overheads of runs that have a profile.

use std::collections::BTreeMap;

use ats_documents::overheads::{Balance, OverheadClass, Reason, RegionOverheads, UnitSeconds};

use crate::ledger::{Ledger, TINY, divides_work};
use crate::spending::Spending;

/// Units that have at least this share of the sequential work repeat it.
const REPEATED: f64 = 0.98;

/// A sequential run.
pub(crate) struct Sequential<'a> {
    /// Its number of units, in case it is only the smallest of parallel runs.
    units: u32,
    /// Seconds of all regions, and of each.
    time: f64,
    times: BTreeMap<&'a str, f64>,
    /// Work of all regions, and of each.
    work: f64,
    works: BTreeMap<&'a str, f64>,
    /// Work of call paths alone.
    of_paths: BTreeMap<Vec<&'a str>, f64>,
}

impl<'a> Sequential<'a> {
    pub(crate) fn new(spending: &Spending<'a>) -> Self {
        let slowest = |paths: &[usize]| spending.of_units(paths, |_| true).into_iter().fold(0.0, f64::max);
        let work = |paths: &[usize]| spending.useful_of_units(paths).into_iter().sum();
        let all: Vec<usize> = (0..spending.paths.len()).collect();
        let regions = spending.regions();
        let mut of_paths: BTreeMap<Vec<&str>, f64> = BTreeMap::new();
        for &path in &all {
            *of_paths.entry(spending.names(path)).or_default() += spending.paths[path].code();
        }
        Sequential {
            units: spending.profile.units.len() as u32,
            time: slowest(&all),
            times: regions.iter().map(|(name, paths)| (*name, slowest(paths))).collect(),
            work: work(&all),
            works: regions.iter().map(|(name, paths)| (*name, work(paths))).collect(),
            of_paths,
        }
    }

    /// Time and work of a region, or of the program; `None` if it has no such region.
    fn time_and_work(&self, region: Option<&str>) -> Option<(f64, f64)> {
        match region {
            None => Some((self.time, self.work)),
            Some(region) => Some((*self.times.get(region)?, self.works[region])),
        }
    }
}

/// A parallel run.
pub(crate) struct Parallel<'s, 'a> {
    pub(crate) spending: &'s Spending<'a>,
    pub(crate) sequential: &'s Sequential<'a>,
}

impl<'a> Parallel<'_, 'a> {
    /// The overheads of a region and all that is inside it, or of the program.
    pub(crate) fn region(&self, name: &str, region: Option<&str>, paths: &[usize]) -> RegionOverheads {
        let units = self.spending.profile.units.len();
        let per_unit = |seconds: f64| seconds / units as f64;
        let time = self.spending.of_units(paths, |_| true).into_iter().fold(0.0, f64::max);
        let mut ledger = Ledger::new(self.spending, paths);
        let nothing = (ledger.work == 0.0).then_some((0.0, 0.0));
        let sequential = self.sequential.time_and_work(region).or(nothing);
        let mut reasons = vec![];
        let mut reason = |seconds: f64, why: &str| {
            if seconds.abs() > TINY * time {
                reasons.push(Reason { seconds: Some(seconds), why: why.to_owned() });
            }
        };
        reason(
            time - per_unit(ledger.counted()),
            "units were not in the region while the slowest was, or idle",
        );
        if let Some((time, work)) = sequential {
            let gain = ledger.compare_work(work, self.replicated(paths));
            reason(per_unit(gain), "the units together compute less than the sequential run");
            let time = time * f64::from(self.sequential.units);
            reason(per_unit(work - time), "the sequential run has overheads itself");
        } else {
            let why = "the sequential run has no such region".to_owned();
            reasons.push(Reason { seconds: None, why });
        }
        let mut classes: BTreeMap<OverheadClass, f64> =
            OverheadClass::ALL.into_iter().map(|class| (class, 0.0)).collect();
        let mut parts = BTreeMap::new();
        for ((class, part), seconds) in &ledger.parts {
            *classes.entry(*class).or_default() += per_unit(*seconds);
            let part = if part.is_empty() { "other" } else { part };
            parts.insert(format!("{}/{part}", class.name()), per_unit(*seconds));
        }
        if sequential.is_none() {
            classes.remove(&OverheadClass::Additional);
        }
        let estimated = ledger.estimated.iter().map(|part| format!("{}/{part}", OverheadClass::Loss.name()));
        let region = RegionOverheads {
            region: name.to_owned(),
            time: Some(time),
            sequential: sequential.map(|of| of.0),
            classes,
            parts,
            estimated: estimated.collect(),
            reasons,
            ..RegionOverheads::default()
        };
        region.with_sums(units as u32, self.sequential.units)
    }

    /// Seconds of work that all units repeat, in some paths.
    fn replicated(&self, paths: &[usize]) -> f64 {
        let of_path = |&path: &usize| {
            let of_path = &self.spending.paths[path];
            let once = self.sequential.of_paths.get(&self.spending.names(path)).copied().unwrap_or_default();
            let all = match of_path.construct {
                None => self.spending.ranks,
                Some(_) => self.spending.profile.units.len(),
            };
            let repeat = of_path.time.iter().filter(|of| of.1 >= REPEATED * once).count();
            if once > 0.0 && of_path.is_code() && all > 1 && repeat == all {
                once * (all - 1) as f64
            } else {
                0.0
            }
        };
        paths.iter().map(of_path).sum()
    }

    /// The balance of the computation in some paths.
    fn balance(&self, region: &str, paths: &[usize]) -> Balance {
        let work = self.spending.useful_of_units(paths);
        let units = self.spending.profile.units.iter().zip(work);
        Balance::new(region, units.map(|(&unit, seconds)| UnitSeconds { unit, seconds }).collect())
    }

    /// The balance of the program, and of each region that divides work.
    pub(crate) fn balances(&self, program: (&str, &[usize]), regions: &[(&str, Vec<usize>)]) -> Vec<Balance> {
        let divides =
            |paths: &[usize]| paths.first().is_some_and(|&path| divides_work(self.spending.paths[path].role));
        let dividing = regions.iter().filter(|(_, paths)| divides(paths));
        let of_regions = dividing.map(|(name, paths)| self.balance(name, paths));
        std::iter::once(self.balance(program.0, program.1)).chain(of_regions).collect()
    }
}
