//! Root causes: Scalasca's, and those of small traces.

mod clocks;
mod damage;
mod examples;
mod findings;
mod random;

use ats_analyzer::{Options, analyze};
use ats_documents::Analysis;
use ats_model::{EventSource, delay::Extent};
use ats_testing::{
    causes::{RUNS, Values, assert_scalascas},
    peer,
};

/// Analyzes a trace and its causes.
fn analysis(trace: &impl EventSource, extent: Extent, records_in_memory: usize) -> Analysis {
    let options = Options { causes: Some(extent), records_in_memory, ..Options::default() };
    analyze(trace, "test", &options).unwrap_or_else(|error| panic!("{error}"))
}

/// The values of all metrics.
fn values(analysis: &Analysis) -> Values {
    let causes = analysis.causes.as_ref().unwrap();
    let mut values = Values::new();
    for (metric, rows) in &causes.metrics {
        for &(path, unit, seconds) in rows {
            let path = causes.label(path);
            *values.entry((metric.clone(), path, unit.into())).or_default() += seconds;
        }
    }
    values
}

#[test]
fn they_are_scalascas_with_any_memory() {
    for records_in_memory in [0, 4_000_000] {
        let compared = RUNS.map(|run| {
            let trace = ats_trace::Archive::open(&peer(run).join("traces.otf2")).unwrap();
            assert_scalascas(run, values(&analysis(&trace, Extent::Scalasca, records_in_memory)))
        });
        assert_eq!(compared.iter().sum::<usize>(), 868);
    }
}

/// Seconds of imbalance within partitions and between them, over all call paths and locations, as Scalasca's reports of
/// these runs have them.
const IMBALANCES: [(&str, f64, f64); 3] = [
    ("scorep-patterns-4ranks", 5.112891543, 0.432744002),
    ("scorep-7props-4ranks", 5.968327942, 0.0),
    ("scorep-7props-4ranks-spin", 5.600923841, 0.0),
];

#[test]
fn imbalances_within_and_between_partitions_are_scalascas() {
    for (run, within, between) in IMBALANCES {
        let trace = ats_trace::Archive::open(&peer(run).join("traces.otf2")).unwrap();
        let causes = analysis(&trace, Extent::Scalasca, 4_000_000).causes.unwrap();
        let sum =
            |metric: &str| causes.metrics.get(metric).into_iter().flatten().map(|row| row.2).sum::<f64>();
        for (metric, known) in [("critical_imbalance_impact", within), ("inter_partition_imbalance", between)]
        {
            let ours = sum(metric);
            assert!((ours - known).abs() <= 1e-6 + 0.01 * known, "{run}: {metric} is {known}, found {ours}");
        }
    }
}
