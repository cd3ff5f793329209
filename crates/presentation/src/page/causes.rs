//! The root causes that the script draws.

use std::collections::{BTreeMap, HashMap};

use ats_documents::Causes;
use ats_documents::page::{self as document, CausePaths, CausedRows, Costs, OnCriticalPath, Stretches};
use ats_model::CallSite;

use super::profile::Kept;
use super::rows::Row;
use crate::causes::by_call_path;

/// The largest number of findings whose causes are shown.
const MOST_FINDINGS: usize = 50;

/// The largest number of causes that are shown, by finding and call path.
const MOST_CAUSES: usize = 1_000;

/// The largest number of causes that are shown location by location.
const MOST_LOCATIONS: usize = 2_000;

/// The largest number of call paths on the critical path that are shown.
const MOST_PATHS: usize = 50;

/// The data of causes that the script draws; `rows` are the rows of their findings, and `kept` is the shown part of the
/// profile.
pub(super) fn data(causes: &Causes, rows: &[Row<'_>], kept: Option<&Kept<'_>>) -> document::Causes {
    let mut numbers = Numbers { causes, kept, shown: document::Causes::default(), paths: HashMap::new() };
    numbers.shown.units = causes.units.iter().map(|unit| (unit.rank, unit.thread)).collect();
    let mut findings = findings(causes, rows);
    findings.truncate(MOST_FINDINGS);
    numbers.shown.caused = CausedRows {
        finding: findings.iter().map(|finding| finding.row).collect(),
        total: findings.iter().map(|finding| rounded(finding.total)).collect(),
        unattributed: findings.iter().map(|finding| rounded(finding.unattributed)).collect(),
    };
    numbers.add_costs(&findings);
    numbers.add_critical_path();
    numbers.shown
}

/// The causes of a row.
#[derive(Default)]
struct Found {
    row: u32,
    total: f64,
    unattributed: f64,
    /// By call path and unit.
    costs: BTreeMap<u32, BTreeMap<u32, Cost>>,
}

#[derive(Clone, Copy, Debug, Default)]
struct Cost {
    direct: f64,
    indirect: f64,
    /// Waits between, times the indirect seconds.
    weight: f64,
}

impl Cost {
    fn seconds(self) -> f64 {
        self.direct + self.indirect
    }

    fn add(&mut self, other: Cost) {
        self.direct += other.direct;
        self.indirect += other.indirect;
        self.weight += other.weight;
    }
}

/// The rows that have causes, the largest first.
fn findings(causes: &Causes, rows: &[Row<'_>]) -> Vec<Found> {
    let mut found: BTreeMap<usize, Found> = BTreeMap::new();
    for caused in &causes.findings {
        let Some(at) = rows.iter().position(|row| row.is(&caused.finding)) else { continue };
        let of_row = found.entry(at).or_insert_with(|| Found { row: at as u32, ..Found::default() });
        of_row.total += caused.waited();
        of_row.unattributed += caused.unattributed;
        for cause in &caused.causes {
            if cause.unit as usize >= causes.units.len() {
                continue;
            }
            let cost = of_row.costs.entry(cause.call_path).or_default().entry(cause.unit).or_default();
            let weight = cause.hops * cause.indirect;
            cost.add(Cost { direct: cause.direct, indirect: cause.indirect, weight });
        }
    }
    let mut found: Vec<Found> = found.into_values().collect();
    found.sort_by(|one, other| other.total.total_cmp(&one.total));
    found
}

/// The data that is collected, and the numbers of what is in it.
struct Numbers<'a> {
    causes: &'a Causes,
    kept: Option<&'a Kept<'a>>,
    shown: document::Causes,
    /// The number here of each call path.
    paths: HashMap<u32, u32>,
}

impl Numbers<'_> {
    /// The number of a call path, which is added if it is new.
    fn path(&mut self, path: u32) -> u32 {
        let (causes, kept, shown) = (self.causes, self.kept, &mut self.shown.paths);
        *self.paths.entry(path).or_insert_with(|| {
            let (names, site) = causes.place(path).unwrap_or_default();
            let CausePaths { names: known, places } = shown;
            places.push(kept.map(|kept| kept.places(names, site)).unwrap_or_default());
            let mut shown = names.to_vec();
            if let Some(call) = shown.last_mut() {
                *call = CallSite::label(call, site);
            }
            known.push(shown);
            known.len() as u32 - 1
        })
    }

    fn add_costs(&mut self, findings: &[Found]) {
        let costs = findings
            .iter()
            .zip(0..)
            .flat_map(|(finding, of)| finding.costs.iter().map(move |(&path, by_unit)| (of, path, by_unit)));
        let mut costs: Vec<(u32, u32, &BTreeMap<u32, Cost>, f64)> = costs
            .map(|(of, path, by_unit)| (of, path, by_unit, by_unit.values().map(|cost| cost.seconds()).sum()))
            .collect();
        costs.sort_by(|one, other| other.3.total_cmp(&one.3));
        self.shown.omitted = costs.len().saturating_sub(MOST_CAUSES) as u64;
        costs.truncate(MOST_CAUSES);
        let each = costs.iter().flat_map(|(.., by_unit, _)| by_unit.values().map(|cost| cost.seconds()));
        let mut each: Vec<f64> = each.collect();
        each.sort_by(|one, other| other.total_cmp(one));
        let least = each.get(MOST_LOCATIONS).copied().unwrap_or(f64::NEG_INFINITY);
        for (of, path, by_unit, _) in costs {
            let path = self.path(path);
            let mut others = Cost::default();
            for (&unit, &cost) in by_unit {
                match cost.seconds() > least {
                    true => self.add_cost(of, path, Some(unit), cost),
                    false => others.add(cost),
                }
            }
            if others.seconds() > 0.0 {
                self.add_cost(of, path, None, others);
            }
        }
    }

    fn add_cost(&mut self, of: u32, path: u32, unit: Option<u32>, cost: Cost) {
        let Costs { of: findings, path: paths, unit: units, direct, indirect, hops } = &mut self.shown.costs;
        findings.push(of);
        paths.push(path);
        units.push(unit);
        direct.push(rounded(cost.direct));
        indirect.push(rounded(cost.indirect));
        let mean = if cost.indirect > 0.0 { cost.weight / cost.indirect } else { 0.0 };
        hops.push((mean * 100.0).round() / 100.0);
    }

    fn add_critical_path(&mut self) {
        let path = &self.causes.critical_path;
        let units = self.causes.units.len();
        let parts = || path.stretches.iter().filter(|part| (part.unit as usize) < units);
        let stretches = Stretches {
            unit: parts().map(|part| part.unit).collect(),
            begin: parts().map(|part| rounded(part.begin)).collect(),
            end: parts().map(|part| rounded(part.end)).collect(),
        };
        let imbalances = by_call_path(self.causes, "critical_path_imbalance");
        let mut on_path: Vec<(u32, f64)> = by_call_path(self.causes, "critical_path").into_iter().collect();
        on_path.sort_by(|(_, one), (_, other)| other.total_cmp(one));
        on_path.truncate(MOST_PATHS);
        let mut profile = OnCriticalPath::default();
        for (path, seconds) in on_path {
            profile.imbalance.push(rounded(imbalances.get(&path).copied().unwrap_or_default()));
            profile.path.push(self.path(path));
            profile.seconds.push(rounded(seconds));
        }
        self.shown.critical = document::CriticalPath { length: rounded(path.seconds), stretches, profile };
    }
}

/// Seconds rounded to a tenth of a nanosecond: more digits would only fill the page.
fn rounded(seconds: f64) -> f64 {
    (seconds * 1e10).round() / 1e10
}
