//! Counters of the work that locations do, as values in the trace.

use ats_model::Event;
use ats_model::event::MetricRef;
use ats_model::machine_counter::MachineCounter;
use ats_model::metric::{MetricDefinition, MetricValue, ValueProperty, ValueType};

use super::costs::Costs;
use super::state::Kernel;

/// The counters, in the order of their references.
const COUNTERS: [MachineCounter; 4] = [
    MachineCounter::Instructions,
    MachineCounter::Cycles,
    MachineCounter::FirstCacheLoads,
    MachineCounter::FirstCacheMisses,
];

/// Their definitions; none if they are not counted.
pub(crate) fn definitions(costs: &Costs) -> Vec<MetricDefinition> {
    let definition = |counter: MachineCounter| MetricDefinition {
        property: ValueProperty::Relative,
        ..counter.definition()
    };
    if costs.cycle > 0.0 { COUNTERS.map(definition).to_vec() } else { Vec::new() }
}

impl Kernel<'_> {
    /// The location that runs has worked so long: an instruction in each cycle.
    pub(crate) fn count_work(&mut self, seconds: f64) {
        if self.costs.cycle > 0.0 {
            let cycles = (seconds / self.costs.cycle).round() as u64;
            self.counted(MachineCounter::Instructions, cycles);
            self.counted(MachineCounter::Cycles, cycles);
        }
    }

    /// It has loaded so often from the first cache, and missed.
    pub(crate) fn count_loads(&mut self, (loads, misses): (u64, u64)) {
        if self.costs.cycle > 0.0 {
            self.counted(MachineCounter::FirstCacheLoads, loads);
            self.counted(MachineCounter::FirstCacheMisses, misses);
        }
    }

    fn counted(&mut self, counter: MachineCounter, bits: u64) {
        let metric =
            COUNTERS.iter().zip(0..).find(|(known, _)| **known == counter).map(|(_, at)| MetricRef(at));
        if let Some(metric) = metric.filter(|_| bits > 0) {
            let value = MetricValue { of: ValueType::Uint64, bits };
            self.event(Event::Metric { metric, value });
        }
    }
}
