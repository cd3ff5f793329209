//! Points as the rows of least squares.

use std::cmp::Ordering;
use std::collections::BTreeMap;

use super::points::Points;

/// The different points of a fit, in the order of their values.
#[derive(Debug, Clone, Default)]
pub(super) struct Sample {
    /// The values of the parameters.
    pub(super) values: Vec<Vec<f64>>,
    /// The mean of the repeats.
    pub(super) means: Vec<f64>,
    /// The relative standard error of the means, 0 if nothing is repeated.
    pub(super) noise: f64,
    /// The relative standard deviation of a single value, 0 if nothing is repeated.
    pub(super) deviation: f64,
}

fn compare(a: &[f64], b: &[f64]) -> Ordering {
    a.partial_cmp(b).unwrap_or(Ordering::Equal)
}

impl Sample {
    pub(super) fn new(points: &Points) -> Self {
        let mut sorted: Vec<(&[f64], &[f64])> =
            points.points.iter().map(|point| (&*point.values, &*point.measured)).collect();
        sorted.sort_by(|a, b| compare(a.0, b.0));
        let mut sample = Self::default();
        let (mut squares, mut repeats) = (0.0, 0);
        for same in sorted.chunk_by(|a, b| a.0 == b.0) {
            let measured = || same.iter().flat_map(|(_, measured)| *measured);
            let number = measured().count();
            // All the same: their sum, divided again, need not be the same number.
            let first = same[0].1[0];
            let equal = measured().all(|value| *value == first);
            let mean = if equal { first } else { measured().sum::<f64>() / number as f64 };
            squares += measured().map(|value| (value / mean - 1.0).powi(2)).sum::<f64>();
            repeats += number;
            sample.values.push(same[0].0.to_vec());
            sample.means.push(mean);
        }
        let points = sample.means.len();
        if repeats > points {
            let variance = squares / (repeats - points) as f64;
            sample.deviation = variance.sqrt();
            sample.noise = (variance * points as f64 / repeats as f64).sqrt();
        }
        sample
    }

    /// The different values of a parameter.
    pub(super) fn different(&self, parameter: usize) -> Vec<f64> {
        let mut values: Vec<f64> = self.values.iter().map(|values| values[parameter]).collect();
        values.sort_by(f64::total_cmp);
        values.dedup();
        values
    }

    /// The points that `keep` takes.
    pub(super) fn filter(&self, keep: impl Fn(&[f64]) -> bool) -> Self {
        let kept = self.values.iter().zip(&self.means).filter(|(values, _)| keep(values));
        let (values, means) = kept.map(|(values, mean)| (values.clone(), *mean)).unzip();
        Self { values, means, noise: self.noise, deviation: self.deviation }
    }

    /// The mean course of one parameter, while the others stay the same.
    ///
    /// A sum of courses has the terms of each, and less noise. Only those with the same values can be added: the set of
    /// values that has the most points is taken.
    pub(super) fn course(&self, parameter: usize) -> Self {
        let mut lines: BTreeMap<Vec<u64>, Vec<(f64, f64)>> = BTreeMap::new();
        for (values, mean) in self.values.iter().zip(&self.means) {
            let mut others: Vec<u64> = values.iter().map(|value| value.to_bits()).collect();
            others.remove(parameter);
            lines.entry(others).or_default().push((values[parameter], *mean));
        }
        let mut same: BTreeMap<Vec<u64>, Vec<Vec<(f64, f64)>>> = BTreeMap::new();
        for line in lines.into_values() {
            same.entry(line.iter().map(|(value, _)| value.to_bits()).collect()).or_default().push(line);
        }
        // More than three values tell more than more lines do.
        let most =
            same.into_values().max_by_key(|lines| (lines[0].len().min(4), lines.len() * lines[0].len()));
        let lines = most.unwrap_or_default();
        let length = lines.first().map_or(0, Vec::len);
        let scaled = |line: &Vec<(f64, f64)>, place: usize| {
            line[place].1 * length as f64 / line.iter().map(|(_, mean)| mean).sum::<f64>()
        };
        let single = lines.len() == 1;
        let mean = |place: usize| match single {
            true => lines[0][place].1,
            false => lines.iter().map(|line| scaled(line, place)).sum::<f64>() / lines.len() as f64,
        };
        Self {
            values: (0..length).map(|place| vec![lines[0][place].0]).collect(),
            means: (0..length).map(mean).collect(),
            noise: self.noise / (lines.len() as f64).sqrt(),
            deviation: self.deviation,
        }
    }
}
