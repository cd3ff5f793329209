//! Overheads of parallel runs over a sequential one, by class: the document `ats-overheads/1`.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::unit::ProcessingUnit;
use ats_model::named;

/// `ats-overheads/1`: the temporal overheads of SCALEA (Truong and Fahringer 2002, section 4.1).
///
/// T_o = T_p − T_s/p = T_i + T_u, with the time T_p of the parallel run on p units, and T_s of the sequential one. Where there is
/// only a run on q units to compare with, T_s is q times its time.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Overheads {
    /// The schema's name, `ats-overheads/1`.
    pub schema: String,
    /// The sequential run; of several the first.
    pub sequential: String,
    /// The parallel runs, as they were given.
    pub experiments: Vec<RunOverheads>,
    /// The identities that a check has found violated; null without a check.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub contradictions: Option<Vec<Contradiction>>,
}

/// The overheads of a parallel run.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct RunOverheads {
    /// The experiment.
    pub id: String,
    /// The number of processes.
    pub ranks: u32,
    /// The most threads that a process had.
    pub threads: u32,
    /// The number of units that T_s is divided by.
    pub units: u32,
    /// The application, version and parameters that it shares with the runs that it is comparable with.
    #[serde(default)]
    pub group: String,
    /// The run that it is compared with.
    #[serde(default)]
    pub sequential: String,
    /// The number of units of that run, which T_s is multiplied by.
    #[serde(default = "one")]
    pub sequential_units: u32,
    /// Useful computation of all units, in seconds; null for tables.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub useful: Option<f64>,
    /// Seconds of all units outside of the run: before `MPI_Init` and after `MPI_Finalize`; null for tables.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub outside: Option<f64>,
    /// The overheads of the program, or of the region that stands for it.
    pub program: RegionOverheads,
    /// The overheads of each region, outer regions first; a region contains those inside it.
    pub regions: Vec<RegionOverheads>,
    /// The balance of the computation in the program, and in each region that divides work.
    pub balance: Vec<Balance>,
}

/// The units of a sequential run.
fn one() -> u32 {
    1
}

/// The overheads of a region in seconds of a run: what all units spent, divided by their number.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct RegionOverheads {
    /// The region's name.
    pub region: String,
    /// T_p: the time of the slowest unit; null if it is not known.
    pub time: Option<f64>,
    /// T_s: its time in the sequential run, 0 for calls that only a parallel program has; null if it is not known.
    pub sequential: Option<f64>,
    /// The speed-up T_s/T_p.
    pub speed_up: Option<f64>,
    /// T_o = T_p − T_s/p, or T_p − T_s q/p with a run on q units.
    pub overhead: Option<f64>,
    /// The identified classes of overhead that are known.
    pub classes: BTreeMap<OverheadClass, f64>,
    /// The parts of the classes, as `control/init`.
    pub parts: BTreeMap<String, f64>,
    /// The parts that follow from a formula, because they cannot be measured.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub estimated: Vec<String>,
    /// T_i: the sum of the classes; null if none is known.
    pub identified: Option<f64>,
    /// T_u = T_o − T_i.
    pub unidentified: Option<f64>,
    /// The reasons for T_u, as far as they are known.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub reasons: Vec<Reason>,
    /// The sums that a table states itself.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub stated: Option<Stated>,
}

named! {
    /// A class of identified overhead.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
    #[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
    pub enum OverheadClass {
        /// Moving data between processes, with the waits for it.
        Movement = "movement",
        /// Waiting for each other without data.
        Synchronisation = "synchronisation",
        /// Setting up, dividing, starting and ending parallel execution.
        Control = "control",
        /// Computation that the sequential program does not have.
        Additional = "additional",
        /// Computation that units do alone, or all do again.
        Loss = "loss",
    }
}

/// Seconds that no class explains, and their reason.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Reason {
    /// Seconds of T_u, null if they are not known; below 0 for a gain.
    pub seconds: Option<f64>,
    /// The reason, in words.
    pub why: String,
}

/// The sums of a table of overheads.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Stated {
    /// Its identified overhead T_i.
    pub identified: Option<f64>,
    /// Its unidentified overhead T_u.
    pub unidentified: Option<f64>,
    /// Its overhead T_o.
    pub overhead: Option<f64>,
}

/// The balance of the computation in a region.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Balance {
    /// The region's name.
    pub region: String,
    /// The mean over the units, in seconds.
    pub mean: f64,
    /// The most that a unit has, in seconds.
    pub maximum: f64,
    /// The load imbalance: `maximum` − `mean`.
    pub imbalance: f64,
    /// `imbalance`/`maximum`; 0 if there is no computation.
    pub relative: f64,
    /// The seconds of each unit.
    pub units: Vec<UnitSeconds>,
}

/// Seconds of a unit.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct UnitSeconds {
    /// The unit.
    #[serde(flatten)]
    pub unit: ProcessingUnit,
    /// Its seconds.
    pub seconds: f64,
}

/// An identity that does not hold.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Contradiction {
    /// The experiment.
    pub experiment: String,
    /// The region.
    pub region: String,
    /// The identity: `T_o = T_i + T_u`.
    pub identity: String,
    /// The seconds on its left side.
    pub left: f64,
    /// The seconds on its right side.
    pub right: f64,
}

impl Overheads {
    /// The value of [`Overheads::schema`].
    pub const SCHEMA: &str = "ats-overheads/1";
}

impl Balance {
    /// The balance of these seconds of units.
    pub fn new(region: &str, units: Vec<UnitSeconds>) -> Self {
        let maximum = units.iter().map(|of| of.seconds).fold(0.0, f64::max);
        let mean = units.iter().map(|of| of.seconds).sum::<f64>() / units.len().max(1) as f64;
        let imbalance = maximum - mean;
        let relative = if maximum > 0.0 { imbalance / maximum } else { 0.0 };
        Balance { region: region.to_owned(), mean, maximum, imbalance, relative, units }
    }
}

impl RegionOverheads {
    /// Sets the sums that follow from time, classes, `units`, and the units of the run that it is compared with.
    #[must_use]
    pub fn with_sums(mut self, units: u32, sequential_units: u32) -> Self {
        let (time, sequential) = (self.time, self.sequential);
        self.speed_up = time.zip(sequential).filter(|of| of.0 > 0.0 && of.1 > 0.0).map(|of| of.1 / of.0);
        self.overhead =
            time.zip(sequential).map(|of| of.0 - of.1 * f64::from(sequential_units) / f64::from(units));
        self.identified =
            (!self.classes.is_empty()).then(|| self.classes.values().fold(0.0, |sum, of| sum + of));
        let rest = self.overhead.zip(self.identified).map(|of| of.0 - of.1);
        let is_rounded = |rest: f64| rest.abs() <= 1e-12 * time.unwrap_or_default();
        self.unidentified = rest.map(|rest| if is_rounded(rest) { 0.0 } else { rest });
        self
    }

    /// The sums of its parts, of the classes that have some.
    pub fn parts_by_class(&self) -> BTreeMap<OverheadClass, f64> {
        let sum = |class: OverheadClass| {
            let is_part = |part: &str| part.split_once('/').is_some_and(|(of, _)| of == class.name());
            let parts = self.parts.iter().filter(|(part, _)| is_part(part));
            parts.map(|(_, seconds)| *seconds).reduce(|sum, of| sum + of)
        };
        OverheadClass::ALL.into_iter().filter_map(|class| Some((class, sum(class)?))).collect()
    }
}
