//! The data of compared experiments that the script draws.

use std::collections::BTreeMap;

use ats_documents::page as document;

use crate::speed_up::{Compared, Curve, Point};
use crate::words;

/// The approximate number of times that are shown: those of the regions that took longest.
const MOST_NUMBERS: usize = 20_000;

/// Curves of points, and by region the time in seconds and the speed-up of each point.
pub(super) fn data(compared: &Compared) -> document::Experiments {
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
    let omitted = regions.len().saturating_sub(shown) as u64;
    regions.truncate(shown);
    document::Experiments {
        curves: curves.iter().map(curve).collect(),
        regions: regions.into_iter().map(|(name, _)| region(name, &curves)).collect(),
        omitted,
    }
}

fn region(name: &str, curves: &[Curve]) -> document::ComparedRegion {
    let rounded = |value: f64, digits: f64| (value * digits).round() / digits;
    let time = |point: &Point| point.times.get(name).map(|time| rounded(*time, 1e9));
    let times = |curve: &Curve| curve.points.iter().map(time).collect();
    let speed_ups = |curve: &Curve| {
        let speed_up = |point| curve.speed_up(point, name).map(|speed_up| rounded(speed_up, 1e6));
        curve.points.iter().map(speed_up).collect()
    };
    document::ComparedRegion {
        name: name.to_owned(),
        times: curves.iter().map(times).collect(),
        speed_ups: curves.iter().map(speed_ups).collect(),
    }
}

fn curve(curve: &Curve) -> document::Curve {
    let point = |point: &Point| document::Point {
        locations: u64::from(point.of.ranks) * u64::from(point.of.threads),
        size: size(point),
        runs: point.runs as u64,
        base: curve.base(point) as u32,
        sequential: point.of.is_sequential(),
    };
    let mut bases: Vec<usize> = curve.points.iter().map(|point| curve.base(point)).collect();
    bases.sort_unstable();
    bases.dedup();
    let base = |base: usize| match &curve.points[base] {
        base if base.of.is_sequential() => format!("the {} run", size(base)),
        base => format!("the smallest run, {}, as there is no sequential one", size(base)),
    };
    let against = bases.into_iter().map(base).collect::<Vec<_>>().join("; ");
    document::Curve { name: curve.name.clone(), against, points: curve.points.iter().map(point).collect() }
}

fn size(point: &Point) -> String {
    match (point.of.is_sequential(), point.of.of) {
        (false, _) => words::size(point.of.ranks, point.of.threads),
        (true, None) => "sequential".to_owned(),
        (true, Some((ranks, threads))) => format!("sequential (work of {})", words::size(ranks, threads)),
    }
}
