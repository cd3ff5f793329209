//! `ats man`.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::{io, iter};

use clap::builder::Resettable;
use clap::builder::styling::Styles;
use clap::{Args, Command};
use clap_mangen::Man as Page;
use clap_mangen::roff::{Roff, roman};

use crate::failure::Failure;
use crate::help::groups;
use crate::output::Output;

/// Write man pages, one for each command.
#[derive(Args, Debug)]
#[command(after_help = "Examples:\n  ats man -o ~/.local/share/man/man1")]
pub(crate) struct Man {
    /// The folder.
    #[arg(short, long, value_name = "DIR")]
    output: PathBuf,
}

/// Writes the page of the command and that of each verb, and of what a verb has below it.
pub(crate) fn pages(dir: &Path) -> io::Result<Vec<PathBuf>> {
    fs::create_dir_all(dir)?;
    let mut command = crate::command().disable_help_subcommand(true);
    command.build();
    let groups = groups(&command, &Styles::plain());
    let top = command.clone().mut_subcommands(|verb| verb.hide(true));
    let verbs = command.get_subcommands().flat_map(|verb| iter::once(verb).chain(verb.get_subcommands()));
    let verbs = verbs.map(|verb| page(verb.clone(), "", dir));
    iter::once(page(top, &groups, dir)).chain(verbs).collect()
}

/// Writes a page, with a section for each of these blocks and of those at the end of the help (exit codes,
/// environment, examples).
fn page(command: Command, blocks: &str, dir: &Path) -> io::Result<PathBuf> {
    let after = command.get_after_long_help().or(command.get_after_help());
    let after = after.map(ToString::to_string).unwrap_or_default();
    let page = Page::new(command.after_help(Resettable::Reset).after_long_help(Resettable::Reset));
    let mut text = Vec::new();
    page.render(&mut text)?;
    let mut sections = Roff::new();
    for block in blocks.split("\n\n").chain(after.split("\n\n")).filter(|block| !block.is_empty()) {
        let (heading, lines) = block.split_once(":\n").unwrap_or(("Notes", block));
        sections.control("SH", [heading.to_uppercase().as_str()]);
        sections.control("nf", []).text([roman(lines)]).control("fi", []);
    }
    sections.to_writer(&mut text)?;
    let file = dir.join(page.get_filename());
    fs::write(&file, text).map(|()| file)
}

impl Man {
    pub(crate) fn run(&self, output: Output) -> Result<ExitCode, Failure> {
        let dir = &self.output;
        let files = pages(dir)
            .map_err(|error| Failure::Folder(format!("cannot write to {}: {error}", dir.display())))?;
        output.written(files)?;
        Ok(ExitCode::SUCCESS)
    }
}
