//! POP's efficiencies of programs in virtual time, which have closed forms.

use ats_diagnosis::{Comparison, DiagnosisError, Run};
use ats_documents::classes::Classes;
use ats_documents::efficiencies::{Efficiencies, Factor, RunEfficiencies, Scaling};
use ats_documents::experiment::IdealTimes;
use ats_documents::profile::{Combine, Metric, Origin, Profile};
use ats_experiment::Given;

use ats_truth::{TruthOptions, network};

use crate::common::{Kept, assert_close, efficiencies, planned, profile, simulated, simulated_with};

fn compared(runs: &[&Kept], scaling: Scaling) -> Efficiencies {
    let runs: Vec<Run> = runs.iter().map(|kept| kept.run()).collect();
    let document = efficiencies(&runs, &[], scaling, None).unwrap();
    document.experiments.iter().for_each(assert_hierarchies);
    document
}

fn efficiency(program: &str, ranks: usize, threads: usize) -> RunEfficiencies {
    compared(&[&simulated(program, ranks, threads)], Scaling::Strong).experiments.remove(0)
}

/// The factors directly below one.
fn below(factors: &[Factor], at: usize) -> Vec<&Factor> {
    let depth = factors[at].depth;
    let inside = factors[at + 1..].iter().take_while(|factor| factor.depth > depth);
    inside.filter(|factor| factor.depth == depth + 1).collect()
}

/// Each factor is the product of those below it, or lacks what they lack.
fn assert_hierarchies(run: &RunEfficiencies) {
    let known = |factors: &[&Factor]| factors.iter().map(|factor| factor.value).collect::<Option<Vec<f64>>>();
    for at in 0..run.multiplicative.len() {
        let factor = &run.multiplicative[at];
        let inside = below(&run.multiplicative, at);
        let Some(values) = known(&inside).filter(|values| !values.is_empty()) else { continue };
        let what = format!("{} of {}: {inside:?}", factor.name, run.id);
        assert_close(factor.value.unwrap(), values.into_iter().product(), &what);
    }
    for at in 0..run.additive.len() {
        let factor = &run.additive[at];
        let Some(values) = known(&below(&run.additive, at)).filter(|values| !values.is_empty()) else {
            continue;
        };
        let lacking: f64 = values.into_iter().map(|value| 1.0 - value).sum();
        assert_close(1.0 - factor.value.unwrap(), lacking, &format!("{} of {}", factor.name, run.id));
    }
}

fn assert_factors(run: &RunEfficiencies, factors: &[(&str, f64)]) {
    for (name, expected) in factors {
        let found = run.factor(name).unwrap_or_else(|| panic!("{name} of {run:?}"));
        assert_close(found, *expected, &format!("{name} of {}", run.id));
    }
}

fn sizes() -> impl Iterator<Item = usize> {
    (2..=9).chain([16, 33, 64])
}

#[test]
fn imbalance_at_a_barrier_is_load_balance() {
    for ranks in sizes() {
        // The first half of the ranks has 0.01 s, the others have 0.06 s.
        let low = (ranks / 2) as f64;
        let balance = (low * 0.01 + (ranks as f64 - low) * 0.06) / ranks as f64 / 0.06;
        let run = efficiency("imbalance_at_mpi_barrier", ranks, 1);
        assert_factors(&run, &[("load balance", balance), ("communication efficiency", 1.0)]);
        assert_factors(&run, &[("parallel efficiency", balance)]);
    }
}

#[test]
fn a_chain_is_serialised() {
    for ranks in sizes() {
        let run = efficiency("serialized_chain", ranks, 1);
        let share = 1.0 / ranks as f64;
        assert_factors(
            &run,
            &[
                ("load balance", 1.0),
                ("communication efficiency", share),
                ("serialisation efficiency", share),
                ("transfer efficiency", 1.0),
            ],
        );
    }
}

#[test]
fn ping_pong_is_half_as_fast() {
    for ranks in sizes().filter(|ranks| ranks % 2 == 0) {
        let half = [("load balance", 1.0), ("serialisation efficiency", 0.5), ("parallel efficiency", 0.5)];
        assert_factors(&efficiency("ping_pong", ranks, 1), &half);
    }
}

#[test]
fn a_network_costs_transfer_efficiency() {
    let options = TruthOptions { network: network("latency=1ms").unwrap(), ..TruthOptions::default() };
    for ranks in sizes().filter(|ranks| ranks % 2 == 0) {
        let planned = planned("ping_pong", &[], ranks, 1);
        let run = compared(&[&simulated_with(&planned, &options)], Scaling::Strong).experiments.remove(0);
        assert_close(run.ideal_time.unwrap(), 0.4, "half of the time each works 0.02 s ten times");
        assert!(run.time > 0.41, "{run:?}");
        assert_factors(&run, &[("serialisation efficiency", 0.5), ("transfer efficiency", 0.4 / run.time)]);
    }
}

#[test]
fn an_ideal_time_is_known_for_some_regions() {
    let mut kept = counted(1.0, 1.0, 1.0);
    kept.experiment.ideal = Some(IdealTimes {
        rule: "a replay".to_owned(),
        program: None,
        regions: [("main".to_owned(), 0.8)].into(),
    });
    let of =
        |region| efficiencies(&[kept.run()], &[], Scaling::Strong, region).unwrap().experiments.remove(0);
    assert_factors(&of(Some("main")), &[("transfer efficiency", 0.8), ("serialisation efficiency", 1.25)]);
    let whole = of(None);
    assert_eq!((whole.ideal_time, whole.factor("transfer efficiency")), (None, None));
    let unknown = whole.multiplicative.iter().find(|factor| factor.name == "transfer efficiency").unwrap();
    assert!(unknown.why.as_deref().unwrap().contains("--basis ats_measured"), "{unknown:?}");
}

#[test]
fn a_late_broadcast_is_load_balance() {
    for ranks in sizes() {
        let balance = (0.01 + 0.05 / ranks as f64) / 0.06;
        let run = efficiency("late_broadcast", ranks, 1);
        assert_factors(&run, &[("load balance", balance), ("communication efficiency", 1.0)]);
    }
}

#[test]
fn processes_with_threads() {
    for (ranks, threads) in [(2, 2), (4, 2), (2, 8), (8, 8)] {
        let run = efficiency("process_imbalance_only", ranks, threads);
        let balance = 0.035 / 0.06;
        assert_factors(&run, &[("MPI load balance", balance), ("MPI communication efficiency", 1.0)]);
        assert_factors(&run, &[("OpenMP parallel efficiency", 1.0), ("parallel efficiency", balance)]);
        let run = efficiency("thread_imbalance_only", ranks, threads);
        assert_factors(&run, &[("MPI parallel efficiency", 1.0), ("OpenMP load balance", balance)]);
        // Masters outside of parallel regions work, or wait, and their threads do neither.
        let run = efficiency("mpi_outside_parallel", ranks, threads);
        let serial = run.additive.iter().find(|factor| factor.name == "serial region efficiency").unwrap();
        let idle = 0.5 * 0.05 / 0.06 * (1.0 - 1.0 / threads as f64);
        assert_close(serial.value.unwrap(), 1.0 - idle, "serial regions");
    }
    for threads in [2, 3, 8, 64] {
        let run = efficiency("idle_threads_sequential_part", 1, threads);
        let useful = (0.05 / threads as f64 + 0.01) / 0.06;
        assert_factors(&run, &[("parallel efficiency", useful)]);
        let names: Vec<&str> = run.additive.iter().map(|factor| factor.name.as_str()).collect();
        let expected = [
            "parallel efficiency",
            "thread efficiency",
            "OpenMP region efficiency",
            "serial region efficiency",
        ];
        assert_eq!(names, expected);
        assert_close(run.additive[2].value.unwrap(), 1.0, "the team is balanced");
    }
}

#[test]
fn balanced_twins_are_efficient() {
    for program in ["imbalance_at_mpi_barrier_balanced", "late_broadcast_balanced", "amdahl_balanced"] {
        for ranks in sizes() {
            assert_factors(
                &efficiency(program, ranks, 1),
                &[("parallel efficiency", 1.0), ("global efficiency", 1.0)],
            );
        }
    }
}

#[test]
fn scaling_against_the_smallest_run() {
    let runs = [8, 1, 2, 4].map(|ranks| simulated("replicated", ranks, 1));
    let document = compared(&runs.iter().collect::<Vec<_>>(), Scaling::Strong);
    assert_eq!(document.reference, runs[1].id);
    let useful = |p: f64| 0.08 + p * if p > 1.0 { 0.025 } else { 0.02 };
    for (run, p) in document.experiments.iter().zip([1.0, 2.0, 4.0, 8.0]) {
        let scalability = 0.1 / useful(p);
        assert_factors(run, &[("computation scalability", scalability), ("global efficiency", scalability)]);
        assert_close(run.speed_up.unwrap(), scalability * p, "speed-up");
        assert_eq!((run.units, run.factor("instruction scalability")), (p as u32, None));
    }
    let weak = compared(&runs.iter().collect::<Vec<_>>(), Scaling::Weak);
    let last = &weak.experiments[3];
    assert_factors(last, &[("computation scalability", 0.1 * 8.0 / useful(8.0))]);
}

/// A run of two processes with counters.
fn counted(seconds: f64, instructions: f64, cycles: f64) -> Kept {
    let mut profile = profile(&[(0, 0), (1, 0)], &[("main", None, &[seconds, seconds])]);
    for (name, count) in [("PAPI_TOT_INS", instructions), ("PAPI_TOT_CYC", cycles)] {
        profile.metrics.push(Metric::new(name, "#", Origin::Measured, Combine::Sum));
        profile.values.insert(name.to_owned(), vec![(0, 0, count), (0, 1, count)].into());
    }
    Kept::new(profile, Given::default())
}

#[test]
fn the_reference_is_the_mean_of_its_repetitions() {
    let (first, second) = (counted(1.0, 1e9, 1e9), counted(3.0, 1e9, 3e9));
    let runs = compared(&[&first, &second], Scaling::Strong).experiments;
    let speed_ups: Vec<f64> = runs.iter().map(|run| run.speed_up.unwrap()).collect();
    assert_eq!(speed_ups, [2.0, 2.0 / 3.0]);
    assert!(runs.iter().all(|run| run.reference_repetitions == 2));
}

#[test]
fn counters_explain_the_scalability_of_computation() {
    let (base, slower) = (counted(1.0, 2e9, 2e9), counted(1.5, 2.5e9, 2.8e9));
    let classes = Classes::default();
    let comparison =
        Comparison { reference: Some(0), scaling: Scaling::Strong, classes: &classes, region: None };
    let run = comparison.efficiencies(&[base.run(), slower.run()], &[]).unwrap().experiments.remove(1);
    assert_factors(
        &run,
        &[
            ("instruction scalability", 0.8),
            ("IPC scalability", 2.5 / 2.8),
            ("frequency scalability", 2.8 / 1.5 / 2.0),
            ("computation scalability", 1.0 / 1.5),
        ],
    );
    assert_eq!(run.factor("serialisation efficiency"), None, "the ideal time is not known");
    let unknown = run.multiplicative.iter().find(|factor| factor.name == "transfer efficiency").unwrap();
    assert!(unknown.why.as_deref().unwrap().contains("runs in virtual time"), "{unknown:?}");
}

/// 2.5e9 instructions and a mean of 2.25e9, without the cycles: the factor that needs none is known.
#[test]
fn a_factor_needs_its_own_counters_alone() {
    let without = |name: &str, kept: Kept| {
        let mut profile = kept.profile;
        profile.metrics.retain(|metric| metric.name != name);
        Kept::new(profile, Given::default())
    };
    let both = [(1.0, 2e9, 2e9), (1.5, 2.5e9, 2.8e9)].map(|(seconds, ins, cyc)| counted(seconds, ins, cyc));
    let [base, slower] = both.map(|kept| without("PAPI_TOT_CYC", kept));
    let run = compared(&[&base, &slower], Scaling::Strong).experiments.remove(1);
    assert_factors(&run, &[("instruction scalability", 0.9)]);
    let why = |name: &str| {
        let factor = run.multiplicative.iter().find(|factor| factor.name == name).unwrap();
        (factor.value, factor.why.as_deref())
    };
    let no_cycles = (None, Some("the runs do not count cycles"));
    assert_eq!([why("IPC scalability"), why("frequency scalability")], [no_cycles; 2]);
}

#[test]
fn runs_without_an_efficiency() {
    let kept = counted(1.0, 1.0, 1.0);
    let error = |run| efficiencies(&[run], &[], Scaling::Strong, Some("f")).unwrap_err();
    let no_region = error(kept.run());
    assert!(matches!(no_region, DiagnosisError::Region { .. }), "{no_region}");
    let error = error(Run { profile: None, ..kept.run() });
    assert!(error.to_string().contains("has no call paths"), "{error}");
    let nothing = Kept::new(Profile::new("nothing"), Given::default());
    let run = compared(&[&nothing], Scaling::Strong).experiments.remove(0);
    assert!(
        run.multiplicative.iter().all(|factor| factor.value.is_none() && factor.why.is_some()),
        "{run:?}"
    );
}
