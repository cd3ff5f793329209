//! A property as one file in C, which needs nothing but a compiler and MPI or OpenMP.
//!
//! Properties with ranks are run on the virtual engine, which notes the steps of each rank; functions with loops and
//! branches that do the same are made of them. The code of threads is in the catalogue, in C.

mod amounts;
mod arguments;
mod c;
mod condition;
mod expression;
mod function;
mod newer;
mod node;
mod note;
mod pragmas;
mod statement;
mod step;
mod truth;

use std::path::{Path, PathBuf};

use ats_compose::Subject;
use ats_documents::Truth;
use ats_props::native::without_links;
use ats_props::{Arguments, Entry, Needs, Program, SendMode};
use ats_virtual::Network;
use minijinja::context;
use pragmas::Source;

use crate::files::Files;
use crate::native::c::comment;
use crate::template::{fill, in_comment};
use crate::{GenerateError, names};

const FILE: &str = include_str!("../templates/standalone.c.j2");
const MAIN: &str = include_str!("../templates/standalone.main.c.j2");

/// The most ranks that a file is made for: the steps of every two ranks are compared.
const MOST_RANKS: usize = 256;

/// The configuration that a file is made for.
#[derive(Clone, Copy, Debug)]
pub struct Standalone<'a> {
    /// The number of ranks.
    pub ranks: usize,
    /// The number of threads of each rank.
    pub threads: usize,
    /// The waits that it shows then.
    pub truth: &'a Truth,
}

/// The file of a property or of its twin.
///
/// # Errors
/// It is a composition, or has steps that such a file cannot have.
pub fn standalone(subject: &Subject, made_for: Standalone<'_>) -> Result<String, GenerateError> {
    names::check(subject)?;
    let unfit = |why: String| GenerateError::Standalone { program: subject.name().to_owned(), why };
    let Subject::Property { program, arguments } = subject else {
        return Err(unfit("it is a composition of several properties".to_owned()));
    };
    names::check_native(program.property)?;
    if made_for.ranks > MOST_RANKS {
        return Err(unfit(format!(
            "it would be made for {} ranks, and can be for {MOST_RANKS}",
            made_for.ranks
        )));
    }
    let needs = program.property.needs;
    let source = if needs.team { pragmas::source } else { source };
    let Source { variables, functions, call, begins_early, includes } =
        source(program, arguments, made_for).map_err(unfit)?;
    let standard =
        ["mpi.h", "omp.h", "stdio.h", "stdlib.h", "time.h"].into_iter().filter(|name| match *name {
            "mpi.h" => needs.ranks,
            "omp.h" => needs.team,
            _ => true,
        });
    let mut includes: Vec<String> = standard.map(str::to_owned).chain(includes).collect();
    includes.sort();
    includes.dedup();
    let asks_system = includes.iter().any(|name| name == "unistd.h" || name == "sys/mman.h");
    let values = context! {
        name => program.name(),
        ranks => made_for.ranks,
        threads => made_for.threads,
        has_ranks => needs.ranks,
        has_team => needs.team,
        nests => functions.iter().any(|function| function.contains("num_threads(inner)")),
        owns_mpi => program.property.entry == Entry::Program,
        is_told_rank => begins_early,
        header => comment(&header(program, arguments, made_for), 0),
        includes,
        asks_system,
        works => functions.iter().chain([&variables]).any(|text| text.contains("do_work(")),
        variables,
        functions,
        call,
    };
    Ok(fill(FILE, context! { main => fill(MAIN, values.clone()), ..values }))
}

/// Writes files into a folder; their names end in `.c`.
///
/// # Errors
/// The folder is not empty (without `force`), or a file cannot be written.
pub fn write_standalone(
    files: Vec<(String, String)>,
    dir: &Path,
    force: bool,
) -> Result<Vec<PathBuf>, GenerateError> {
    let mut all = Files::default();
    files.into_iter().for_each(|(name, text)| all.add(name, text));
    all.write(dir, force)
}

/// The source of a program without a team.
fn source(program: &Program, arguments: &Arguments, made_for: Standalone<'_>) -> Result<Source, String> {
    let notes = note::note(program, arguments, made_for.ranks)?;
    let functions = function::functions(&notes, program.name())?;
    let text = c::Text { notes: &notes, functions: &functions };
    let learns_rank = if notes.begins_early { "rank = launched_rank();\n    " } else { "" };
    let call = format!("{learns_rank}{}()", program.name());
    let variables = newer::head(&functions) + &text.variables();
    let (functions, begins_early) = (text.functions(), notes.begins_early);
    let (amounts, includes) = amounts::functions(&functions.concat(), false);
    Ok(Source { variables: variables + &amounts, functions, call, begins_early, includes })
}

/// The comment at the head of the file.
fn header(program: &Program, arguments: &Arguments, made_for: Standalone<'_>) -> String {
    let Program { property, balanced } = program;
    let mut lines = Vec::new();
    if *balanced {
        lines.push(format!("{}: the balanced twin of {}, without waits.\n", program.name(), property.name));
    }
    let doc = format!("{}: {}\n", property.name, without_links(property.doc).trim_end());
    lines.extend(doc.lines().filter(|line| !line.starts_with("```")).map(str::to_owned));
    lines.push(String::new());
    lines.extend(property.finds.sentences());
    if property.send_mode == Some(SendMode::Standard) {
        lines.push("\nNothing is probed here: the library is taken to send eagerly.".to_owned());
    }
    lines.push(format!("\nMade for {}, with", size(property.needs, made_for)));
    lines.extend(property.parameters.iter().map(|parameter| {
        let value = arguments.value(parameter.name).expect("all parameters have a value");
        let unit = format!(" {}", parameter.kind.unit);
        let doc = in_comment(&parameter.doc.replace('\n', " "));
        format!("  {} = {value}{}: {doc}", parameter.name, unit.trim_end())
    }));
    if arguments.are_probed() {
        let limit = Network::default().eager_limit;
        lines.push(format!(
            "where the limit is {limit} bytes, whatever the library's is (`ats doctor` tells): messages are not probed here."
        ));
    }
    lines.push("\nWhat is to be found, if all begin at once and nothing but work takes time:\n".to_owned());
    lines.extend(truth::lines(made_for.truth).iter().map(|line| format!("  {line}")));
    lines.push(on_few_cores(program, made_for));
    lines.push(format!("\nBuild and run:\n\n  {}", commands(program, made_for)));
    lines.join("\n")
}

/// A note on the effect of shared cores, and the remedy.
fn on_few_cores(program: &Program, made_for: Standalone<'_>) -> String {
    let Program { property, .. } = program;
    if property.needs == Needs::NOTHING {
        return "\nWork of a given time spins until its time has passed: this needs a core of its own."
            .to_owned();
    }
    let (who, cores) = match property.needs {
        Needs::RANKS => ("Ranks", made_for.ranks),
        Needs::TEAM => ("Threads", made_for.threads),
        _ => ("Threads", made_for.ranks * made_for.threads),
    };
    let size = if property.needs.ranks { "--np" } else { "--threads" };
    format!(
        "\nWork spins until its time has passed: this needs {cores} cores of its own. {who} that share\n\
         one take turns on it and come late by whole turns: amounts are off then, by a half and more, and\n\
         others wait, too. For fewer cores make a smaller file ({size} N), or the whole program, which can\n\
         sleep in place of working (--work sleep): ats generate {}",
        property.name
    )
}

/// The commands that build and run a file.
fn commands(program: &Program, made_for: Standalone<'_>) -> String {
    let (name, needs) = (program.name(), program.property.needs);
    let launcher = if needs.ranks { format!("mpirun -np {} ", made_for.ranks) } else { String::new() };
    let build = standalone_build(needs, &format!("{name}.c"), name);
    format!("{build} && {launcher}./{name}")
}

/// The command that builds an executable from the file of a program with these needs.
pub fn standalone_build(needs: Needs, file: &str, executable: &str) -> String {
    let (compiler, libraries) = match (needs.ranks, needs.team) {
        (true, true) => ("mpicc -fopenmp", ""),
        (true, false) => ("mpicc", ""),
        (false, true) => ("cc -fopenmp", ""),
        // Amounts are those of operations, not of loads and stores around each.
        (false, false) => ("cc -O2", " -lm"),
    };
    format!("{compiler} {file} -o {executable}{libraries}")
}

fn size(needs: Needs, made_for: Standalone<'_>) -> String {
    match needs {
        Needs::RANKS => format!("{} ranks", made_for.ranks),
        Needs::TEAM => format!("{} threads", made_for.threads),
        Needs::NOTHING => "one process of one thread".to_owned(),
        _ => format!("{} ranks with {} threads each", made_for.ranks, made_for.threads),
    }
}

#[cfg(test)]
mod tests;
