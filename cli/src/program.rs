//! A program and its parameters, as every verb that needs one takes them.

use ats_props::{Arguments, Catalogue, Program};
use clap::Args;

use crate::failure::Failure;

/// A program, its parameters and its number of ranks.
#[derive(Args, Debug)]
pub(crate) struct ProgramArgs {
    /// The property, or its balanced twin: `ats list` shows all.
    pub(crate) program: String,
    /// Its parameters: `ats show PROGRAM` explains them.
    #[arg(value_name = "NAME=VALUE")]
    pub(crate) parameters: Vec<String>,
    /// How many ranks.
    #[arg(long, value_name = "N", default_value_t = 4, value_parser = ranks)]
    pub(crate) np: usize,
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

impl ProgramArgs {
    /// The program with all its arguments, checked.
    pub(crate) fn resolve(&self, catalogue: &Catalogue) -> Result<(Program, Arguments), Failure> {
        let program = catalogue.program(&self.program).map_err(Failure::input)?;
        let arguments = arguments(&program, &self.parameters)?;
        program.property.check_ranks(self.np).map_err(Failure::input)?;
        Ok((program, arguments))
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
