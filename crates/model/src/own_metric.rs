//! Metrics in traces of the suite's own: what the machine did for a thread.
//!
//! They are sampled at some events, about once a millisecond. A sample has a value of each, in the order of their
//! references and at one time; those that accumulate count from the beginning of the thread.

use crate::event::{Event, MetricRef};
use crate::listed;
use crate::metric::{Base, MetricDefinition, MetricValue, ValueProperty, ValueType};

listed! {
    /// Metrics in traces of the suite's own, in the order of their references.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub enum OwnMetric {
        /// The time that the thread had a processor, in the program and in the kernel; recorded in nanoseconds.
        ProcessorTime,
        /// Times that it lost the processor while it could go on: another thread took its turn, or it let one by
        /// `sched_yield`.
        InvoluntarySwitches,
        /// Times that it gave the processor back, to sleep or to wait.
        VoluntarySwitches,
        /// Faults of pages, whether they read a disk or not.
        PageFaults,
        /// The number of the processor that it runs on.
        Processor,
    }
}

impl OwnMetric {
    /// Its name in a trace.
    pub const fn name(self) -> &'static str {
        match self {
            OwnMetric::ProcessorTime => "ATS::PROCESSOR_TIME",
            OwnMetric::InvoluntarySwitches => "ATS::INVOLUNTARY_SWITCHES",
            OwnMetric::VoluntarySwitches => "ATS::VOLUNTARY_SWITCHES",
            OwnMetric::PageFaults => "ATS::PAGE_FAULTS",
            OwnMetric::Processor => "ATS::PROCESSOR",
        }
    }

    /// Its definition.
    pub fn definition(self) -> MetricDefinition {
        let (unit, exponent, property) = match self {
            OwnMetric::ProcessorTime => ("s", -9, ValueProperty::Accumulated),
            OwnMetric::InvoluntarySwitches | OwnMetric::VoluntarySwitches | OwnMetric::PageFaults => {
                ("occ", 0, ValueProperty::Accumulated)
            }
            OwnMetric::Processor => ("", 0, ValueProperty::Absolute),
        };
        MetricDefinition {
            name: self.name().to_owned(),
            unit: unit.to_owned(),
            property,
            value_type: ValueType::Uint64,
            base: Base::Decimal,
            exponent,
        }
    }

    /// The one that a metric of a trace is, by its name.
    ///
    /// ```
    /// use ats_model::own_metric::OwnMetric;
    /// assert_eq!(OwnMetric::from_definition(&OwnMetric::PageFaults.definition()), Some(OwnMetric::PageFaults));
    /// assert_eq!(OwnMetric::from_definition(&Default::default()), None);
    /// ```
    pub fn from_definition(metric: &MetricDefinition) -> Option<Self> {
        Self::ALL.into_iter().find(|own| own.name() == metric.name)
    }

    /// The event of a value.
    pub const fn sampled(self, bits: u64) -> Event {
        Event::Metric { metric: MetricRef(self as u32), value: MetricValue { of: ValueType::Uint64, bits } }
    }
}
