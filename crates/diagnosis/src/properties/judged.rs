//! Outcomes of the instances of a property.

use std::sync::Arc;

use crate::properties::expression::{Computed, Variables};
use crate::properties::quantity::{Quantity, Truth};
use crate::properties::unit::Unit;

/// Severities that differ from 0 or 1 by less are taken for these.
pub(crate) const ROUNDING: f64 = 1e-9;

/// The variables of meta-properties.
pub(crate) const OF_INSTANCES: [&str; 6] =
    ["any", "all", "instances", "holding", "severities", "confidences"];

/// The outcomes of the instances of a property in an experiment, numbered from 0. Those that are neither named fail.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Judged {
    pub(crate) instances: u32,
    /// Those that hold, in their order.
    pub(crate) holding: Vec<Holding>,
    /// Those that lack data, in their order: the first, the one after the last, and the reason.
    pub(crate) undefined: Vec<([u32; 2], Arc<str>)>,
    /// The place of the first of the worst among those that hold.
    worst: usize,
}

/// An instance that holds.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Holding {
    pub(crate) number: u32,
    pub(crate) severity: f64,
    pub(crate) confidence: f64,
    /// The part of the run's time that the severity is relative to; `None` if that is not known.
    pub(crate) weight: Option<f64>,
}

impl Judged {
    /// Instances that all lack data.
    pub(crate) fn undefined(reason: Arc<str>, instances: u32) -> Self {
        Judged { instances, undefined: vec![([0, instances], reason)], ..Judged::default() }
    }

    /// Instances that do not hold.
    pub(crate) fn fail(instances: u32) -> Self {
        Judged { instances, ..Judged::default() }
    }

    /// Adds an instance that holds, if its numbers are such as an instance can have.
    pub(crate) fn add(&mut self, one: Holding) {
        let Holding { number, severity, confidence, weight } = one;
        for (value, name) in [(severity, "severity"), (confidence, "confidence")] {
            if !(-ROUNDING..=1.0 + ROUNDING).contains(&value) {
                let reason = format!("its {name} is not within 0 and 1, as {value}");
                return self.lacks(number, reason.into());
            }
        }
        let [severity, confidence] = [severity, confidence].map(|value| value.clamp(0.0, 1.0));
        // A region may take longer than the one that severities are a part of.
        self.hold(Holding { number, severity, confidence, weight: weight.map(|of| of.clamp(0.0, 1.0)) });
    }

    fn hold(&mut self, one: Holding) {
        if self.holding.is_empty() {
            self.holding.reserve_exact(self.instances.saturating_sub(one.number) as usize);
        }
        if self.worst().is_none_or(|worst| one.importance() > worst.importance()) {
            self.worst = self.holding.len();
        }
        self.holding.push(one);
    }

    /// Adds an instance that lacks data.
    pub(crate) fn lacks(&mut self, number: u32, reason: Arc<str>) {
        match self.undefined.last_mut() {
            Some(([_, end], known)) if *end == number && *known == reason => *end += 1,
            _ => self.undefined.push(([number, number + 1], reason)),
        }
    }

    /// Adds the only instance of another, by its number here.
    pub(crate) fn add_single(&mut self, number: u32, single: Judged) {
        single.holding.iter().for_each(|one| self.hold(Holding { number, ..*one }));
        single.undefined.into_iter().for_each(|(_, reason)| self.lacks(number, reason));
    }

    /// The number of instances that lack data.
    pub(crate) fn lacking(&self) -> u32 {
        self.undefined.iter().map(|([first, end], _)| end - first).sum()
    }

    /// The number of instances that do not hold.
    pub(crate) fn failing(&self) -> u32 {
        self.instances - self.holding.len() as u32 - self.lacking()
    }

    /// The first of the worst instances.
    pub(crate) fn worst(&self) -> Option<&Holding> {
        self.holding.get(self.worst)
    }

    /// The instance of a number, if it holds.
    pub(crate) fn holding(&self, number: u32) -> Option<&Holding> {
        let at = self.holding.binary_search_by_key(&number, |one| one.number).ok()?;
        self.holding.get(at)
    }
}

impl Holding {
    /// The part of the run's time × confidence. One that is not known may be all of it.
    pub(crate) fn importance(&self) -> f64 {
        self.severity * self.confidence * self.weight.unwrap_or(1.0)
    }
}

/// The defined instances that a meta-property is over.
#[derive(Clone, Debug, Default)]
pub(crate) struct Over {
    severities: Vec<f64>,
    confidences: Vec<f64>,
    instances: usize,
    /// The reason of the last that lacks data.
    reason: Option<Arc<str>>,
}

impl Over {
    /// Adds those of an experiment; only the one of this number, if there is one.
    pub(crate) fn extend(&mut self, judged: &Judged, number: Option<u32>) {
        let is_meant = |one: u32| number.is_none_or(|number| number == one);
        for one in judged.holding.iter().filter(|one| is_meant(one.number)) {
            self.severities.push(one.severity);
            self.confidences.push(one.confidence);
        }
        let lacking = judged.undefined.iter();
        let mut lacking =
            lacking.filter(|([first, end], _)| number.is_none_or(|one| (*first..*end).contains(&one)));
        let last = lacking.next_back().map(|(_, reason)| reason.clone());
        self.instances += match number {
            None => (judged.instances - judged.lacking()) as usize,
            Some(_) => usize::from(last.is_none()),
        };
        self.reason = last.or(self.reason.take());
    }

    /// The same, or the reason why there are none.
    pub(crate) fn defined(self) -> Result<Self, Arc<str>> {
        match self.instances {
            0 => Err(self.reason.unwrap_or_else(|| "there is no instance that it is over".into())),
            _ => Ok(self),
        }
    }

    /// Adds the variables of a meta-property: statistics are over the instances that hold.
    pub(crate) fn add_to(&self, variables: &mut Variables<'_>) {
        let count = self.severities.len();
        let number = |number: usize| Computed::Number(Quantity::one(number as f64, Unit::ONE));
        let truth = |truth| Computed::Truth(Truth::One(truth));
        let each =
            |values: &[f64]| Computed::Number(Quantity::each(values.to_vec().into(), count, Unit::ONE));
        let [any, all, instances, holding, of_severities, of_confidences] = OF_INSTANCES;
        variables.push(any, truth(count > 0));
        variables.push(all, truth(count == self.instances));
        variables.push(instances, number(self.instances));
        variables.push(holding, number(count));
        variables.push(of_severities, each(&self.severities));
        variables.push(of_confidences, each(&self.confidences));
    }
}
