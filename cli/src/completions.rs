//! `ats completions`.

use std::process::ExitCode;

use clap::{Args, CommandFactory};
use clap_complete::Shell;

use crate::Cli;
use crate::failure::Failure;
use crate::output::Output;

/// Print what a shell completes of this command.
#[derive(Args, Debug)]
#[command(after_help = "Examples:
  ats completions bash > ~/.local/share/bash-completion/completions/ats
  ats completions zsh > ~/.zfunc/_ats")]
pub(crate) struct Completions {
    /// Which shell.
    #[arg(value_enum)]
    shell: Shell,
}

impl Completions {
    pub(crate) fn run(&self, output: Output) -> Result<ExitCode, Failure> {
        let mut script = Vec::new();
        clap_complete::generate(self.shell, &mut Cli::command(), "ats", &mut script);
        output.as_it_is("a script", &String::from_utf8_lossy(&script))?;
        Ok(ExitCode::SUCCESS)
    }
}
