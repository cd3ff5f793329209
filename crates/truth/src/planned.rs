//! A program to be run, and its size.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;

use ats_compose::{Composition, CompositionError, Subject};
use ats_props::{ArgumentError, Catalogue, UnknownProgram};
use thiserror::Error;

use super::size::{GivenSize, Size, SizeError};

/// A program that is to be run.
#[derive(Clone, Debug)]
pub struct Planned {
    /// The property, twin or composition.
    pub subject: Subject,
    /// The number of ranks and threads.
    pub size: Size,
}

/// Why a program cannot be run as it is asked for.
#[derive(Debug, Error)]
pub enum PlannedError {
    /// There is no such property.
    #[error(transparent)]
    Unknown(#[from] UnknownProgram),
    /// Its parameters do not fit.
    #[error(transparent)]
    Argument(#[from] ArgumentError),
    /// The file is no composition.
    #[error(transparent)]
    Composition(#[from] CompositionError),
    /// It does not run at this size.
    #[error(transparent)]
    Size(#[from] SizeError),
    /// Parameters are given to a composition.
    #[error("`{word}`: a composition has its parameters in its file, {file}; change them there")]
    Parameter {
        /// The first of them.
        word: String,
        /// The file.
        file: String,
    },
    /// It is several runs.
    #[error(
        "{program} is an experiment of {runs} runs; `ats truth` and `ats validate` take them together, elsewhere \
         choose one with {option}"
    )]
    Several {
        /// The property.
        program: &'static str,
        /// The number of runs.
        runs: usize,
        /// The option that tells them apart.
        option: &'static str,
    },
}

impl Planned {
    /// Whether a word names a composition's file.
    pub fn is_file(word: &str) -> bool {
        word.contains('/') || word.ends_with(".toml")
    }

    /// The planned run of a property, its twin or a composition's file, with parameters as `name=value`, and with a
    /// size whose omitted numbers have their defaults.
    ///
    /// # Errors
    /// There is no such program, or it cannot be run like this.
    pub fn named(
        program: &str,
        parameters: &[String],
        size: GivenSize,
        catalogue: &Catalogue,
    ) -> Result<Planned, PlannedError> {
        let planned = if Planned::is_file(program) {
            let composition = Planned::composition(program, parameters, catalogue)?;
            Planned { size: size.instead_of(composition.size), ..composition }
        } else {
            let program = catalogue.program(program)?;
            let arguments = program.property.arguments_of_words(parameters)?;
            let subject = Subject::Property { program, arguments };
            let sizes = size.sizes(program.property);
            if sizes.len() > 1 && subject.is_experiment() {
                let option = if program.property.needs.ranks { "--np" } else { "--threads" };
                let (program, runs) = (program.name(), sizes.len());
                return Err(PlannedError::Several { program, runs, option });
            }
            Planned { subject, size: sizes[0] }
        };
        planned.size.check(&planned.subject)?;
        Ok(planned)
    }

    /// The composition in a file, of the size that it is made for.
    ///
    /// # Errors
    /// There is none, or parameters are given, which it has in its file.
    pub fn composition(
        file: &str,
        parameters: &[String],
        catalogue: &Catalogue,
    ) -> Result<Planned, PlannedError> {
        if let Some(word) = parameters.first() {
            return Err(PlannedError::Parameter { word: word.clone(), file: file.to_owned() });
        }
        let composition = Composition::read(Path::new(file), catalogue)?;
        let size = Size { ranks: composition.ranks(), threads: composition.threads() };
        Ok(Planned { subject: Subject::Composition(Arc::new(composition)), size })
    }

    /// The name of the folder that it is run in, where nothing else is but programs of other names and sizes.
    pub fn folder(&self) -> String {
        match self.size.threads {
            1 if self.subject.is_experiment() => format!("{}-{}", self.subject.name(), self.size.ranks),
            1 => self.subject.name().to_owned(),
            threads => format!("{}-{}x{threads}", self.subject.name(), self.size.ranks),
        }
    }

    /// The names of the folders that programs are run in, in their order: those that differ in their parameters alone
    /// are numbered.
    pub fn folders(programs: &[Planned]) -> Vec<String> {
        let mut numbers: BTreeMap<String, usize> = BTreeMap::new();
        let mut numbered = |name: String| {
            let number = numbers.entry(name.clone()).or_default();
            *number += 1;
            if *number == 1 { name } else { format!("{name}.{number}") }
        };
        programs.iter().map(|planned| numbered(planned.folder())).collect()
    }
}
