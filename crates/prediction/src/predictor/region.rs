//! Fitted models of a region.

use std::collections::BTreeMap;

use ats_documents::models::{CostTerm, Count, Modelled, RegionModels};
use ats_documents::prediction::{Bounded, PredictedCosts};

use super::error::PredictionError;
use crate::fit::{Fitted, Limit, fit};
use crate::fitted::as_points;

/// The models of a region, or of the program.
#[derive(Clone, Debug)]
pub(super) struct FittedRegion {
    region: Option<String>,
    time: Option<Fitted>,
    terms: BTreeMap<CostTerm, Fitted>,
    counts: BTreeMap<Count, Fitted>,
}

impl FittedRegion {
    /// The models of the points of a region.
    pub(super) fn new(parameters: &[String], of: &RegionModels) -> Result<Self, PredictionError> {
        let name = of.region.as_deref().unwrap_or("the program");
        let fitted = |what: &str, of: &Modelled| {
            let failed = |error| PredictionError::Fit { of: format!("{what} of {name}"), error };
            fit(&as_points(parameters, of)).map_err(failed)
        };
        let terms = of.terms.iter().map(|(term, of)| Ok((*term, fitted(term.name(), of)?)));
        let counts = of.counts.iter().map(|(count, of)| Ok((*count, fitted(count.name(), of)?)));
        Ok(FittedRegion {
            region: of.region.clone(),
            time: of.time.as_ref().map(|of| fitted("time", of)).transpose()?,
            terms: terms.collect::<Result<_, PredictionError>>()?,
            counts: counts.collect::<Result<_, PredictionError>>()?,
        })
    }

    /// Its costs at a value of each parameter; no term is more than the limit, or than its own time. Limits of the models are told in
    /// `notes`.
    pub(super) fn costs(
        &self,
        values: &[f64],
        limit: Option<&Limit>,
        notes: &mut Vec<(String, String)>,
    ) -> Result<PredictedCosts, PredictionError> {
        let name = self.region.as_deref().unwrap_or("the program");
        let mut ask = |what: &str, fitted: &Fitted, limit: Option<&Limit>| {
            let of = format!("{what} of {name}");
            let predicted = fitted.predict(values, limit);
            let predicted = predicted.map_err(|error| PredictionError::Fit { of: of.clone(), error })?;
            notes.extend(predicted.notes.into_iter().map(|note| (of.clone(), note)));
            Ok::<_, PredictionError>(Bounded::new(predicted.value, [predicted.low, predicted.high]))
        };
        let mut costs = PredictedCosts { region: self.region.clone(), ..PredictedCosts::default() };
        let time = self.time.as_ref().map(|time| ask("time", time, None)).transpose()?;
        let of_run = time.map(|time| Limit { highest: time.high, name: "the run's time".to_owned() });
        let limit = limit.or(of_run.as_ref());
        for (term, fitted) in &self.terms {
            costs.terms.insert(*term, ask(term.name(), fitted, limit)?);
        }
        for (count, fitted) in &self.counts {
            costs.counts.insert(*count, ask(count.name(), fitted, None)?);
        }
        costs.time = time.or_else(|| costs.sum()).unwrap_or_default();
        Ok(costs)
    }

    /// Widens the bounds so that they hold those of a single run, and not only the mean of many.
    pub(super) fn allow_for_run(&self, costs: &mut PredictedCosts) {
        let widen = |of: &mut Bounded, fitted: &Fitted| {
            (of.low, of.high) = (of.low / fitted.single_run_factor(), of.high * fitted.single_run_factor());
        };
        for (term, of) in &mut costs.terms {
            self.terms.get(term).into_iter().for_each(|fitted| widen(of, fitted));
        }
        for (count, of) in &mut costs.counts {
            self.counts.get(count).into_iter().for_each(|fitted| widen(of, fitted));
        }
        match &self.time {
            Some(fitted) => widen(&mut costs.time, fitted),
            None => costs.time = costs.sum().unwrap_or(costs.time),
        }
    }

    /// The region's name; `None` of the program.
    pub(super) fn name(&self) -> Option<&str> {
        self.region.as_deref()
    }
}
