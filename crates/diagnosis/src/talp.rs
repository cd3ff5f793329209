//! Efficiencies that TALP reports: the JSON file of DLB's `--talp-output-file`, from version 3.5 on.

use std::collections::BTreeMap;
use std::io;
use std::path::Path;

use ats_documents::efficiencies::RunEfficiencies;
use ats_model::files::read_text;
use serde::Deserialize;
use thiserror::Error;

use crate::hierarchy::{Known, NO_TIME};
use crate::run::DiagnosisError;
use crate::useful::Amounts;

/// The efficiencies of a run by TALP, region by region.
///
/// ```
/// use ats_diagnosis::Talp;
/// let region = r#"{"numCpus": 2, "numMpiRanks": 2, "elapsedTime": 2000000000, "usefulTime": 3000000000,
///     "parallelEfficiency": 0.75, "mpiParallelEfficiency": 0.75, "mpiCommunicationEfficiency": 1.0,
///     "mpiLoadBalance": 0.75, "ompParallelEfficiency": 1.0}"#;
/// let talp = Talp::parse(&format!(r#"{{"dlbVersion": "3.6.0", "Application": {{"Global": {region}}}}}"#), "talp.json")?;
/// assert_eq!(talp.id, "talp.json");
/// # Ok::<(), ats_diagnosis::TalpError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Talp {
    /// The file, as it was named.
    pub id: String,
    /// The version of DLB; empty if the file does not have it.
    version: String,
    regions: BTreeMap<String, Region>,
}

/// A file that cannot be read as a report of TALP.
#[derive(Debug, Error)]
pub enum TalpError {
    /// It cannot be read.
    #[error("cannot read {file}: {source}; check the path")]
    Io {
        /// The file.
        file: String,
        /// The system's reason.
        source: io::Error,
    },
    /// It is not valid JSON, or has a value of another type.
    #[error("{file}:{}:{}: {}; is it a report of TALP, by `--talp-output-file`?", .source.line(), .source.column(), plain(.source))]
    Json {
        /// The file.
        file: String,
        /// The mistake, with its place.
        source: serde_json::Error,
    },
    /// It is of DLB before 3.5.
    #[error(
        "{file}: it is of DLB before 3.5, which reports no useful time; run the program with DLB 3.5 or later"
    )]
    Old {
        /// The file.
        file: String,
    },
    /// It has no region.
    #[error(
        "{file}: it has no regions under \"Application\"; run the program with `--talp-summary=pop-metrics`"
    )]
    Nothing {
        /// The file.
        file: String,
    },
    /// A region has no CPUs.
    #[error("{file}: region `{region}` has no CPUs (\"numCpus\"); the file is damaged")]
    NoUnits {
        /// The file.
        file: String,
        /// The region.
        region: String,
    },
}

/// The message without the place, which is written before it.
fn plain(error: &serde_json::Error) -> String {
    let text = error.to_string();
    text.split(" at line ").next().unwrap_or_default().to_owned()
}

#[derive(Deserialize)]
struct Document {
    #[serde(rename = "dlbVersion", default)]
    version: String,
    #[serde(rename = "Application", default)]
    application: BTreeMap<String, Region>,
    /// In DLB before 3.5.
    #[serde(rename = "popMetrics")]
    pop_metrics: Option<serde::de::IgnoredAny>,
}

/// A region; times are in nanoseconds, and summed over the CPUs except that elapsed.
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
struct Region {
    num_cpus: u32,
    #[serde(default)]
    num_mpi_ranks: u32,
    #[serde(default)]
    num_gpus: u32,
    #[serde(default)]
    cycles: f64,
    #[serde(default)]
    instructions: f64,
    elapsed_time: f64,
    useful_time: f64,
    parallel_efficiency: f64,
    mpi_parallel_efficiency: f64,
    mpi_communication_efficiency: f64,
    mpi_load_balance: f64,
    mpi_load_balance_in: Option<f64>,
    mpi_load_balance_out: Option<f64>,
    omp_parallel_efficiency: Option<f64>,
    omp_load_balance: Option<f64>,
    omp_scheduling_efficiency: Option<f64>,
    omp_serialization_efficiency: Option<f64>,
    device_offload_efficiency: Option<f64>,
}

/// The names of the region of the whole program, from version 3.5 on.
const WHOLE: [&str; 2] = ["Global", "Application"];

const NOT_BY_TALP: &str = "TALP does not report it";

impl Talp {
    /// Reads a file.
    ///
    /// # Errors
    /// It cannot be read, or is no report of TALP.
    pub fn read(path: &Path) -> Result<Self, TalpError> {
        let file = path.display().to_string();
        let text = read_text(path).map_err(|source| TalpError::Io { file: file.clone(), source })?;
        Talp::parse(&text, &file)
    }

    /// Reads a text, which errors call `file`.
    ///
    /// # Errors
    /// It is no report of TALP.
    pub fn parse(text: &str, file: &str) -> Result<Self, TalpError> {
        let file = file.to_owned();
        let document: Document = match serde_json::from_str(text) {
            Ok(document) => document,
            Err(source) => return Err(TalpError::Json { file, source }),
        };
        let Document { version, application: regions, pop_metrics } = document;
        if regions.is_empty() {
            return Err(if pop_metrics.is_some() {
                TalpError::Old { file }
            } else {
                TalpError::Nothing { file }
            });
        }
        if let Some((region, _)) = regions.iter().find(|(_, region)| region.num_cpus == 0) {
            let region = region.clone();
            return Err(TalpError::NoUnits { file, region });
        }
        Ok(Talp { id: file, version, regions })
    }

    /// A region, or that of the whole program.
    pub(crate) fn region(&self, wanted: Option<&str>) -> Result<Reported<'_>, DiagnosisError> {
        let names = || self.regions.keys().map(String::as_str);
        let known = |name: &&str| self.regions.contains_key(*name);
        let name = match wanted {
            Some(wanted) => Some(wanted).filter(|wanted| known(wanted)),
            None => WHOLE.into_iter().find(known).or_else(|| {
                let elapsed = |name: &&str| self.regions[*name].elapsed_time;
                names().max_by(|one, other| elapsed(one).total_cmp(&elapsed(other)))
            }),
        };
        let name =
            name.ok_or_else(|| DiagnosisError::no_region(&self.id, wanted.unwrap_or(WHOLE[0]), names()))?;
        Ok(Reported { talp: self, name: name.to_owned(), region: self.regions[name] })
    }
}

/// A region of a report.
#[derive(Clone, Debug)]
pub(crate) struct Reported<'a> {
    talp: &'a Talp,
    name: String,
    region: Region,
}

impl Reported<'_> {
    pub(crate) fn amounts(&self) -> Amounts {
        let Region { elapsed_time, useful_time, num_cpus, instructions, cycles, .. } = self.region;
        let counted = [instructions, cycles].map(|count| (count > 0.0).then_some(count));
        Amounts { time: elapsed_time * 1e-9, useful: useful_time * 1e-9, units: f64::from(num_cpus), counted }
    }

    /// The run, without what follows from others.
    pub(crate) fn run(&self) -> RunEfficiencies {
        let Region { num_cpus, num_mpi_ranks, .. } = self.region;
        let ranks = num_mpi_ranks.max(1);
        RunEfficiencies {
            id: self.talp.id.clone(),
            tool: Some(format!("TALP {}", self.talp.version).trim_end().to_owned()),
            ranks,
            threads: num_cpus.div_ceil(ranks),
            units: num_cpus,
            region: self.name.clone(),
            ..RunEfficiencies::default()
        }
    }

    /// The factors of the parallel efficiency, under our names.
    pub(crate) fn parallel(&self) -> Vec<Known> {
        let region = &self.region;
        let told = |value: f64| if region.elapsed_time > 0.0 { Ok(value) } else { Err(NO_TIME) };
        let known = |value: Option<f64>| value.ok_or(NOT_BY_TALP).and_then(told);
        let is_hybrid = region.num_cpus > region.num_mpi_ranks;
        let mut factors = vec![(1, "parallel efficiency", told(region.parallel_efficiency))];
        let (depth, [balance, communication, serialisation, transfer]) = if is_hybrid {
            factors.push((2, "MPI parallel efficiency", told(region.mpi_parallel_efficiency)));
            (
                3,
                [
                    "MPI load balance",
                    "MPI communication efficiency",
                    "MPI serialisation efficiency",
                    "MPI transfer efficiency",
                ],
            )
        } else {
            (
                2,
                [
                    "load balance",
                    "communication efficiency",
                    "serialisation efficiency",
                    "transfer efficiency",
                ],
            )
        };
        factors.extend([
            (depth, balance, told(region.mpi_load_balance)),
            (depth + 1, "load balance in nodes", known(region.mpi_load_balance_in)),
            (depth + 1, "load balance between nodes", known(region.mpi_load_balance_out)),
            (depth, communication, told(region.mpi_communication_efficiency)),
            (depth + 1, serialisation, Err(NOT_BY_TALP)),
            (depth + 1, transfer, Err(NOT_BY_TALP)),
        ]);
        if is_hybrid {
            factors.extend([
                (2, "OpenMP parallel efficiency", known(region.omp_parallel_efficiency)),
                (3, "OpenMP load balance", known(region.omp_load_balance)),
                (3, "OpenMP scheduling efficiency", known(region.omp_scheduling_efficiency)),
                (3, "OpenMP serialisation efficiency", known(region.omp_serialization_efficiency)),
            ]);
        }
        if region.num_gpus > 0 {
            factors.push((2, "device offload efficiency", known(region.device_offload_efficiency)));
        }
        factors
    }
}
