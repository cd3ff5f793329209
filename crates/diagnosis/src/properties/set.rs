//! Properties read from files, checked, and in the order of evaluation.

use std::collections::HashMap;
use std::path::Path;
use std::sync::Arc;

use ats_documents::Experiment;
use ats_model::WaitState;
use ats_model::files::read_text;
use ats_model::mistakes::Mistakes;
use ats_model::wait_state::Class;

use crate::properties::amounts::{Amounts, Set, Units};
use crate::properties::document::{Located, SCHEMA, Source};
use crate::properties::draft::{Draft, Drafts, unknown};
use crate::properties::figures::{Figures, Whose};
use crate::properties::judged::{Holding, Judged, Over};
use crate::properties::loaded::Loaded;
use crate::properties::property::{Given, Level, Placed, Property, Wrong, is_taken};
use crate::properties::text::Text;

/// Properties; each comes after those that it is over.
#[derive(Clone, Debug)]
pub struct Properties {
    pub(crate) all: Vec<Property>,
    /// The amounts that they read.
    pub(crate) amounts: Amounts,
    /// Those that the outcome of each depends on in a region; `None` if it depends on more of it.
    pub(crate) reads: Vec<Option<Reads>>,
    /// The number of parts that properties have in common.
    pub(crate) common: usize,
    /// Whether the units of a region are never evaluated together.
    pub(crate) one_by_one: bool,
}

/// The amounts of a region that the outcome of a property depends on.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Reads {
    /// Those that decide whether it holds, and how severe it is.
    pub(crate) outcome: Set,
    /// Those that its weight depends on.
    pub(crate) weight: Set,
}

/// The files of the shipped properties.
const SHIPPED: [(&str, &str); 5] = [
    ("scalability.toml", include_str!("../../properties/scalability.toml")),
    ("overheads.toml", include_str!("../../properties/overheads.toml")),
    ("caches.toml", include_str!("../../properties/caches.toml")),
    ("imbalance.toml", include_str!("../../properties/imbalance.toml")),
    ("efficiencies.toml", include_str!("../../properties/efficiencies.toml")),
];

impl Properties {
    /// The shipped properties, then those of files. A file adds properties, replaces those of the same names, and switches others
    /// off.
    ///
    /// # Errors
    /// A file cannot be read, or is wrong; every mistake has its place.
    pub fn read(files: &[impl AsRef<Path>]) -> Result<Self, Mistakes> {
        let mut own = Vec::new();
        for path in files {
            let file = path.as_ref().display().to_string();
            match read_text(path.as_ref()) {
                Ok(text) => own.push((file, text)),
                Err(error) => {
                    return Err(Mistakes::one(format!("{file} cannot be read: {error}; check the path")));
                }
            }
        }
        Self::parse(own)
    }

    /// As [`Properties::read`], of texts with the names of their files.
    ///
    /// # Errors
    /// One of them is wrong.
    pub fn parse(files: impl IntoIterator<Item = (String, String)>) -> Result<Self, Mistakes> {
        let shipped =
            SHIPPED.map(|(file, text)| (format!("crates/diagnosis/properties/{file}"), text.to_owned()));
        let mut drafts = Drafts::default();
        let waits = ("crates/diagnosis/properties/waits.toml".to_owned(), waits());
        for (file, text) in shipped.into_iter().chain([waits]).chain(files) {
            drafts.add(Arc::new(Source { file, text }));
        }
        let resolved = drafts.resolved();
        let mut amounts = Amounts::new(Units(std::mem::take(&mut drafts.units)));
        let mut wrong = std::mem::take(&mut drafts.wrong);
        let order = in_order(&resolved, &mut wrong);
        let ordered: Vec<Draft> = order.into_iter().map(|at| resolved[at].clone()).collect();
        let mut all = Vec::new();
        for draft in &ordered {
            all.extend(property(draft, &ordered, &drafts.off, &mut amounts, &mut wrong));
        }
        if wrong.is_empty() {
            wrong.extend(all.iter().filter_map(|property| fitting(property, &all)));
        }
        if wrong.is_empty() {
            wrong
                .extend(all.iter().filter_map(|property| property.check(&made_up(property, &amounts)).err()));
        }
        let reads = all.iter().map(reads).collect();
        let common = number_common(&mut all);
        Drafts::mistakes(wrong).none_in(Properties { all, amounts, reads, common, one_by_one: false })
    }

    /// The same, but units are never evaluated together: for tests, as the outcome is the same.
    #[must_use]
    pub fn one_by_one(self) -> Self {
        let reads = vec![None; self.all.len()];
        let all = self.all.into_iter().map(|of| Property { common: Vec::new(), ..of }).collect();
        Properties { all, one_by_one: true, reads, ..self }
    }

    /// An experiment, arranged for them.
    pub(crate) fn loaded(&self, experiment: Experiment, basis: Option<&str>) -> Loaded {
        Loaded::new(experiment, basis, &self.amounts)
    }

    /// The names, in the order of evaluation.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.all.iter().map(|property| property.name.text.as_str())
    }
}

/// The amounts that the outcome of a property depends on in a region, if it does not depend on more of it.
fn reads(property: &Property) -> Option<Reads> {
    if property.level == Level::Parallels || property.sequential || !property.over.is_empty() {
        return None;
    }
    let amounts = |expression: &Placed| {
        let mut reads = Some(Set::default());
        expression.expression.amounts(&mut |variable, amount| {
            // Whether a part of a class is 0 depends on whether there is the class.
            let numbers = [Some(amount.number), amount.class].into_iter().flatten();
            for number in numbers.filter(|_| variable != "basis") {
                reads = reads.zip(Set::of_amount(number)).map(|(reads, one)| reads.and(one));
            }
        });
        reads
    };
    let both = |all: Set, one: &Placed| Some(all.and(amounts(one)?));
    Some(Reads {
        outcome: property.deciding().try_fold(Set::default(), both)?,
        weight: property.weight.iter().try_fold(Set::default(), both)?,
    })
}

/// Numbers the first parts of properties of whole experiments, so that equal ones have the same number; returns how many differ.
/// Those of meta-properties may depend on what these are over.
fn number_common(all: &mut [Property]) -> usize {
    let mut numbers: HashMap<Vec<(String, String)>, usize> = HashMap::new();
    for property in all.iter_mut().filter(|of| of.level == Level::Parallel && of.over.is_empty()) {
        let parts = property.parts.iter().map(|(name, part)| (name.clone(), part.located.text.clone()));
        let parts: Vec<(String, String)> = parts.collect();
        property.common = (1..=parts.len())
            .map(|end| {
                let next = numbers.len();
                *numbers.entry(parts[..end].to_vec()).or_insert(next)
            })
            .collect();
    }
    numbers.len()
}

/// A property of each wait state, in the form of a file.
fn waits() -> String {
    let mut text = format!("schema = \"{SCHEMA}\"\n");
    for state in WaitState::ALL {
        let explained = match state.class() {
            Class::PointToPoint | Class::Collective => "[\"CommunicationOverhead\"]",
            Class::Barrier | Class::OmpBarrier | Class::OmpLock => "[\"SynchronizationOverhead\"]",
            Class::InitAndFinalize => "[\"ControlOfParallelismOverhead\"]",
            Class::OmpThreads | Class::Count => "[\"LowParallelEfficiency\", \"Inefficiency\"]",
        };
        let name = state.name();
        text += &format!(
            "[[property]]\nname = \"{name}\"\ntemplate = \"Overhead\"\nwith.overhead = 'unit[\"{name}\"]'\nexplains = {explained}\n"
        );
    }
    text
}

/// An order: each property comes after those that it is over.
fn in_order(drafts: &[Draft], wrong: &mut Vec<Wrong>) -> Vec<usize> {
    let mut order: Vec<usize> = Vec::new();
    let mut left: Vec<usize> = (0..drafts.len()).collect();
    while !left.is_empty() {
        let is_left = |name: &Located| left.iter().any(|&other| drafts[other].name.text == name.text);
        let (waiting, ready): (Vec<usize>, Vec<usize>) =
            left.iter().partition(|&&at| drafts[at].over.iter().any(is_left));
        if ready.is_empty() {
            let first = &drafts[waiting[0]];
            let what = format!(
                "{} is over itself, by way of {}; remove one of the two",
                first.name.text, first.over[0].text
            );
            wrong.push(Wrong { located: first.over[0].clone(), at: 0, what });
            return order;
        }
        order.extend(ready);
        left = waiting;
    }
    order
}

/// A property whose expressions have been read; `None` if it is wrong.
fn property(
    draft: &Draft,
    all: &[Draft],
    off: &[Located],
    amounts: &mut Amounts,
    wrong: &mut Vec<Wrong>,
) -> Option<Property> {
    let before = wrong.len();
    let extent = extent(draft).map_err(|mistake| wrong.push(mistake)).ok();
    let mut placed = |located: &Located| {
        Placed::parse(located.clone(), amounts).map_err(|mistake| wrong.push(mistake)).ok()
    };
    let mut list = |parts: &[(String, Located)]| -> Vec<(String, Placed)> {
        parts.iter().filter_map(|(name, located)| Some((name.clone(), placed(located)?))).collect()
    };
    let (parts, each) = (list(&draft.parts), list(&draft.each));
    let [holds, confidence, severity, weight] =
        [&draft.holds, &draft.confidence, &draft.severity, &draft.weight]
            .map(|located| located.as_ref().and_then(&mut placed));
    for (name, located) in draft.parts.iter().chain(&draft.each) {
        if let Some(what) = bad_name(name) {
            wrong.push(Wrong { located: located.clone(), at: 0, what });
        }
    }
    if draft.severity.is_none() {
        let what = "it has no severity; write severity = \"…\", a number from 0 to 1";
        wrong.push(Wrong { located: draft.name.clone(), at: 0, what: what.to_owned() });
    }
    let mut places = |names: &[Located], is_needed: bool| -> Vec<usize> {
        let place = |name: &Located| {
            let place = all.iter().position(|draft| draft.name.text == name.text);
            match (place, off.iter().find(|off| off.text == name.text)) {
                (None, Some(off)) if is_needed => {
                    let what = format!("{} is over {}; switch it off, too", draft.name.text, off.text);
                    wrong.push(Wrong { located: off.clone(), at: 0, what });
                }
                (None, None) => {
                    let what = unknown(&name.text, "property", all);
                    wrong.push(Wrong { located: name.clone(), at: 0, what });
                }
                _ => {}
            }
            place
        };
        names.iter().filter_map(place).collect()
    };
    let (over, explains) = (places(&draft.over, true), places(&draft.explains, false));
    let names: Vec<&str> = draft.parts.iter().chain(&draft.each).map(|(name, _)| name.as_str()).collect();
    let text = draft.text.as_ref().and_then(|located| match Text::parse(&located.text, &names) {
        Ok(text) => Some(text),
        Err((at, what)) => {
            wrong.push(Wrong { located: located.clone(), at, what });
            None
        }
    });
    if wrong.len() > before {
        return None;
    }
    let (level, sequential) = extent?;
    let name = draft.name.clone();
    Some(Property {
        name,
        level,
        sequential,
        parts,
        common: Vec::new(),
        each,
        over,
        holds,
        confidence,
        severity: severity?,
        weight,
        explains,
        text,
    })
}

/// The extent of its instances, and whether they have a sequential run.
fn extent(draft: &Draft) -> Result<(Level, bool), Wrong> {
    let wrong = |located: &Located, what: String| Err(Wrong { located: located.clone(), at: 0, what });
    let mut levels = Vec::new();
    let (mut has_region, mut sequential) = (false, false);
    for word in &draft.of {
        match Level::ALL.iter().find(|(name, _)| *name == word.text) {
            Some((_, level)) => levels.push(*level),
            None if word.text == "region" => has_region = true,
            None if word.text == "sequential" => sequential = true,
            None => {
                let what = format!(
                    "an instance has no `{}`; it is of region, unit or parallel or parallels, and sequential",
                    word.text
                );
                return wrong(word, what);
            }
        }
    }
    let ([level], true) = (&levels[..], has_region) else {
        let what = "say what an instance is made of: of = [\"region\", \"unit\"], or with parallel or parallels instead of unit, \
                    and with sequential if it compares with the sequential run";
        return wrong(draft.of.first().unwrap_or(&draft.name), what.to_owned());
    };
    if *level != Level::Parallels
        && let Some((_, each)) = draft.each.first()
    {
        return wrong(each, "`each` is for properties of parallels; write it as a `let` part".to_owned());
    }
    Ok((*level, sequential))
}

/// The mistake in the name of a part.
fn bad_name(name: &str) -> Option<String> {
    let is_word = name.starts_with(|letter: char| letter.is_ascii_lowercase())
        && name.chars().all(|letter| letter.is_ascii_alphanumeric() || letter == '_');
    if !is_word {
        return Some(format!("`{name}` cannot be the name of a part; use small letters, digits and _"));
    }
    is_taken(name).then(|| format!("`{name}` has a meaning in expressions; choose another name"))
}

/// The mistake that a property is over, or explains, one that does not fit.
fn fitting(property: &Property, all: &[Property]) -> Option<Wrong> {
    let wider = property.over.iter().map(|&over| &all[over]).find(|over| over.level < property.level)?;
    let what = format!(
        "{} is over {}, whose instances are larger than its own; make it of parallel or parallels",
        property.name.text, wider.name.text
    );
    Some(Wrong { located: property.name.clone(), at: 0, what })
}

/// Data for the check of units.
fn made_up<'a>(property: &Property, amounts: &'a Amounts) -> Given<'a> {
    let mut over = Over::default();
    for (severity, confidence) in [(0.5, 1.0), (0.25, 0.5)] {
        let mut judged = Judged::fail(1);
        judged.add(Holding { number: 0, severity, confidence, weight: None });
        over.extend(&judged, None);
    }
    let figures = |level: Level| {
        let mut figures = match level {
            Level::Unit => vec![("unit", Figures::made_up(Whose::One(0), amounts))],
            Level::Parallel | Level::Parallels => vec![("parallel", Figures::made_up(Whose::All, amounts))],
        };
        figures.push(("basis", Figures::made_up(Whose::Largest, amounts)));
        if property.sequential {
            figures.push(("sequential", Figures::made_up(Whose::Largest, amounts)));
            figures.push(("reference", Figures::made_up(Whose::All, amounts)));
        }
        figures
    };
    let is_of_several = property.level == Level::Parallels;
    Given {
        figures: if is_of_several { Vec::new() } else { figures(property.level) },
        each: if is_of_several { vec![figures(Level::Parallel); 2] } else { Vec::new() },
        common: None,
        over: (!property.over.is_empty()).then_some(Ok(over)),
    }
}
