//! Selection of programs of the catalogue by a command.

use std::cmp::Reverse;
use std::collections::BTreeSet;

use ats_model::WaitState;
use ats_props::{Catalogue, Entry, Needs, Program, Property};

use crate::Row;

/// A selection of programs of the catalogue.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Selection {
    /// Few, which show together, in each paradigm, whatever any property shows there, and tempt to whatever any tempts to.
    Representative,
    /// Every one.
    All,
    /// Those of one table of the rows; a property that no row names is in none.
    Table(u8),
}

impl Selection {
    /// Its properties, each followed by its twin, by name.
    pub fn programs(self, catalogue: &Catalogue) -> impl Iterator<Item = Program> + use<> {
        let properties: Vec<&Property> = match self {
            Selection::Representative => representative(catalogue),
            Selection::All => catalogue.properties().collect(),
            Selection::Table(table) => {
                let rows = Row::list();
                let is_in = |property: &&Property| {
                    rows.iter().any(|row| row.table == table && row.is_property(property))
                };
                catalogue.properties().filter(is_in).collect()
            }
        };
        let programs: Vec<Program> = catalogue.programs().collect();
        programs.into_iter().filter(move |program| {
            properties.iter().any(|property| std::ptr::eq(*property, program.property))
        })
    }
}

/// The purpose of a property.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
enum Shows {
    /// A metric, and its wait state or its region.
    Quantity(&'static str, &'static str),
    Temptation(WaitState),
}

fn shows(property: &Property) -> impl Iterator<Item = (Needs, Entry, Shows)> + use<> {
    let (needs, entry, finds) = (property.needs, property.entry, property.finds);
    let quantities = finds.shown.iter().map(|shown| Shows::Quantity(shown.what.metric(), shown.what.name()));
    let temptations = finds.tempts.iter().copied().map(Shows::Temptation);
    quantities.chain(temptations).map(move |shown| (needs, entry, shown))
}

/// Takes the property that adds most until nothing is left to add; of several, the first in the rows.
fn representative(catalogue: &Catalogue) -> Vec<&'static Property> {
    let rows = Row::list();
    let place = |property: &&'static Property| rows.iter().position(|row| row.is_property(property));
    let mut properties: Vec<&'static Property> = catalogue.properties().collect();
    properties.sort_by_key(|property| place(property).unwrap_or(rows.len()));
    let mut open: BTreeSet<_> = properties.iter().flat_map(|property| shows(property)).collect();
    let mut taken = Vec::new();
    while !open.is_empty() {
        let adds = |property: &Property| shows(property).filter(|shown| open.contains(shown)).count();
        let most = properties.iter().min_by_key(|property| Reverse(adds(property)));
        let next = *most.expect("what is open is shown by a property");
        open.retain(|shown| !shows(next).any(|other| other == *shown));
        taken.push(next);
    }
    taken
}
