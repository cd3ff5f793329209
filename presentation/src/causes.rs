//! Root causes, as every format uses them.

use std::collections::BTreeMap;

use ats_documents::Causes;

/// A call path of a cause: `main/solve/do_work`.
pub(crate) fn call_path(causes: &Causes, number: u32) -> String {
    match causes.call_paths.get(number as usize).map(Vec::as_slice) {
        None | Some([]) => "outside all regions".to_owned(),
        Some(names) => names.join("/"),
    }
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
