//! Times of experiments of a repository in a region, and their speed-up over one unit.

use std::collections::BTreeMap;

use ats_documents::Experiment;
use ats_documents::experiment::{Configuration, Listed};

/// Experiments to compare: each with the time of its slowest location in each region, including all regions inside.
#[derive(Clone, Debug, Default)]
pub struct Compared {
    runs: Vec<(Listed, Times)>,
}

/// Experiments that differ in nothing but their ranks and threads.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Curve {
    /// Application, version, and the parameters of the run.
    pub(crate) name: String,
    /// The sequential runs, then the others by the number of locations.
    pub(crate) points: Vec<Point>,
}

/// Experiments that are alike, and repeated.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Point {
    pub(crate) of: Configuration,
    /// The number of runs.
    pub(crate) runs: usize,
    /// The mean time in seconds by region, of the experiments that have one.
    pub(crate) times: Times,
}

impl Compared {
    /// Adds an experiment, which a list shows so.
    pub fn add(&mut self, listed: Listed, experiment: &Experiment) {
        let mut times: Times = BTreeMap::new();
        for of_region in &experiment.summaries {
            let most = of_region.rows().filter_map(|(_, spent)| spent.time).reduce(f64::max);
            times.extend(most.map(|most| (of_region.region.clone(), most)));
        }
        self.runs.push((listed, times));
    }

    /// The runs that differ only in ranks and threads, each in order.
    pub(crate) fn curves(&self) -> Vec<Curve> {
        let mut curves: BTreeMap<String, BTreeMap<Configuration, Vec<&Times>>> = BTreeMap::new();
        for (listed, times) in &self.runs {
            let of_curve = curves.entry(listed.curve()).or_default();
            of_curve.entry(listed.run.configuration()).or_default().push(times);
        }
        let point =
            |(of, runs): (Configuration, Vec<&Times>)| Point { of, runs: runs.len(), times: means(&runs) };
        let curve = |(name, points): (String, BTreeMap<Configuration, Vec<&Times>>)| Curve {
            name,
            points: points.into_iter().map(point).collect(),
        };
        curves.into_iter().map(curve).collect()
    }
}

/// Seconds by region.
type Times = BTreeMap<String, f64>;

impl Curve {
    /// The index of the point that one is compared with.
    pub(crate) fn base(&self, point: &Point) -> usize {
        point.of.base(self.points.iter().map(|point| point.of)).unwrap_or_default()
    }

    /// The speed-up of a point in a region over its base; `None` if one of them has no time there.
    pub(crate) fn speed_up(&self, point: &Point, region: &str) -> Option<f64> {
        let base = self.points.get(self.base(point))?.times.get(region)?;
        let time = point.times.get(region).filter(|time| **time > 0.0)?;
        Some(base / time)
    }
}

fn means(runs: &[&Times]) -> Times {
    let mut sums: BTreeMap<String, (f64, u32)> = BTreeMap::new();
    for (region, time) in runs.iter().copied().flatten() {
        let (sum, count) = sums.entry(region.clone()).or_default();
        *sum += time;
        *count += 1;
    }
    sums.into_iter().map(|(region, (sum, count))| (region, sum / f64::from(count))).collect()
}

#[cfg(test)]
mod tests {
    use ats_documents::experiment::{Engine, Run};
    use ats_documents::summaries::{RegionSummaries, Spent};

    use super::*;

    /// Ranks, threads, whether it is sequential, and the seconds of each location in the region.
    fn compared(runs: &[(u32, u32, bool, &[f64])]) -> Compared {
        let mut compared = Compared::default();
        for &(ranks, threads, sequential, times) in runs {
            let run = Run { name: "heat".to_owned(), ranks, threads, sequential, ..Run::default() };
            let listed =
                Listed { application: "heat".to_owned(), version: "1".to_owned(), run, ..Listed::default() };
            let spent = |(unit, &time)| (unit, Spent { time: Some(time), ..Spent::default() });
            let summaries = vec![RegionSummaries::new("solve", (0..).zip(times).map(spent))];
            compared.add(listed, &Experiment { summaries, ..Experiment::default() });
        }
        compared
    }

    fn speed_ups(compared: &Compared) -> Vec<(u32, u32, usize, Option<f64>)> {
        let [curve] = &compared.curves()[..] else { panic!("one curve") };
        let of =
            |point: &Point| (point.of.ranks, point.of.threads, point.runs, curve.speed_up(point, "solve"));
        curve.points.iter().map(of).collect()
    }

    #[test]
    fn the_sequential_run_is_the_base_and_else_the_smallest() {
        let two: (u32, u32, bool, &[f64]) = (2, 1, false, &[4.0, 5.0]);
        let eight: (u32, u32, bool, &[f64]) = (4, 2, false, &[2.0, 1.0]);
        let again: (u32, u32, bool, &[f64]) = (4, 2, false, &[3.0]);
        let alone: (u32, u32, bool, &[f64]) = (1, 1, true, &[10.0]);
        let slow: (u32, u32, bool, &[f64]) = (1, 1, false, &[20.0]);
        assert_eq!(speed_ups(&compared(&[eight, two, again])), [(2, 1, 1, Some(1.0)), (4, 2, 2, Some(2.0))]);
        assert_eq!(
            speed_ups(&compared(&[eight, slow, two, alone])),
            [(1, 1, 1, Some(1.0)), (1, 1, 1, Some(0.5)), (2, 1, 1, Some(2.0)), (4, 2, 1, Some(5.0))]
        );
        assert_eq!(speed_ups(&compared(&[(1, 1, true, &[]), two])), [(1, 1, 1, None), (2, 1, 1, None)]);
        assert_eq!(speed_ups(&compared(&[two, (4, 1, false, &[0.0])]))[1].3, None);
    }

    #[test]
    fn a_run_in_virtual_time_is_no_point_of_a_real_curve() {
        let mut compared = compared(&[(1, 1, false, &[8.0]), (4, 1, false, &[2.0]), (4, 1, false, &[1.0])]);
        compared.runs[2].0.run.engine = Some(Engine::Virtual);
        let curves = compared.curves();
        let points: Vec<_> = curves.iter().map(|curve| (&*curve.name, curve.points.len())).collect();
        assert_eq!(points, [("heat 1", 2), ("heat 1 virtual", 1)]);
    }

    #[test]
    fn a_sequential_run_of_certain_ranks_is_the_base_of_these() {
        let mut compared = compared(&[(2, 1, false, &[4.0]), (4, 1, false, &[2.0]), (1, 1, true, &[8.0])]);
        for (name, value) in Run::SEQUENTIAL_OF.into_iter().zip(["4", "1"]) {
            compared.runs[2].0.run.parameters.insert(name.to_owned(), value.to_owned());
        }
        assert_eq!(speed_ups(&compared), [(1, 1, 1, Some(1.0)), (2, 1, 1, Some(1.0)), (4, 1, 1, Some(4.0))]);
    }

    #[test]
    fn other_parameters_are_another_curve() {
        let mut compared = compared(&[(1, 1, false, &[1.0]), (2, 1, false, &[1.0]), (2, 1, false, &[1.0])]);
        compared.runs[1].0.run.parameters.insert("size".to_owned(), "100".to_owned());
        compared.runs[2].0.version = "2".to_owned();
        let names: Vec<String> = compared.curves().into_iter().map(|curve| curve.name).collect();
        assert_eq!(names, ["heat 1", "heat 1 size=100", "heat 2"]);
    }
}
