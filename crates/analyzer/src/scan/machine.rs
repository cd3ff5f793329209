//! Work of the machine for a location: sums of the samples that the suite's recorder takes.
//!
//! Between two samples, a location computes for some time, and is in calls of MPI or waits in constructs of OpenMP for
//! the rest. If it computed for longer than it had a processor in all of the time, it was without one in computing, for
//! the difference at least. If it also slept, the trace does not tell how long.

use ats_model::{
    Definitions,
    event::MetricRef,
    metric::{MetricDefinition, MetricValue},
    own_metric::OwnMetric,
};

use super::Scanner;
use crate::words::damage::Damage;

/// The number of metrics.
const METRICS: usize = OwnMetric::ALL.len();

/// Sums from the first sample of a location to its last.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Counters {
    /// Seconds between the samples.
    pub(crate) seconds: f64,
    /// By metric; those that are states have nothing.
    pub(crate) counted: [f64; METRICS],
    /// Seconds of computing with a processor.
    pub(crate) computing: f64,
    /// Seconds of computing in which it had none and did not sleep.
    pub(crate) not_running: f64,
    /// Page faults between samples with seconds of computing.
    pub(crate) faults: f64,
}

impl Counters {
    /// Adds the values between two samples, in which the location computed for some seconds.
    fn add(&mut self, seconds: f64, computing: f64, counted: [f64; METRICS]) {
        let of = |metric: OwnMetric| counted[metric as usize];
        self.seconds += seconds;
        self.counted.iter_mut().zip(counted).for_each(|(sum, more)| *sum += more);
        if computing == 0.0 {
            return;
        }
        let without = (computing - of(OwnMetric::ProcessorTime)).max(0.0);
        let taken = of(OwnMetric::InvoluntarySwitches);
        // Each sleep is a voluntary switch, and calls of MPI that give their processor away between polls are involuntary
        // ones: where there are both, nothing tells how long the location wanted to run.
        let not_running = if taken > 0.0 && of(OwnMetric::VoluntarySwitches) == 0.0 { without } else { 0.0 };
        self.computing += computing - without;
        self.not_running += not_running;
        self.faults += of(OwnMetric::PageFaults);
    }
}

/// The samples of a location, as they come.
#[derive(Debug)]
pub(super) struct Samples {
    /// By metric, where the trace has it.
    metrics: [Option<MetricRef>; METRICS],
    /// The values of the sample that comes.
    coming: [Option<MetricValue>; METRICS],
    /// The last sample that is whole, and its time.
    before: Option<(u64, [MetricValue; METRICS])>,
    /// Whether the location computes where it is in no region.
    computes_outside: bool,
    computes: bool,
    since: u64,
    /// Ticks of computing since the last sample.
    computing: u64,
}

impl Samples {
    /// None so far; `None` if the trace has no samples.
    pub(super) fn new(definitions: &Definitions, location: usize) -> Option<Self> {
        let metrics = OwnMetric::ALL.map(|own| {
            let is_it = |metric: &MetricDefinition| OwnMetric::from_definition(metric) == Some(own);
            definitions.metrics.iter().position(is_it).map(|at| MetricRef(at as u32))
        });
        if metrics.contains(&None) {
            return None;
        }
        let is_member = || definitions.teams.iter().any(|team| team.members.contains(&(location as u32)));
        let computes_outside = definitions.locations[location].thread == 0 || !is_member();
        Some(Samples {
            metrics,
            coming: [None; METRICS],
            before: None,
            computes_outside,
            computes: computes_outside,
            since: 0,
            computing: 0,
        })
    }

    /// From `time` on, the location computes or not.
    fn pass(&mut self, time: u64, computes: bool) {
        if self.computes {
            self.computing += time.saturating_sub(self.since);
        }
        (self.since, self.computes) = (time, computes);
    }

    /// The one that a metric is.
    fn own(&self, metric: MetricRef) -> Option<OwnMetric> {
        OwnMetric::ALL.into_iter().find(|&own| self.metrics[own as usize] == Some(metric))
    }

    /// Takes a value; returns the sample, once that is whole.
    fn take(&mut self, own: OwnMetric, value: MetricValue) -> Option<[MetricValue; METRICS]> {
        self.coming[own as usize] = Some(value);
        let [Some(a), Some(b), Some(c), Some(d), Some(e)] = self.coming else { return None };
        self.coming = [None; METRICS];
        Some([a, b, c, d, e])
    }
}

impl Scanner<'_> {
    /// Takes a value of a metric, if that is sampled by the suite's recorder. Returns whether it is.
    pub(super) fn sampled(&mut self, time: u64, metric: MetricRef, value: MetricValue) -> bool {
        let Some(samples) = &mut self.samples else { return false };
        let Some(own) = samples.own(metric) else { return false };
        let Some(sample) = samples.take(own, value) else { return true };
        samples.pass(time, samples.computes);
        let computing = std::mem::take(&mut samples.computing);
        let counters = self.scan.counters.get_or_insert_default();
        if let Some((at, before)) = samples.before.replace((time, sample)) {
            let definitions = self.definitions;
            let counted = OwnMetric::ALL.map(|own| {
                let definition =
                    &definitions.metrics[samples.metrics[own as usize].map_or(0, |of| of.0 as usize)];
                match own {
                    OwnMetric::Processor => 0.0,
                    _ => sample[own as usize].since(before[own as usize]) * definition.scale(),
                }
            });
            if counted.iter().all(|counted| counted.is_finite() && *counted >= 0.0) {
                let seconds = |ticks| definitions.clock.seconds(ticks);
                counters.add(seconds(time.saturating_sub(at)), seconds(computing), counted);
            } else {
                self.damage(Damage::MetricImpossible, time);
            }
        }
        true
    }

    /// Notes whether the location computes from now on, if the trace has samples.
    #[inline(always)]
    pub(super) fn follow_computing(&mut self, time: u64) {
        if self.samples.is_some() {
            self.follow_computing_now(time);
        }
    }

    fn follow_computing_now(&mut self, time: u64) {
        let innermost = self.innermost().map(|frame| !(frame.is_inner || frame.traits.is_waiting));
        if let Some(samples) = &mut self.samples {
            samples.pass(time, innermost.unwrap_or(samples.computes_outside));
        }
    }

    /// The recorder writes its buffers from `time` on: no computing.
    pub(super) fn pass_over(&mut self, time: u64, stop: u64) {
        if let Some(samples) = &mut self.samples {
            samples.pass(time, samples.computes);
            samples.since = stop;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn time_without_a_processor_is_that_of_others_unless_the_location_slept() {
        // Processor time, involuntary and voluntary switches, of a second of computing.
        let cases = [
            ([1.0, 0.0, 0.0], 0.0, "it ran"),
            ([0.4, 0.0, 1.0], 0.0, "it slept"),
            ([0.4, 150.0, 0.0], 0.6, "others ran"),
            ([0.4, 150.0, 1.0], 0.0, "it slept, and it is not known how long others ran"),
            ([1.1, 2.0, 0.0], 0.0, "it ran in calls, too"),
        ];
        for ([processor, taken, given], expected, why) in cases {
            let mut counters = Counters::default();
            counters.add(1.5, 1.0, [processor, taken, given, 7.0, 0.0]);
            assert!((counters.not_running - expected).abs() < 1e-9, "{why}: {counters:?}");
            assert_eq!(counters.computing, processor.min(1.0), "{why}");
            assert_eq!((counters.seconds, counters.faults), (1.5, 7.0));
        }
    }
}
