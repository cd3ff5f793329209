//! Models of runs in virtual time foretell larger runs.

use std::collections::BTreeMap;

use ats_documents::models::CostTerm;
use ats_prediction::{ModelError, Observed, PredictionError, Predictor, models};

use crate::common::{planned, simulated};

/// Programs of all families, whose waits are polynomials, maxima, or depend on the parity of ranks.
const PROGRAMS: [&str; 20] = [
    "amdahl",
    "partial",
    "replicated",
    "late_sender",
    "late_receiver",
    "late_broadcast",
    "late_scatter",
    "early_reduce",
    "early_gather",
    "imbalance_at_mpi_barrier",
    "imbalance_at_mpi_alltoall",
    "imbalance_at_mpi_allreduce",
    "severity_growing_over_time",
    "noise_amplification",
    "late_sender_balanced",
    "late_reduce_root",
    "early_scan",
    "moving_imbalance",
    "serialized_chain",
    "imbalance_at_ialltoall",
];

const FITTED: [usize; 5] = [4, 6, 8, 12, 16];

fn runs(program: &str) -> Vec<Observed> {
    FITTED.map(|ranks| simulated(&planned(program, &[], ranks, 1))).into()
}

fn of_ranks(ranks: f64) -> BTreeMap<String, f64> {
    BTreeMap::from([("ranks".to_owned(), ranks)])
}

/// Amounts that are predicted to 1e-9, those else inside their bounds, and the others.
#[derive(Debug, Default)]
struct Foretold {
    exact: usize,
    inside: usize,
    outside: Vec<String>,
}

impl Foretold {
    /// Compares what is predicted for a size with the program's run of that size.
    fn add(&mut self, predictor: &Predictor, program: &str, ranks: usize) {
        let mut size = predictor.size(&of_ranks(ranks as f64)).unwrap();
        let run = simulated(&planned(program, &[], ranks, 1));
        predictor.compare(&mut size, &run).unwrap();
        let terms = size.whole.terms.iter().map(|(term, of)| (term.name(), of));
        for (what, of) in terms.chain([("time", &size.whole.time)]) {
            let measured = of.measured.unwrap();
            assert!(of.low >= 0.0 && of.low <= of.value && of.value <= of.high, "{program} {what}: {of:?}");
            match (of.value - measured).abs() <= 1e-9 * measured {
                true => self.exact += 1,
                false if of.holds(measured) => self.inside += 1,
                false => self.outside.push(format!("{program} {what}: {of:?}")),
            }
        }
        // Each second is in one term; the mean of units is less than the slowest if some are through earlier.
        let ends_apart = ["serialized_chain", "imbalance_at_ialltoall"].contains(&program);
        let sum: f64 = CostTerm::ALL.into_iter().map(|term| run.whole.term(term)).sum();
        let is_whole = (sum - run.whole.time).abs() <= 1e-9 * sum;
        assert!(is_whole || (ends_apart && sum < run.whole.time), "{program}: {sum}");
    }
}

#[test]
fn larger_runs_are_foretold() {
    let [mut of_64, mut of_1024] = [Foretold::default(), Foretold::default()];
    for program in PROGRAMS {
        let predictor = Predictor::new(&models(&runs(program), false).unwrap()).unwrap();
        of_64.add(&predictor, program, 64);
        of_1024.add(&predictor, program, 1024);
    }
    for of in [of_64, of_1024] {
        println!("{of:?}");
        assert_eq!(of.outside, Vec::<String>::new());
        // All but those of the one program whose times are no polynomials, but random.
        assert!(of.exact >= 56 && of.inside <= 3, "{of:?}");
    }
}

/// Waits travel by one rank in each repetition, so they reach all ranks of small runs, and the same number of larger ones.
#[test]
fn a_saturation_beyond_the_data_is_told_by_a_run() {
    let program = |ranks| planned("imbalance_at_neighbor_alltoall", &["r=10"], ranks, 1);
    let runs = FITTED.map(|ranks| simulated(&program(ranks)));
    let predictor = Predictor::new(&models(&runs, false).unwrap()).unwrap();
    let mut size = predictor.size(&of_ranks(1024.0)).unwrap();
    assert!(size.notes.iter().any(|note| note.contains("does not show")), "{:?}", size.notes);
    predictor.compare(&mut size, &simulated(&program(1024))).unwrap();
    let told = |note: &&String| note.starts_with("waiting of MPI_Neighbor_alltoall is outside of its bounds");
    let note = size.notes.iter().find(told).expect("it is told");
    assert!(note.contains("no fit of smaller runs knows waits"), "{note}");
}

#[test]
fn amdahls_limit_is_predicted() {
    let predictor = Predictor::new(&models(&runs("amdahl"), false).unwrap()).unwrap();
    let size = predictor.size(&of_ranks(1e6)).unwrap();
    // Over the smallest run, of 4 ranks and r·(0.02 + 0.08/4) seconds.
    let limit = 4.0 * (0.02 + 0.08 / 4.0) / 0.02;
    let speed_up = size.speed_up.unwrap();
    assert!((speed_up.value - limit).abs() < 1e-3 * limit, "{speed_up:?}, and {limit}");
    assert_eq!(size.dominant, Some(CostTerm::Waiting));
    let until = predictor.until(&of_ranks(4.0), 0.5).unwrap();
    // 4·0.04/(p·(0.02 + 0.08/p)) ≥ 1/2 up to 12 ranks.
    assert_eq!(until.last, Some(12.0), "{until:?}");
}

#[test]
fn runs_that_do_not_belong_together_are_refused() {
    let mut of = runs("amdahl");
    let error = models(&of[..1], false).unwrap_err();
    assert!(matches!(error, ModelError::Alike), "{error}");
    let error = models(&of[..2], false).unwrap_err().to_string();
    assert!(error.contains("ranks has 2 values"), "{error}");
    of[0].version = "2".to_owned();
    let error = models(&of, false).unwrap_err().to_string();
    assert!(error.contains("the runs are of several versions") && error.contains("--mixed"), "{error}");
    assert!(models(&of, true).is_ok());
    of[1].texts.insert("mode".to_owned(), "a".to_owned());
    of[2].texts.insert("mode".to_owned(), "b".to_owned());
    let error = models(&of, true).unwrap_err().to_string();
    assert!(error.contains("the runs differ in `mode`, which is no number: a, b"), "{error}");
    of[3].parameters.insert("n".to_owned(), 4.0);
    of.iter_mut().for_each(|run| run.texts.clear());
    let error = models(&of, true).unwrap_err().to_string();
    assert!(error.contains("has no number for the parameter `n`"), "{error}");
    assert!(matches!(models(&[], true), Err(ModelError::NoRun)));
}

#[test]
fn unknown_parameters_are_refused() {
    let predictor = Predictor::new(&models(&runs("amdahl"), false).unwrap()).unwrap();
    let asked = |name: &str| BTreeMap::from([(name.to_owned(), 8.0)]);
    let error = predictor.size(&asked("rank")).unwrap_err().to_string();
    assert_eq!(error, "there is no parameter `rank`; did you mean ranks?");
    let error = predictor.size(&BTreeMap::new()).unwrap_err().to_string();
    assert_eq!(error, "`ranks` has no value; give it, as ranks=16");
    let mut both = of_ranks(8.0);
    both.insert("threads".to_owned(), 4.0);
    let error = predictor.size(&both).unwrap_err();
    assert!(matches!(error, PredictionError::Fixed { .. }), "{error}");
    let mut size = predictor.size(&of_ranks(8.0)).unwrap();
    let other = simulated(&planned("amdahl", &[], 4, 1));
    let error = predictor.compare(&mut size, &other).unwrap_err().to_string();
    assert!(error.contains("was run with ranks=4, and the prediction is for ranks=8"), "{error}");
}

#[test]
fn another_machine_and_a_measured_region() {
    let of = models(&runs("replicated"), false).unwrap();
    let predictor = Predictor::new(&of).unwrap();
    let plain = predictor.size(&of_ranks(8.0)).unwrap();
    let faster = predictor.clone().scaled(BTreeMap::from([(CostTerm::Computation, [0.5, 0.75])]));
    let size = faster.size(&of_ranks(8.0)).unwrap();
    let [before, after] = [&plain, &size].map(|size| size.whole.terms[&CostTerm::Computation]);
    assert!((after.low - 0.5 * before.low).abs() < 1e-12 && (after.high - 0.75 * before.high).abs() < 1e-12);
    let mut run = simulated(&planned("replicated", &[], 8, 1));
    let region = "replicated_work".to_owned();
    run.regions.get_mut(&region).unwrap().terms.insert(CostTerm::Computation, 1.0);
    let mixed = predictor.with_measured(vec![(region.clone(), run)]).size(&of_ranks(8.0)).unwrap();
    let find = |size: &ats_documents::prediction::PredictedSize| {
        size.regions.iter().find(|of| of.region.as_ref() == Some(&region)).unwrap().time.value
    };
    assert_eq!(find(&mixed), 1.0);
    let more = mixed.whole.time.value - plain.sum.unwrap().value;
    assert!(
        (more - (1.0 - find(&plain))).abs() < 1e-9,
        "the program takes as much more as the region: {more}"
    );
}
