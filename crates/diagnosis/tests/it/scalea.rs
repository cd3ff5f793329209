//! Tables and figures of SCALEA (Truong and Fahringer 2002).

use std::path::Path;

use ats_diagnosis::{Reference, Run, contradictions};
use ats_documents::classes::Classes;
use ats_documents::experiment::Version;
use ats_documents::overheads::{Balance, OverheadClass, Overheads, RegionOverheads, UnitSeconds};
use ats_documents::profile::ProcessingUnit;
use ats_documents::{Experiment, Profile};
use ats_experiment::{Given, read_table};

use crate::common::{Kept, assert_close, profile};

fn tables() -> Vec<Experiment> {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../experiment/tests/data/scalea.csv");
    let version = Version { name: "paper".to_owned(), files: Vec::new() };
    read_table(&file, &Given { application: "scalea".to_owned(), version, ..Given::default() }).unwrap()
}

/// The overheads of the runs of a name over its sequential run.
fn overheads(tables: &[Experiment], name: &str) -> Overheads {
    let tables: Vec<&Experiment> = tables.iter().filter(|of| of.experiment.name == name).collect();
    let id = |of: &&Experiment| format!("{name}.{}", of.experiment.ranks * of.experiment.threads);
    let ids: Vec<String> = tables.iter().map(id).collect();
    let runs = ids.iter().zip(tables).map(|(id, experiment)| Run { id, experiment, profile: None });
    let (sequential, parallel): (Vec<Run>, Vec<Run>) =
        runs.partition(|of| of.experiment.experiment.sequential);
    let classes = Classes::default();
    let reference = Reference { run: sequential[0], classes: &classes, region: None };
    reference.overheads(&parallel).unwrap()
}

/// The digits that are printed are rounded, by up to 0.2 % of the overhead or 2 ms.
fn assert_printed(found: f64, printed: f64, overhead: f64, what: &str) {
    let is_close = (found - printed).abs() <= f64::max(2e-3 * overhead, 2e-3);
    assert!(is_close, "{what}: {found}, and {printed} is printed");
}

#[test]
fn derived_rows_are_those_that_are_printed() {
    let tables = tables();
    for (name, number) in [("md", 3), ("pricing_hpf", 7), ("pricing_hybrid", 7), ("lapw0", 7)] {
        let overheads = overheads(&tables, name);
        assert_eq!(overheads.experiments.len(), number, "{name}");
        for run in &overheads.experiments {
            let RegionOverheads { stated, identified, unidentified, overhead, .. } = &run.program;
            let stated = stated.unwrap();
            let all = stated.overhead.unwrap();
            assert_printed(identified.unwrap(), stated.identified.unwrap(), all, &run.id);
            assert_printed(overhead.unwrap(), all, all, &run.id);
            if run.id == "pricing_hybrid.4" {
                assert_close(
                    unidentified.unwrap(),
                    83.086 - 316.417 / 4.0 - 3.39422 + 2e-5,
                    "what T_u has to be",
                );
            } else {
                assert_printed(unidentified.unwrap(), stated.unidentified.unwrap(), all, &run.id);
            }
        }
    }
}

#[test]
fn a_check_names_the_column_that_contradicts_itself() {
    let tables = tables();
    let found: Vec<(String, String)> = ["md", "pricing_hpf", "pricing_hybrid", "lapw0"]
        .into_iter()
        .flat_map(|name| contradictions(&overheads(&tables, name)))
        .map(|of| (of.experiment, of.identity))
        .collect();
    let named = |identity: &str| ("pricing_hybrid.4".to_owned(), identity.to_owned());
    assert_eq!(found, [named("T_o = T_i + T_u"), named("control = sum of its parts")]);
}

/// MD of figure 13: two threads, and regions 1, 3, 6, 14 and 17 with the seconds that are lost in each.
fn figure_13() -> Profile {
    let both = |seconds: f64| [seconds, seconds];
    profile(
        &[(0, 0), (0, 1)],
        &[
            ("MD", None, &[5.0219e-2, 0.0]),
            ("!$omp parallel @compute", Some(0), &both(0.0)),
            ("fork_compute", Some(1), &both(9.589e-3)),
            ("!$omp for @compute", Some(1), &both(100.0)),
            ("schedule_compute", Some(3), &both(4.538e-1)),
            ("!$omp implicit barrier @compute", Some(1), &both(1.507)),
            ("!$omp parallel @update", Some(0), &both(0.0)),
            ("fork_update", Some(6), &both(7.692e-3)),
            ("!$omp for @update", Some(6), &both(40.0)),
            ("schedule_update", Some(8), &both(5.426e-1)),
            ("!$omp implicit barrier @update", Some(6), &both(6.475e-2)),
        ],
    )
}

const CLASSES: &str = r#"
    [[region]]
    match = "fork_*"
    class = "control"
    sub = "fork_join"
    [[region]]
    match = "schedule_*"
    class = "control"
    sub = "schedule"
"#;

#[test]
fn regions_inside_others_count_once() {
    let classes = Classes::parse(CLASSES, "classes.toml").unwrap();
    let parallel = Kept::new(figure_13(), Given::default());
    let alone = profile(
        &[(0, 0)],
        &[
            ("MD", None, &[5.0219e-2]),
            ("!$omp for @compute", Some(0), &[200.0]),
            ("!$omp for @update", Some(0), &[80.0]),
        ],
    );
    let alone = Kept::new(alone, Given::default());
    let reference = Reference { run: alone.run(), classes: &classes, region: Some("MD") };
    let run = reference.overheads(&[parallel.run()]).unwrap().experiments.remove(0);
    let region = |name: &str| run.regions.iter().find(|of| of.region == name).unwrap();
    let seconds = |name: &str, part: &str| region(name).parts.get(part).copied().unwrap_or_default();
    for (name, fork, schedule, wait) in [
        ("!$omp parallel @compute", 9.589e-3, 4.538e-1, 1.507),
        ("!$omp for @compute", 0.0, 4.538e-1, 0.0),
        ("!$omp parallel @update", 7.692e-3, 5.426e-1, 6.475e-2),
        ("!$omp for @update", 0.0, 5.426e-1, 0.0),
        ("MD", 1.728e-2, 9.962e-1, 1.57175),
    ] {
        let tolerance = 2.5e-4;
        for (part, expected) in [
            ("control/fork_join", fork),
            ("control/schedule", schedule),
            ("synchronisation/implicit_barrier", wait),
        ] {
            let found = seconds(name, part);
            assert!((found - expected).abs() < tolerance, "{name}, {part}: {found}, and not {expected}");
        }
    }
    let program = &run.program;
    assert_close(program.parts["loss/unparallelised"], 2.51095e-2, "half of what is not parallel");
    assert!((program.identified.unwrap() - 2.610).abs() < 1e-3, "{program:?}");
    assert_close(program.unidentified.unwrap(), 0.0, "all is explained");
    let inner = ["!$omp parallel @compute", "!$omp parallel @update"];
    let control = |name: &str| region(name).classes[&OverheadClass::Control];
    assert_close(control("MD"), inner.map(control).iter().sum(), "two regions, not four");
    assert_close(region("!$omp for @compute").overhead.unwrap(), 4.538e-1, "of a loop");
    assert_eq!(contradictions(&reference.overheads(&[parallel.run()]).unwrap()), []);
}

#[test]
fn balance_is_the_most_less_the_mean() {
    let unit =
        |thread, seconds| UnitSeconds { unit: ProcessingUnit { rank: 0, thread, node: None }, seconds };
    let balance = Balance::new("DO UPDATE", vec![unit(0, 3.0e6), unit(1, 3.344e6)]);
    assert_eq!((balance.mean, balance.maximum, balance.imbalance), (3.172e6, 3.344e6, 0.172e6));
    assert_close(balance.relative, 0.172 / 3.344, "of the most");
    assert_eq!(Balance::new("f", vec![unit(0, 0.0)]).relative, 0.0);
}
