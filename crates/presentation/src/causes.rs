//! Root causes, as every format uses them.

use std::collections::BTreeMap;

use ats_documents::Causes;

use crate::place;

/// Call paths of causes in a table, by their numbers: `main/solve/MPI_Recv (heat.c:12) in halo`.
pub(crate) fn call_paths(causes: &Causes, numbers: impl Iterator<Item = u32>) -> Vec<String> {
    let places: Vec<_> = numbers.map(|number| causes.place(number).unwrap_or_default()).collect();
    place::paths_or_outside(&places)
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
