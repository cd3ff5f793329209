//! The command `ats`: one verb per job, no logic of its own.
//!
//! - `commands`: a file per verb, its options and what it does.
//! - `options`: options that several verbs have.
//! - `output`: text, documents and files; progress.
//!
//! A command with properties of your own is three lines:
//!
//! ```no_run
//! # use ats_props::{property, Communicator, Seconds};
//! # /// Nothing.
//! # #[property(finds = WaitAtBarrier, formula = 0)]
//! # pub fn mine(c: &dyn Communicator) { c.barrier() }
//! # pub fn balanced(c: &dyn Communicator) { c.barrier() }
//! fn main() -> std::process::ExitCode {
//!     ats_cli::main(ats_props::Catalogue::builtin().with(&PROPERTY))
//! }
//! ```

mod cancel;
mod carried;
mod commands;
mod environment;
mod failure;
mod help;
mod options;
mod output;

use std::process::ExitCode;

use ats_props::Catalogue;
use clap::{Command, CommandFactory, FromArgMatches, Parser};

use commands::{Verb, completions};
use output::{Color, Format, Output};

const EXIT_CODES: &str = "\
Exit codes:
  0  all went well, and nothing differs
  1  something differs from what is known, or a program or a trace failed
  2  the command line or an input file is wrong
  3  something is missing on this machine: an MPI library, a compiler, a launcher; or a folder
     cannot be written to
  77  the same for `ats validate --skip-missing`
  130  it was cancelled
`ats record` ends with the exit code of the program that it records.";

const EXAMPLES: &str = "\
Examples:
  ats list
  ats truth late_sender --np 8 basework=10ms extrawork=50ms
  ats validate --engine virtual";

fn after_long_help() -> String {
    let environment = environment::section("Environment", environment::COMMAND);
    format!("{EXIT_CODES}\n\n{environment}\n{EXAMPLES}")
}

/// Small parallel programs that show known performance properties, and the analyzer that is validated with them.
#[derive(Debug, Parser)]
#[command(
    name = "ats",
    version,
    after_help = EXAMPLES,
    after_long_help = after_long_help(),
    max_term_width = 100
)]
struct Cli {
    /// Format of the answer on standard output; `ats schema` lists the JSON documents.
    #[arg(long, global = true, value_enum, default_value_t = Format::Text)]
    format: Format,
    /// When to use colours.
    #[arg(long, global = true, value_enum, value_name = "WHEN", default_value_t = Color::Auto)]
    color: Color,
    /// Print no progress, and of programs only those that failed.
    #[arg(short, long, global = true)]
    quiet: bool,
    #[command(subcommand)]
    verb: Verb,
}

/// The command as clap parses it and as its help shows it.
fn command() -> Command {
    help::arranged(Cli::command())
}

fn parse() -> Result<Cli, clap::Error> {
    let mut command = command();
    let mut matches = command.try_get_matches_from_mut(std::env::args_os())?;
    Cli::from_arg_matches_mut(&mut matches).map_err(|error| error.format(&mut command))
}

/// The command, with the properties it knows; reads the command line and returns the exit code.
pub fn main(catalogue: Catalogue) -> ExitCode {
    completions::answer(&catalogue);
    carried::SOURCES.iter().for_each(|sources| sources.offer());
    let cli = match parse() {
        Ok(cli) => cli,
        Err(error) => {
            // Nobody may be reading any more.
            let _ = error.print();
            return ExitCode::from(error.exit_code() as u8);
        }
    };
    cli.color.choose();
    let output = Output { format: cli.format, is_quiet: cli.quiet };
    cli.verb.run(&catalogue, output).unwrap_or_else(|failure| failure.report())
}
