//! Overheads of runs over a sequential run, as a document.

use ats_documents::classes::Classes;
use ats_documents::overheads::{Overheads, RunOverheads};
use ats_documents::summaries::RegionSummaries;

use crate::entered;
use crate::measured::{Parallel, Sequential};
use crate::run::{DiagnosisError, Run};
use crate::spending::Spending;

/// A sequential run, and the classes of regions.
#[derive(Clone, Copy)]
pub struct Reference<'a> {
    /// The sequential run.
    pub run: Run<'a>,
    /// The classes of regions.
    pub classes: &'a Classes,
    /// The region that stands for the program; without one, it is all regions of a profile, and of a table the region
    /// that took longest.
    pub region: Option<&'a str>,
}

impl Reference<'_> {
    /// The overheads of these runs.
    ///
    /// # Errors
    /// A run has no such region, or no times.
    pub fn overheads(&self, runs: &[Run]) -> Result<Overheads, DiagnosisError> {
        Ok(Overheads {
            schema: Overheads::SCHEMA.to_owned(),
            sequential: self.run.id.to_owned(),
            experiments: runs.iter().map(|run| self.of_run(run)).collect::<Result<_, _>>()?,
            contradictions: None,
        })
    }

    fn of_run(&self, run: &Run) -> Result<RunOverheads, DiagnosisError> {
        let (parallel, sequential) = (run.profile, self.run.profile);
        let overheads = match parallel.zip(sequential) {
            Some((parallel, sequential)) => {
                let sequential = Sequential::new(&Spending::new(sequential, self.classes));
                let spending = Spending::new(parallel, self.classes);
                self.measured(run, &Parallel { spending: &spending, sequential: &sequential })?
            }
            None => self.of_numbers(run)?,
        };
        let of = &run.experiment.experiment;
        let (ranks, threads, units) = (of.ranks, of.threads, run.units());
        let (sequential, sequential_units) = (self.run.id.to_owned(), self.run.units());
        Ok(RunOverheads {
            id: run.id.to_owned(),
            group: run.experiment.listed(run.id).curve(),
            ranks,
            threads,
            units,
            sequential,
            sequential_units,
            ..overheads
        })
    }

    /// Those of a run with a profile.
    fn measured(&self, run: &Run, parallel: &Parallel) -> Result<RunOverheads, DiagnosisError> {
        let spending = parallel.spending;
        let regions = spending.regions();
        let (name, paths) = spending.program_or(self.region, run.id)?;
        let of_region = |(name, paths): &(&str, Vec<usize>)| parallel.region(name, Some(name), paths);
        let useful = spending.useful_of_units(&paths).into_iter().fold(0.0, |sum, seconds| sum + seconds);
        Ok(RunOverheads {
            useful: Some(useful),
            outside: Some(spending.outside()),
            program: parallel.region(name, self.region, &paths),
            balance: parallel.balances((name, &paths), &regions),
            regions: regions.iter().map(of_region).collect(),
            ..RunOverheads::default()
        })
    }

    /// Those of a run without one.
    fn of_numbers(&self, run: &Run) -> Result<RunOverheads, DiagnosisError> {
        let summaries = &run.experiment.summaries;
        let find = |name: &str, of: &Run| {
            let of_region = |one: &&RegionSummaries| one.region == name;
            of.experiment.summaries.iter().find(of_region).and_then(entered::time)
        };
        let program = match self.region {
            Some(wanted) => summaries.iter().find(|of| of.region == wanted).ok_or_else(|| {
                DiagnosisError::no_region(run.id, wanted, summaries.iter().map(|of| of.region.as_str()))
            })?,
            None => longest(summaries).ok_or_else(|| DiagnosisError::Untimed { id: run.id.to_owned() })?,
        };
        let units = [run.units(), self.run.units()];
        let of_region = |of: &RegionSummaries| entered::region(of, units, find(&of.region, &self.run));
        Ok(RunOverheads {
            program: of_region(program),
            regions: summaries.iter().map(of_region).collect(),
            balance: entered::balances(run.experiment),
            ..RunOverheads::default()
        })
    }
}

/// The first of the regions that took longest.
fn longest(summaries: &[RegionSummaries]) -> Option<&RegionSummaries> {
    let timed = summaries.iter().filter_map(|of| Some((of, entered::time(of)?)));
    timed.reduce(|most, one| if one.1 > most.1 { one } else { most }).map(|(of, _)| of)
}
