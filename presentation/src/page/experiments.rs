//! The data of compared experiments that the script draws.

use std::collections::BTreeMap;

use serde_json::{Value, json};

use crate::speed_up::{Compared, Curve, Point};
use crate::words;

/// The approximate number of times that are shown: those of the regions that took longest.
const MOST_NUMBERS: usize = 20_000;

/// Curves of points, and by region the time in seconds and the speed-up of each point.
pub(super) fn data(compared: &Compared) -> Value {
    let curves = compared.curves();
    let mut longest: BTreeMap<&str, f64> = BTreeMap::new();
    let points = curves.iter().flat_map(|curve| &curve.points);
    for (region, time) in points.clone().flat_map(|point| &point.times) {
        let most = longest.entry(region).or_default();
        *most = most.max(*time);
    }
    let mut regions: Vec<(&str, f64)> = longest.into_iter().collect();
    regions.sort_by(|one, other| other.1.total_cmp(&one.1));
    let shown = (MOST_NUMBERS / points.count().max(1)).clamp(1, regions.len().max(1));
    let left = regions.len().saturating_sub(shown);
    regions.truncate(shown);
    let region = |(name, _): (&str, f64)| {
        let of_curve =
            |curve: &Curve| curve.points.iter().map(|point| amounts(curve, point, name)).collect::<Vec<_>>();
        json!([name, curves.iter().map(of_curve).collect::<Vec<_>>()])
    };
    json!({
        "curves": curves.iter().map(curve).collect::<Vec<_>>(),
        "regions": regions.into_iter().map(region).collect::<Vec<_>>(),
        "left": left,
    })
}

fn amounts(curve: &Curve, point: &Point, region: &str) -> Value {
    match (point.times.get(region), curve.speed_up(point, region)) {
        (Some(time), Some(speed_up)) => json!([(time * 1e9).round() / 1e9, (speed_up * 1e6).round() / 1e6]),
        (Some(time), None) => json!([(time * 1e9).round() / 1e9]),
        (None, _) => Value::Null,
    }
}

fn curve(curve: &Curve) -> Value {
    let point = |point: &Point| {
        let locations = u64::from(point.ranks) * u64::from(point.threads);
        json!([locations, size(point), point.runs, curve.base(point), point.is_sequential])
    };
    let mut bases: Vec<usize> = curve.points.iter().map(|point| curve.base(point)).collect();
    bases.sort_unstable();
    bases.dedup();
    let base = |base: usize| match &curve.points[base] {
        base if base.is_sequential => format!("the {} run", size(base)),
        base => format!("the smallest run, {}, as there is no sequential one", size(base)),
    };
    let base = bases.into_iter().map(base).collect::<Vec<_>>().join("; ");
    json!({ "name": curve.name, "base": base, "points": curve.points.iter().map(point).collect::<Vec<_>>() })
}

fn size(point: &Point) -> String {
    match (point.is_sequential, point.of) {
        (false, _) => words::size(point.ranks, point.threads),
        (true, None) => "sequential".to_owned(),
        (true, Some((ranks, threads))) => format!("sequential (work of {})", words::size(ranks, threads)),
    }
}
