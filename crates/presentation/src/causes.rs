//! Root causes, as every format uses them.

use std::collections::BTreeMap;

use ats_documents::Causes;

/// A call path of a cause: `main/solve/MPI_Recv in halo (heat.c:12)`.
pub(crate) fn call_path(causes: &Causes, number: u32) -> String {
    let label = causes.label(number);
    if label.is_empty() { "outside all regions".to_owned() } else { label }
}

/// By call path, the sum of a metric over all locations.
pub(crate) fn by_call_path(causes: &Causes, metric: &str) -> BTreeMap<u32, f64> {
    let mut sums = BTreeMap::new();
    for &(path, _, value) in causes.metrics.get(metric).into_iter().flatten() {
        *sums.entry(path).or_default() += value;
    }
    sums
}

#[cfg(test)]
pub(crate) mod tests;
