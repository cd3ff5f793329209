//! Amounts spent by each unit in each region, by class: the document `ats-summaries/1`.

mod by_name;
mod columns;
mod of_profile;
mod paths;
mod statistics;

use std::collections::BTreeMap;
use std::ops::AddAssign;

use serde::{Deserialize, Serialize};

pub use columns::{Column, RegionSummaries, Unread};

use crate::profile::Metric;
use crate::unit::ProcessingUnit;

/// The document `ats-summaries/1`.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Summaries {
    /// The schema's name, `ats-summaries/1`.
    pub schema: String,
    /// The trace, as it was named.
    pub source: String,
    /// The metrics that the source has data on; every summary is undefined for any other.
    pub metrics: Vec<Metric>,
    /// One of each unit that was in a region, region by region.
    pub summaries: Vec<Summary>,
    /// The same of all calls of MPI that are for one thing, and of all constructs of OpenMP of one kind, as if each were a region:
    /// `MPI point-to-point`, `!$omp critical`.
    pub groups: Vec<Summary>,
    /// The spread of the amounts of a region over the units that were in it.
    pub statistics: Vec<Statistics>,
    /// Parts that could not be analyzed, with the reasons, in words.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub warnings: Vec<String>,
}

/// The spread of an amount of a region over the units that were in it; undefined amounts have none.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Statistics {
    /// The region's name.
    pub region: String,
    /// The amount: a key of its summaries (`time`).
    pub amount: String,
    /// The least.
    pub minimum: f64,
    /// The most.
    pub maximum: f64,
    /// The sum by the number of units.
    pub mean: f64,
    /// The standard deviation from it, of all that there are and not of a sample.
    pub deviation: f64,
    /// As many units have more as have less.
    pub median: f64,
    /// The number of units that were in the region.
    pub units: usize,
}

/// A region summary of JavaPSL (Fahringer and Seragiotto 2001, section 4.1): the amounts that a unit spent in a
/// region.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Summary {
    /// The region's name.
    pub region: String,
    /// The location.
    pub unit: ProcessingUnit,
    /// The amounts that it spent there.
    #[serde(flatten)]
    pub spent: Spent,
    /// What follows from counters, by name: `instructions_per_cycle`, `l1_miss_ratio` … What was not counted, or would be a
    /// division by 0, is missing.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub derived: BTreeMap<String, f64>,
}

/// Inclusive amounts of a region: of all its visits, and counted once if it is called inside itself.
///
/// Seconds, except for counts; null if the source has no data on it. Time belongs to one class, that of the innermost
/// region that has one, a user's rules before the table ([`ats_model::region_class`]): the classes together are at
/// most the time. `receive` is a part of communication, and `waiting` cuts across them all. `control` alone may be
/// more than the time, as a thread is not yet in a parallel region while it is being forked.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Spent {
    /// The number of entries into the region.
    pub visits: Option<f64>,
    /// From its entries to its exits.
    pub time: Option<f64>,
    /// MPI's messages and the collective operations that carry data, waits included.
    pub communication: Option<f64>,
    /// Of it, calls that complete blocking receives, and probes.
    pub receive: Option<f64>,
    /// Barriers of MPI and OpenMP, windows, critical, locks, ordered, atomic, taskwait.
    pub synchronisation: Option<f64>,
    /// Wait states in whichever class: the view of waits of the analysis, without fork and join.
    pub waiting: Option<f64>,
    /// Init, finalize, communicators, windows and files but for their contents, fork and join, constructs that divide work,
    /// creation of tasks.
    pub control: Option<f64>,
    /// Contents of files.
    pub io: Option<f64>,
    /// Instructions that were completed.
    pub instructions: Option<f64>,
    /// Cycles of the processor.
    pub cycles: Option<f64>,
    /// Accesses to caches, by level.
    pub cache_accesses: BTreeMap<u8, f64>,
    /// Cache accesses that missed, by level.
    pub cache_misses: BTreeMap<u8, f64>,
    /// Time of the processor in the program.
    pub user: Option<f64>,
    /// Time of the processor in the kernel.
    pub system: Option<f64>,
    /// Faults of pages.
    pub page_faults: Option<f64>,
    /// Those of them that read a page from a disk.
    pub major_faults: Option<f64>,
    /// Those that do without.
    pub minor_faults: Option<f64>,
    /// Number of times that the process was swapped out of memory.
    pub swaps: Option<f64>,
    /// Parts of the classes, as `control/init`: those of the table, and the user's own. A missing part is 0.
    pub subs: BTreeMap<String, f64>,
    /// Any other metric by its name, in its unit. A missing value is 0, if the document has the metric.
    pub metrics: BTreeMap<String, f64>,
}

impl Summaries {
    /// The value of [`Summaries::schema`].
    pub const SCHEMA: &str = "ats-summaries/1";

    /// The amounts that all units spent in each region, or in each group, in the order of `summaries`, which must be
    /// of one kind.
    pub fn over_units(summaries: &[Summary]) -> Vec<(&str, Spent)> {
        let sum = |of_region: &[Summary]| {
            let (first, rest) = of_region.split_first()?;
            let mut spent = first.spent.clone();
            rest.iter().for_each(|summary| spent += &summary.spent);
            Some(spent)
        };
        let of_regions = summaries.chunk_by(|one, next| one.region == next.region);
        of_regions.filter_map(|of_region| Some((of_region[0].region.as_str(), sum(of_region)?))).collect()
    }
}

impl Spent {
    /// The names of the single amounts.
    pub const AMOUNTS: [&str; 16] = [
        "visits",
        "time",
        "communication",
        "receive",
        "synchronisation",
        "waiting",
        "control",
        "io",
        "instructions",
        "cycles",
        "user",
        "system",
        "page_faults",
        "major_faults",
        "minor_faults",
        "swaps",
    ];

    /// In the order of [`Spent::AMOUNTS`].
    fn amounts(&self) -> [Option<f64>; 16] {
        [
            self.visits,
            self.time,
            self.communication,
            self.receive,
            self.synchronisation,
            self.waiting,
            self.control,
            self.io,
            self.instructions,
            self.cycles,
            self.user,
            self.system,
            self.page_faults,
            self.major_faults,
            self.minor_faults,
            self.swaps,
        ]
    }

    /// The same, to be changed.
    fn amounts_mut(&mut self) -> [&mut Option<f64>; 16] {
        [
            &mut self.visits,
            &mut self.time,
            &mut self.communication,
            &mut self.receive,
            &mut self.synchronisation,
            &mut self.waiting,
            &mut self.control,
            &mut self.io,
            &mut self.instructions,
            &mut self.cycles,
            &mut self.user,
            &mut self.system,
            &mut self.page_faults,
            &mut self.major_faults,
            &mut self.minor_faults,
            &mut self.swaps,
        ]
    }
}

/// Adds up; an amount that is undefined in one of two stays so.
impl AddAssign<&Spent> for Spent {
    fn add_assign(&mut self, other: &Spent) {
        for (sum, value) in self.amounts_mut().into_iter().zip(other.amounts()) {
            *sum = sum.zip(value).map(|(sum, value)| sum + value);
        }
        add_all(&mut self.cache_accesses, &other.cache_accesses);
        add_all(&mut self.cache_misses, &other.cache_misses);
        add_all(&mut self.subs, &other.subs);
        add_all(&mut self.metrics, &other.metrics);
    }
}

fn add_all<K: Clone + Ord>(sums: &mut BTreeMap<K, f64>, values: &BTreeMap<K, f64>) {
    for (key, value) in values {
        *sums.entry(key.clone()).or_default() += value;
    }
}

#[cfg(test)]
mod tests;
