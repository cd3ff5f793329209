//! The results as a document.

use std::collections::BTreeMap;

use ats_documents::{
    Causes, Finding,
    causes::{Cause, CausedFinding, CriticalPath, Stretch},
};
use ats_model::delay::{CRITICAL_PATH, Extent, Term};
use rustc_hash::FxHashMap;

use super::{
    backward::{Cost, Costs},
    forward::Serial,
    impact::{Cells, impact},
    path,
    places::Places,
};

/// The results, in ticks.
pub(super) struct Computed {
    pub(super) costs: Costs,
    pub(super) path: path::CriticalPath,
    /// For each location its time and its waits in call paths.
    pub(super) spent: Vec<Vec<(u32, u64, u64)>>,
    /// For each location its time by place outside parallel regions.
    pub(super) serial: Vec<Vec<Serial>>,
    /// For each location the number of threads that are idle meanwhile.
    pub(super) idle: Vec<u32>,
}

/// Makes the document of them.
pub(super) fn document(
    mut computed: Computed,
    extent: Extent,
    findings: &[Finding],
    places: &Places<'_>,
) -> Causes {
    charge_idle(&mut computed);
    cut(&mut computed.costs, findings, places);
    let mut metrics: FxHashMap<&'static str, Cells> = FxHashMap::default();
    let mut add = |metric, (location, path): (u32, u32), ticks: f64| {
        if ticks > 0.0 {
            *metrics.entry(metric).or_default().entry((location, path)).or_default() += ticks;
        }
    };
    let delay_of = |column: u16| places.of_columns[column as usize].0;
    let Costs { delays, indirect, propagating, .. } = &computed.costs;
    for (&(location, path, column), cost) in delays {
        add(delay_of(column).metric(Term::Short), (location, path), cost.short);
        add(delay_of(column).metric(Term::Long), (location, path), cost.long);
    }
    for (&(location, path, column), &ticks) in indirect {
        let metric = delay_of(column).indirect_waits();
        metric.into_iter().for_each(|metric| add(metric, (location, path), ticks));
    }
    for (&(location, path, column), &(_, ticks)) in propagating {
        let metric = delay_of(column).propagating_waits();
        metric.into_iter().for_each(|metric| add(metric, (location, path), ticks));
    }
    let of_path = impact(&computed.path.profile, &computed.spent);
    computed.path.profile.iter().for_each(|(&cell, &ticks)| add(CRITICAL_PATH, cell, ticks as f64));
    for (metric, cells) in [
        ("critical_path_imbalance", of_path.imbalance),
        ("critical_path_activities", of_path.activities),
        ("critical_imbalance_impact", of_path.imbalance_impact),
        ("inter_partition_imbalance", of_path.between_partitions),
        ("non_critical_path_activities", of_path.off_path),
    ] {
        cells.into_iter().for_each(|(cell, ticks)| add(metric, cell, ticks));
    }
    let mut paths = PathNumbers::default();
    let second = places.seconds(1.0);
    let mut rows = |cells: Cells| {
        let mut rows: Vec<(u32, u32, f64)> = cells
            .into_iter()
            .map(|((location, path), ticks)| (paths.number(path), location, ticks * second))
            .collect();
        rows.sort_unstable_by_key(|&(path, location, _)| (path, location));
        rows
    };
    let metrics: BTreeMap<&str, Cells> = metrics.into_iter().collect();
    let metrics = metrics.into_iter().map(|(metric, cells)| (metric.to_owned(), cells));
    let metrics = metrics.map(|(metric, cells)| (metric, rows(cells))).collect();
    let caused = caused(&computed.costs, findings, places, &mut paths);
    let (call_paths, sites): (Vec<_>, Vec<_>) =
        paths.numbers.into_iter().map(|path| places.called(path)).unzip();
    Causes {
        extent,
        units: places.units(),
        call_paths,
        call_sites: (0..).zip(sites).filter_map(|(path, site)| Some((path, site?))).collect(),
        metrics,
        findings: caused,
        omitted: places.without_own(),
        critical_path: critical_path(computed.path, places),
    }
}

/// The call paths of the document, in the order of their first use.
#[derive(Default)]
struct PathNumbers {
    numbers: Vec<u32>,
    of: FxHashMap<u32, u32>,
}

impl PathNumbers {
    fn number(&mut self, path: u32) -> u32 {
        *self.of.entry(path).or_insert_with(|| {
            self.numbers.push(path);
            self.numbers.len() as u32 - 1
        })
    }
}

/// Charges the main threads for the threads that are idle while they work alone.
fn charge_idle(computed: &mut Computed) {
    for (location, serial) in computed.serial.iter().enumerate() {
        let idle = computed.idle[location];
        for &Serial { path, time, wait, column } in serial.iter().filter(|_| idle > 0) {
            if let Some(column) = column {
                let (costs, cell) = (&mut computed.costs, (location as u32, path, column));
                costs.delays.entry(cell).or_default().short +=
                    f64::from(idle) * time.saturating_sub(wait) as f64;
                if wait > 0 {
                    *costs.indirect.entry(cell).or_default() += f64::from(idle) * wait.min(time) as f64;
                }
                let waits = costs.waits.entry(column).or_default();
                *waits = waits.saturating_add(time.saturating_mul(idle.into()));
            }
        }
    }
}

/// Cuts the costs of each column to what its findings wait: that is no longer than the basis where the time of a damaged
/// trace runs backwards.
fn cut(costs: &mut Costs, findings: &[Finding], places: &Places<'_>) {
    let second = places.seconds(1.0);
    // For each column what it waits, and what is charged for it.
    let mut sums: FxHashMap<u16, (f64, f64)> = FxHashMap::default();
    for (finding, column) in findings.iter().zip(places.columns()) {
        if let Some(column) = column {
            sums.entry(*column).or_default().0 += finding.waiting_time / second;
        }
    }
    for (&(.., column), cost) in &costs.delays {
        sums.entry(column).or_default().1 += cost.short + cost.long;
    }
    for (&column, ticks) in &costs.unattributed {
        sums.entry(column).or_default().1 += ticks;
    }
    sums.retain(|_, &mut (waited, charged)| missing(charged, waited) > 0.0);
    let part = |column: u16| sums.get(&column).map_or(1.0, |(waited, charged)| waited / charged);
    for (&(.., column), Cost { short, long, hops }) in &mut costs.delays {
        [short, long, hops].into_iter().for_each(|cost| *cost *= part(column));
    }
    costs.indirect.iter_mut().for_each(|(&(.., column), ticks)| *ticks *= part(column));
    costs.unattributed.iter_mut().for_each(|(&column, ticks)| *ticks *= part(column));
    for (&(.., column), (all, messages)) in &mut costs.propagating {
        (*all, *messages) = (part(column) * *all, part(column) * *messages);
    }
}

/// The causes of each finding that has a column of its own.
fn caused(
    costs: &Costs,
    findings: &[Finding],
    places: &Places<'_>,
    paths: &mut PathNumbers,
) -> Vec<CausedFinding> {
    let second = places.seconds(1.0);
    let mut caused: Vec<CausedFinding> = Vec::new();
    let mut of_column: Vec<Option<usize>> = Vec::new();
    for &(_, finding) in &places.of_columns {
        of_column.push(finding.map(|finding| {
            let Finding { id, waiting_time, .. } = &findings[finding];
            // What propagates is taken away below.
            let terminal = *waiting_time;
            caused.push(CausedFinding { finding: id.clone(), terminal, ..CausedFinding::default() });
            caused.len() - 1
        }));
    }
    let mut delays: Vec<_> = costs.delays.iter().collect();
    delays.sort_unstable_by_key(|&(&(location, path, column), _)| (column, path, location));
    for (&(unit, path, column), cost) in delays {
        let Some(number) = of_column[column as usize] else { continue };
        caused[number].causes.push(Cause {
            call_path: paths.number(path),
            unit,
            direct: cost.short * second,
            indirect: cost.long * second,
            hops: if cost.long > 0.0 { cost.hops / cost.long } else { 0.0 },
        });
    }
    for (&(_, _, column), &ticks) in &costs.indirect {
        of_column[column as usize].into_iter().for_each(|number| caused[number].indirect += ticks * second);
    }
    for (&(_, _, column), &(ticks, _)) in &costs.propagating {
        of_column[column as usize]
            .into_iter()
            .for_each(|number| caused[number].propagating += ticks * second);
    }
    for (column, number) in of_column.iter().enumerate() {
        let (Some(number), column) = (*number, column as u16) else { continue };
        let unattributed = costs.unattributed.get(&column).copied().unwrap_or_default();
        // Waits that are at no stop, as outside every call of MPI, were not come by.
        let known = costs.waits.get(&column).copied().unwrap_or_default();
        let missing = missing(caused[number].terminal / second, known as f64);
        caused[number].unattributed = (unattributed + missing) * second;
    }
    for of in &mut caused {
        of.causes.sort_by(|a, b| b.seconds().total_cmp(&a.seconds()));
        of.direct = of.causes.iter().fold(0.0, |sum, cause| sum + cause.direct);
        of.terminal = (of.terminal - of.propagating).max(0.0);
    }
    caused
}

/// The ticks of `waited` beyond those that are `known`. Seconds of findings are sums of rounded ones, so what is less
/// than their errors is nothing.
fn missing(waited: f64, known: f64) -> f64 {
    let missing = (waited - known).round();
    if missing > 1e-12 * waited { missing } else { 0.0 }
}

/// The critical path, with its longest parts.
fn critical_path(path: path::CriticalPath, places: &Places<'_>) -> CriticalPath {
    let first = places.first_time();
    let seconds = |time: u64| places.seconds(time.saturating_sub(first) as f64);
    let ticks = path.profile.values().fold(0.0, |sum, &ticks| sum + ticks as f64);
    let (longest, omitted) = path.stretches.into_longest();
    let stretch = |(unit, begin, end)| Stretch { unit, begin: seconds(begin), end: seconds(end) };
    let stretches = longest.into_iter().map(stretch).collect();
    CriticalPath { seconds: places.seconds(ticks), stretches, omitted }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rounding_errors_are_not_missing_ticks() {
        assert_eq!(missing(403_704_000_000_002.25, 403_704_000_000_000.0), 0.0);
        assert_eq!(missing(2_000_000_000.0, 1_999_999_999.0), 1.0);
        assert_eq!(missing(3.0, 4.0), 0.0);
        assert_eq!(missing(4.0, 0.0), 4.0);
    }
}
