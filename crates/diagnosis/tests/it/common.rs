//! Experiments for the tests.

use std::convert::Infallible;
use std::sync::Arc;

use ats_compose::{Composition, Subject};
use ats_diagnosis::{Comparison, DiagnosisError, Reference, Run, Talp};
use ats_documents::Experiment;
use ats_documents::classes::Classes;
use ats_documents::efficiencies::{Efficiencies, Scaling};
use ats_documents::overheads::RunOverheads;
use ats_documents::profile::{CallNode, Combine, Metric, Origin, ProcessingUnit, Profile, ProfiledRegion};
use ats_experiment::running::{ideal_times, named_after, simulate};
use ats_experiment::{Given, of_profile, sequential};
use ats_model::source::InMemory;
use ats_model::{Definitions, Event, EventSource};
use ats_props::Catalogue;
use ats_truth::{GivenSize, Planned, Size, TruthOptions};

/// A trace of a recorder that has measured its clocks or not, and what an event costs it.
pub(crate) struct OfRecorder {
    pub(crate) trace: InMemory,
    pub(crate) has_common_clock: bool,
    /// Seconds of an event, if they are known.
    pub(crate) cost: Option<f64>,
}

impl EventSource for OfRecorder {
    type Error = Infallible;

    fn definitions(&self) -> &Definitions {
        self.trace.definitions()
    }

    fn has_common_clock(&self) -> bool {
        self.has_common_clock
    }

    fn cost_of_event(&self) -> Option<f64> {
        self.cost
    }

    fn read_location(&self, index: usize, visit: impl FnMut(u64, Event)) -> Result<(), Infallible> {
        self.trace.read_location(index, visit)
    }
}

/// An experiment and the profile that it is made of.
pub(crate) struct Kept {
    pub(crate) id: String,
    pub(crate) experiment: Experiment,
    pub(crate) profile: Profile,
}

impl Kept {
    pub(crate) fn run(&self) -> Run<'_> {
        Run { id: &self.id, experiment: &self.experiment, profile: Some(&self.profile) }
    }

    /// An experiment of a profile.
    pub(crate) fn new(profile: Profile, mut given: Given) -> Self {
        given.run.source = profile.source.clone();
        let classes = Classes::default();
        let experiment = of_profile(&profile, given, &classes).with(|summaries| summaries.collect());
        Kept { id: profile.source.clone(), experiment, profile }
    }
}

/// A program of a size, with parameters as `name=value`.
pub(crate) fn planned(program: &str, parameters: &[&str], ranks: usize, threads: usize) -> Planned {
    let size = GivenSize { ranks: Some(ranks), threads: Some(threads) };
    let parameters: Vec<String> = parameters.iter().map(|&word| word.to_owned()).collect();
    Planned::named(program, &parameters, size, &Catalogue::builtin()).unwrap()
}

/// A program in virtual time.
pub(crate) fn simulated(program: &str, ranks: usize, threads: usize) -> Kept {
    simulated_with(&planned(program, &[], ranks, threads), &TruthOptions::default())
}

/// A program in virtual time, under these options.
pub(crate) fn simulated_with(planned: &Planned, options: &TruthOptions) -> Kept {
    simulated_as(planned, planned.subject.name(), options)
}

/// The same with a name.
pub(crate) fn simulated_as(planned: &Planned, name: &str, options: &TruthOptions) -> Kept {
    let profile = simulate(planned, options).unwrap();
    let mut given = Given::default();
    named_after(&mut given, name, options);
    given.ideal = ideal_times(planned, options).unwrap();
    Kept::new(profile, given)
}

/// The efficiencies of runs, each over its own reference.
pub(crate) fn efficiencies(
    runs: &[Run],
    reports: &[Talp],
    scaling: Scaling,
    region: Option<&str>,
) -> Result<Efficiencies, DiagnosisError> {
    let classes = Classes::default();
    Comparison { reference: None, scaling, classes: &classes, region }.efficiencies(runs, reports)
}

/// A random composition, to be run.
pub(crate) fn composed(seed: u64, (ranks, threads): (usize, usize), phases: usize) -> Planned {
    let composition = Composition::random(&Catalogue::builtin(), seed, ranks, threads, phases).unwrap();
    let size = Size { ranks: composition.ranks(), threads: composition.threads() };
    Planned { subject: Subject::Composition(Arc::new(composition)), size }
}

/// The overheads of a run, whose sums are checked.
pub(crate) fn of_run(parallel: &Kept, alone: &Kept) -> RunOverheads {
    let classes = Classes::default();
    let reference = Reference { run: alone.run(), classes: &classes, region: None };
    let run = reference.overheads(&[parallel.run()]).unwrap().experiments.remove(0);
    for of in std::iter::once(&run.program).chain(&run.regions) {
        let Some(overhead) = of.overhead else { continue };
        let sum = of.identified.unwrap() + of.unidentified.unwrap();
        assert_close(sum, overhead, &format!("T_i + T_u of {}, {}", parallel.id, of.region));
        let known: f64 = of.reasons.iter().filter_map(|reason| reason.seconds).sum();
        assert_close(known, of.unidentified.unwrap(), &format!("reasons of {}, {:?}", parallel.id, of));
    }
    run
}

/// The overheads of a program in virtual time over one unit that does all of its work.
pub(crate) fn over_one_unit(planned: &Planned, options: &TruthOptions) -> RunOverheads {
    let parallel = simulated_with(planned, options);
    let alone = Kept::new(sequential(&parallel.profile, &Classes::default()), Given::default());
    of_run(&parallel, &alone)
}

/// A profile with these call paths: name, parent, and seconds by unit.
pub(crate) fn profile(units: &[(u32, u32)], paths: &[(&str, Option<u32>, &[f64])]) -> Profile {
    let mut profile = Profile::new("made by hand");
    profile.units = units.iter().map(|&(rank, thread)| ProcessingUnit { rank, thread, node: None }).collect();
    profile.metrics = vec![Metric::new(Profile::TIME, "s", Origin::Measured, Combine::Sum)];
    let mut values = Vec::new();
    for (id, (name, parent, seconds)) in (0..).zip(paths) {
        let region = ProfiledRegion { id, name: (*name).to_owned(), ..ProfiledRegion::default() };
        profile.regions.push(region);
        profile.call_tree.push(CallNode { id, parent: *parent, region: id });
        values.extend((0..).zip(*seconds).map(|(unit, seconds)| (id, unit, *seconds)));
    }
    profile.values.insert(Profile::TIME.to_owned(), values.into());
    profile
}

pub(crate) fn assert_close(found: f64, expected: f64, what: &str) {
    assert!(
        (found - expected).abs() <= 1e-9 * expected.abs().max(1.0),
        "{what}: {found}, and not {expected}"
    );
}
