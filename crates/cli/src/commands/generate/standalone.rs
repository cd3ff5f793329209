//! `ats generate --standalone`.

use std::path::{Path, PathBuf};

use ats_compose::Subject;
use ats_documents::answer::Done;
use ats_generator::{Standalone, standalone, standalone_build, write_standalone};
use ats_props::{Catalogue, Entry, Program, Property};
use ats_truth::{Planned, TruthOptions, nominal};

use super::Generate;
use crate::failure::Failure;
use crate::options::program::{ProgramArgs, SizeArgs};

/// The files that were written, and what builds them.
pub(super) struct Written {
    pub(super) document: Done,
    pub(super) builds: String,
}

/// Writes the files.
pub(super) fn write(arguments: &Generate, catalogue: &Catalogue) -> Result<Written, Failure> {
    let planned = planned(arguments, catalogue)?;
    let (dir, file) = place(arguments, &planned)?;
    let name = |planned: &Planned| file.clone().unwrap_or_else(|| format!("{}.c", planned.subject.name()));
    let files: Vec<_> =
        planned.iter().map(|planned| Ok((name(planned), text(planned)?))).collect::<Result<_, Failure>>()?;
    // A single file may have others beside it.
    let force = arguments.force || file.is_some();
    let files = write_standalone(files, &dir, force)?;
    let build = |(planned, file): (&Planned, &PathBuf)| {
        let subject = &planned.subject;
        format!("    {}\n", standalone_build(subject.needs(), &file.display().to_string(), subject.name()))
    };
    let builds = planned.iter().zip(&files).map(build).collect();
    let programs = planned.iter().map(|planned| planned.subject.name().to_owned()).collect();
    let dir = if dir.as_os_str().is_empty() { PathBuf::from(".") } else { dir };
    Ok(Written {
        document: Done { schema: Done::SCHEMA, dir: Some(dir), programs, files, ..Done::default() },
        builds,
    })
}

/// The programs, with their parameters and sizes.
fn planned(arguments: &Generate, catalogue: &Catalogue) -> Result<Vec<Planned>, Failure> {
    let Generate { programs: words, all, size, .. } = arguments;
    if *all {
        let catalogue = catalogue.clone().filter(Entry::has_program);
        return catalogue.properties().map(|property| defaults(*size, property, &catalogue)).collect();
    }
    let is_parameter = |word: &&String| word.contains('=');
    let parameters: Vec<String> = words.iter().filter(is_parameter).cloned().collect();
    let programs: Vec<&String> = words.iter().filter(|word| !is_parameter(word)).collect();
    if programs.is_empty() || (programs.len() > 1 && !parameters.is_empty()) {
        let parameters = parameters.join(" ");
        return Err(Failure::Input(format!("{parameters}: parameters need a single property; name one")));
    }
    if let Some((number, twice)) =
        programs.iter().enumerate().find(|(at, word)| programs[..*at].contains(word))
    {
        return Err(Failure::Input(format!(
            "{twice} is named twice (as program {}); name it once",
            number + 1
        )));
    }
    let planned = |word: &String| {
        let size = catalogue.program(word).map_or(*size, |program| of_one_run(*size, program.property));
        ProgramArgs::new(word, &parameters, size).resolve(catalogue)
    };
    programs.into_iter().map(planned).collect()
}

/// A property with its defaults.
fn defaults(size: SizeArgs, property: &Property, catalogue: &Catalogue) -> Result<Planned, Failure> {
    let size = of_one_run(size, property).given().of_use(property.needs);
    Planned::named(property.name, &[], size, catalogue).map_err(Failure::input)
}

/// The file of a property with its defaults, as text; `None` for an ideal trace that no program shows.
pub(crate) fn file(property: &Property, catalogue: &Catalogue) -> Result<Option<String>, Failure> {
    let planned = || text(&defaults(SizeArgs::default(), property, catalogue)?);
    property.entry.has_program().then(planned).transpose()
}

/// The size of a file: of an experiment, that of its largest run.
pub(crate) fn of_one_run(size: SizeArgs, property: &Property) -> SizeArgs {
    match (property.entry, size.given().sizes(property).last()) {
        (Entry::Experiment(_), Some(largest)) if property.needs.ranks => {
            SizeArgs { np: Some(largest.ranks), ..size }
        }
        (Entry::Experiment(_), Some(largest)) => SizeArgs { threads: Some(largest.threads), ..size },
        _ => size,
    }
}

/// The folder, and the name of the file if a single one is meant.
fn place(arguments: &Generate, planned: &[Planned]) -> Result<(PathBuf, Option<String>), Failure> {
    let output = &arguments.output;
    if output.extension().is_none_or(|extension| extension != "c") || output.is_dir() {
        return Ok((output.clone(), None));
    }
    let name = output.file_name().and_then(|name| name.to_str());
    let (Some(name), 1) = (name, planned.len()) else {
        let output = output.display();
        return Err(Failure::Input(format!("{output} is the name of one file; give a folder for several")));
    };
    if output.exists() && !arguments.force {
        let output = output.display();
        return Err(Failure::Input(format!(
            "{output} exists; choose another file, or --force to overwrite it"
        )));
    }
    Ok((output.parent().unwrap_or(Path::new("")).to_owned(), Some(name.to_owned())))
}

fn text(Planned { subject, size }: &Planned) -> Result<String, Failure> {
    // Whether there can be a file comes first: of compositions and ideal traces there is a truth, too.
    if let Subject::Property { program: Program { property, .. }, .. } = subject
        && !property.entry.has_program()
    {
        let unfit = ats_generator::GenerateError::TraceOnly(property.name.to_owned());
        return Err(Failure::input(unfit));
    }
    let truth = nominal(subject, *size, &TruthOptions::default())?;
    let made_for = Standalone { ranks: size.ranks, threads: size.threads, truth: &truth };
    standalone(subject, made_for).map_err(Failure::input)
}
