//! Root causes: Scalasca's, and those of small traces.

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
