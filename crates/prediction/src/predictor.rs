//! Predictions of models and of given costs.

mod error;
mod region;

use std::collections::BTreeMap;

use ats_documents::models::{CostTerm, Models};
use ats_documents::prediction::{Bounded, PredictedCosts, PredictedSize, Until};
use ats_model::mistakes::nearest;

use crate::costs::{Costs, Known, Network};
use crate::fit::Limit;
use crate::observed::{Observed, Spent};
pub use error::PredictionError;
use region::FittedRegion;

/// The largest number of ranks that a limit is looked for up to.
const MOST_RANKS: f64 = 16_777_216.0;

/// Models or costs, ready to be asked.
#[derive(Clone, Debug)]
pub struct Predictor {
    /// By name, the values that the data have.
    parameters: BTreeMap<String, Vec<f64>>,
    fixed: BTreeMap<String, f64>,
    basis: Basis,
    scale: BTreeMap<CostTerm, [f64; 2]>,
    measured: Vec<(String, Observed)>,
    notes: Vec<String>,
}

#[derive(Clone, Debug)]
enum Basis {
    /// The names of parameters in the order of the points, and the models, the program's first.
    Fitted(Vec<String>, Vec<FittedRegion>),
    /// With the sets of coefficients that the data do not tell apart.
    Given(Box<Costs>, Vec<Known>),
}

impl Predictor {
    /// Models, to be asked.
    ///
    /// # Errors
    /// Their points or expressions are wrong.
    pub fn new(models: &Models) -> Result<Self, PredictionError> {
        let named = models.parameters.iter().map(|of| (of.name.clone(), of.values.clone()));
        let parameters: Vec<String> = models.parameters.iter().map(|of| of.name.clone()).collect();
        let basis = match &models.costs {
            Some(given) => {
                let costs = Costs::parse(&given.text, &given.file)?;
                let known = |coefficients: &BTreeMap<String, [f64; 2]>| Known {
                    coefficients: coefficients.clone(),
                    fractions: given.fractions.clone(),
                    ..Known::default()
                };
                Basis::Given(Box::new(costs), given.coefficients.iter().map(known).collect())
            }
            None => {
                let all = std::iter::once(&models.whole).chain(&models.regions);
                let regions = all.map(|of| FittedRegion::new(&parameters, of)).collect::<Result<_, _>>()?;
                Basis::Fitted(parameters, regions)
            }
        };
        Ok(Predictor {
            parameters: named.collect(),
            fixed: models.fixed.clone(),
            basis,
            scale: BTreeMap::new(),
            measured: Vec::new(),
            notes: models.notes.clone(),
        })
    }

    /// Given costs that need no run, to be asked.
    pub fn of_costs(costs: Costs) -> Self {
        let parameters = costs.needed().into_keys().map(|name| (name.to_owned(), Vec::new())).collect();
        Predictor {
            parameters,
            fixed: BTreeMap::new(),
            basis: Basis::Given(Box::new(costs), vec![Known::default()]),
            scale: BTreeMap::new(),
            measured: Vec::new(),
            notes: Vec::new(),
        }
    }

    /// The same on another machine: each of these terms takes so many times as long, from the least to the most.
    #[must_use]
    pub fn scaled(self, scale: BTreeMap<CostTerm, [f64; 2]>) -> Self {
        Predictor { scale, ..self }
    }

    /// Whether models were fitted, and no costs given.
    pub fn is_fitted(&self) -> bool {
        matches!(self.basis, Basis::Fitted(..))
    }

    /// The same on a network, which gives the time of messages in given costs.
    ///
    /// # Errors
    /// They are fitted models, or costs that have no messages without a time.
    pub fn on_network(self, network: Network) -> Result<Self, PredictionError> {
        let basis = match self.basis {
            Basis::Fitted(..) => return Err(PredictionError::FittedNetwork),
            Basis::Given(costs, known) => {
                Basis::Given(Box::new(costs.on_network(network).ok_or(PredictionError::NoMessages)?), known)
            }
        };
        Ok(Predictor { basis, ..self })
    }

    /// The same with measurements of runs in the place of the models of these regions.
    #[must_use]
    pub fn with_measured(self, measured: Vec<(String, Observed)>) -> Self {
        Predictor { measured, ..self }
    }

    /// Limits of the models, in words.
    pub fn notes(&self) -> &[String] {
        &self.notes
    }

    /// The costs at a size.
    ///
    /// # Errors
    /// A parameter is unknown or has no value, or a model has no answer.
    pub fn size(&self, asked: &BTreeMap<String, f64>) -> Result<PredictedSize, PredictionError> {
        let mut size = self.plain(asked)?;
        for (region, run) in &self.measured {
            self.same_size(asked, run)?;
            replace(&mut size, region, run)?;
        }
        let all = size.parameters.clone();
        let base = self.base(&all);
        if let Some(base) = base.as_ref().filter(|base| !is_same(base, &all)) {
            let of_base = self.plain(base)?.whole.time;
            size.speed_up = of_base.times(Bounded::known(units(base))).per(size.whole.time);
        } else if base.is_some() {
            size.speed_up = Some(Bounded::known(units(&all)));
        }
        size.efficiency = size.speed_up.and_then(|speed_up| speed_up.per(Bounded::known(units(&all))));
        let longest = size.whole.terms.iter().max_by(|one, other| one.1.value.total_cmp(&other.1.value));
        size.dominant = longest.map(|(term, _)| *term);
        size.regions.sort_by(|one, other| other.time.value.total_cmp(&one.time.value));
        Ok(size)
    }

    /// The most ranks with an efficiency of at least a limit.
    ///
    /// # Errors
    /// As for [`Predictor::size`]; or no efficiency is known.
    pub fn until(&self, asked: &BTreeMap<String, f64>, efficiency: f64) -> Result<Until, PredictionError> {
        let name = "ranks";
        if !self.parameters.contains_key(name) {
            return Err(PredictionError::NoEfficiency);
        }
        let first = self.base(asked).and_then(|base| base.get(name).copied()).unwrap_or(1.0);
        let last = |of: fn(&Bounded) -> f64| {
            let holds = |ranks: f64| {
                let mut asked = asked.clone();
                asked.insert(name.to_owned(), ranks);
                let found = self.size(&asked)?.efficiency.ok_or(PredictionError::NoEfficiency)?;
                // Rounding does not make a perfect program less than that.
                Ok::<bool, PredictionError>(of(&found) >= efficiency * (1.0 - 1e-9))
            };
            let (mut low, mut high) = (first, first);
            while holds(high)? {
                (low, high) = (high, high * 2.0);
                if high > MOST_RANKS {
                    return Ok(None);
                }
            }
            while high - low > 1.0 {
                let middle = ((low + high) / 2.0).floor();
                if holds(middle)? { low = middle } else { high = middle }
            }
            Ok::<_, PredictionError>(Some(low))
        };
        Ok(Until {
            parameter: name.to_owned(),
            efficiency,
            last: last(|of| of.value)?,
            bounds: [last(|of| of.low)?, last(|of| of.high)?],
            tried: MOST_RANKS,
        })
    }

    /// Compares with a run of the same size. Its bounds become those of a single run.
    ///
    /// # Errors
    /// It is of another size.
    pub fn compare(&self, size: &mut PredictedSize, run: &Observed) -> Result<(), PredictionError> {
        self.same_size(&size.parameters, run)?;
        if let Basis::Fitted(_, regions) = &self.basis {
            for costs in std::iter::once(&mut size.whole).chain(&mut size.regions) {
                let of_region = regions.iter().find(|region| region.name() == costs.region.as_deref());
                of_region.into_iter().for_each(|region| region.allow_for_run(costs));
            }
            size.sum = size.whole.sum();
        }
        let compare = |costs: &mut PredictedCosts, spent: &Spent| {
            costs.time.measured =
                Some(if costs.region.is_none() { spent.time } else { spent.terms.values().sum() });
            for (term, of) in &mut costs.terms {
                of.measured = Some(spent.term(*term));
            }
            for (count, of) in &mut costs.counts {
                of.measured = spent.counts.get(count).copied();
            }
        };
        compare(&mut size.whole, &run.whole);
        for costs in &mut size.regions {
            if let Some(spent) = costs.region.as_ref().and_then(|region| run.regions.get(region)) {
                compare(costs, spent);
            }
        }
        let all = std::iter::once(&size.whole).chain(&size.regions);
        let outside: Vec<String> = all.flat_map(|costs| outside(costs, &run.id)).collect();
        size.notes.extend(outside);
        Ok(())
    }

    /// The costs at a size, without what is measured there.
    fn plain(&self, asked: &BTreeMap<String, f64>) -> Result<PredictedSize, PredictionError> {
        let parameters = self.checked(asked)?;
        let mut notes = Vec::new();
        let mut all = match &self.basis {
            Basis::Fitted(names, regions) => {
                let values: Vec<f64> = names.iter().map(|name| parameters[name]).collect();
                let mut all: Vec<PredictedCosts> = Vec::new();
                for region in regions {
                    let of_run = all.first().map(|whole| whole.time.high);
                    let limit = of_run.map(|highest| Limit { highest, name: "the run's time".to_owned() });
                    all.push(region.costs(&values, limit.as_ref(), &mut notes)?);
                }
                all
            }
            Basis::Given(costs, sets) => given(costs, sets, &parameters)?,
        };
        all.iter_mut().for_each(|costs| self.scale(costs));
        let mut all = all.into_iter();
        let whole = all.next().unwrap_or_default();
        let sum = whole.sum();
        let notes = together(notes);
        Ok(PredictedSize {
            parameters,
            sum,
            whole,
            regions: all.collect(),
            notes,
            ..PredictedSize::default()
        })
    }

    fn scale(&self, costs: &mut PredictedCosts) {
        if self.scale.is_empty() {
            return;
        }
        for (term, of) in &mut costs.terms {
            if let Some([low, high]) = self.scale.get(term) {
                *of = of.times(Bounded::new((low + high) / 2.0, [*low, *high]));
            }
        }
        // The time of the program on this machine says nothing about another one.
        costs.time = costs.sum().unwrap_or(costs.time);
    }

    /// All parameters with their values.
    fn checked(&self, asked: &BTreeMap<String, f64>) -> Result<BTreeMap<String, f64>, PredictionError> {
        for (name, value) in asked {
            if let Some(fixed) = self.fixed.get(name).filter(|fixed| *fixed != value)
                && matches!(self.basis, Basis::Fitted(..))
            {
                return Err(PredictionError::Fixed { name: name.clone(), value: *fixed, asked: *value });
            }
            if !self.parameters.contains_key(name) && !self.fixed.contains_key(name) && !is_size(name) {
                let known: Vec<String> = self.parameters.keys().cloned().collect();
                let near = nearest(name, known.iter().map(String::as_str)).map(str::to_owned);
                return Err(PredictionError::Unknown { name: name.clone(), known, nearest: near });
            }
        }
        let mut all = self.fixed.clone();
        all.extend(asked.iter().map(|(name, value)| (name.clone(), *value)));
        match self.parameters.iter().find(|(name, _)| !all.contains_key(*name)) {
            None => Ok(all),
            Some((name, values)) => {
                let example = values.last().copied().unwrap_or(4.0);
                Err(PredictionError::Valueless { name: name.clone(), example })
            }
        }
    }

    /// The smallest size of the data with the other parameters that are asked for; of costs without data, one unit. `None` if no
    /// number of units is a parameter.
    fn base(&self, asked: &BTreeMap<String, f64>) -> Option<BTreeMap<String, f64>> {
        let mut base = asked.clone();
        let mut is_known = false;
        for name in ["ranks", "threads"] {
            if let Some(values) = self.parameters.get(name) {
                base.insert(name.to_owned(), values.first().copied().unwrap_or(1.0));
                is_known = true;
            }
        }
        is_known.then_some(base)
    }

    /// Whether a run is of the size that is asked for.
    fn same_size(&self, asked: &BTreeMap<String, f64>, run: &Observed) -> Result<(), PredictionError> {
        let differs = |(name, asked): (&String, &f64)| {
            let found = run.parameters.get(name).copied().filter(|found| found != asked)?;
            Some(PredictionError::OtherSize { id: run.id.clone(), name: name.clone(), found, asked: *asked })
        };
        asked.iter().find_map(differs).map_or(Ok(()), Err)
    }
}

/// Sentences on terms that a run has outside of their bounds.
fn outside<'a>(costs: &'a PredictedCosts, run: &'a str) -> impl Iterator<Item = String> + 'a {
    let name = costs.region.as_deref().unwrap_or("the program");
    costs.terms.iter().filter_map(move |(term, of)| {
        let measured = of.measured.filter(|measured| !of.holds(*measured))?;
        let why = match term {
            CostTerm::Waiting => {
                "; no fit of smaller runs knows waits that depend on parity, maxima or another critical path"
            }
            _ => "",
        };
        Some(format!("{} of {name} is outside of its bounds: {measured} s in {run}{why}", term.name()))
    })
}

/// A sentence for all amounts that it is about.
fn together(notes: Vec<(String, String)>) -> Vec<String> {
    let mut once: Vec<(String, Vec<String>)> = Vec::new();
    for (of, note) in notes {
        match once.iter_mut().find(|(known, _)| *known == note) {
            Some((_, all)) => all.push(of),
            None => once.push((note, vec![of])),
        }
    }
    let sentence = |(note, of): (String, Vec<String>)| match &of[..] {
        [first, rest @ ..] if !rest.is_empty() => format!("{first} and {} others: {note}", rest.len()),
        of => format!("{}: {note}", of.concat()),
    };
    once.into_iter().map(sentence).collect()
}

/// Whether a parameter is the size of a run, which costs may do without.
fn is_size(name: &str) -> bool {
    ["ranks", "threads"].contains(&name)
}

fn is_same(base: &BTreeMap<String, f64>, asked: &BTreeMap<String, f64>) -> bool {
    base.iter().all(|(name, value)| asked.get(name) == Some(value))
}

/// The number of processing units.
fn units(asked: &BTreeMap<String, f64>) -> f64 {
    ["ranks", "threads"].into_iter().map(|name| asked.get(name).copied().unwrap_or(1.0)).product()
}

/// The totals of given costs: over all sets of coefficients.
fn given(
    costs: &Costs,
    sets: &[Known],
    parameters: &BTreeMap<String, f64>,
) -> Result<Vec<PredictedCosts>, PredictionError> {
    let mut all: Vec<PredictedCosts> = Vec::new();
    for set in sets {
        let parameters = parameters.iter().map(|(name, value)| (name.clone(), [*value; 2])).collect();
        let totals = costs.totals(&Known { parameters, ..set.clone() })?;
        if all.is_empty() {
            all = totals;
            continue;
        }
        let widen = |one: &mut Bounded, other: &Bounded| {
            (one.low, one.high) = (one.low.min(other.low), one.high.max(other.high));
        };
        for (one, other) in all.iter_mut().zip(&totals) {
            widen(&mut one.time, &other.time);
            one.terms.values_mut().zip(other.terms.values()).for_each(|(one, other)| widen(one, other));
            one.counts.values_mut().zip(other.counts.values()).for_each(|(one, other)| widen(one, other));
        }
    }
    Ok(all)
}

/// Puts a measurement in the place of a region's model: what the region changes, the program changes.
fn replace(size: &mut PredictedSize, region: &str, run: &Observed) -> Result<(), PredictionError> {
    let unknown = |names: Vec<&str>| PredictionError::Region {
        region: region.to_owned(),
        nearest: nearest(region, names).map(str::to_owned),
    };
    let names = || size.regions.iter().filter_map(|of| of.region.as_deref()).collect();
    let spent =
        run.regions.get(region).ok_or_else(|| unknown(run.regions.keys().map(String::as_str).collect()))?;
    let at = size.regions.iter().position(|of| of.region.as_deref() == Some(region));
    let at = at.ok_or_else(|| unknown(names()))?;
    let costs = &mut size.regions[at];
    for term in CostTerm::ALL {
        let before = costs.terms.get(&term).copied().unwrap_or_default();
        let after = Bounded::known(spent.term(term));
        if before == after {
            continue;
        }
        costs.terms.insert(term, after);
        let of_whole = size.whole.terms.entry(term).or_default();
        let rest = |whole: f64, part: f64| (whole - part).max(0.0) + after.value;
        let bounds = [rest(of_whole.low, before.low), rest(of_whole.high, before.high)];
        let value = rest(of_whole.value, before.value);
        *of_whole =
            Bounded::new(value, [bounds[0].min(bounds[1]).min(value), bounds[0].max(bounds[1]).max(value)]);
    }
    costs.counts.extend(spent.counts.iter().map(|(count, number)| (*count, Bounded::known(*number))));
    costs.time = costs.sum().unwrap_or_default();
    size.sum = size.whole.sum();
    size.whole.time = size.sum.unwrap_or(size.whole.time);
    Ok(())
}
