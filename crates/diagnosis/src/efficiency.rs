//! Efficiencies of runs, as a document.

use ats_documents::Experiment;
use ats_documents::classes::Classes;
use ats_documents::efficiencies::{Efficiencies, Factor, RunEfficiencies, Scaling};
use ats_documents::experiment::{Engine, Listed};

use crate::hierarchy::{Known, additive, multiplicative, parallel};
use crate::run::{DiagnosisError, Run};
use crate::spending::Spending;
use crate::talp::Talp;
use crate::useful::{Amounts, Useful};

const NO_IDEAL: &str = "the time without the cost of communication is not known; it is for runs in virtual time, for \
                        programs of the suite without threads that a plan runs, and for traces that can be replayed";
const NOT_IN_REGION: &str = "the time without the cost of communication is not known in this region; \
                             `--basis ats_measured` is the part of a program of the suite in which it is";

/// The group of reports of tools beside several groups of experiments.
const REPORTS: &str = "reports of tools";

/// The way in which runs are compared.
#[derive(Clone, Copy, Debug)]
pub struct Comparison<'a> {
    /// The index of the run that the others are compared with; without one, it is the sequential run of those with the same
    /// application, version and parameters, or else the smallest. Reports of TALP come after the experiments.
    pub reference: Option<usize>,
    /// The way in which the work changes.
    pub scaling: Scaling,
    /// The classes of regions.
    pub classes: &'a Classes,
    /// The region that stands for the program; without one, it is all regions.
    pub region: Option<&'a str>,
}

/// A run, without the factors that follow from others.
struct Alone {
    run: RunEfficiencies,
    amounts: Amounts,
    parallel: Vec<Known>,
    /// The run that it is compared with.
    base: Option<Base>,
}

/// A run that others are compared with.
#[derive(Clone, Debug)]
struct Base {
    name: String,
    /// Those of the run, or the mean of its repetitions.
    amounts: Amounts,
    repetitions: u32,
}

impl Comparison<'_> {
    /// The efficiencies of these experiments, and of runs that TALP has reported.
    ///
    /// # Errors
    /// A run has no call paths, or no such region.
    pub fn efficiencies(&self, runs: &[Run], reports: &[Talp]) -> Result<Efficiencies, DiagnosisError> {
        let mut known = runs.iter().map(|run| self.measured(run)).collect::<Result<Vec<_>, _>>()?;
        let listed: Vec<Listed> = runs.iter().map(|run| run.experiment.listed(run.id)).collect();
        let bases: Vec<_> = listed.iter().map(|one| one.reference(&listed).unwrap_or_default()).collect();
        let mean = |at: usize| {
            let repetitions = (0..).zip(&listed).filter(|(_, one)| one.is_repetition(&listed[at]));
            let amounts: Vec<Amounts> = repetitions.map(|(one, _): (usize, _)| known[one].amounts).collect();
            let (name, repetitions) = (known[at].run.id.clone(), amounts.len() as u32);
            Base { name, amounts: Amounts::mean(&amounts), repetitions }
        };
        let bases: Vec<Base> = bases.into_iter().map(mean).collect();
        known.iter_mut().zip(bases).for_each(|(known, base)| known.base = Some(base));
        let first = known.first().map(|known| known.run.group.clone());
        let is_one = known.iter().all(|known| Some(&known.run.group) == first.as_ref());
        let group = first.filter(|_| is_one).unwrap_or_else(|| REPORTS.to_owned());
        for report in reports {
            let mut reported = self.reported(report)?;
            reported.run.group.clone_from(&group);
            known.push(reported);
        }
        let wanted = self.reference.map(|at| known[at].base());
        let mut groups: Vec<String> = Vec::new();
        known.iter().for_each(|known| {
            if !groups.contains(&known.run.group) {
                groups.push(known.run.group.clone());
            }
        });
        known.sort_by_key(|known| known.run.units);
        let mut experiments = Vec::new();
        for group in groups {
            let (of_group, others): (Vec<Alone>, _) =
                known.into_iter().partition(|known| known.run.group == group);
            known = others;
            // Reports have none of their own, and the runs are sorted by units.
            let of_others = of_group.iter().find_map(|known| known.base.clone());
            let Some(of_others) = of_others.or_else(|| Some(of_group.first()?.base())) else { continue };
            let compared = |known: Alone| {
                let base = wanted.clone().or_else(|| known.base.clone()).unwrap_or_else(|| of_others.clone());
                known.compared(&base, self.scaling)
            };
            experiments.extend(of_group.into_iter().map(compared));
        }
        let reference = experiments.first().map(|run: &RunEfficiencies| run.reference.clone());
        Ok(Efficiencies {
            schema: Efficiencies::SCHEMA.to_owned(),
            reference: reference.unwrap_or_default(),
            scaling: self.scaling,
            experiments,
        })
    }

    fn measured(&self, run: &Run) -> Result<Alone, DiagnosisError> {
        let profile = run.profile.ok_or_else(|| DiagnosisError::Pathless { id: run.id.to_owned() })?;
        let spending = Spending::new(profile, self.classes);
        let (region, paths) = spending.program_or(self.region, run.id)?;
        let useful = Useful::new(&spending, &paths);
        let ideal = self.ideal_time(run, &useful);
        let of = &run.experiment.experiment;
        let run = RunEfficiencies {
            id: run.id.to_owned(),
            group: run.experiment.listed(run.id).curve(),
            ranks: of.ranks,
            threads: of.threads,
            units: useful.of_units.len() as u32,
            region: region.to_owned(),
            ideal_time: ideal.ok(),
            not_running: useful.not_running(),
            outside: useful.outside,
            additive: additive(&useful).into_iter().map(factor).collect(),
            ..RunEfficiencies::default()
        };
        Ok(Alone { run, amounts: useful.amounts(), parallel: parallel(&useful, ideal), base: None })
    }

    fn reported(&self, report: &Talp) -> Result<Alone, DiagnosisError> {
        let region = report.region(self.region)?;
        Ok(Alone { run: region.run(), amounts: region.amounts(), parallel: region.parallel(), base: None })
    }

    /// The time if communication cost nothing, or the reason why it is not known.
    fn ideal_time(&self, run: &Run, useful: &Useful) -> Result<f64, &'static str> {
        let Experiment { experiment: of, machine, ideal, .. } = run.experiment;
        if of.engine == Some(Engine::Virtual) && machine.network.is_none() {
            return Ok(useful.time);
        }
        let ideal = ideal.as_ref().ok_or(NO_IDEAL)?;
        ideal.time(self.region).ok_or(NOT_IN_REGION)
    }
}

impl Alone {
    /// Its name and amounts, for others.
    fn base(&self) -> Base {
        Base { name: self.run.id.clone(), amounts: self.amounts, repetitions: 1 }
    }

    /// The run in comparison with another.
    fn compared(self, reference: &Base, scaling: Scaling) -> RunEfficiencies {
        let Alone { run, amounts, parallel, .. } = self;
        let base = &reference.amounts;
        let factors = multiplicative(parallel, &amounts, base, scaling);
        RunEfficiencies {
            reference: reference.name.clone(),
            reference_repetitions: reference.repetitions,
            time: amounts.time,
            useful: amounts.useful,
            speed_up: (amounts.time > 0.0).then(|| base.time / amounts.time),
            multiplicative: factors.into_iter().map(factor).collect(),
            ..run
        }
    }
}

pub(crate) fn factor((depth, name, value): Known) -> Factor {
    Factor { name: name.to_owned(), depth, value: value.ok(), why: value.err().map(str::to_owned) }
}
