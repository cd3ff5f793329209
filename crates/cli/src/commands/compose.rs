//! `ats compose`.

use std::fs;
use std::path::PathBuf;
use std::process::ExitCode;

use ats_compose::Composition;
use ats_props::Catalogue;
use clap::Args;

use crate::failure::Failure;
use crate::options::number::whole;
use crate::options::program::{ranks, threads};
use crate::output::{Output, check_file};

/// Make a random composition of properties from a seed.
///
/// The same seed and numbers always give the same composition.
#[derive(Args, Debug)]
#[command(after_help = "Examples:
  ats compose --random 1
  ats compose --random 42 --np 64 --phases 20 -o random.toml
  ats compose --random 7 --np 4 --threads 4 -o random.toml && ats truth random.toml")]
pub(crate) struct Compose {
    /// The seed of all random choices.
    #[arg(long, value_name = "SEED", value_parser = whole(0..=u64::MAX))]
    random: u64,
    /// The number of ranks.
    #[arg(long, visible_alias = "ranks", value_name = "N", default_value = "4", value_parser = ranks)]
    np: usize,
    /// The number of threads of each rank; with several, it has properties of OpenMP, too.
    #[arg(long, value_name = "N", default_value = "1", value_parser = threads)]
    threads: usize,
    /// The number of phases.
    #[arg(long, value_name = "K", default_value = "5", value_parser = whole(1..=10_000_u16))]
    phases: u16,
    /// The file to write [default: standard output].
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
}

impl Compose {
    pub(crate) fn run(&self, catalogue: &Catalogue, output: Output) -> Result<ExitCode, Failure> {
        self.output.iter().try_for_each(|file| check_file(file, &[]))?;
        let Compose { random, np, threads, phases, .. } = *self;
        let made = Composition::random(catalogue, random, np, threads, usize::from(phases))
            .map_err(Failure::input)?;
        let text = made.to_toml();
        if let Some(file) = &self.output {
            fs::write(file, &text)
                .map_err(|error| Failure::Failed(format!("cannot write {}: {error}", file.display())))?;
        }
        output.document(&made.to_json(), || match &self.output {
            Some(file) => format!("{}\n", file.display()),
            None => text,
        })?;
        Ok(ExitCode::SUCCESS)
    }
}
