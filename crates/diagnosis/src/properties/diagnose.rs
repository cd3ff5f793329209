//! Instances of properties over experiments.

use std::collections::{BTreeMap, HashMap};
use std::rc::Rc;
use std::sync::Arc;

use ats_documents::Experiment;
use ats_documents::diagnosis::{Diagnosis, Evaluated, Instance, Undefined};
use ats_documents::experiment::Listed;
use ats_experiment::RepositoryError;
use rayon::prelude::*;

use crate::properties::condition::Condition;
use crate::properties::curve::Curve;
use crate::properties::judged::{Holding, Judged};
use crate::properties::place::{Alike, At, Found, Place};
use crate::properties::property::Level;
use crate::properties::set::Properties;

/// The part of experiments that is diagnosed, and the instances that are listed of it.
#[derive(Clone, Copy, Debug, Default)]
pub struct Selection<'a> {
    /// The ids of experiments that others are only compared with.
    pub references: &'a [String],
    /// The region that severities are a part of; by default the longest.
    pub basis: Option<&'a str>,
    /// Only regions with this in their names.
    pub region: Option<&'a str>,
    /// Only regions of experiments that meet this condition.
    pub condition: Option<&'a Condition>,
    /// Only instances of this property are listed.
    pub property: Option<&'a str>,
    /// Only instances are listed whose severity × confidence is at least this. With 0, those that do not hold are listed, too,
    /// except of single units.
    pub above: f64,
    /// Of the units of a region and experiment only the worst is listed, with their number.
    pub worst: bool,
}

/// The number of regions that one thread evaluates before it takes others.
const AT_ONCE: usize = 64;

/// The curve and region of an instance, and its place there.
type Key = (usize, usize, At);

/// The results of some regions.
#[derive(Default)]
struct Results {
    counts: Vec<Counts>,
    /// The listed instances, and those that they are under.
    listed: Vec<(Key, Option<Key>, Instance)>,
}

/// The numbers of instances of a property.
#[derive(Clone, Debug, Default)]
struct Counts {
    holds: u64,
    fails: u64,
    undefined: HashMap<Arc<str>, u64>,
}

impl Counts {
    fn add(&mut self, judged: &Judged, times: u64) {
        self.holds += judged.holding.len() as u64 * times;
        self.fails += u64::from(judged.failing()) * times;
        for ([first, end], reason) in &judged.undefined {
            let instances = u64::from(end - first) * times;
            match self.undefined.get_mut(reason) {
                Some(count) => *count += instances,
                None => drop(self.undefined.insert(reason.clone(), instances)),
            }
        }
    }
}

impl Results {
    fn new(properties: &Properties) -> Self {
        Results { counts: vec![Counts::default(); properties.all.len()], listed: Vec::new() }
    }

    fn add(&mut self, other: Results) {
        for (counts, other) in self.counts.iter_mut().zip(other.counts) {
            counts.holds += other.holds;
            counts.fails += other.fails;
            for (reason, instances) in other.undefined {
                *counts.undefined.entry(reason).or_default() += instances;
            }
        }
        self.listed.extend(other.listed);
    }
}

/// Evaluates properties for experiments, and lists their instances by severity × confidence. The experiments are read as they are
/// needed, those that differ only in ranks and threads together; a damaged one is left out, with a warning.
///
/// # Errors
/// An experiment cannot be read, and is not damaged.
pub fn diagnose(
    properties: &Properties,
    mut experiments: Vec<Listed>,
    read: impl Fn(&Listed) -> Result<Experiment, RepositoryError> + Sync,
    selection: Selection<'_>,
) -> Result<Diagnosis, RepositoryError> {
    let mut results = Results::new(properties);
    let mut damaged: BTreeMap<usize, String> = BTreeMap::new();
    for (number, mut curve) in Curve::divide(&experiments).into_iter().enumerate() {
        let load = |&at: &usize| match read(&experiments[at]) {
            Ok(experiment) => Ok(Ok(properties.loaded(experiment, selection.basis))),
            Err(error @ RepositoryError::Damaged { .. }) => Ok(Err((at, error.to_string()))),
            Err(error) => Err(error),
        };
        let read = curve.experiments.par_iter().map(load).collect::<Result<Vec<_>, _>>()?;
        curve.of_read(
            &experiments,
            &read.iter().map(Result::is_ok).collect::<Vec<_>>(),
            selection.references,
        );
        let mut loaded = Vec::with_capacity(read.len());
        for one in read {
            match one {
                Ok(experiment) => loaded.push(experiment),
                Err((at, what)) => drop(damaged.insert(at, what)),
            }
        }
        let regions = curve.regions(&loaded, selection.region);
        let of_regions = |(chunk, names): (usize, &[&str])| {
            let places = names.iter().enumerate().map(|(at, region)| {
                let key = (number, chunk * AT_ONCE + at);
                (key, Place::new(properties, &curve, &loaded, region, selection.condition))
            });
            of_places(properties, places.filter(|(_, place)| !place.is_empty()), selection)
        };
        let all: Vec<Results> = regions.par_chunks(AT_ONCE).enumerate().map(of_regions).collect();
        all.into_iter().for_each(|some| results.add(some));
    }
    let mut instances = sorted(results.listed);
    leave_out(&mut experiments, &mut instances, &damaged);
    Ok(Diagnosis {
        schema: Diagnosis::SCHEMA.to_owned(),
        experiments,
        properties: results
            .counts
            .into_iter()
            .enumerate()
            .map(|(at, of)| evaluated(properties, at, of))
            .collect(),
        instances,
        warnings: damaged.into_values().collect(),
    })
}

/// The results of some regions.
fn of_places<'a>(
    properties: &Properties,
    places: impl Iterator<Item = ((usize, usize), Place<'a>)>,
    selection: Selection<'_>,
) -> Results {
    let mut results = Results::new(properties);
    let mut alike = Alike::default();
    for ((curve, region), place) in places {
        let found = place.found(&mut alike, |property, judged| results.counts[property].add(judged, 1));
        let key = |at: At| (curve, region, at);
        let listed = listed(&place, &found, selection);
        results.listed.extend(listed.map(|(at, under, instance)| (key(at), under.map(key), instance)));
    }
    for (property, judged, times) in alike.outcomes() {
        results.counts[property].add(judged, times);
    }
    results
}

/// The instances of a region that are listed, and those that they are under.
fn listed<'p>(
    place: &'p Place<'_>,
    found: &'p Found,
    selection: Selection<'p>,
) -> impl Iterator<Item = (At, Option<At>, Instance)> + 'p {
    let all = &place.properties.all;
    let is_named =
        move |property: usize| selection.property.is_none_or(|name| name == all[property].name.text);
    let is_severe = move |one: &Holding| one.importance() >= selection.above;
    // The nearest above it that is listed.
    let under = move |mut one: At| {
        for _ in all {
            one = place.under(one, found)?;
            let judged = &found[one.property][one.run];
            let holding = match selection.worst {
                true => judged.worst()?,
                false => judged.holding(one.number)?,
            };
            if is_named(one.property) && is_severe(holding) {
                return Some(At { number: holding.number, ..one });
            }
        }
        None
    };
    let of_runs = move |(property, of): (usize, &'p Vec<Rc<Judged>>)| {
        let all = of.iter().enumerate().map(move |(run, judged)| (property, run, &**judged));
        all.filter(move |(_, _, judged)| selection.above <= 0.0 || judged.worst().is_some_and(is_severe))
    };
    let of_judged = move |(property, run, judged): (usize, usize, &'p Judged)| {
        let at = move |number| At { property, run, number };
        let of_units = all[property].level == Level::Unit;
        let units = (selection.worst && of_units).then_some(judged.holding.len() as u32);
        let one = move |one: &Holding| {
            let at = at(one.number);
            (at, under(at), Instance { units, ..place.instance(at, Some(*one), found) })
        };
        let (all, worst) =
            if selection.worst { (&[][..], judged.worst()) } else { (&judged.holding[..], None) };
        let holding = all.iter().chain(worst).filter(move |one| is_severe(one)).map(one);
        let is_failing = selection.above <= 0.0 && !of_units && judged.failing() > 0;
        let failing = is_failing.then(|| (at(0), None, place.instance(at(0), None, found)));
        holding.chain(failing)
    };
    let named = found.iter().enumerate().filter(move |(property, _)| is_named(*property));
    named.flat_map(of_runs).flat_map(of_judged)
}

/// The numbers of instances of a property.
fn evaluated(properties: &Properties, at: usize, counts: Counts) -> Evaluated {
    let property = &properties.all[at];
    let name = |&at: &usize| properties.all[at].name.text.clone();
    let mut reasons: Vec<(Arc<str>, u64)> = counts.undefined.into_iter().collect();
    reasons.sort_by(|(one, ones), (other, others)| others.cmp(ones).then_with(|| one.cmp(other)));
    let undefined =
        |(reason, instances): (Arc<str>, u64)| Undefined { reason: reason.to_string(), instances };
    Evaluated {
        name: property.name.text.clone(),
        explains: property.explains.iter().map(name).collect(),
        holds: counts.holds,
        fails: counts.fails,
        undefined: reasons.into_iter().map(undefined).collect(),
    }
}

/// The instances by severity × confidence.
fn sorted(mut listed: Vec<(Key, Option<Key>, Instance)>) -> Vec<Instance> {
    listed.sort_by(|(first, _, one), (second, _, other)| {
        let importance = other.importance().total_cmp(&one.importance());
        other.holds.cmp(&one.holds).then(importance).then(first.cmp(second))
    });
    let places: HashMap<Key, u32> = listed.iter().map(|(key, ..)| *key).zip(0..).collect();
    let with_place = |(_, under, instance): (Key, Option<Key>, Instance)| Instance {
        under: under.and_then(|under| places.get(&under).copied()),
        ..instance
    };
    let mut instances: Vec<Instance> = listed.into_iter().map(with_place).collect();
    cut_circles(&mut instances);
    instances
}

/// Lets the first of instances that explain each other be above the others, so that a tree of them loses none.
fn cut_circles(instances: &mut [Instance]) {
    let mut is_rooted = vec![false; instances.len()];
    for first in 0..instances.len() {
        let mut path = vec![first];
        let mut at = first;
        while let Some(above) = instances[at].under.map(|above| above as usize).filter(|_| !is_rooted[at]) {
            if path.contains(&above) {
                let top = path.iter().copied().skip_while(|&one| one != above).min().unwrap_or(above);
                instances[top].under = None;
                break;
            }
            path.push(above);
            at = above;
        }
        path.into_iter().for_each(|one| is_rooted[one] = true);
    }
}

/// Takes damaged experiments, which have no instances, from the list.
fn leave_out(experiments: &mut Vec<Listed>, instances: &mut [Instance], damaged: &BTreeMap<usize, String>) {
    if damaged.is_empty() {
        return;
    }
    let before = |at: u32| damaged.range(..at as usize).count() as u32;
    for experiment in instances.iter_mut().flat_map(|one| &mut one.experiments) {
        *experiment -= before(*experiment);
    }
    let mut numbers = 0..;
    experiments.retain(|_| numbers.next().is_some_and(|at| !damaged.contains_key(&at)));
}
