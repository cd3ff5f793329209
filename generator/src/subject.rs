//! What a program is about.

use ats_compose::Composition;
use ats_props::{Paradigm, Property};

use crate::{GenerateError, names};

/// What a program is about.
#[derive(Clone, Copy, Debug)]
pub enum Subject<'a> {
    /// A property, and its twin.
    Property(&'a Property),
    /// Several properties.
    Composition(&'a Composition),
}

impl<'a> From<&'a Property> for Subject<'a> {
    fn from(property: &'a Property) -> Self {
        Subject::Property(property)
    }
}

impl<'a> From<&'a Composition> for Subject<'a> {
    fn from(composition: &'a Composition) -> Self {
        Subject::Composition(composition)
    }
}

impl<'a> Subject<'a> {
    /// The program's name.
    pub fn name(self) -> &'a str {
        match self {
            Subject::Property(property) => property.name,
            Subject::Composition(composition) => composition.name(),
        }
    }

    /// What it is written with.
    pub fn paradigm(self) -> Paradigm {
        match self {
            Subject::Property(property) => property.paradigm,
            Subject::Composition(composition) => composition.paradigm(),
        }
    }

    pub(crate) fn summary(self) -> &'a str {
        match self {
            Subject::Property(property) => property.summary(),
            Subject::Composition(composition) => composition.description(),
        }
    }

    /// Its properties, each once, by name.
    pub(crate) fn properties(self) -> Vec<&'a Property> {
        let mut properties: Vec<_> = match self {
            Subject::Property(property) => vec![property],
            Subject::Composition(composition) => {
                composition.steps().map(|step| step.program.property).collect()
            }
        };
        properties.sort_by_key(|property| property.name);
        properties.dedup_by_key(|property| property.name);
        properties
    }

    /// Checks every name that a program is made of.
    pub(crate) fn check(self) -> Result<(), GenerateError> {
        if let Subject::Composition(composition) = self {
            names::check_program(composition.name())?;
        }
        self.properties().into_iter().try_for_each(names::check)
    }
}
