//! A program and its parameters, as every verb that needs one takes them.

use ats_compose::{Composition, Subject};
use ats_props::{Catalogue, Property};
use ats_truth::{GivenSize, Planned, Size};
use clap::Args;

use crate::failure::Failure;
use crate::options::number::whole;

/// A program, its parameters and its size.
#[derive(Args, Debug)]
pub(crate) struct ProgramArgs {
    /// The property, or its balanced twin: `ats list` shows all. Or the file of a composition (a name with `/` or
    /// ending in `.toml`).
    #[arg(value_name = "PROGRAM or FILE")]
    pub(crate) program: String,
    /// Its parameters: `ats show PROGRAM` explains them.
    #[arg(value_name = "NAME=VALUE")]
    pub(crate) parameters: Vec<String>,
    #[command(flatten)]
    size: SizeArgs,
}

/// The number of processes and threads.
#[derive(Args, Clone, Copy, Debug, Default)]
pub(crate) struct SizeArgs {
    /// The number of ranks [default: 4, for hybrid programs 2; of a composition, what it is made for].
    #[arg(long, visible_alias = "ranks", value_name = "N", value_parser = ranks)]
    pub(crate) np: Option<usize>,
    /// The number of threads of each rank [default: 4, for hybrid programs 2; `ats validate` runs them with 2 and with
    /// 4, unless nothing is named].
    #[arg(long, value_name = "N", value_parser = threads)]
    pub(crate) threads: Option<usize>,
}

impl SizeArgs {
    /// The numbers that are given.
    pub(crate) fn given(self) -> GivenSize {
        GivenSize { ranks: self.np, threads: self.threads }
    }
}

/// A number of ranks.
pub(crate) fn ranks(text: &str) -> Result<usize, String> {
    whole(1..=Composition::MOST_RANKS)(text)
}

/// A number of threads.
pub(crate) fn threads(text: &str) -> Result<usize, String> {
    whole(1..=Composition::MOST_THREADS)(text)
}

/// The parameter that says how often a program does what it does.
const REPETITIONS: &str = "r";

impl ProgramArgs {
    /// Of words that another verb has taken.
    pub(crate) fn new(program: &str, parameters: &[String], size: SizeArgs) -> Self {
        ProgramArgs { program: program.to_owned(), parameters: parameters.to_vec(), size }
    }

    /// The same with few repetitions, where their number is a parameter and not given: a drawing shows each.
    pub(crate) fn short(&self, property: &Property) -> Option<Self> {
        let has = property.parameters.iter().any(|parameter| parameter.name == REPETITIONS);
        let is_given = self.parameters.iter().any(|word| word.split('=').next() == Some(REPETITIONS));
        let words: Vec<String> =
            self.parameters.iter().cloned().chain([format!("{REPETITIONS}=2")]).collect();
        (has && !is_given).then(|| ProgramArgs::new(&self.program, &words, self.size))
    }

    /// Whether nothing but the program is given.
    pub(crate) fn is_plain(&self) -> bool {
        self.parameters.is_empty() && self.size.np.is_none() && self.size.threads.is_none()
    }

    /// The experiment that is named without a size, and its runs; none where it is another program, or one of the runs.
    pub(crate) fn experiment(&self, catalogue: &Catalogue) -> Result<Option<(Subject, Vec<Size>)>, Failure> {
        if is_file(&self.program) {
            return Ok(None);
        }
        let program = catalogue.program(&self.program).map_err(Failure::input)?;
        let arguments = program.property.arguments_of_words(&self.parameters).map_err(Failure::input)?;
        let (subject, sizes) =
            (Subject::Property { program, arguments }, self.size.given().sizes(program.property));
        Ok((subject.is_experiment() && sizes.len() > 1).then_some((subject, sizes)))
    }

    /// The program with all its arguments and its size, checked.
    pub(crate) fn resolve(&self, catalogue: &Catalogue) -> Result<Planned, Failure> {
        Planned::named(&self.program, &self.parameters, self.size.given(), catalogue).map_err(Failure::input)
    }
}

/// Whether a word names a composition's file.
pub(crate) fn is_file(word: &str) -> bool {
    Planned::is_file(word)
}
