//! Root causes as Scalasca finds them in the kept traces of Score-P, and small traces with theirs.

pub mod examples;

use std::collections::BTreeMap;

use crate::peer;

/// Seconds by metric, call path (`main/MPI_Recv`) and location.
pub type Values = BTreeMap<(String, String, u64), f64>;

/// The traces of Score-P with Scalasca's values.
pub const RUNS: [&str; 4] =
    ["scorep-patterns-4ranks", "scorep-7props-4ranks", "scorep-7props-4ranks-spin", "scorep-hybrid-2x2"];

/// Values that Scalasca loses a part of: `docs/delays.md`.
const DEVIATIONS: [(&str, &str, &str, u64); 2] = [
    ("scorep-7props-4ranks-spin", "delay_barrier_longterm", "main/MPI_Barrier", 2),
    ("scorep-7props-4ranks-spin", "delay_barrier_longterm", "main/early_reduce/do_work", 2),
];

/// Asserts that all values found in one of the [`RUNS`] are Scalasca's within 1 % + 1 µs, and none is missing; returns
/// the number of values. Metrics that Scalasca's kept values do not have are left out.
///
/// # Panics
/// A value differs.
#[track_caller]
pub fn assert_scalascas(run: &str, mut found: Values) -> usize {
    let is_compared = |metric: &str| {
        let prefixes = ["delay_", "mpi_wait_indirect_", "mpi_wait_propagating_"];
        metric == "critical_path" || prefixes.iter().any(|prefix| metric.starts_with(prefix))
    };
    found.retain(|(metric, ..), _| is_compared(metric));
    let mut known = known(run);
    known.retain(|(metric, ..), _| is_compared(metric));
    let compared = known.len();
    for (key, value) in known {
        let ours = found.remove(&key).unwrap_or_default();
        let agrees = (ours - value).abs() <= 1e-6 + 0.01 * value;
        let deviates = DEVIATIONS.contains(&(run, &key.0, &key.1, key.2));
        assert_eq!(agrees, !deviates, "{run}: {key:?} is {value}, found {ours}");
    }
    found.retain(|_, seconds| *seconds > 1e-6);
    assert!(found.is_empty(), "{run}: found besides: {found:#?}");
    compared
}

fn known(run: &str) -> Values {
    let text = std::fs::read(peer(run).join("scalasca.json")).expect("the values can be read");
    let known: serde_json::Value = serde_json::from_slice(&text).expect("they are JSON");
    let mut values = Values::new();
    for row in known["rows"].as_array().into_iter().flatten() {
        let path = row["call_path"].as_array().into_iter().flatten();
        // The outermost is the program.
        let path: Vec<&str> = path.skip(1).filter_map(|name| name.as_str()).collect();
        let metric = row["metric"].as_str().unwrap_or_default().to_owned();
        let key = (metric, path.join("/"), row["location"].as_u64().unwrap_or_default());
        *values.entry(key).or_default() += row["value"].as_f64().unwrap_or_default();
    }
    values
}
