//! `ats completions`, and what a shell is told that asks.

use std::ffi::OsStr;
use std::io;
use std::path::Path;
use std::process::ExitCode;

use ats_launch::tool::Known;
use ats_props::Catalogue;
use clap::{Arg, Args, Command, CommandFactory};
use clap_complete::engine::{ArgValueCandidates, ArgValueCompleter, CompletionCandidate};
use clap_complete::engine::{PathCompleter, ValueCompleter};
use clap_complete::env::Shells;
use clap_complete::{CompleteEnv, Shell};

use crate::Cli;
use crate::failure::Failure;
use crate::output::Output;

/// Print the completion script of a shell.
///
/// The script calls `ats`, which has to be on the path, to complete properties, parameters, kinds of work, tools and
/// documents.
#[derive(Args, Debug)]
#[command(after_help = "Examples:
  ats completions bash > ~/.local/share/bash-completion/completions/ats
  ats completions zsh > ~/.zfunc/_ats")]
pub(crate) struct Completions {
    /// The shell.
    #[arg(value_enum)]
    shell: Shell,
}

/// The variable in which a shell that asks says which it is.
const ASKED_BY: &str = "ATS_COMPLETE";

impl Completions {
    pub(crate) fn run(&self, output: Output) -> Result<ExitCode, Failure> {
        let path = std::env::args_os().next();
        let name = path.as_deref().and_then(|path| Path::new(path).file_name()).and_then(OsStr::to_str);
        let name = name.unwrap_or("ats");
        let script = script(&self.shell.to_string(), name);
        let script = script.map_err(|error| Failure::Failed(error.to_string()))?;
        output.as_it_is("completions", &String::from_utf8_lossy(&script))?;
        Ok(ExitCode::SUCCESS)
    }
}

/// The script of a shell, for the command by this name.
pub(crate) fn script(shell: &str, command: &str) -> io::Result<Vec<u8>> {
    let shells = Shells::builtins();
    let shell = shells.completer(shell).ok_or(io::ErrorKind::Unsupported)?;
    let mut script = Vec::new();
    shell.write_registration(ASKED_BY, command, command, command, &mut script)?;
    Ok(script)
}

/// Answers and ends, if it is a shell that asks.
pub(crate) fn answer(catalogue: &Catalogue) {
    CompleteEnv::with_factory(|| command(catalogue)).var(ASKED_BY).complete();
}

/// The command, with what only the catalogue knows.
fn command(catalogue: &Catalogue) -> Command {
    let completed = |arg: Arg| {
        let catalogue = catalogue.clone();
        match arg.get_id().as_str() {
            "program" | "property" => arg.add(ArgValueCompleter::new(move |word: &OsStr| {
                [programs(&catalogue, word), toml_files(word)].into_iter().flatten().collect()
            })),
            "parameters" => arg.add(ArgValueCandidates::new(move || parameters(&catalogue))),
            "programs" | "words" => arg.add(ArgValueCompleter::new(move |word: &OsStr| {
                let begins = |candidate: &CompletionCandidate| begins(candidate, word);
                let parameters = parameters(&catalogue).into_iter().filter(begins).collect();
                [parameters, programs(&catalogue, word), toml_files(word)].into_iter().flatten().collect()
            })),
            "sweep" => arg.add(ArgValueCandidates::new(move || parameters(&catalogue))),
            _ => arg,
        }
    };
    Cli::command().mut_subcommands(|verb| verb.mut_args(completed))
}

/// Completion by one of these words.
pub(crate) fn one_of(words: fn() -> Vec<&'static str>) -> ArgValueCandidates {
    ArgValueCandidates::new(move || words().into_iter().map(CompletionCandidate::new).collect())
}

/// Completion of a tool: the names of those that the suite knows, and descriptions.
pub(crate) fn tools() -> ArgValueCompleter {
    ArgValueCompleter::new(|word: &OsStr| {
        let known = Known::names().map(CompletionCandidate::new);
        [known.filter(|candidate| begins(candidate, word)).collect::<Vec<_>>(), toml_files(word)]
            .into_iter()
            .flatten()
            .collect()
    })
}

fn begins(candidate: &CompletionCandidate, word: &OsStr) -> bool {
    candidate.get_value().as_encoded_bytes().starts_with(word.as_encoded_bytes())
}

/// Properties, and twins for whoever has begun to write one.
fn programs(catalogue: &Catalogue, word: &OsStr) -> Vec<CompletionCandidate> {
    let is_whole = |name: &str| word.as_encoded_bytes().starts_with(name.as_bytes());
    let candidates = catalogue.programs().filter_map(|program| {
        let name = program.property.name;
        let candidate = CompletionCandidate::new(program.name());
        let summary = program.property.summary().split_whitespace().collect::<Vec<_>>().join(" ");
        match program.balanced {
            false => Some(candidate.help(Some(summary.into()))),
            true => {
                is_whole(name).then(|| candidate.help(Some(format!("the balanced twin of {name}").into())))
            }
        }
    });
    candidates.filter(|candidate| begins(candidate, word)).collect()
}

/// Compositions and descriptions of tools, and folders on the way to them.
fn toml_files(word: &OsStr) -> Vec<CompletionCandidate> {
    let is_toml =
        |path: &Path| path.is_dir() || path.extension().is_some_and(|extension| extension == "toml");
    PathCompleter::any().filter(is_toml).complete(word)
}

/// The parameters of the program that the line names last.
fn parameters(catalogue: &Catalogue) -> Vec<CompletionCandidate> {
    let line: Vec<_> = std::env::args_os().skip_while(|word| word != "--").collect();
    let named = line.iter().rev().filter_map(|word| catalogue.program(word.to_str()?).ok()).next();
    let parameters = named.map_or(&[][..], |program| program.property.parameters);
    let candidate = |parameter: &ats_props::Parameter| {
        let doc = parameter.doc.split_whitespace().collect::<Vec<_>>().join(" ");
        let help = format!("{doc} [default: {}]", (parameter.default)());
        CompletionCandidate::new(format!("{}=", parameter.name)).help(Some(help.into()))
    };
    parameters.iter().map(candidate).collect()
}
