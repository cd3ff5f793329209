//! Properties in the sense of JavaPSL that hold for programs in virtual time, whose losses are known.

use std::collections::BTreeMap;

use ats_compose::Subject;
use ats_diagnosis::properties::Selection;
use ats_distr::Distribution;
use ats_documents::Experiment;
use ats_documents::classes::Classes;
use ats_documents::diagnosis::{Diagnosis, Instance};
use ats_experiment::{Given, sequential};
use ats_props::{Catalogue, Needs, Value};
use ats_truth::{GivenSize, Planned, Size, TruthOptions};

use super::common::{of_experiments, with};
use crate::common::{Kept, simulated, simulated_as};

/// The instances of the shipped properties, and those of a file, that hold for these runs.
fn holding(runs: &[Kept], own: &str) -> Vec<Instance> {
    diagnosis(runs, own).instances.into_iter().filter(|one| one.holds).collect()
}

fn diagnosis(runs: &[Kept], own: &str) -> Diagnosis {
    let experiments: Vec<Experiment> = runs.iter().map(|run| run.experiment.clone()).collect();
    of_experiments(&with(own).unwrap(), &experiments, Selection::default())
}

/// The sequential run that does the work of a parallel one.
fn by_one_unit(parallel: &Kept) -> Kept {
    let mut alone = Kept::new(sequential(&parallel.profile, &Classes::default()), Given::default());
    alone.experiment.application.clone_from(&parallel.experiment.application);
    alone.experiment.experiment = parallel.experiment.experiment.clone();
    alone.experiment.experiment.by_one_unit();
    alone
}

/// The sizes of a program: its own, and twice and four times as many ranks or threads.
fn sizes(needs: Needs) -> Vec<(usize, usize)> {
    let of = |ranks: usize, threads: usize| {
        (if needs.ranks { ranks } else { 1 }, if needs.team { threads } else { 1 })
    };
    let mut sizes = vec![of(2, 2), of(4, 4), of(8, 4), of(16, 8)];
    sizes.dedup();
    sizes
}

/// The runs of a twin at the sizes that it can have, each with its sequential run.
fn runs(name: &str, needs: Needs) -> Vec<Kept> {
    let is_possible = |&(ranks, threads): &(usize, usize)| {
        let size = GivenSize { ranks: Some(ranks), threads: Some(threads) };
        Planned::named(name, &[], size, &Catalogue::builtin()).is_ok()
    };
    let parallel =
        sizes(needs).into_iter().filter(is_possible).map(|(ranks, threads)| simulated(name, ranks, threads));
    parallel.flat_map(|run| [by_one_unit(&run), run]).collect()
}

/// Twins that lose time, and why.
const LOSING: [(&str, &str); 5] = [
    ("barrier_completion_balanced", "its barriers take time, though all leave them together"),
    ("nxn_completion_balanced", "so do its collective operations"),
    ("derived_datatype_packing_balanced", "its messages are gathered from memory, densely or not"),
    ("no_overlap_nonblocking_collective_balanced", "its data take time on their way, overlapped or not"),
    (
        "near_eager_threshold_traffic_balanced",
        "its senders end before their receivers, and wait for them at the end of MPI",
    ),
];

#[test]
fn no_property_holds_for_a_balanced_twin() {
    let catalogue = Catalogue::builtin();
    let twins = catalogue.programs().filter(|program| program.balanced);
    let (mut number, mut losing) = (0, BTreeMap::new());
    for twin in twins {
        let runs = runs(twin.name(), twin.property.needs);
        assert!(!runs.is_empty(), "{} runs at some size", twin.name());
        number += 1;
        for one in holding(&runs, "") {
            let of: &mut Vec<String> = losing.entry(twin.name()).or_default();
            of.push(format!("{} in {}, {:?}", one.property, one.region, one.severity));
        }
    }
    assert!(number > 50, "{number}");
    for (name, why) in LOSING {
        assert!(losing.remove(name).is_some(), "{name} loses nothing, not even because {why}");
    }
    assert!(losing.is_empty(), "{losing:#?}");
}

#[test]
fn twins_of_programs_that_do_not_scale_scale() {
    for name in ["amdahl_balanced", "partial_balanced", "replicated_balanced"] {
        let mut alone = simulated(name, 1, 1);
        alone.experiment.experiment.sequential = true;
        let parallel = [2, 3, 4, 8, 16].map(|ranks| simulated(name, ranks, 1));
        let runs: Vec<Kept> = parallel.into_iter().chain([alone]).collect();
        assert_eq!(holding(&runs, ""), [], "{name}");
        let found = diagnosis(&runs, "");
        let inefficiency = found.properties.iter().find(|of| of.name == "Inefficiency").unwrap();
        assert!(inefficiency.fails >= 5, "{inefficiency:?}");
    }
}

/// Imbalance of what ranks do besides waiting.
const COMPUTATION: &str = "schema = \"ats-properties/1\"\n[[property]]\nname = \"ComputationTimeLoadImbalance\"\n\
    template = \"LoadImbalance\"\nwith.amount = \"parallel.time - parallel.communication - parallel.synchronisation\"\n";

/// JavaPSL, figures 7 to 9: LAPW0 distributes 36 atoms in blocks, as HPF does.
#[test]
fn blocks_of_36_atoms() {
    let atoms = |rank: usize, ranks: usize| {
        let block = 36_usize.div_ceil(ranks);
        36_usize.saturating_sub(rank * block).min(block) as f64
    };
    let work = move |rank, ranks, scale| scale * 0.1 * atoms(rank, ranks);
    let program = Catalogue::builtin().program("imbalance_at_mpi_barrier").unwrap();
    let work = Value::new(Distribution::user("36 atoms", work));
    let arguments = program.property.arguments([]).unwrap().with("distribution", work);
    let subject = Subject::Property { program, arguments };
    let run = |ranks| {
        let planned = Planned { subject: subject.clone(), size: Size { ranks, threads: 1 } };
        simulated_as(&planned, "lapw0", &TruthOptions::default())
    };
    let expected =
        [(2, ""), (4, ""), (6, ""), (8, "0.114"), (12, ""), (16, "0.267"), (18, ""), (24, "0.261")];
    let runs: Vec<Kept> =
        expected.iter().flat_map(|(ranks, _)| [by_one_unit(&run(*ranks)), run(*ranks)]).collect();
    let holding = holding(&runs, COMPUTATION);
    for (at, (ranks, expected)) in (0..).map(|at| 2 * at + 1).zip(expected) {
        let of = |property: &str| {
            let is_meant = |one: &&Instance| one.property == property && one.experiments == [at];
            let of = holding.iter().filter(is_meant).find(|one| one.region == program.name());
            of.map_or(String::new(), |one| format!("{:.3}", one.severity.unwrap()))
        };
        assert_eq!(of("ComputationTimeLoadImbalance"), expected, "{ranks} ranks");
        // All leave the barrier together, but what they wait there is lost.
        assert_eq!(of("ExecutionTimeLoadImbalance"), "", "{ranks} ranks");
        let efficiency = 36.0 / (36_usize.div_ceil(ranks) * ranks) as f64;
        let lost = if efficiency < 1.0 { format!("{:.3}", 1.0 - efficiency) } else { String::new() };
        assert_eq!(of("Inefficiency"), lost, "{ranks} ranks");
    }
}
