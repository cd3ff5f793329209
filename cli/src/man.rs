//! `ats man`.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::{Args, CommandFactory};
use clap_mangen::Man as Page;

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

/// Writes the page of the command and that of each verb.
fn pages(dir: &Path) -> io::Result<Vec<PathBuf>> {
    fs::create_dir_all(dir)?;
    let mut command = Cli::command().disable_help_subcommand(true);
    command.build();
    let verbs = command.get_subcommands();
    let pages = [&command].into_iter().chain(verbs).map(|command| Page::new(command.clone()));
    pages.map(|page| page.generate_to(dir)).collect()
}

impl Man {
    pub(crate) fn run(&self, output: Output) -> Result<ExitCode, Failure> {
        let dir = &self.output;
        let files = pages(dir)
            .map_err(|error| Failure::Failed(format!("cannot write to {}: {error}", dir.display())))?;
        output.written(files)?;
        Ok(ExitCode::SUCCESS)
    }
}
