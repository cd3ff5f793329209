//! What a location spent, where somebody asks.

use std::ops::AddAssign;

use ats_model::{
    CallPathId,
    event::{MeasurementMode, MetricRef, ProgramRef},
    metric::{MetricValue, ValueProperty},
};
use rustc_hash::FxHashMap;

use super::{Scanner, Sums, Visits};
use crate::{damage::Damage, place::Base};

/// What a location spent, and counted beside its events.
#[derive(Debug, Default)]
pub(crate) struct Spent {
    /// In all that it enters.
    pub(crate) visits: Sums<Visits>,
    /// While the recorder had stopped, by where it did.
    pub(crate) off: Sums<Visits>,
    pub(crate) metrics: FxHashMap<MetricRef, Sums<Samples>>,
    pub(crate) program: Option<Program>,
    /// The value before, of metrics that accumulate.
    before: FxHashMap<MetricRef, MetricValue>,
}

/// The program that a location ran, from its begin to its end.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Program {
    pub(crate) name: ProgramRef,
    pub(crate) begin: u64,
    pub(crate) end: Option<u64>,
}

/// Values of a metric.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Samples {
    pub(crate) count: u64,
    pub(crate) sum: f64,
    pub(crate) least: f64,
    pub(crate) most: f64,
}

impl Default for Samples {
    fn default() -> Self {
        Samples { count: 0, sum: 0.0, least: f64::INFINITY, most: f64::NEG_INFINITY }
    }
}

impl AddAssign for Samples {
    fn add_assign(&mut self, more: Self) {
        self.count += more.count;
        self.sum += more.sum;
        self.least = self.least.min(more.least);
        self.most = self.most.max(more.most);
    }
}

impl Spent {
    pub(crate) fn renumber(&mut self, bases: &[Base]) {
        self.visits.renumber(bases);
        self.off.renumber(bases);
        self.metrics.values_mut().for_each(|sums| sums.renumber(bases));
    }

    pub(crate) fn pack(&mut self) {
        self.visits.pack();
        self.off.pack();
        self.metrics.values_mut().for_each(Sums::pack);
    }
}

impl Scanner<'_> {
    /// Takes a value of a metric. What accumulates has grown while the innermost region was executed: its values stand before
    /// the enter or leave that ends that.
    #[cold]
    pub(super) fn measured(&mut self, time: u64, metric: MetricRef, value: MetricValue) {
        let Some(spent) = &mut self.scan.spent else { return };
        let Some(definition) = self.definitions.metrics.get(metric.0 as usize) else { return };
        let number = match definition.property {
            ValueProperty::Absolute | ValueProperty::Relative => value.number(),
            ValueProperty::Accumulated => match spent.before.insert(metric, value) {
                Some(before) => value.since(before),
                // What there was before the first event belongs to no region.
                None => return,
            },
        };
        let runs_backwards = number < 0.0 && definition.property == ValueProperty::Accumulated;
        if runs_backwards || !number.is_finite() {
            self.damage(Damage::MetricImpossible, time);
            return;
        }
        let number = number * definition.scale();
        let (base, path) = (self.open.base, self.innermost_path());
        if let Some(spent) = &mut self.scan.spent {
            let sample = Samples { count: 1, sum: number, least: number, most: number };
            spent.metrics.entry(metric).or_default().add(base, path, sample);
        }
    }

    /// The recorder stops, or goes on.
    #[cold]
    pub(super) fn switch(&mut self, time: u64, mode: MeasurementMode) {
        self.count_off(time);
        self.off_since = (mode == MeasurementMode::Off).then_some(time);
    }

    /// Counts what the innermost region has of the time without recording, until now.
    #[cold]
    pub(super) fn count_off(&mut self, time: u64) {
        let Some(since) = self.off_since.filter(|&since| since < time) else { return };
        self.off_since = Some(time);
        let (base, path) = (self.open.base, self.innermost_path());
        if let Some(spent) = &mut self.scan.spent {
            spent.off.add(base, path, Visits::one(time.saturating_sub(since)));
        }
    }

    #[cold]
    pub(super) fn program_begin(&mut self, time: u64, name: ProgramRef) {
        if let Some(spent) = &mut self.scan.spent {
            spent.program.get_or_insert(Program { name, begin: time, end: None });
        }
    }

    #[cold]
    pub(super) fn program_end(&mut self, time: u64) {
        if let Some(program) = self.scan.spent.as_mut().and_then(|spent| spent.program.as_mut()) {
            program.end.get_or_insert(time);
        }
    }

    fn innermost_path(&self) -> CallPathId {
        self.innermost().map_or(CallPathId::ROOT, |frame| frame.path)
    }
}
