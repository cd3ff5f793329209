//! A region of experiments that belong together, and the instances of properties there.

use std::cell::RefCell;
use std::collections::HashMap;
use std::rc::Rc;

use ats_documents::diagnosis::Instance;

use crate::properties::amounts::Set;
use crate::properties::condition::Condition;
use crate::properties::curve::Curve;
use crate::properties::figures::{Figures, Of, Whose};
use crate::properties::judged::{Holding, Judged, Over};
use crate::properties::loaded::Loaded;
use crate::properties::property::{Common, Given, Level, Property};
use crate::properties::set::Properties;

/// A region of a curve.
pub(crate) struct Place<'a> {
    pub(crate) properties: &'a Properties,
    pub(crate) region: &'a str,
    /// The experiments that have the region.
    runs: Vec<Run<'a>>,
}

/// A region of an experiment.
struct Run<'a> {
    /// The number of the experiment.
    number: usize,
    loaded: &'a Loaded,
    region: usize,
    sequential: Of<'a>,
    common: Common,
}

/// The outcomes of each property in a region: of each experiment that has it, or one that is about all.
pub(crate) type Found = Vec<Vec<Rc<Judged>>>;

/// An instance: its property, and its numbers among the experiments of the region and the units of one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct At {
    pub(crate) property: usize,
    pub(crate) run: usize,
    pub(crate) number: u32,
}

/// Outcomes that all regions of an experiment share if they lack the amounts that a property reads, or have 0.
#[derive(Debug, Default)]
pub(crate) struct Alike {
    /// The places of outcomes by the experiment, the number of units, and the amounts that are 0.
    places: HashMap<(usize, usize, Set), usize>,
    /// The outcomes of each property.
    slots: Vec<Vec<Slot>>,
}

/// Outcomes, once they are known, and the number of times that they were asked for.
type Slot = Option<(Rc<Judged>, u64)>;

impl Alike {
    /// The outcomes, with their properties and how often they were asked for.
    pub(crate) fn outcomes(&self) -> impl Iterator<Item = (usize, &Judged, u64)> {
        let of_properties = self.slots.iter().flat_map(|of| of.iter().enumerate());
        of_properties
            .filter_map(|(property, of)| of.as_ref().map(|(judged, times)| (property, &**judged, *times)))
    }

    /// The place of the outcomes of a region.
    fn place(&mut self, run: &Run<'_>, properties: usize) -> usize {
        let (zero, _) = run.loaded.amounts(run.region);
        let key = (run.number, run.loaded.instances(run.region), zero);
        *self.places.entry(key).or_insert_with(|| {
            self.slots.push(vec![None; properties]);
            self.slots.len() - 1
        })
    }
}

impl<'a> Place<'a> {
    /// The region in the experiments that meet a condition.
    pub(crate) fn new(
        properties: &'a Properties,
        curve: &Curve,
        loaded: &'a [Loaded],
        region: &'a str,
        condition: Option<&Condition>,
    ) -> Self {
        let run = |(at, sequential): (usize, Option<usize>)| {
            let of = &loaded[at];
            let place = of.region(region).filter(|&region| of.instances(region) > 0)?;
            let sequential = match sequential.map(|at| (at, loaded[at].region(region))) {
                None => Of::Missing("there is no run to compare it with; add a sequential one"),
                Some((at, Some(region))) if loaded[at].instances(region) > 0 => {
                    Of::Region(&loaded[at], region)
                }
                Some(_) => Of::Missing("the run that it is compared with has no such region"),
            };
            let common = RefCell::new(vec![None; properties.common]);
            Some(Run { number: curve.experiments[at], loaded: of, region: place, sequential, common })
        };
        let is_meant = |run: &Run<'a>| {
            let (of, amounts) = (Of::Region(run.loaded, run.region), &properties.amounts);
            condition.is_none_or(|condition| condition.is_true(Figures { of, whose: Whose::All, amounts }))
        };
        let runs = curve.parallels.iter().copied().filter_map(run).filter(is_meant).collect();
        Place { properties, region, runs }
    }

    /// Whether no experiment has the region.
    pub(crate) fn is_empty(&self) -> bool {
        self.runs.is_empty()
    }

    /// The outcomes of each property, and whether they are counted with those that are alike.
    pub(crate) fn found(&self, alike: &mut Alike, mut count: impl FnMut(usize, &Judged)) -> Found {
        let properties = self.properties.all.len();
        let places: Vec<usize> = self.runs.iter().map(|run| alike.place(run, properties)).collect();
        let mut found: Found = Vec::with_capacity(properties);
        for (at, property) in self.properties.all.iter().enumerate() {
            let mut own = |judged: Judged| {
                count(at, &judged);
                Rc::new(judged)
            };
            let of_property = if property.level == Level::Parallels {
                vec![own(self.judge(property, None, Whose::All, &found))]
            } else {
                let of_run = |(run, &place): (&Run<'a>, &usize)| {
                    let judge = || match property.level {
                        Level::Unit => self.of_units(property, run, &found),
                        _ => self.judge(property, Some(run), Whose::All, &found),
                    };
                    let (_, other) = run.loaded.amounts(run.region);
                    let reads = self.properties.reads[at].filter(|of| other.common(of.outcome).is_empty());
                    let Some(reads) = reads else { return own(judge()) };
                    // Only instances that hold have a weight.
                    let has_own =
                        |judged: &Judged| judged.worst().is_some() && !other.common(reads.weight).is_empty();
                    let slot = &mut alike.slots[place][at];
                    match slot {
                        Some((judged, times)) if !has_own(judged) => {
                            *times += 1;
                            judged.clone()
                        }
                        _ => {
                            let judged = judge();
                            if has_own(&judged) {
                                return own(judged);
                            }
                            slot.insert((Rc::new(judged), 1)).0.clone()
                        }
                    }
                };
                self.runs.iter().zip(&places).map(of_run).collect()
            };
            found.push(of_property);
        }
        found
    }

    /// The outcomes of a property of units, together if possible, or else one by one.
    fn of_units(&self, property: &Property, run: &Run<'a>, found: &Found) -> Judged {
        let units = run.loaded.instances(run.region) as u32;
        // Of a meta-property each is over instances of its own.
        let together = if units > 1 && property.over.is_empty() && !self.properties.one_by_one {
            property.judge(&self.given(property, Some(run), Whose::Column, found), units)
        } else {
            None
        };
        together.unwrap_or_else(|| {
            let mut judged = Judged::fail(units);
            for number in 0..units {
                judged.add_single(number, self.judge(property, Some(run), Whose::One(number), found));
            }
            judged
        })
    }

    fn judge(&self, property: &Property, run: Option<&Run<'a>>, whose: Whose, found: &Found) -> Judged {
        property.judge(&self.given(property, run, whose, found), 1).unwrap_or_default()
    }

    /// The data of an instance: of a run, or of all.
    fn given<'r>(
        &'r self,
        property: &Property,
        run: Option<&'r Run<'a>>,
        whose: Whose,
        found: &Found,
    ) -> Given<'r> {
        let figures = |run: &Run<'a>| {
            let name = if property.level == Level::Unit { "unit" } else { "parallel" };
            let amounts = &self.properties.amounts;
            let largest = |of| Figures { of, whose: Whose::Largest, amounts };
            let own = Figures { of: Of::Region(run.loaded, run.region), whose, amounts };
            let mut figures = Vec::with_capacity(4);
            figures.extend([(name, own), ("basis", largest(Of::Basis(run.loaded)))]);
            if property.sequential {
                figures.push(("sequential", largest(run.sequential)));
                figures.push(("reference", Figures { of: run.sequential, whose: Whose::All, amounts }));
            }
            figures
        };
        Given {
            figures: run.map(figures).unwrap_or_default(),
            each: if run.is_none() { self.runs.iter().map(figures).collect() } else { Vec::new() },
            common: run.filter(|_| property.level == Level::Parallel).map(|run| &run.common),
            over: (!property.over.is_empty()).then(|| self.over(property, run, whose, found).defined()),
        }
    }

    /// The instances that a meta-property is over.
    fn over(&self, property: &Property, run: Option<&Run<'a>>, whose: Whose, found: &Found) -> Over {
        let number = if let Whose::One(number) = whose { Some(number) } else { None };
        let mut over = Over::default();
        for of_property in property.over.iter().map(|&over| &found[over]) {
            for (judged, of) in of_property.iter().zip(&self.runs) {
                if run.is_none_or(|run| run.number == of.number) {
                    over.extend(judged, number);
                }
            }
        }
        over
    }

    /// The instance around another that it explains.
    pub(crate) fn under(&self, one: At, found: &Found) -> Option<At> {
        let level = |property: usize| self.properties.all[property].level;
        let own = level(one.property);
        let mut explained = self.properties.all[one.property].explains.iter();
        explained.find_map(|&property| {
            let around = match level(property) {
                Level::Parallels => At { property, run: 0, number: 0 },
                Level::Parallel if own != Level::Parallels => At { property, number: 0, ..one },
                Level::Unit if own == Level::Unit => At { property, ..one },
                Level::Parallel | Level::Unit => return None,
            };
            found[property][around.run].holding(around.number).map(|_| around)
        })
    }

    /// An instance as it is listed: one that holds, or does not.
    pub(crate) fn instance(&self, at: At, holding: Option<Holding>, found: &Found) -> Instance {
        let property = &self.properties.all[at.property];
        let run = (property.level != Level::Parallels).then(|| &self.runs[at.run]);
        let whose = if property.level == Level::Unit { Whose::One(at.number) } else { Whose::All };
        let unit = run.filter(|_| property.level == Level::Unit);
        let mut instance = Instance {
            property: property.name.text.clone(),
            region: self.region.to_owned(),
            experiments: match run {
                Some(run) => vec![run.number as u32],
                None => self.runs.iter().map(|run| run.number as u32).collect(),
            },
            unit: unit.and_then(|run| run.loaded.unit(run.region, at.number)),
            ..Instance::default()
        };
        if let Some(Holding { severity, confidence, weight, .. }) = holding {
            instance.holds = true;
            (instance.severity, instance.confidence) = (Some(severity), Some(confidence));
            instance.part = weight.map(|weight| severity * weight);
            let given = self.given(property, run, whose, found);
            instance.text = property.sentence(&given, self.region, severity);
        }
        instance
    }
}
