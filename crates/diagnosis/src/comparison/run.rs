//! A run, divided by use and place.

use std::collections::{BTreeMap, HashMap};

use ats_analyzer::{AnalysisError, InBasis, LocationInBasis, Options, analyze_and_divide};
use ats_documents::causes::CausedFinding;
use ats_documents::comparison::Term;
use ats_documents::finding::{Bounds, LocationShare};
use ats_documents::profile::ProcessingUnit;
use ats_documents::{Analysis, Basis, Causes, Finding, Profile, Wait};
use ats_model::clock_correction::ClockMethod;
use ats_model::delay::Extent;
use ats_model::quantity::View;
use ats_model::{Definitions, EventSource, WaitState};

use super::places::OwnPlace;
use crate::explanation::division::{At, divide};
use crate::explanation::facts::{Facts, Place};
use crate::explanation::waits::SingleWaits;
use crate::explanation::{Recorded, has_clocks};

/// A run whose location-seconds are divided by use and place, to be compared with others.
#[derive(Clone, Debug, Default)]
pub struct Divided {
    pub(super) name: String,
    pub(super) ranks: u32,
    pub(super) locations: u32,
    pub(super) basis: Basis,
    pub(super) notes: Vec<String>,
    pub(super) spent: BTreeMap<Key, Spent>,
    pub(super) passed: BTreeMap<OwnPlace, Passed>,
}

/// A use at a place.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Key {
    pub(super) term: Term,
    pub(super) wait_state: Option<WaitState>,
    pub(super) place: OwnPlace,
}

/// Seconds of a use at a place.
#[derive(Clone, Debug, Default)]
pub(super) struct Spent {
    pub(super) seconds: f64,
    /// Of waits, those that each place elsewhere costs.
    pub(super) causes: BTreeMap<OwnPlace, f64>,
}

/// Visits and bytes of a place.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Passed {
    pub(super) visits: f64,
    pub(super) bytes: f64,
}

/// Analyzes a trace with the root causes of all waits, and divides its location-seconds.
///
/// # Errors
/// As [`ats_analyzer::analyze`].
pub fn divide_trace<S: EventSource>(
    trace: &S,
    name: &str,
    options: &Options,
) -> Result<Divided, AnalysisError<S::Error>> {
    divide_trace_with(trace, name, options, &mut |_| {}).map(|(run, _)| run)
}

/// [`divide_trace`], with the analysis; `observe` gets its waits.
///
/// # Errors
/// As [`ats_analyzer::analyze`].
pub fn divide_trace_with<S: EventSource>(
    trace: &S,
    name: &str,
    options: &Options,
    observe: &mut dyn FnMut(Wait),
) -> Result<(Divided, Analysis), AnalysisError<S::Error>> {
    let options = Options { causes: Some(Extent::All), ..options.clone() };
    let observe = &mut |_, wait| observe(wait);
    let (analysis, profile, in_basis) = analyze_and_divide(trace, name, &options, observe)?;
    Ok((Divided::new(&analysis, &profile, &in_basis, trace.definitions()), analysis))
}

impl Divided {
    fn new(analysis: &Analysis, profile: &Profile, in_basis: &InBasis, definitions: &Definitions) -> Self {
        let waits = SingleWaits::new(definitions.clock);
        let recorded = Recorded { analysis, profile, waits: &waits, definitions };
        let facts = Facts::new(recorded, in_basis.ticks);
        let mut run = Divided {
            name: analysis.trace.clone(),
            ranks: facts.processes(),
            locations: profile.units.len() as u32,
            basis: analysis.basis.clone(),
            notes: notes(analysis),
            ..Divided::default()
        };
        let mut of_paths = vec![OwnPlace::default(); profile.call_tree.len()];
        for place in facts.paths() {
            for &path in facts.numbers(place) {
                of_paths[path as usize] = place.into();
            }
            let sum = |of: Vec<f64>| of.into_iter().fold(0.0, |sum, of| sum + of);
            let passed = Passed { visits: sum(facts.visits(place)), bytes: facts.moved(place).bytes };
            run.passed.insert(place.into(), passed);
        }
        let caused = analysis.causes.iter().flat_map(|causes| &causes.findings);
        let caused: HashMap<&str, &CausedFinding> = caused.map(|of| (of.finding.as_str(), of)).collect();
        for (term, at, seconds) in divide(&facts, in_basis).iter() {
            let (wait_state, place) = match at {
                At::Nowhere => (None, OwnPlace::default()),
                At::Path(path) => (None, of_paths[path as usize].clone()),
                At::Finding(finding) => {
                    let finding = &analysis.findings[finding];
                    (finding.property, Place::of_finding(finding).into())
                }
            };
            let spent = run.spent.entry(Key { term, wait_state, place }).or_default();
            spent.seconds += seconds;
            if let At::Finding(finding) = at {
                let finding = &analysis.findings[finding];
                if let (Some(causes), Some(of)) = (&analysis.causes, caused.get(finding.id.as_str())) {
                    spent.add_causes(causes, of, seconds / finding.waiting_time);
                }
            }
        }
        run
    }

    /// A run that is known by its profile alone: its basis is the whole run, and its waits have no root causes.
    pub fn of_profile(profile: &Profile) -> Self {
        let mut seconds = vec![0.0; profile.units.len()];
        let idle = WaitState::ALL.into_iter().filter(|state| state.view() == View::Idle).map(WaitState::name);
        for (_, unit, of_path) in
            std::iter::once(Profile::TIME).chain(idle).flat_map(|of| profile.values_of(of))
        {
            seconds[unit as usize] += of_path;
        }
        let basis = Basis {
            region: None,
            bounds: Bounds::WholeRun,
            wall_time: seconds.iter().copied().fold(0.0, f64::max),
            location_seconds: seconds.iter().fold(0.0, |sum, seconds| sum + seconds),
        };
        let location = |(unit, &seconds): (&ProcessingUnit, &f64)| LocationInBasis {
            seconds,
            is_worker: unit.thread > 0,
            ..LocationInBasis::default()
        };
        let locations = profile.units.iter().zip(&seconds).map(location).collect();
        let time = profile.values_of(Profile::TIME).collect();
        let in_basis = InBasis { ticks: (0, 0), is_whole: true, time, locations };
        let analysis = Analysis {
            schema: Analysis::SCHEMA.to_owned(),
            trace: profile.source.clone(),
            locations: profile.units.len() as u64,
            findings: findings(profile, &basis),
            basis,
            machine: profile.machine.clone(),
            warnings: profile.warnings.clone(),
            ..Analysis::default()
        };
        Divided::new(&analysis, profile, &in_basis, &Definitions::default())
    }

    /// All places of it.
    pub(super) fn places(&self) -> impl Iterator<Item = &OwnPlace> {
        let of_causes = self.spent.values().flat_map(|spent| spent.causes.keys());
        self.spent.keys().map(|key| &key.place).chain(self.passed.keys()).chain(of_causes)
    }
}

impl Spent {
    /// Adds the causes of a share of a finding.
    fn add_causes(&mut self, causes: &Causes, of: &CausedFinding, share: f64) {
        for cause in &of.causes {
            if let Some(place) = Place::of_cause(causes, cause.call_path) {
                *self.causes.entry(place.into()).or_default() += cause.seconds() * share;
            }
        }
    }
}

/// The waits of a profile, by call path.
fn findings(profile: &Profile, basis: &Basis) -> Vec<Finding> {
    let mut shares: BTreeMap<(WaitState, u32), Vec<LocationShare>> = BTreeMap::new();
    for metric in &profile.metrics {
        let name = metric.name.as_str();
        let Some(state) = WaitState::from_name(name).or_else(|| WaitState::from_metric(name)) else {
            continue;
        };
        for (path, unit, waiting_time) in profile.values_of(name) {
            let ProcessingUnit { rank, thread, .. } = profile.units[unit as usize];
            shares.entry((state, path)).or_default().push(LocationShare { rank, thread, waiting_time });
        }
    }
    let finding = |((state, path), shares)| {
        let names = profile.path(path).into_iter().map(str::to_owned).collect();
        let finding = Finding::wait(Some(state), names, shares, 0, basis, true);
        finding.called_at(profile.call_site(path).cloned())
    };
    shares.into_iter().map(finding).collect()
}

/// Limits of what the trace tells.
fn notes(analysis: &Analysis) -> Vec<String> {
    let clocks = has_clocks(analysis, ClockMethod::Durations)
        .then(|| "the clocks of the processes cannot be compared: most waits are not known".to_owned());
    let left = analysis.not_analyzed.iter().map(|left| format!("not analyzed: {left}"));
    analysis.warnings.iter().cloned().chain(clocks).chain(left).collect()
}
