//! Compositions run as they are written.

use ats_compose::Composition;
use ats_model::WaitState;
use ats_model::regions::ALIGN_REGION;
use ats_props::{Catalogue, Context};
use ats_virtual::{Outcome, Simulation};

fn run(ranks: usize, body: &str) -> Outcome {
    let text = format!("schema = \"ats-composition/1\"\nname = \"it\"\nranks = {ranks}\n{body}");
    let composition = Composition::parse(&text, "it.toml", &Catalogue::builtin()).unwrap();
    let plan = composition.plan(ranks, 1).unwrap();
    Simulation::new(ranks).run(|c| plan.set_up(&Context::new(Some(c), None)).run(ats_virtual::align)).unwrap()
}

fn assert_waits(outcome: &Outcome, state: WaitState, rank: usize, expected: f64) {
    let found = outcome.waiting_time_of(state, rank);
    assert!((found - expected).abs() < 1e-9, "rank {rank} waits {found} s, not {expected} s");
}

/// The early root of one reduction waits for exactly the given time.
fn reduction(baseextrawork: &str, repeat: usize, phase_repeat: usize) -> Outcome {
    let body = format!(
        "[[phase]]\nrepeat = {phase_repeat}\nproperty = [{{ name = \"early_reduce\", repeat = {repeat}, \
         parameters = {{ rootwork = 0, r = 1, baseextrawork = {baseextrawork} }} }}]"
    );
    run(3, &body)
}

#[test]
fn severities_vary_with_the_iteration() {
    let cases = [
        ("\"10ms\"", 3, 2, 60e-3),
        ("[0.01, \"5ms\", 1]", 3, 1, 1.015),
        ("{ first = \"10ms\", step = \"5ms\" }", 2, 2, (10.0 + 15.0 + 20.0 + 25.0) * 1e-3),
        ("{ first = \"20ms\", step = \"-5ms\" }", 1, 5, (20.0 + 15.0 + 10.0 + 5.0) * 1e-3),
        ("{ first = 0.001, factor = 2 }", 4, 1, 15e-3),
    ];
    for (value, repeat, phase_repeat, expected) in cases {
        assert_waits(&reduction(value, repeat, phase_repeat), WaitState::EarlyReduce, 0, expected);
    }
    let grown = "[[phase]]\nproperty = [{ name = \"imbalance_at_mpi_barrier\", repeat = 3, parameters = { r = 1, \
                 distribution = { first = \"peak:0:1:1\", factor = 0.5 } } }]";
    assert_waits(&run(2, grown), WaitState::WaitAtBarrier, 0, 1.75);
}

#[test]
fn without_alignment_skew_stays() {
    let phases = |align: bool| {
        let skew = "property = [{ name = \"wrong_order\", parameters = { basework = \"10ms\", r = 1 } }]";
        let barrier = "property = [{ name = \"imbalance_at_mpi_barrier\", balanced = true }]";
        run(4, &format!("[[phase]]\n{skew}\n[[phase]]\nalign = {align}\n{barrier}"))
    };
    let at = |outcome: &Outcome, name: &str| -> f64 {
        let here = |wait: &&ats_virtual::Wait| wait.call_path == [name, "MPI_Barrier"];
        outcome.waits.iter().filter(here).map(|wait| wait.waiting_time).sum()
    };
    // Rank 0 and rank 3 end together; ranks 1 and 2 are 20 and 10 ms ahead.
    let (kept, cleared) = (phases(false), phases(true));
    assert!((at(&kept, "imbalance_at_mpi_barrier_balanced") - 0.03).abs() < 1e-9);
    assert_eq!(at(&cleared, "imbalance_at_mpi_barrier_balanced"), 0.0);
    assert!(
        cleared.waits.iter().all(|wait| !wait.call_path.contains(&ALIGN_REGION)),
        "an alignment is no wait"
    );
    assert_eq!(cleared.wall_time(), kept.wall_time());
}

#[test]
fn regions_nest_around_a_property_in_its_group() {
    let outcome = run(
        6,
        "[[phase]]\ngroup = [{ ranks = \"1-5:2\", property = [{ name = \"late_broadcast\", \
         regions = [\"solver\", \"halo\"], parameters = { root = 2, r = 1 } }] }]",
    );
    let waits: Vec<_> = outcome.waits.iter().map(|wait| (wait.rank, &*wait.call_path)).collect();
    let path = &["solver", "halo", "late_broadcast", "MPI_Bcast"][..];
    assert_eq!(waits, [(1, path), (3, path)]);
}

#[test]
fn names_of_regions_are_kept_once() {
    let name = || {
        let text = "schema = \"ats-composition/1\"\nname = \"it\"\n\
                    [[phase]]\nproperty = [{ name = \"late_broadcast\", regions = [\"halo\"] }]";
        let composition = Composition::parse(text, "it.toml", &Catalogue::builtin()).unwrap();
        composition.phases()[0].groups[0].steps[0].regions[0]
    };
    assert!(std::ptr::eq(name(), name()));
}

/// Takes a second; where every phase had to look at all others it would take minutes.
#[test]
fn the_longest_random_compositions_run() {
    let composition = Composition::random(&Catalogue::builtin(), 5, 2, 2, 10_000).unwrap();
    let plan = composition.plan(2, 2).unwrap();
    let run = Simulation::new(2).threads(2);
    let outcome = run
        .run_with_team(|c, team| plan.set_up(&Context::new(Some(c), Some(team))).run(ats_virtual::align))
        .unwrap();
    assert!(outcome.waits.len() > 100, "{} waits", outcome.waits.len());
}
