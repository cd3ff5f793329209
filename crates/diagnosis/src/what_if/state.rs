//! The state of a run, as its analysis, its root causes and its profile describe it.

use ats_documents::classes::Classes;
use ats_documents::efficiencies::Factor;
use ats_documents::what_if::{OnCriticalPath, StateOfRun, WaitsOfKind};
use ats_documents::{Analysis, Causes, Profile};
use ats_model::delay::CRITICAL_PATH;
use ats_model::quantity::View;
use rustc_hash::FxHashMap;

use crate::efficiency::factor;
use crate::explanation::Explained;
use crate::hierarchy::parallel;
use crate::spending::Spending;
use crate::useful::Useful;

/// The state of a run of so many seconds. `ideal` is the time of its slowest unit if communication cost nothing, or the
/// reason why that is not known.
pub(super) fn state(seconds: f64, run: &Explained, ideal: Result<f64, &'static str>) -> StateOfRun {
    let Explained { analysis, profile, explanation } = run;
    StateOfRun {
        seconds,
        efficiency: explanation.efficiency,
        division: explanation.division,
        problem: explanation.problems.first().map(|problem| problem.text.clone()),
        factors: factors(profile, ideal),
        waits: waits(analysis),
        critical_path: analysis.causes.as_ref().map(critical_path).unwrap_or_default(),
    }
}

/// The factors of the parallel efficiency of a run.
fn factors(profile: &Profile, ideal: Result<f64, &'static str>) -> Vec<Factor> {
    let classes = Classes::default();
    let spending = Spending::new(profile, &classes);
    let all: Vec<usize> = (0..spending.paths.len()).collect();
    parallel(&Useful::new(&spending, &all), ideal).into_iter().map(factor).collect()
}

fn waits(analysis: &Analysis) -> Vec<WaitsOfKind> {
    let mut waits: Vec<WaitsOfKind> = Vec::new();
    for finding in analysis.findings.iter().filter(|of| of.view == View::Wait && of.in_basis) {
        let Some(property) = finding.property else { continue };
        match waits.iter_mut().find(|of| of.property == property) {
            Some(of) => of.seconds += finding.waiting_time,
            None => waits.push(WaitsOfKind { property, seconds: finding.waiting_time }),
        }
    }
    waits.sort_by(|a, b| b.seconds.total_cmp(&a.seconds));
    waits
}

/// The call paths with most of the critical path.
fn critical_path(causes: &Causes) -> Vec<OnCriticalPath> {
    let mut of_paths: FxHashMap<u32, f64> = FxHashMap::default();
    for &(path, _, seconds) in causes.metrics.get(CRITICAL_PATH).into_iter().flatten() {
        *of_paths.entry(path).or_default() += seconds;
    }
    let least = causes.critical_path.seconds * StateOfRun::LEAST_OF_PATH;
    let mut of_paths: Vec<(u32, f64)> = of_paths.into_iter().filter(|of| of.1 >= least).collect();
    of_paths.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
    let listed = of_paths.into_iter().filter_map(|(path, seconds)| {
        let (names, site) = causes.place(path)?;
        Some(OnCriticalPath { call_path: names.to_vec(), call_site: site.cloned(), seconds })
    });
    listed.collect()
}

/// Seconds of a run in which all locations do an equal part of its computing, and nothing else takes time. What is computed
/// outside of `MPI_Init` and `MPI_Finalize` belongs to it.
pub(super) fn floor(profile: &Profile) -> f64 {
    let classes = Classes::default();
    let spending = Spending::new(profile, &classes);
    let all: Vec<usize> = (0..spending.paths.len()).collect();
    let inside = spending.useful_of_units(&all);
    let outside = spending.paths.iter().filter(|path| path.is_code()).flat_map(|path| &path.outside);
    let seconds = inside.into_iter().chain(outside.map(|of| of.1)).fold(0.0, |sum, of| sum + of);
    seconds / profile.units.len().max(1) as f64
}
