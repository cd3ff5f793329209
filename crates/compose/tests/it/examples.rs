//! The compositions in `examples/` show the findings that their comments promise.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use ats_compose::Composition;
use ats_model::WaitState;
use ats_model::regions::ALIGN_REGION;
use ats_props::{Catalogue, Context};
use ats_virtual::{Outcome, Simulation, Wait};

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples")
}

fn read(name: &str) -> Composition {
    Composition::read(&folder().join(format!("{name}.toml")), &Catalogue::builtin()).unwrap()
}

fn run(composition: &Composition) -> Outcome {
    let plan = composition.plan(composition.ranks(), composition.threads()).unwrap();
    let simulation = Simulation::new(composition.ranks()).threads(composition.threads());
    simulation
        .run_with_team(|c, team| plan.set_up(&Context::new(Some(c), Some(team))).run(ats_virtual::align))
        .unwrap()
}

/// The waits that a tool should find.
fn findings(outcome: &Outcome) -> impl Iterator<Item = &Wait> {
    let shown = |wait: &&Wait| wait.state.is_some() && !wait.call_path.contains(&ALIGN_REGION);
    outcome.waits.iter().filter(shown)
}

fn severity(outcome: &Outcome, waiting_time: f64) -> f64 {
    waiting_time / (outcome.wall_time() * outcome.ends.len() as f64)
}

#[test]
fn every_example_runs_as_it_says() {
    let mut names = BTreeSet::new();
    for file in folder().read_dir().unwrap().map(|file| file.unwrap().path()) {
        if file.extension().is_none_or(|extension| extension != "toml") {
            continue;
        }
        let composition = Composition::read(&file, &Catalogue::builtin()).unwrap();
        assert!(!composition.description().is_empty());
        let stem = file.file_stem().unwrap().to_str().unwrap();
        assert_eq!(composition.name(), stem.replace(['-', '.'], "_"));
        let properties: BTreeSet<_> = composition
            .steps()
            .filter(|step| !step.program.balanced)
            .map(|step| (step.program.property.finds.wait_state(), step.program.name()))
            .collect();
        let outcome = run(&composition);
        let shown: BTreeSet<_> =
            findings(&outcome).map(|wait| (wait.state, wait.call_path.clone())).collect();
        for (finds, name) in properties {
            let shows = |(found, path): &(Option<_>, Vec<_>)| *found == finds && path.contains(&name);
            assert!(shown.iter().any(shows), "{stem}: {name} does not show");
        }
        names.insert(stem.to_owned());
    }
    let expected = ["hybrid", "needle", "nested", "ranking"].map(str::to_owned);
    let figures = [3, 4, 5].map(|figure| format!("report-figure-3.{figure}"));
    assert_eq!(names, expected.into_iter().chain(figures).collect());
}

#[test]
fn figure_3_3_has_every_property_of_the_reports_mpi() {
    let composition = read("report-figure-3.3");
    let shown: BTreeSet<_> = composition.steps().map(|step| step.program.name()).collect();
    let expected = [
        "early_gather",
        "early_gatherv",
        "early_reduce",
        "imbalance_at_mpi_alltoall",
        "imbalance_at_mpi_barrier",
        "late_broadcast",
        "late_receiver",
        "late_scatter",
        "late_scatterv",
        "late_sender",
        "right_order",
        "wrong_order",
    ];
    assert_eq!(shown, expected.into());
}

#[test]
fn the_halves_of_figure_3_4_wait_at_the_same_time() {
    let outcome = run(&read("report-figure-3.4"));
    let ranks = |name: &str| -> BTreeSet<usize> {
        findings(&outcome).filter(|wait| wait.call_path[0] == name).map(|wait| wait.rank).collect()
    };
    assert_eq!(ranks("late_sender"), [1, 3, 5, 7].into());
    assert_eq!(ranks("late_broadcast"), [8, 10, 11, 12, 13, 14, 15].into());
    let busy = |ends: &[f64]| ends.iter().copied().fold(0.0, f64::max);
    let (lower, upper) = (busy(&outcome.ends[..8]), busy(&outcome.ends[8..]));
    assert!(lower + upper > 1.5 * outcome.wall_time(), "{lower} s and {upper} s");
}

#[test]
fn figure_3_5_is_found_at_rank_8_and_ranks_10_to_15() {
    let outcome = run(&read("report-figure-3.5"));
    let late: Vec<_> =
        findings(&outcome).filter(|wait| wait.state == Some(WaitState::LateBroadcast)).collect();
    assert_eq!(late.iter().map(|wait| wait.rank).collect::<Vec<_>>(), [8, 10, 11, 12, 13, 14, 15]);
    for wait in late {
        assert_eq!(wait.call_path, ["late_broadcast", "MPI_Bcast"]);
        assert!((wait.waiting_time - 5.0 * 0.05).abs() < 1e-9);
    }
}

#[test]
fn ten_severities_rank_from_the_first_phase_to_the_last() {
    let composition = read("ranking");
    let outcome = run(&composition);
    let waiting_time = |name: &str| -> f64 {
        findings(&outcome)
            .filter(|wait| wait.call_path[0] == name)
            .map(|wait| (wait.waiting_time * 1e12).round() * 1e-12)
            .sum()
    };
    let times: Vec<f64> = composition.steps().map(|step| waiting_time(step.program.name())).collect();
    let expected = [0.192, 0.24, 0.304, 0.384, 0.48, 0.592, 0.736, 0.924, 1.148, 1.428];
    assert_eq!(times.len(), expected.len());
    for (time, expected) in times.iter().zip(expected) {
        assert!((time - expected).abs() < 1e-9, "{times:?}");
    }
    assert!((0.0115..0.0125).contains(&severity(&outcome, times[0])));
    assert!((0.085..0.095).contains(&severity(&outcome, times[9])));
}

#[test]
fn the_needle_is_one_call_path_on_one_rank() {
    let composition = read("needle");
    assert_eq!((composition.ranks(), composition.steps().count()), (64, 200));
    let outcome = run(&composition);
    let twins: f64 = findings(&outcome).map(|wait| wait.waiting_time).sum();
    let found: Vec<_> = findings(&outcome).filter(|wait| wait.waiting_time > 1e-6).collect();
    let [needle] = found[..] else { panic!("{found:?}") };
    assert_eq!(needle.call_path, ["apply_boundary", "early_gather", "MPI_Gather"]);
    assert_eq!(needle.rank, 41);
    assert!(twins - needle.waiting_time < 1e-6);
    let severity = severity(&outcome, needle.waiting_time);
    assert!((0.0100..0.0110).contains(&severity), "{severity}");
}

#[test]
fn the_teams_of_the_nested_example_wait_side_by_side() {
    let outcome = run(&read("nested"));
    let waits = |state, name: &str| -> f64 {
        let of =
            |wait: &&Wait| wait.state == Some(state) && wait.call_path.starts_with(&["!$omp parallel", name]);
        findings(&outcome).filter(of).map(|wait| wait.waiting_time).sum()
    };
    // In each of two processes: one thread of two waits 3 times 30 ms; of four, three wait 3 times 30, 20 and 10 ms.
    let barrier = waits(WaitState::WaitAtExplicitOmpBarrier, "imbalance_at_omp_barrier");
    assert!((barrier - 2.0 * 0.09).abs() < 1e-9, "{barrier}");
    let loops = waits(WaitState::WaitAtImplicitOmpBarrier, "imbalance_in_omp_loop");
    assert!((loops - 2.0 * 0.18).abs() < 1e-9, "{loops}");
    // The first team has less to do than the second; so its master waits at the end of the outer region.
    let outer: Vec<_> = findings(&outcome)
        .filter(|wait| wait.call_path == ["!$omp parallel", "!$omp implicit barrier"])
        .map(|wait| (wait.rank, wait.thread))
        .collect();
    assert_eq!(outer, [(0, 0), (1, 0)]);
}
