//! Efficiencies of runs, as a document.

use ats_documents::Experiment;
use ats_documents::classes::Classes;
use ats_documents::efficiencies::{Efficiencies, Factor, RunEfficiencies, Scaling};
use ats_documents::experiment::Engine;

use crate::hierarchy::{Known, additive, multiplicative, parallel};
use crate::run::{DiagnosisError, Run};
use crate::spending::Spending;
use crate::talp::Talp;
use crate::useful::{Amounts, Useful};

const NO_IDEAL: &str = "the time without the cost of communication is not known; it is for runs in virtual time, and for \
                        programs of the suite without threads that a plan runs";
const NOT_IN_REGION: &str = "the time without the cost of communication is not known in this region; \
                             `--region ats_measured` is the part of a program of the suite in which it is";

/// The way in which runs are compared.
#[derive(Clone, Copy, Debug)]
pub struct Comparison<'a> {
    /// The index of the run that the others are compared with; without one, it is that with the fewest units. Reports
    /// of TALP come after the experiments.
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
}

impl Comparison<'_> {
    /// The efficiencies of these experiments, and of runs that TALP has reported.
    ///
    /// # Errors
    /// A run has no call paths, or no such region.
    pub fn efficiencies(&self, runs: &[Run], reports: &[Talp]) -> Result<Efficiencies, DiagnosisError> {
        let measured = runs.iter().map(|run| self.measured(run));
        let reported = reports.iter().map(|report| self.reported(report));
        let mut known = measured.chain(reported).collect::<Result<Vec<_>, _>>()?;
        let schema = Efficiencies::SCHEMA.to_owned();
        let fewest = || {
            (0..known.len())
                .min_by(|&one, &other| known[one].amounts.units.total_cmp(&known[other].amounts.units))
        };
        let Some(reference) = self.reference.or_else(fewest) else {
            return Ok(Efficiencies { schema, ..Efficiencies::default() });
        };
        let (reference, base) = (known[reference].run.id.clone(), known[reference].amounts);
        known.sort_by_key(|known| known.run.units);
        let experiments = known.into_iter().map(|known| known.compared(&base, self.scaling)).collect();
        Ok(Efficiencies { schema, reference, scaling: self.scaling, experiments })
    }

    fn measured(&self, run: &Run) -> Result<Alone, DiagnosisError> {
        let profile = run.profile.ok_or_else(|| DiagnosisError::Pathless { id: run.id.to_owned() })?;
        let spending = Spending::of(profile, self.classes);
        let (region, paths) = spending.program_or(self.region, run.id)?;
        let useful = Useful::of(&spending, &paths);
        let ideal = self.ideal_time(run, &useful);
        let of = &run.experiment.experiment;
        let run = RunEfficiencies {
            id: run.id.to_owned(),
            ranks: of.ranks,
            threads: of.threads,
            units: useful.of_units.len() as u32,
            region: region.to_owned(),
            ideal_time: ideal.ok(),
            additive: additive(&useful).into_iter().map(factor).collect(),
            ..RunEfficiencies::default()
        };
        Ok(Alone { run, amounts: useful.amounts(), parallel: parallel(&useful, ideal) })
    }

    fn reported(&self, report: &Talp) -> Result<Alone, DiagnosisError> {
        let region = report.region(self.region)?;
        Ok(Alone { run: region.run(), amounts: region.amounts(), parallel: region.parallel() })
    }

    /// The time if communication cost nothing, or the reason why it is not known.
    fn ideal_time(&self, run: &Run, useful: &Useful) -> Result<f64, &'static str> {
        let Experiment { experiment: of, machine, ideal, .. } = run.experiment;
        if of.engine == Some(Engine::Virtual) && machine.network.is_none() {
            return Ok(useful.time);
        }
        let ideal = ideal.as_ref().ok_or(NO_IDEAL)?;
        ideal.of(self.region).ok_or(NOT_IN_REGION)
    }
}

impl Alone {
    /// The run in comparison with the one of these amounts.
    fn compared(self, base: &Amounts, scaling: Scaling) -> RunEfficiencies {
        let Alone { run, amounts, parallel } = self;
        let factors = multiplicative(parallel, &amounts, base, scaling);
        RunEfficiencies {
            time: amounts.time,
            useful: amounts.useful,
            speed_up: (amounts.time > 0.0).then(|| base.time / amounts.time),
            multiplicative: factors.into_iter().map(factor).collect(),
            ..run
        }
    }
}

fn factor((depth, name, value): Known) -> Factor {
    Factor { name: name.to_owned(), depth, value: value.ok(), why: value.err().map(str::to_owned) }
}
