//! Metrics that the program or the caller of the recorder asks for, behind [those of the suite](OwnMetric): their
//! definitions, and what the program itself counts.

use std::sync::Mutex;

use ats_model::Event;
use ats_model::event::MetricRef;
use ats_model::metric::{MetricDefinition, MetricValue, ValueType};
use ats_model::own_metric::OwnMetric;

use crate::buffer::{Buffer, Frame};
use crate::lock::lock;

static DEFINED: Mutex<Vec<MetricDefinition>> = Mutex::new(Vec::new());

/// The metric of a definition, which is the same for all threads.
pub(crate) fn defined(definition: MetricDefinition) -> MetricRef {
    let mut all = lock(&DEFINED);
    let known = all.iter().position(|known| *known == definition);
    let at = known.unwrap_or_else(|| {
        all.push(definition);
        all.len() - 1
    });
    MetricRef((OwnMetric::ALL.len() + at) as u32)
}

/// The metric of a counter of the program, by its name.
pub(crate) fn of_program(name: &str) -> MetricRef {
    defined(MetricDefinition { name: name.to_owned(), unit: "occ".to_owned(), ..MetricDefinition::default() })
}

/// All metrics of this process, in the order of their references.
pub(crate) fn definitions() -> Vec<MetricDefinition> {
    lock(&DEFINED).clone()
}

/// The event of a value that accumulates.
pub(crate) fn total(metric: MetricRef, bits: u64) -> Event {
    Event::Metric { metric, value: MetricValue { of: ValueType::Uint64, bits } }
}

/// The numbers that the program has counted on a thread since its begin.
///
/// A number is kept until the thread enters or leaves something next: then its sum is written, before that event. So a
/// loop that counts costs one record.
#[derive(Debug, Default)]
pub(crate) struct Counted {
    sums: Vec<Sum>,
    /// Whether any sum is to be written.
    pub(crate) has_pending: bool,
}

#[derive(Clone, Copy, Debug)]
struct Sum {
    metric: MetricRef,
    value: u64,
    is_pending: bool,
}

impl Counted {
    /// Adds to a sum. The first time, its value before is written: readers take differences.
    pub(crate) fn add<F: Frame>(
        &mut self,
        ticks: u64,
        metric: MetricRef,
        number: u64,
        buffer: &mut Buffer<F>,
    ) {
        let known = self.sums.iter().position(|sum| sum.metric == metric);
        let at = known.unwrap_or_else(|| {
            buffer.push(ticks, total(metric, 0));
            self.sums.push(Sum { metric, value: 0, is_pending: false });
            self.sums.len() - 1
        });
        let sum = &mut self.sums[at];
        sum.value = sum.value.saturating_add(number);
        (sum.is_pending, self.has_pending) = (true, true);
    }

    /// Writes the sums that have grown, before an event at this time that enters or leaves something.
    pub(crate) fn settle<F: Frame>(&mut self, ticks: u64, buffer: &mut Buffer<F>) {
        if !self.has_pending {
            return;
        }
        self.has_pending = false;
        for sum in self.sums.iter_mut().filter(|sum| sum.is_pending) {
            sum.is_pending = false;
            buffer.push(ticks, total(sum.metric, sum.value));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_metric_is_defined_once_behind_those_of_the_suite() {
        let [first, again, other] = ["one of a test", "one of a test", "another of a test"].map(of_program);
        assert_eq!(first, again);
        assert_ne!(first, other);
        let at = first.0 as usize - OwnMetric::ALL.len();
        assert_eq!(definitions()[at].name, "one of a test");
    }

    #[test]
    fn numbers_are_written_as_sums_when_something_is_entered_or_left() {
        let [calls, bytes] = [MetricRef(7), MetricRef(8)];
        let (mut counted, mut buffer) = (Counted::default(), Buffer::<u32>::new());
        (1..=3).for_each(|ticks| counted.add(ticks, calls, 2, &mut buffer));
        counted.add(4, bytes, 100, &mut buffer);
        counted.settle(5, &mut buffer);
        counted.add(6, calls, 1, &mut buffer);
        [7, 8].into_iter().for_each(|ticks| counted.settle(ticks, &mut buffer));
        let events: Vec<(u64, Event)> = buffer.take(|_| true)[0].iter().collect();
        let expected = [(1, calls, 0), (4, bytes, 0), (5, calls, 6), (5, bytes, 100), (7, calls, 7)];
        assert_eq!(events, expected.map(|(ticks, metric, value)| (ticks, total(metric, value))));
    }
}
