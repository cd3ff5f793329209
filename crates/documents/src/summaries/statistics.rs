//! Spread of amounts over units.

use super::{Spent, Statistics, Summary};

/// Those of the regions of summaries, which are in the order of regions.
pub(super) fn statistics(summaries: &[Summary]) -> Vec<Statistics> {
    let mut all = Vec::new();
    for of_region in summaries.chunk_by(|one, next| one.region == next.region) {
        let rows: Vec<_> = of_region.iter().map(|summary| summary.spent.amounts()).collect();
        for (column, amount) in Spent::AMOUNTS.into_iter().enumerate() {
            let values: Vec<f64> = rows.iter().filter_map(|row| row[column]).collect();
            all.extend(region_statistics(&of_region[0].region, amount, values));
        }
    }
    all
}

/// Those of these values; none of none.
fn region_statistics(region: &str, amount: &str, mut values: Vec<f64>) -> Option<Statistics> {
    values.sort_by(f64::total_cmp);
    let (&minimum, &maximum, units) = (values.first()?, values.last()?, values.len());
    let mean = values.iter().sum::<f64>() / units as f64;
    // `powi` may be off by a digit.
    let squares: f64 = values.iter().map(|value| (value - mean) * (value - mean)).sum();
    Some(Statistics {
        region: region.to_owned(),
        amount: amount.to_owned(),
        minimum,
        maximum,
        mean,
        deviation: (squares / units as f64).sqrt(),
        median: (values[(units - 1) / 2] + values[units / 2]) / 2.0,
        units,
    })
}
