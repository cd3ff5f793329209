//! Programs written from the catalogue.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use ats_compose::Subject;
use ats_props::{Needs, Program, Property};
use minijinja::context;

use crate::build::{RUSTFLAGS, Together};
use crate::files::Files;
use crate::template::{self, fill};
use crate::{
    GenerateError, Generated, Language, Options, SuiteSource, Workspace, composition, names, native, readme,
};

/// Writes the program of a property or a composition into a folder of its own.
///
/// # Errors
/// The folder is not empty (without [`Options::force`]) or cannot be written, a name is unfit, or it cannot be said in
/// the language.
pub fn generate(
    subject: impl Into<Subject>,
    dir: &Path,
    options: &Options,
) -> Result<Generated, GenerateError> {
    let subject = subject.into();
    let mut files = program(&subject, options, true)?;
    files.append(surroundings(false, options));
    files.append(lock(dir, options));
    let files = files.write(dir, options.force)?;
    let programs = vec![subject.executable().to_owned()];
    let workspace = Workspace { dir: dir.to_owned(), needs: subject.needs(), programs, together: None };
    Ok(Generated { dir: dir.to_owned(), language: options.language, workspaces: vec![workspace], files })
}

/// Writes the programs of properties and compositions into one workspace for each paradigm, each in a folder of its
/// name.
///
/// # Errors
/// As for [`generate`], or two programs have one name.
pub fn generate_set(
    subjects: impl IntoIterator<Item = impl Into<Subject>>,
    dir: &Path,
    options: &Options,
) -> Result<Generated, GenerateError> {
    let subjects: Vec<Subject> = subjects.into_iter().map(Into::into).collect();
    let mut names = BTreeSet::new();
    if let Some(twice) = subjects.iter().find(|subject| !names.insert(subject.executable())) {
        return Err(GenerateError::Twice(twice.executable().to_owned()));
    }
    let mut files = surroundings(true, options);
    let mut workspaces = Vec::new();
    for needs in Needs::ALL {
        let members: Vec<&Subject> = subjects.iter().filter(|subject| subject.needs() == needs).collect();
        if members.is_empty() {
            continue;
        }
        let dir = dir.join(needs.paradigm());
        let (written, together) = workspace(&members, &dir, options)?;
        files.append(written.below(needs.paradigm()));
        let mut programs: Vec<_> = members.iter().map(|subject| subject.executable().to_owned()).collect();
        programs.sort();
        workspaces.push(Workspace { dir, needs, programs, together });
    }
    files.add("README.md", readme::of_set(&subjects, &workspaces, options));
    let files = files.write(dir, options.force)?;
    Ok(Generated { dir: dir.to_owned(), language: options.language, workspaces, files })
}

/// The programs that run on the same, and which of them are one executable.
fn workspace(
    subjects: &[&Subject],
    dir: &Path,
    options: &Options,
) -> Result<(Files, Option<Together>), GenerateError> {
    let mut files = lock(dir, options);
    let is_part = |subject: &&&Subject| {
        options.together && options.language == Language::Rust && matches!(subject, Subject::Property { .. })
    };
    let (mut parts, mut alone): (Vec<&Subject>, Vec<&Subject>) =
        subjects.iter().partition(|subject| is_part(subject));
    if parts.len() == 1 {
        alone.append(&mut parts);
    }
    for subject in &alone {
        files.append(program(subject, options, false)?.below(subject.executable()));
    }
    let mut names: Vec<_> = alone.iter().map(|subject| subject.executable().to_owned()).collect();
    let together = (!parts.is_empty()).then(|| {
        let name = format!("{}_programs", subjects[0].needs().paradigm());
        let programs = parts.iter().map(|subject| subject.executable().to_owned()).collect();
        Together { name, programs }
    });
    if let Some(together) = &together {
        files.append(one_executable(&parts, &together.name, options)?.below(&together.name));
        names.push(together.name.clone());
    }
    names.sort_unstable();
    match options.language {
        Language::Rust => files.add("Cargo.toml", template::workspace(names)),
        _ => files.append(native::of_set(names, subjects[0].needs(), options)),
    }
    Ok((files, together))
}

/// Properties as modules of one program.
fn one_executable(parts: &[&Subject], name: &str, options: &Options) -> Result<Files, GenerateError> {
    let mut files = Files::default();
    let mut names = Vec::new();
    let properties: Vec<_> = parts.iter().flat_map(|subject| subject.properties()).collect();
    for (subject, property) in parts.iter().zip(&properties) {
        names::check(subject)?;
        let values = template::values(property, options, false)?;
        let part = fill(template::MAIN, context! { part => true, ..values });
        files.add(format!("src/{}.rs", property.name), part);
        names.push(property.name);
    }
    let packages = template::packages(&properties, &options.suite)?;
    let summary = "Programs of properties, as one executable";
    let values = template::values(properties[0], options, false)?;
    let values = context! { name, summary, packages, ..values };
    files.add("Cargo.toml", template::package(&values));
    files.add("src/main.rs", fill(template::TOGETHER, context! { names }));
    if template::has_build_script(properties[0].needs, options) {
        files.add("build.rs", fill(template::BUILD, values));
    }
    Ok(files)
}

fn program(subject: &Subject, options: &Options, single: bool) -> Result<Files, GenerateError> {
    names::check(subject)?;
    match (subject, options.language) {
        (Subject::Property { program: Program { property, .. }, .. }, Language::Rust) => {
            of_property(property, options, single)
        }
        (Subject::Property { program: Program { property, .. }, .. }, _) => {
            native::of_property(property, options)
        }
        (Subject::Composition(composition), Language::Rust) => {
            composition::files(composition, options, single)
        }
        (Subject::Composition(composition), _) => native::of_composition(composition, options),
    }
}

fn of_property(property: &'static Property, options: &Options, single: bool) -> Result<Files, GenerateError> {
    let values = template::values(property, options, single)?;
    let mut files = Files::default();
    files.add("Cargo.toml", template::package(&values));
    files.add("src/main.rs", fill(template::MAIN, values.clone()));
    files.add("README.md", readme::of_property(property, options, None, single)?);
    if template::has_build_script(property.needs, options) {
        files.add("build.rs", fill(template::BUILD, values));
    }
    Ok(files)
}

/// The files that belong to the folder rather than to a program.
fn surroundings(set: bool, options: &Options) -> Files {
    let mut files = Files::default();
    if options.language != Language::Rust {
        files.add(".gitignore", native::IGNORED.to_owned());
        return files;
    }
    files.append(configuration(set));
    files.add(".gitignore", "/target*\n".to_owned());
    files
}

/// The configuration with the flags of rustc.
pub(crate) fn configuration(set: bool) -> Files {
    let mut files = Files::default();
    let rustflags = format!("{RUSTFLAGS:?}");
    files.add(".cargo/config.toml", fill(template::CONFIG, context! { set, rustflags }));
    files
}

/// Cargo completes the suite's lock file with the programs, so an existing one is more than the suite's.
fn lock(dir: &Path, options: &Options) -> Files {
    let is_wanted = options.language == Language::Rust && !dir.join("Cargo.lock").exists();
    if is_wanted { lock_of(&options.suite) } else { Files::default() }
}

/// The versions that the suite is tested with, if it has a lock file.
pub(crate) fn lock_of(suite: &SuiteSource) -> Files {
    let mut files = Files::default();
    if let Ok(lock) = fs::read_to_string(suite.lock_file()) {
        files.add("Cargo.lock", lock);
    }
    files
}
