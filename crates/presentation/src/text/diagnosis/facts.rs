//! The facts of a diagnosis: instances that differ only in their units are one, and so are those with equal numbers under other
//! names.

use std::collections::{BTreeSet, HashMap};

use ats_documents::Diagnosis;
use ats_documents::diagnosis::Instance;

/// A fact, with all the names that it has.
#[derive(Debug)]
pub(super) struct Fact<'a> {
    /// The instance that stands for the others: of several units the worst.
    pub(super) instance: &'a Instance,
    /// The number of units that have it.
    pub(super) units: u32,
    /// Other properties of the same region with the same numbers.
    pub(super) properties: BTreeSet<&'a str>,
    /// Other regions that have it, or some of its names, with the same numbers.
    pub(super) regions: BTreeSet<&'a str>,
    /// Facts that it is explained by: their places.
    pub(super) below: Vec<usize>,
    /// The groups of instances that it stands for.
    groups: Vec<usize>,
}

/// The facts that are worth a row.
#[derive(Debug)]
pub(super) struct Facts<'a> {
    pub(super) facts: Vec<Fact<'a>>,
    /// The places of those that explain no other, by the severest of those below.
    pub(super) roots: Vec<usize>,
}

/// Instances of one property, region and experiment.
struct Group<'a> {
    /// The worst instance.
    worst: &'a Instance,
    units: u32,
    /// The number of groups above it.
    depth: usize,
    above: Option<usize>,
}

/// Severity, part of the run's time and confidence, as far as rounding lets them differ.
type Numbers = [i64; 3];

impl<'a> Fact<'a> {
    /// All properties that it is.
    fn names(&self) -> BTreeSet<&'a str> {
        self.properties.iter().copied().chain([self.instance.property.as_str()]).collect()
    }
}

impl<'a> Facts<'a> {
    /// The facts with at least this part of the run's time × confidence.
    pub(super) fn new(document: &'a Diagnosis, above: f64) -> Self {
        let groups = groups(document, above);
        let mut facts = Facts { facts: Vec::new(), roots: Vec::new() };
        facts.name_once(&groups);
        facts.place_once();
        facts.arrange(&groups);
        facts
    }

    /// Makes one fact of the properties of a region that have the same numbers: the one that explains the others, or else one of
    /// single units.
    fn name_once(&mut self, groups: &[Group<'a>]) {
        let mut known: HashMap<(&str, &[u32], Numbers), usize> = HashMap::new();
        let mut depths = Vec::new();
        for (at, group) in groups.iter().enumerate() {
            let instance = group.worst;
            let key = (instance.region.as_str(), &instance.experiments[..], numbers(instance));
            let nearness = (group.depth, instance.unit.is_some());
            match known.get(&key) {
                Some(&fact) => {
                    let of: &mut Fact<'a> = &mut self.facts[fact];
                    of.groups.push(at);
                    let mut other = instance;
                    if nearness > depths[fact] {
                        depths[fact] = nearness;
                        other = std::mem::replace(&mut of.instance, instance);
                        of.units = group.units;
                    }
                    of.properties.insert(&other.property);
                }
                None => {
                    known.insert(key, self.facts.len());
                    depths.push(nearness);
                    self.facts.push(Fact {
                        instance,
                        units: group.units,
                        properties: BTreeSet::new(),
                        regions: BTreeSet::new(),
                        below: Vec::new(),
                        groups: vec![at],
                    });
                }
            }
        }
    }

    /// Makes one fact of the regions that lose the same, as a function and the only call in it: the one that has all names of
    /// the others.
    fn place_once(&mut self) {
        let mut known: HashMap<_, Vec<usize>> = HashMap::new();
        for (at, Fact { instance, units, .. }) in self.facts.iter().enumerate() {
            known.entry((&instance.experiments, *units, numbers(instance))).or_default().push(at);
        }
        let mut alike: Vec<Vec<usize>> = known.into_values().filter(|all| all.len() > 1).collect();
        alike.sort_unstable();
        let mut gone = BTreeSet::new();
        for mut all in alike {
            // Inner regions come after those around them.
            all.sort_by_key(|&at| (self.facts[at].properties.len(), at));
            while let Some(host) = all.pop() {
                let names = self.facts[host].names();
                let (same, others): (Vec<usize>, Vec<usize>) =
                    all.iter().partition(|&&at| self.facts[at].names().is_subset(&names));
                for &at in &same {
                    let region = self.facts[at].instance.region.as_str();
                    let groups = std::mem::take(&mut self.facts[at].groups);
                    self.facts[host].regions.insert(region);
                    self.facts[host].groups.extend(groups);
                }
                gone.extend(same);
                all = others;
            }
        }
        let mut number = 0..;
        self.facts.retain(|_| number.next().is_some_and(|at| !gone.contains(&at)));
    }

    /// Puts each fact below the one that it explains.
    fn arrange(&mut self, groups: &[Group<'a>]) {
        let mut fact_of = vec![0; groups.len()];
        for (at, fact) in self.facts.iter().enumerate() {
            fact.groups.iter().for_each(|&group| fact_of[group] = at);
        }
        let above = |(at, fact): (usize, &Fact<'a>)| {
            let above = fact.groups.iter().filter_map(|&group| groups[group].above);
            above.map(|group| fact_of[group]).find(|above| *above != at)
        };
        let mut above: Vec<Option<usize>> = self.facts.iter().enumerate().map(above).collect();
        cut_circles(&mut above);
        let severest = self.facts.iter().map(|fact| fact.groups.iter().copied().min().unwrap_or_default());
        let severest: Vec<usize> = severest.collect();
        let mut severest_below = severest.clone();
        for at in 0..self.facts.len() {
            let mut over = above[at];
            while let Some(place) = over {
                severest_below[place] = severest_below[place].min(severest[at]);
                over = above[place];
            }
        }
        let mut order: Vec<usize> = (0..self.facts.len()).collect();
        order.sort_by_key(|&at| (severest_below[at], at));
        for at in order {
            match above[at] {
                Some(above) => self.facts[above].below.push(at),
                None => self.roots.push(at),
            }
        }
    }
}

/// The groups that are shown, the severest first.
fn groups(document: &Diagnosis, above: f64) -> Vec<Group<'_>> {
    let mut all: Vec<(&Instance, u32)> = Vec::new();
    let mut known: HashMap<(&str, &str, &[u32]), usize> = HashMap::new();
    let mut group_of = Vec::with_capacity(document.instances.len());
    for one in &document.instances {
        let key = (one.property.as_str(), one.region.as_str(), &one.experiments[..]);
        let group = *known.entry(key).or_insert(all.len());
        match all.get_mut(group) {
            Some((_, units)) => *units += one.units.unwrap_or(1),
            None => all.push((one, one.units.unwrap_or(1))),
        }
        group_of.push(group);
    }
    let is_shown = |one: &Instance| one.holds && one.importance() >= above;
    let mut place = vec![None; all.len()];
    let shown: Vec<usize> = (0..all.len()).filter(|&at| is_shown(all[at].0)).collect();
    shown.iter().enumerate().for_each(|(number, &at)| place[at] = Some(number));
    // The nearest above that is shown.
    let mut aboves: Vec<Option<usize>> = shown
        .iter()
        .map(|&at| {
            let mut group = at;
            for _ in &all {
                group = *group_of.get(all[group].0.under? as usize)?;
                if group != at && place[group].is_some() {
                    return place[group];
                }
            }
            None
        })
        .collect();
    cut_circles(&mut aboves);
    let depth = |at: usize| std::iter::successors(aboves[at], |&above| aboves[above]).count();
    let group = |(at, &of): (usize, &usize)| {
        let (worst, units) = all[of];
        Group { worst, units, depth: depth(at), above: aboves[at] }
    };
    shown.iter().enumerate().map(group).collect()
}

/// Lets the first of those that are above each other be above the others, so that none is lost.
fn cut_circles(above: &mut [Option<usize>]) {
    for first in 0..above.len() {
        let mut at = above[first];
        for _ in 0..above.len() {
            match at {
                Some(place) if place == first => above[first] = None,
                Some(place) => at = above[place],
                None => break,
            }
        }
    }
}

/// The numbers of an instance to nine digits.
fn numbers(one: &Instance) -> Numbers {
    [one.severity, one.part, one.confidence].map(|of| of.map_or(-1, |of| (of * 1e9).round() as i64))
}
