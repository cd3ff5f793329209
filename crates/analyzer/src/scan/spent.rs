//! The profile of a location, if the caller asks for it.

use std::{num::Saturating, ops::AddAssign};

use ats_model::{
    CallPathId,
    attribute::{AttributeValue, Meaning},
    event::{
        AttributeRef, CallingContextRef, CommunicatorRef, MeasurementMode, MetricRef, ProgramRef, RegionRef,
    },
    metric::{MetricValue, ValueProperty},
    own_attribute::Own,
};
use rustc_hash::FxHashMap;

use super::Scanner;
use crate::words::{damage::Damage, place::Base, sums::Sums, visits::Visits};

/// The time spent by a location, and the values counted beside its events.
#[derive(Debug, Default)]
pub(crate) struct Spent {
    /// The visits to all regions that it enters.
    pub(crate) visits: Sums<Visits>,
    /// Ticks from forks to its entries into the parallel regions.
    pub(crate) forks: Sums<Saturating<u64>>,
    /// The time while the recorder had stopped, by the place of the stop.
    pub(crate) off: Sums<Visits>,
    /// The time while the recorder wrote its buffers, by the place of that.
    pub(crate) flushed: Sums<Visits>,
    /// Ticks in code between tests in vain of something else than receives.
    pub(crate) polled: Sums<u64>,
    pub(crate) metrics: FxHashMap<MetricRef, Sums<Samples>>,
    /// The numbers among the attributes of events, by the place of the events.
    pub(crate) attributes: FxHashMap<AttributeRef, Sums<Samples>>,
    /// The numbers of samples in calling contexts, by the place of the location.
    pub(crate) contexts: FxHashMap<CallingContextRef, Sums<u64>>,
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

/// The values under way beside regions and calls.
#[derive(Debug, Default)]
pub(super) struct Beside {
    /// Since when nothing is recorded.
    off_since: Option<u64>,
    /// The attributes of the last event, or of the next.
    attributes: Vec<Attribute>,
}

/// An attribute that is a number.
#[derive(Clone, Copy, Debug)]
struct Attribute {
    attribute: AttributeRef,
    number: f64,
    /// The number of events before its own.
    after: u64,
}

/// Values of a metric or an attribute.
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

impl Samples {
    fn one(number: f64) -> Self {
        Samples { count: 1, sum: number, least: number, most: number }
    }
}

impl AddAssign for Samples {
    fn add_assign(&mut self, more: Self) {
        self.count += more.count;
        self.sum = (self.sum + more.sum).clamp(f64::MIN, f64::MAX);
        self.least = self.least.min(more.least);
        self.most = self.most.max(more.most);
    }
}

impl Spent {
    pub(crate) fn renumber(&mut self, bases: &[Base]) {
        self.visits.renumber(bases);
        self.off.renumber(bases);
        self.flushed.renumber(bases);
        self.polled.renumber(bases);
        self.samples().for_each(|sums| sums.renumber(bases));
        self.contexts.values_mut().for_each(|sums| sums.renumber(bases));
    }

    pub(crate) fn pack(&mut self) {
        self.visits.pack();
        self.off.pack();
        self.flushed.pack();
        self.polled.pack();
        self.samples().for_each(Sums::pack);
        self.contexts.values_mut().for_each(Sums::pack);
    }

    fn samples(&mut self) -> impl Iterator<Item = &mut Sums<Samples>> {
        self.metrics.values_mut().chain(self.attributes.values_mut())
    }
}

impl Scanner<'_> {
    /// Takes a value of a metric. An accumulating metric has grown in the innermost region: its values stand before the
    /// enter or leave that ends the growth.
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
        let number = number * definition.scale();
        if runs_backwards || !number.is_finite() {
            self.damage(Damage::MetricImpossible, time);
            return;
        }
        let (base, path) = (self.open.base, self.innermost_path());
        if let Some(spent) = &mut self.scan.spent {
            spent.metrics.entry(metric).or_default().add(base, path, Samples::one(number));
        }
    }

    /// Takes an attribute of the event that follows; it is not an event itself.
    #[cold]
    pub(super) fn attribute(&mut self, time: u64, attribute: AttributeRef, value: AttributeValue) {
        self.scan.events -= 1;
        if self.innermost().is_some_and(Self::is_probe) {
            self.messages.probes.note(attribute, value);
        }
        match self.messages.probes.meaning(attribute) {
            Some(Own::Neighborhood) => {
                self.neighborhood = u32::try_from(value.bits).ok().map(CommunicatorRef);
            }
            Some(Own::CallingContext) => return self.note_context(value.bits),
            _ => {}
        }
        if self.scan.spent.is_none() {
            return;
        }
        let definition = self.definitions.attributes.get(attribute.0 as usize);
        let is_name = definition.is_none_or(|definition| definition.meaning() == Meaning::Name);
        let Some(number) = value.number().filter(|_| !is_name) else { return };
        if !number.is_finite() {
            self.damage(Damage::MetricImpossible, time);
            return;
        }
        let after = self.scan.events;
        if self.beside.attributes.last().is_some_and(|before| before.after < after) {
            self.count_attributes(None);
        }
        self.beside.attributes.push(Attribute { attribute, number, after });
        self.has_beside = true;
    }

    /// The recorder stops, or goes on.
    #[cold]
    pub(super) fn switch(&mut self, time: u64, mode: MeasurementMode) {
        self.count_off(time);
        self.note_gap(time, mode);
        self.beside.off_since = (mode == MeasurementMode::Off).then_some(time);
        self.has_beside |= self.beside.off_since.is_some();
    }

    /// Counts the values of the innermost region and, for attributes, of the region that is entered now.
    #[cold]
    pub(super) fn count_beside(&mut self, time: u64, entered: Option<RegionRef>) {
        self.count_off(time);
        self.count_attributes(entered);
        self.has_beside = self.beside.off_since.is_some();
    }

    /// Counts the time without recording in the innermost region, until now.
    fn count_off(&mut self, time: u64) {
        let Some(since) = self.beside.off_since.filter(|&since| since < time) else { return };
        self.beside.off_since = Some(time);
        let (base, path) = (self.open.base, self.innermost_path());
        if let Some(spent) = &mut self.scan.spent {
            spent.off.add(base, path, Visits::one(time.saturating_sub(since)));
        }
    }

    /// Counts the attributes of the last event, if that enters a region, in that region; others in the innermost.
    fn count_attributes(&mut self, entered: Option<RegionRef>) {
        let (base, innermost) = (self.open.base, self.innermost_path());
        for Attribute { attribute, number, after } in std::mem::take(&mut self.beside.attributes) {
            let path = match entered.filter(|_| after + 1 == self.scan.events) {
                Some(region) => self.child(innermost, region),
                None => innermost,
            };
            if let Some(spent) = &mut self.scan.spent {
                spent.attributes.entry(attribute).or_default().add(base, path, Samples::one(number));
            }
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

    pub(super) fn innermost_path(&self) -> CallPathId {
        self.innermost().map_or(CallPathId::ROOT, |frame| frame.path)
    }
}
