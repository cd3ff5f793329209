//! Root causes, against Scalasca's values and from small traces.

use std::collections::BTreeMap;

use ats_analyzer::{Options, analyze};
use ats_documents::Causes;
use ats_model::{EventSource, delay::Extent};
use ats_testing::peer;

/// Seconds by metric, call path and location.
type Values = BTreeMap<(String, String, u64), f64>;

/// Values that Scalasca loses, see `docs/delays.md`.
const DEVIATIONS: [(&str, &str, &str, u64); 2] = [
    ("scorep-7props-4ranks-spin", "delay_barrier_longterm", "main/MPI_Barrier", 2),
    ("scorep-7props-4ranks-spin", "delay_barrier_longterm", "main/early_reduce/do_work", 2),
];

fn known(run: &str) -> Values {
    let text = std::fs::read(peer(run).join("scalasca.json")).unwrap();
    let known: serde_json::Value = serde_json::from_slice(&text).unwrap();
    let mut values = Values::new();
    for row in known["rows"].as_array().unwrap() {
        let path: Vec<&str> =
            row["call_path"].as_array().unwrap().iter().skip(1).map(|name| name.as_str().unwrap()).collect();
        let key =
            (row["metric"].as_str().unwrap().to_owned(), path.join("/"), row["location"].as_u64().unwrap());
        *values.entry(key).or_default() += row["value"].as_f64().unwrap();
    }
    values
}

fn causes<S: EventSource<Error: std::fmt::Debug>>(trace: &S, records_in_memory: usize) -> Causes {
    let options = Options { causes: Some(Extent::Scalasca), records_in_memory, ..Options::default() };
    analyze(trace, "test", &options).unwrap().causes.unwrap()
}

fn values(causes: &Causes) -> Values {
    let mut values = Values::new();
    for (metric, rows) in &causes.metrics {
        for &(path, unit, seconds) in rows {
            let path = causes.call_paths[path as usize].join("/");
            *values.entry((metric.clone(), path, unit.into())).or_default() += seconds;
        }
    }
    values
}

#[test]
fn they_are_those_of_scalasca() {
    let mut compared = 0;
    for run in
        ["scorep-7props-4ranks", "scorep-7props-4ranks-spin", "scorep-hybrid-2x2", "scorep-patterns-4ranks"]
    {
        let trace = ats_trace::Archive::open(&peer(run).join("traces.otf2")).unwrap();
        for records_in_memory in [0, 4_000_000] {
            let mut found = values(&causes(&trace, records_in_memory));
            let is_ours = |metric: &str| {
                metric == "critical_path"
                    || ["delay_", "mpi_wait_indirect_", "mpi_wait_propagating_"]
                        .iter()
                        .any(|of| metric.starts_with(of))
            };
            found.retain(|(metric, ..), _| is_ours(metric));
            for (key, value) in known(run).into_iter().filter(|((metric, ..), _)| is_ours(metric)) {
                let ours = found.remove(&key).unwrap_or_default();
                let agrees = (ours - value).abs() <= 1e-6 + 0.01 * value;
                let (metric, path, location) = (key.0.as_str(), key.1.as_str(), key.2);
                let deviates = DEVIATIONS.contains(&(run, metric, path, location));
                assert_eq!(agrees, !deviates, "{run}: {key:?} is {value}, found {ours}");
                compared += 1;
            }
            found.retain(|_, seconds| *seconds > 1e-6);
            assert!(found.is_empty(), "{run}: found besides: {found:#?}");
        }
    }
    assert_eq!(compared, 2 * 868);
}
