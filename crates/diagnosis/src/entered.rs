//! Overheads of runs without a profile: of tables of numbers.

use std::collections::BTreeMap;

use ats_documents::Experiment;
use ats_documents::overheads::{Balance, OverheadClass, Reason, RegionOverheads, Stated, UnitSeconds};
use ats_documents::summaries::{RegionSummaries, Spent};

/// The names of a class's seconds in experiments, the first that there is.
fn names(class: OverheadClass) -> [&'static str; 2] {
    match class {
        OverheadClass::Movement => ["movement", "communication"],
        OverheadClass::Synchronisation => ["synchronisation", "waiting"],
        class => [class.name(); 2],
    }
}

/// The time of the slowest unit in a region.
pub(crate) fn time(of_region: &RegionSummaries) -> Option<f64> {
    of_region.rows().filter_map(|(_, spent)| spent.time).reduce(f64::max)
}

/// The overheads of a region as a table has them, with the units of the run and of the one that it is compared with.
pub(crate) fn region(
    of_region: &RegionSummaries,
    units: [u32; 2],
    sequential: Option<f64>,
) -> RegionOverheads {
    let total = of_region.total();
    let by_name: BTreeMap<_, f64> = total.by_name().collect();
    let stated_by = of_region.units().max(1) as f64;
    let amount = |name: &str| by_name.get(name).map(|seconds| seconds / stated_by);
    let (mut classes, mut parts) = (BTreeMap::new(), BTreeMap::new());
    for class in OverheadClass::ALL {
        let [name, other] = names(class);
        let of_class = parts_of(&total, [name, other]).map(|(part, of)| (part, of / stated_by));
        let of_class: BTreeMap<&str, f64> = of_class.collect();
        let sum = (!of_class.is_empty()).then(|| of_class.values().fold(0.0, |sum, of| sum + of));
        if let Some(seconds) = amount(name).or(amount(other)).or(sum) {
            classes.insert(class, seconds);
        }
        let named = |(part, of): (&str, f64)| (format!("{}/{part}", class.name()), of);
        parts.extend(of_class.into_iter().map(named));
    }
    let stated = Stated {
        identified: amount("identified"),
        unidentified: amount("unidentified"),
        overhead: amount("overhead"),
    };
    let mut reasons = Vec::new();
    let mut unknown = |is_unknown: bool, why: &str| {
        if is_unknown {
            reasons.push(Reason { seconds: None, why: why.to_owned() });
        }
    };
    unknown(sequential.is_none(), "the sequential run has no time in the region");
    unknown(classes.is_empty(), "the experiment has no class of overhead");
    let region = RegionOverheads {
        region: of_region.region.clone(),
        time: time(of_region),
        sequential,
        classes,
        parts,
        reasons,
        stated: (stated != Stated::default()).then_some(stated),
        ..RegionOverheads::default()
    };
    region.with_sums(units[0], units[1])
}

/// The parts of a class by name.
fn parts_of<'a>(total: &'a Spent, names: [&'static str; 2]) -> impl Iterator<Item = (&'a str, f64)> {
    let part = move |(name, seconds): (&'a String, &f64)| {
        let (class, part) = name.split_once('/')?;
        names.contains(&class).then_some((part, *seconds))
    };
    total.subs.iter().filter_map(part)
}

/// The balance of the regions with times of several units.
pub(crate) fn balances(experiment: &Experiment) -> Vec<Balance> {
    let balance = |of_region: &RegionSummaries| {
        let seconds = of_region.rows().filter_map(|(unit, spent)| {
            Some(UnitSeconds { unit: *experiment.units.get(unit as usize)?, seconds: spent.time? })
        });
        let seconds: Vec<UnitSeconds> = seconds.collect();
        (seconds.len() > 1).then(|| Balance::new(&of_region.region, seconds))
    };
    experiment.summaries.iter().filter_map(balance).collect()
}
