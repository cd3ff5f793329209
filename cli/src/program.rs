//! A program and its parameters, as every verb that needs one takes them.

use ats_props::{Arguments, Catalogue, Paradigm, Program};
use ats_validation::pipeline::Planned;
use ats_validation::size::Size;
use clap::Args;

use crate::failure::Failure;

/// A program, its parameters and its size.
#[derive(Args, Debug)]
pub(crate) struct ProgramArgs {
    /// The property, or its balanced twin: `ats list` shows all.
    pub(crate) program: String,
    /// Its parameters: `ats show PROGRAM` explains them.
    #[arg(value_name = "NAME=VALUE")]
    pub(crate) parameters: Vec<String>,
    #[command(flatten)]
    size: SizeArgs,
}

/// How many processes and threads.
#[derive(Args, Clone, Copy, Debug)]
pub(crate) struct SizeArgs {
    /// How many ranks [default: 4, for hybrid programs 2].
    #[arg(long, value_name = "N", value_parser = ranks)]
    pub(crate) np: Option<usize>,
    /// How many threads each rank has [default: 4, for hybrid programs 2; `ats validate` runs them with 2 and with 4].
    #[arg(long, value_name = "N", value_parser = threads)]
    pub(crate) threads: Option<usize>,
}

impl SizeArgs {
    /// The sizes that are meant for a program of this paradigm.
    pub(crate) fn sizes(self, paradigm: Paradigm) -> Vec<Size> {
        let mut sizes: Vec<Size> = Size::defaults(paradigm)
            .iter()
            .map(|default| Size {
                ranks: self.np.unwrap_or(default.ranks),
                threads: self.threads.unwrap_or(default.threads),
            })
            .collect();
        sizes.dedup();
        sizes
    }
}

/// The most ranks that fit OTF2's and our own numbers.
const MAX_RANKS: usize = 1 << 24;

/// A number of ranks.
pub(crate) fn ranks(text: &str) -> Result<usize, String> {
    match text.parse::<usize>() {
        Ok(ranks) if (1..=MAX_RANKS).contains(&ranks) => Ok(ranks),
        _ => Err(format!("give a whole number from 1 to {MAX_RANKS}")),
    }
}

/// The most threads that a process may have.
const MAX_THREADS: usize = 1 << 12;

/// A number of threads.
fn threads(text: &str) -> Result<usize, String> {
    match text.parse::<usize>() {
        Ok(threads) if (1..=MAX_THREADS).contains(&threads) => Ok(threads),
        _ => Err(format!("give a whole number from 1 to {MAX_THREADS}")),
    }
}

impl ProgramArgs {
    /// The program with all its arguments and its size, checked.
    pub(crate) fn resolve(&self, catalogue: &Catalogue) -> Result<Planned, Failure> {
        let program = catalogue.program(&self.program).map_err(Failure::input)?;
        let arguments = arguments(&program, &self.parameters)?;
        let size = self.size.sizes(program.property.paradigm)[0];
        size.check(program.property).map_err(Failure::input)?;
        Ok(Planned { program, arguments, size })
    }
}

/// The arguments of a program from `name=value` words.
pub(crate) fn arguments(program: &Program, words: &[String]) -> Result<Arguments, Failure> {
    let pairs = words
        .iter()
        .map(|word| {
            word.split_once('=')
                .ok_or_else(|| Failure::Input(format!("`{word}` is no parameter; give them as name=value")))
        })
        .collect::<Result<Vec<_>, _>>()?;
    program.property.arguments(pairs).map_err(Failure::input)
}
