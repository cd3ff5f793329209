//! `ats man`.

use std::path::PathBuf;
use std::process::ExitCode;

use clap::{Args, CommandFactory};

use crate::Cli;
use crate::failure::Failure;
use crate::output::Output;

/// Write the man pages, one for each command.
#[derive(Args, Debug)]
#[command(after_help = "Examples:\n  ats man -o ~/.local/share/man/man1")]
pub(crate) struct Man {
    /// The folder.
    #[arg(short, long, value_name = "DIR")]
    output: PathBuf,
}

impl Man {
    pub(crate) fn run(&self, output: Output) -> Result<ExitCode, Failure> {
        let dir = &self.output;
        std::fs::create_dir_all(dir)
            .and_then(|()| clap_mangen::generate_to(Cli::command(), dir))
            .map_err(|error| Failure::Failed(format!("cannot write to {}: {error}", dir.display())))?;
        output.document(dir, || format!("{}\n", dir.display()))?;
        Ok(ExitCode::SUCCESS)
    }
}
