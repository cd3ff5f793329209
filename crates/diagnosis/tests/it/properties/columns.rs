//! Units that are evaluated together have the results of units that are evaluated one by one.

use ats_diagnosis::properties::{Properties, Selection};
use ats_documents::Experiment;
use ats_documents::diagnosis::Instance;
use ats_documents::experiment::{Run, Version};
use ats_documents::profile::{Combine, Metric, Origin, ProcessingUnit};
use ats_documents::summaries::{RegionSummaries, Spent};
use ats_model::WaitState;

use super::common::{of_experiments, with};

/// Numbers that look random, and are the same each time.
struct Random(u64);

impl Random {
    fn below(&mut self, end: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % end
    }

    /// An amount of a unit: often 0 or none, and now and then more than the time.
    fn amount(&mut self, none: u64) -> Option<f64> {
        match self.below(12) {
            kind if kind < none => None,
            2..=4 => Some(0.0),
            5 => Some(8.0),
            6 => Some(30.0),
            _ => Some(self.below(1000) as f64 / 64.0),
        }
    }
}

fn metric(name: &str) -> Metric {
    let unit = if name.starts_with("cache_") || name == "instructions" { "occ" } else { "s" };
    Metric::new(name, unit, Origin::Measured, Combine::Sum)
}

/// An experiment of some units that lacks some amounts of a region or a unit.
fn experiment(random: &mut Random, ranks: u32, sequential: bool) -> Experiment {
    let waits: Vec<&str> = WaitState::ALL.into_iter().map(WaitState::name).collect();
    let names: Vec<&str> = Spent::AMOUNTS
        .into_iter()
        .chain(["cache_misses(1)", "cache_misses(2)", "cache_accesses(1)", "cache_accesses(2)", "loss"])
        .chain(["identified", "control/init"])
        .chain(waits)
        .collect();
    let names: Vec<&str> = names.into_iter().filter(|_| random.below(6) > 0).collect();
    let regions = ["main", "solve", "exchange", "output", "idle"];
    let of_region = |region: &&str| {
        let there: Vec<&str> = names.iter().copied().filter(|_| random.below(8) > 0).collect();
        let (none, alike) = (random.below(2) * random.below(2), random.below(3) == 0);
        let share = if random.below(2) == 0 { 1.0 } else { 0.03 };
        let mut rows: Vec<(u32, Spent)> = Vec::new();
        for unit in (0..ranks).filter(|unit| *region != "idle" || unit % 3 == 1) {
            let mut spent = Spent::default();
            for name in &there {
                spent.set(name, 0.0);
                let share = if *name == "time" { 1.0 } else { share };
                match random.amount(none) {
                    Some(value) => spent.set(name, value * share),
                    None => spent = rebuilt(&spent, name),
                }
            }
            rows.push((unit, if alike && !rows.is_empty() { rows[0].1.clone() } else { spent }));
        }
        RegionSummaries::new(region, rows)
    };
    let summaries = regions.iter().map(of_region).collect();
    let parameters = [("second_level_miss_ns".to_owned(), "25".to_owned())].into();
    Experiment {
        schema: "ats-experiment/1".to_owned(),
        application: "app".to_owned(),
        version: Version { name: "1".to_owned(), files: Vec::new() },
        experiment: Run {
            name: "app".to_owned(),
            ranks,
            threads: 1,
            repeat: 1,
            sequential,
            parameters,
            ..Run::default()
        },
        units: (0..ranks).map(|rank| ProcessingUnit { rank, thread: 0, node: None }).collect(),
        metrics: names.iter().map(|name| metric(name)).collect(),
        summaries,
        ..Experiment::default()
    }
}

/// The same amounts without one of them.
fn rebuilt(spent: &Spent, without: &str) -> Spent {
    let mut less = Spent::default();
    spent.by_name().filter(|(name, _)| name != without).for_each(|(name, value)| less.set(&name, value));
    less
}

/// Properties of units with conditions and parts that are undefined for some of them.
const OWN: &str = r#"schema = "ats-properties/1"
[[property]]
name = "Divided"
of = ["region", "unit"]
severity = "share(unit.communication, unit.synchronisation + unit.io)"
[[property]]
name = "Both"
of = ["region", "unit"]
holds = "unit.io > 2 * s && unit.receive / unit.io < 3 || !(unit.control <= 1 * s)"
severity = "min(1, unit.io / basis.time)"
confidence = "min(1, max(unit.control, unit.io) / unit.time)"
text = "{severity} in {region}"
[[property]]
name = "Other"
of = ["region", "unit", "sequential"]
let.part = "known(unit.user, sequential.time) - unit.units * unit.system"
holds = "-part != 0 * s"
severity = "part / (unit.time + 1 * s)"
text = "{part}"
[[property]]
name = "Parts"
of = ["region", "unit"]
severity = 'min(1, unit["control/init"] / basis.time)'
[[property]]
name = "Half"
of = ["region", "unit"]
over = ["Both", "Parts"]
holds = "holding == 1"
severity = "max(severities)"
"#;

fn compare(together: &Properties, one_by_one: &Properties, experiments: &[Experiment], above: f64) -> usize {
    let selection = Selection { above, ..Selection::default() };
    let found = of_experiments(together, experiments, selection);
    assert_eq!(found, of_experiments(one_by_one, experiments, selection));
    found.instances.len()
}

#[test]
fn together_as_one_by_one() {
    let together = with(OWN).unwrap();
    let one_by_one = together.clone().one_by_one();
    let mut random = Random(1);
    let (mut all, mut severe) = (0, 0);
    for _ in 0..4 {
        let sizes = [(1, true), (1, false), (2, false), (7, false), (16, false)];
        let experiments: Vec<Experiment> =
            sizes.iter().map(|&(ranks, sequential)| experiment(&mut random, ranks, sequential)).collect();
        all += compare(&together, &one_by_one, &experiments, 0.0);
        severe += compare(&together, &one_by_one, &experiments, 0.5);
        worst_of_all(&together, &experiments);
    }
    assert!(severe > 300 && all > severe, "{severe} of {all}");
}

/// Checks that the worst unit of each property, region and experiment stands for all of them.
fn worst_of_all(properties: &Properties, experiments: &[Experiment]) {
    let all = of_experiments(properties, experiments, Selection::default()).instances;
    let worst = of_experiments(properties, experiments, Selection { worst: true, ..Selection::default() });
    let mut groups: Vec<(Instance, u32)> = Vec::new();
    for one in all {
        let is_same = |(known, _): &&mut (Instance, u32)| {
            (&known.property, &known.region, &known.experiments)
                == (&one.property, &one.region, &one.experiments)
        };
        match groups.iter_mut().find(is_same) {
            Some((_, units)) => *units += 1,
            None => groups.push((one, 1)),
        }
    }
    let grouped = groups.into_iter().map(|(one, units)| Instance {
        units: one.unit.map(|_| units),
        under: None,
        ..one
    });
    let worst = worst.instances.into_iter().map(|one| Instance { under: None, ..one });
    assert_eq!(worst.collect::<Vec<_>>(), grouped.collect::<Vec<_>>());
}

#[test]
fn every_shipped_property_holds_fails_and_lacks_data_in_it() {
    let properties = with("").unwrap();
    let mut random = Random(2);
    let mut seen = std::collections::BTreeMap::new();
    for _ in 0..40 {
        let experiments: Vec<Experiment> = [(1, true), (4, false), (8, false)]
            .map(|(ranks, sequential)| experiment(&mut random, ranks, sequential))
            .into();
        for of in of_experiments(&properties, &experiments, Selection::default()).properties {
            let undefined: u64 = of.undefined.iter().map(|one| one.instances).sum();
            let seen: &mut [u64; 3] = seen.entry(of.name).or_default();
            [of.holds, of.fails, undefined].iter().zip(seen).for_each(|(new, sum)| *sum += new);
        }
    }
    // The costs of these misses are no parameters of the runs.
    let without_cost = ["CacheMissOverhead1", "CacheMissOverhead3", "ImperfectCacheBehavior3"];
    seen.retain(|name, _| !without_cost.contains(&name.as_str()));
    let lacking: Vec<_> = seen.iter().filter(|(_, seen)| seen.contains(&0)).collect();
    assert!(lacking.is_empty() && seen.len() > 40, "{lacking:?}");
}
