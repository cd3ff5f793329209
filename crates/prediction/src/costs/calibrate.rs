//! Coefficients of given costs, from runs.

use std::collections::{BTreeMap, BTreeSet};

use ats_documents::models::{CalibratedCosts, CostTerm, Count};
use ats_model::mistakes::{Mistakes, nearest};

use super::evaluate::{Amounts, Known};
use super::read::{Costs, Placed};
use crate::least_squares::{Solver, dot};
use crate::observed::{Observed, Spent};

/// Numbers that differ by less than this share are equal: runs in virtual time are known to about as much.
const EQUAL: f64 = 1e-9;

/// A coefficient is taken for a combination of others if no more than this part of its numbers is left without them: they are
/// differences: rounding leaves less than 16 digits of them.
const DEPENDENT: f64 = 1e-9;

/// The most sets of coefficients that are looked at where runs do not tell some of them apart.
const MOST_SETS: usize = 8;

/// Numbers of runs, each of a term or count of a region, and how they depend on the coefficients.
struct Rows {
    /// By coefficient, one number for each row.
    columns: Vec<Vec<f64>>,
    target: Vec<f64>,
    /// By row, the run that it is of.
    runs: Vec<usize>,
}

impl Costs {
    /// The coefficients, and the parts that are counted, as these runs have them: the best by least squares on relative errors.
    ///
    /// # Errors
    /// A name is neither a parameter of the runs nor a coefficient, the costs are no linear function of the coefficients, or a
    /// run has not what they are about.
    pub fn calibrated(&self, runs: &[Observed]) -> Result<CalibratedCosts, Mistakes> {
        let coefficients = self.free(runs)?;
        for name in self.regions() {
            if !runs.iter().any(|run| run.regions.contains_key(name)) {
                let known = runs.iter().flat_map(|run| run.regions.keys().map(String::as_str));
                let near = nearest(name, known).map(|near| format!("; did you mean {near}?"));
                let fix = near.unwrap_or_else(|| "; `ats experiment show` lists their regions".to_owned());
                return Err(Mistakes::one(format!("no run has a region `{name}`{fix}")));
            }
        }
        let counted: Vec<BTreeMap<String, f64>> =
            runs.iter().map(|run| self.counted(run)).collect::<Result<_, _>>()?;
        let rows = self.rows(runs, &counted, &coefficients)?;
        let all: Vec<usize> = (0..coefficients.len()).collect();
        let mut sets = Vec::new();
        let mut inseparable = BTreeSet::new();
        rows.solutions(&all, |_| true, &mut sets, &mut inseparable);
        if let Some(unknown) = inseparable.iter().find(|group| group.len() == 1) {
            let name = &coefficients[unknown[0]];
            return Err(Mistakes::one(format!(
                "no run tells `{name}`, as it is multiplied by 0 in all of them; add runs of other sizes, or write a number"
            )));
        }
        let error = sets.first().map_or(0.0, |set| rows.error(set));
        let named = |set: &Vec<f64>| {
            let bounds = |(at, value): (usize, &f64)| rows.bounds(&all, at, *value, error, sets.len() == 1);
            let numbers = set.iter().enumerate().map(bounds);
            coefficients.iter().cloned().zip(numbers).collect::<BTreeMap<String, [f64; 2]>>()
        };
        let name = |group: &Vec<usize>| group.iter().map(|at| coefficients[*at].clone()).collect();
        Ok(CalibratedCosts {
            coefficients: sets.iter().map(named).collect(),
            fractions: ranges(&counted),
            inseparable: inseparable.iter().map(name).collect(),
            error,
            ..CalibratedCosts::default()
        })
    }

    /// The names that are to be found.
    fn free(&self, runs: &[Observed]) -> Result<Vec<String>, Mistakes> {
        let is_parameter = |name: &str| runs.iter().all(|run| run.parameters.contains_key(name));
        let mut mistakes = Mistakes::default();
        let mut free = Vec::new();
        for (name, place) in self.needed().into_iter().filter(|(name, _)| !is_parameter(name)) {
            let Some(declared) = &self.coefficients else {
                free.push(name.to_owned());
                continue;
            };
            if declared.iter().any(|one| one.text == name) {
                free.push(name.to_owned());
                continue;
            }
            let known = runs.iter().flat_map(|run| run.parameters.keys().map(String::as_str));
            let known = known.chain(declared.iter().map(|one| one.text.as_str()));
            mistakes.add(&place, match nearest(name, known) {
                Some(near) => format!("there is no parameter or coefficient `{name}`; did you mean {near}?"),
                None => format!("`{name}` is no parameter of all runs; add it to `coefficients` if they are to tell it"),
            });
        }
        mistakes.none_in(free)
    }

    /// The parts that are counted, in a run.
    fn counted(&self, run: &Observed) -> Result<BTreeMap<String, f64>, Mistakes> {
        let mut counted = BTreeMap::new();
        for (name, placed) in self.parts.iter().filter(|(_, placed)| placed.is_counted()) {
            counted.insert(name.clone(), value_in(placed, run)?);
        }
        Ok(counted)
    }

    fn rows(
        &self,
        runs: &[Observed],
        counted: &[BTreeMap<String, f64>],
        coefficients: &[String],
    ) -> Result<Rows, Mistakes> {
        let mut rows =
            Rows { columns: vec![Vec::new(); coefficients.len()], target: Vec::new(), runs: Vec::new() };
        let half = vec![[0.5; 2]; self.ranges];
        for (number, (run, counted)) in runs.iter().zip(counted).enumerate() {
            let at = |values: &dyn Fn(usize) -> f64| {
                let exactly = |(name, value): (&String, &f64)| (name.clone(), [*value; 2]);
                let coefficients = coefficients.iter().enumerate();
                let known = Known {
                    parameters: run.parameters.iter().map(exactly).collect(),
                    fractions: counted.iter().map(exactly).collect(),
                    coefficients: coefficients.map(|(at, name)| (name.clone(), [values(at); 2])).collect(),
                };
                Ok::<_, Mistakes>(self.compared(&self.amounts(&known, &[], &half)?, run))
            };
            let none = at(&|_| 0.0)?;
            let each: Vec<Vec<(f64, f64)>> = (0..coefficients.len())
                .map(|one| at(&|other| if one == other { 1.0 } else { 0.0 }))
                .collect::<Result<_, _>>()?;
            let twice = at(&|_| 2.0)?;
            for (row, (measured, without)) in none.iter().enumerate() {
                let parts: Vec<f64> = each.iter().map(|of| of[row].1 - without).collect();
                let sum = without + 2.0 * parts.iter().sum::<f64>();
                if (twice[row].1 - sum).abs() > EQUAL * sum.abs().max(without.abs()) {
                    return Err(Mistakes::one(
                        "the costs are no sum of coefficients times numbers, which calibration needs; let each \
                         coefficient stand alone in a product, as in a * n^2 + b * n",
                    ));
                }
                // Relative errors; of what was not there, the absolute one.
                let weight = if *measured > 0.0 { 1.0 / measured } else { 1.0 };
                rows.target.push((measured - without) * weight);
                rows.runs.push(number);
                rows.columns.iter_mut().zip(parts).for_each(|(column, part)| column.push(part * weight));
            }
        }
        Ok(rows)
    }

    /// What was measured in a run, each with what the costs say.
    fn compared(&self, amounts: &[Amounts], run: &Observed) -> Vec<(f64, f64)> {
        let spent = |name: &str| run.regions.get(name);
        let regions = self.regions().map(spent);
        let middle = |[low, high]: [f64; 2]| (low + high) / 2.0;
        let mut compared = Vec::new();
        let mut compare = |of: &Amounts, spent: &Spent| {
            let memory = of.terms.get(&CostTerm::Memory).copied().unwrap_or_default();
            for (term, seconds) in of.terms.iter().filter(|(term, _)| **term != CostTerm::Memory) {
                // Runs do not tell it from computation.
                let more = if *term == CostTerm::Computation { middle(memory) } else { 0.0 };
                let measured = spent.terms.get(term).copied().unwrap_or_default();
                compared.push((measured, middle(*seconds) + more));
            }
            for (count, number) in of.counts.iter() {
                compared.extend(spent.counts.get(count).map(|measured| (*measured, middle(*number))));
            }
        };
        if let Some((whole, of_regions)) = amounts.split_first() {
            compare(whole, &run.whole);
            for (of, spent) in of_regions.iter().zip(regions) {
                if let Some(spent) = spent {
                    compare(of, spent);
                }
            }
        }
        compared
    }
}

/// The value of a counted part in a run.
fn value_in(placed: &Placed, run: &Observed) -> Result<f64, Mistakes> {
    use ats_diagnosis::properties::formula::{Bounds, Formula, Misreading, Unit};
    let mut known: BTreeMap<String, Bounds> = BTreeMap::new();
    for (name, value) in &run.parameters {
        known.insert(name.clone(), Bounds::number(*value, Unit::ONE));
    }
    for (region, spent) in &run.regions {
        if let Some(visits) = spent.counts.get(&Count::Visits) {
            known.insert(Formula::visits(region), Bounds::number(*visits, Unit::ONE));
        }
    }
    let names: Vec<&str> = known.keys().map(String::as_str).collect();
    if let Some((at, name)) = placed.formula.names().find(|(_, name)| !known.contains_key(*name)) {
        let fix = match nearest(name, names.iter().copied()) {
            Some(near) => format!("did you mean {near}?"),
            None => "a part with visits(…) may use nothing but parameters and other visits".to_owned(),
        };
        let what = format!("{} has no `{name}`; {fix}", run.id);
        return Err(placed.mistake(Misreading { at, what }));
    }
    let bounds = placed.formula.bounds(&names, |name| known.get(name).copied(), &[]);
    let bounds = bounds.map_err(|Misreading { at, what }| {
        placed.mistake(Misreading { at, what: format!("in {}: {what}", run.id) })
    })?;
    Ok((bounds.low + bounds.high) / 2.0)
}

/// Each from its least to its greatest value.
fn ranges(all: &[BTreeMap<String, f64>]) -> BTreeMap<String, [f64; 2]> {
    let mut ranges: BTreeMap<String, [f64; 2]> = BTreeMap::new();
    for (name, value) in all.iter().flatten() {
        let [low, high] = ranges.entry(name.clone()).or_insert([*value; 2]);
        (*low, *high) = (low.min(*value), high.max(*value));
    }
    ranges
}

impl Rows {
    /// The solutions of the rows of some runs with these coefficients, and others 0; several if some depend on each other.
    fn solutions(
        &self,
        active: &[usize],
        is_meant: impl Fn(usize) -> bool + Copy,
        sets: &mut Vec<Vec<f64>>,
        inseparable: &mut BTreeSet<Vec<usize>>,
    ) {
        if sets.len() == MOST_SETS {
            return;
        }
        let chosen = |values: &[f64]| -> Vec<f64> {
            let rows = values.iter().zip(&self.runs).filter(|(_, run)| is_meant(**run));
            rows.map(|(value, _)| *value).collect()
        };
        let columns: Vec<Vec<f64>> = active.iter().map(|at| chosen(&self.columns[*at])).collect();
        let mut solver = Solver::new(DEPENDENT);
        match solver.solve(columns.iter().map(Vec::as_slice), chosen(&self.target).into_iter()) {
            Ok(()) => {
                let mut set = vec![0.0; self.columns.len()];
                active.iter().zip(solver.coefficients).for_each(|(at, value)| set[*at] = value);
                if !sets.contains(&set) {
                    sets.push(set);
                }
            }
            Err(place) => {
                let length = |place: usize| dot(&columns[place], &columns[place]).sqrt();
                let is_part =
                    |(other, part): (usize, &f64)| part.abs() * length(other) > DEPENDENT * length(place);
                let others = solver.coefficients.iter().enumerate().filter(|other| is_part(*other));
                let group: Vec<usize> =
                    others.map(|(other, _)| active[other]).chain([active[place]]).collect();
                inseparable.insert(group.clone());
                // The last one first: the others stay as the file has them.
                for without in group.iter().rev() {
                    let rest: Vec<usize> = active.iter().copied().filter(|at| at != without).collect();
                    self.solutions(&rest, is_meant, sets, inseparable);
                }
            }
        }
    }

    /// The most that a solution is off, as a share.
    fn error(&self, set: &[f64]) -> f64 {
        let row = |(row, target): (usize, &f64)| {
            let found: f64 = self.columns.iter().zip(set).map(|(column, value)| column[row] * value).sum();
            (found - target).abs()
        };
        let error = self.target.iter().enumerate().map(row).fold(0.0, f64::max);
        if error <= EQUAL { 0.0 } else { error }
    }

    /// The bounds of a coefficient: as far as it moves if a run is left out, and as the costs are off.
    fn bounds(&self, all: &[usize], at: usize, value: f64, error: f64, is_single: bool) -> [f64; 2] {
        if error == 0.0 {
            return [value; 2];
        }
        let mut values = vec![value * (1.0 - error), value * (1.0 + error)];
        let runs = self.runs.last().map_or(0, |last| last + 1);
        for left_out in (0..runs).filter(|_| is_single) {
            let (mut sets, mut inseparable) = (Vec::new(), BTreeSet::new());
            self.solutions(all, |run| run != left_out, &mut sets, &mut inseparable);
            if inseparable.is_empty() {
                values.extend(sets.iter().map(|set| set[at]));
            }
        }
        values.into_iter().fold([value; 2], |[low, high], one| [low.min(one), high.max(one)])
    }
}
