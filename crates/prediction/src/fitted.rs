//! Models of all regions and terms of runs.

use std::collections::{BTreeMap, BTreeSet};

use ats_documents::models::{CostTerm, Count, ModelParameter, ModelPoint, Modelled, Models, RegionModels};
use ats_model::mistakes::Mistakes;
use thiserror::Error;

use crate::costs::Costs;
use crate::fit::{FitError, Point, Points, fit};
use crate::observed::{Observed, Spent};

/// Runs that no models can be made of.
#[derive(Debug, Error)]
pub enum ModelError {
    /// There are none.
    #[error("there is no run; name a repository with some, or change the conditions")]
    NoRun,
    /// Runs of several applications, versions or machines.
    #[error("the runs are of several {what}: {}; select one with a condition, or allow it with --mixed", .values.join(", "))]
    Mixed {
        /// The facts that differ.
        what: &'static str,
        /// Their values.
        values: Vec<String>,
    },
    /// A parameter that differs and is no number.
    #[error(
        "the runs differ in `{name}`, which is no number: {}; select one with a condition, as {name}={}",
        .values.join(", "), .values[0]
    )]
    Text {
        /// The parameter.
        name: String,
        /// Its values.
        values: Vec<String>,
    },
    /// A parameter that some runs do not have.
    #[error(
        "{run} has no number for the parameter `{name}`, as others have; give it to `ats experiment add`, or omit the run"
    )]
    Missing {
        /// The run.
        run: String,
        /// The parameter.
        name: String,
    },
    /// All runs have the same parameters.
    #[error("the runs differ in no parameter; a model needs at least three values of one, better five")]
    Alike,
    /// Points that no model can be fitted to.
    #[error("{of}: {error}")]
    Fit {
        /// The region and its amount.
        of: String,
        /// The reason.
        error: FitError,
    },
    /// Costs that cannot be calibrated.
    #[error("{0}")]
    Costs(#[from] Mistakes),
}

/// Models of the whole program and of each region, one for each term and count.
///
/// # Errors
/// The runs do not belong together, or there are too few.
pub fn models(runs: &[Observed], mixed: bool) -> Result<Models, ModelError> {
    let mut models = described(runs, mixed)?;
    if models.parameters.is_empty() {
        return Err(ModelError::Alike);
    }
    let parameters: Vec<String> = models.parameters.iter().map(|parameter| parameter.name.clone()).collect();
    let fitting = Fitting { runs, parameters };
    let whole = |run: &Observed| Some(run.whole.clone());
    models.whole = fitting.region(None, whole, &mut models.notes);
    let time = fitting.points(|run| run.whole.time);
    let fitted = fitting.modelled(time);
    models.whole.time =
        Some(fitted.map_err(|error| ModelError::Fit { of: "the time of the program".to_owned(), error })?);
    let names: BTreeSet<&String> = runs.iter().flat_map(|run| run.regions.keys()).collect();
    for name in names {
        let region = fitting.region(Some(name), |run| run.regions.get(name).cloned(), &mut models.notes);
        if !region.terms.is_empty() || !region.counts.is_empty() {
            models.regions.push(region);
        }
    }
    Ok(models)
}

/// Given costs, calibrated by runs; `text` is the content of the file that they were read from.
///
/// # Errors
/// The runs do not belong together, or do not calibrate the costs.
pub fn calibrated(
    costs: &Costs,
    (file, text): (&str, &str),
    runs: &[Observed],
    mixed: bool,
) -> Result<Models, ModelError> {
    let mut models = described(runs, mixed)?;
    let mut of_runs = costs.calibrated(runs)?;
    (of_runs.file, of_runs.text) = (file.to_owned(), text.to_owned());
    for group in &of_runs.inseparable {
        let names = group.join(" and ");
        models.notes.push(format!(
            "the runs do not tell {names} apart: add runs with other values of the parameters beside them"
        ));
    }
    models.costs = Some(of_runs);
    Ok(models)
}

/// What runs have in common, and what they differ in.
fn described(runs: &[Observed], mixed: bool) -> Result<Models, ModelError> {
    let first = runs.first().ok_or(ModelError::NoRun)?;
    let each = |of: fn(&Observed) -> &String| -> Vec<String> {
        runs.iter().map(of).cloned().collect::<BTreeSet<_>>().into_iter().collect()
    };
    let (applications, versions, machines) =
        (each(|run| &run.application), each(|run| &run.version), each(|run| &run.machine));
    for (what, values) in [("applications", &applications), ("versions", &versions), ("machines", &machines)]
    {
        if values.len() > 1 && !mixed {
            let shown = values
                .iter()
                .map(|value| if value.is_empty() { "unknown".to_owned() } else { value.clone() });
            return Err(ModelError::Mixed { what, values: shown.collect() });
        }
    }
    for name in runs.iter().flat_map(|run| run.texts.keys()).collect::<BTreeSet<_>>() {
        let values: BTreeSet<String> = runs.iter().filter_map(|run| run.texts.get(name)).cloned().collect();
        if values.len() > 1 {
            return Err(ModelError::Text { name: name.clone(), values: values.into_iter().collect() });
        }
    }
    let mut models = Models {
        schema: Models::SCHEMA.to_owned(),
        experiments: runs.iter().map(|run| run.id.clone()).collect(),
        application: first.application.clone(),
        versions,
        texts: first.texts.clone(),
        machines: machines.into_iter().filter(|machine| !machine.is_empty()).collect(),
        ..Models::default()
    };
    for name in runs.iter().flat_map(|run| run.parameters.keys()).collect::<BTreeSet<_>>() {
        let mut values = Vec::new();
        for run in runs {
            let missing = || ModelError::Missing { run: run.id.clone(), name: name.clone() };
            values.push(*run.parameters.get(name).ok_or_else(missing)?);
        }
        values.sort_by(f64::total_cmp);
        values.dedup();
        match values[..] {
            [value] => drop(models.fixed.insert(name.clone(), value)),
            _ => models.parameters.push(ModelParameter { name: name.clone(), values }),
        }
    }
    Ok(models)
}

/// Runs, and the parameters that differ.
struct Fitting<'a> {
    runs: &'a [Observed],
    parameters: Vec<String>,
}

impl Fitting<'_> {
    fn points(&self, amount: impl Fn(&Observed) -> f64) -> Vec<ModelPoint> {
        let mut points: Vec<ModelPoint> = Vec::new();
        for run in self.runs {
            let values: Vec<f64> = self.parameters.iter().map(|name| run.parameters[name]).collect();
            let measured = amount(run);
            match points.iter_mut().find(|point| point.values == values) {
                Some(point) => point.measured.push(measured),
                None => points.push(ModelPoint { values, measured: vec![measured] }),
            }
        }
        points
            .sort_by(|one, other| one.values.partial_cmp(&other.values).unwrap_or(std::cmp::Ordering::Equal));
        points
    }

    /// The models of a region; what cannot be fitted is told in `notes`.
    fn region(
        &self,
        region: Option<&String>,
        spent: impl Fn(&Observed) -> Option<Spent>,
        notes: &mut Vec<String>,
    ) -> RegionModels {
        let spent: BTreeMap<&str, Spent> =
            self.runs.iter().map(|run| (run.id.as_str(), spent(run).unwrap_or_default())).collect();
        let name = region.map_or("the program", String::as_str);
        let mut modelled = |what: &str, amount: &dyn Fn(&Spent) -> f64| {
            let points = self.points(|run| amount(&spent[run.id.as_str()]));
            if points.iter().flat_map(|point| &point.measured).all(|value| *value == 0.0) {
                return None;
            }
            let fitted = self.modelled(points);
            fitted.map_err(|error| notes.push(format!("{what} of {name} has no model: {error}"))).ok()
        };
        let terms = CostTerm::ALL.into_iter();
        let terms = terms.filter_map(|term| Some((term, modelled(term.name(), &|spent| spent.term(term))?)));
        let terms = terms.collect();
        let number = |spent: &Spent, count| spent.counts.get(&count).copied().unwrap_or_default();
        let counts = Count::ALL.into_iter();
        let counts =
            counts.filter_map(|count| Some((count, modelled(count.name(), &|spent| number(spent, count))?)));
        let counts = counts.collect();
        RegionModels { region: region.cloned(), time: None, terms, counts }
    }

    /// The models of an amount. Relative errors of nothing are not defined: points without any of it are left out, and named.
    fn modelled(&self, points: Vec<ModelPoint>) -> Result<Modelled, FitError> {
        let is_nothing = |point: &ModelPoint| point.measured.iter().all(|value| *value == 0.0);
        let (nothing, points): (Vec<ModelPoint>, Vec<ModelPoint>) = points.into_iter().partition(is_nothing);
        let mut modelled = Modelled { points, ..Modelled::default() };
        let fitted = fit(&as_points(&self.parameters, &modelled))?;
        let mut models = fitted.models.iter().map(ToString::to_string);
        modelled.expression = models.next().unwrap_or_default();
        modelled.others = models.collect();
        (modelled.error, modelled.exact) = (fitted.error, fitted.exact);
        modelled.notes.clone_from(&fitted.notes);
        for point in nothing {
            let values =
                self.parameters.iter().zip(&point.values).map(|(name, value)| format!("{name}={value}"));
            let values = values.collect::<Vec<_>>().join(", ");
            modelled.notes.push(format!("it is 0 at {values}, which the model leaves out"));
        }
        Ok(modelled)
    }
}

/// The points of an amount, to be fitted.
pub(crate) fn as_points(parameters: &[String], of: &Modelled) -> Points {
    let point = |point: &ModelPoint| Point { values: point.values.clone(), measured: point.measured.clone() };
    Points { parameters: parameters.to_vec(), points: of.points.iter().map(point).collect() }
}
