//! Programs written from the catalogue.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

use ats_compose::Subject;
use ats_props::{Needs, Program, Property};
use minijinja::context;

use crate::build::Together;
use crate::files::Files;
use crate::template::{self, fill};
use crate::{GenerateError, Generated, Language, SuiteSource, Team, Workspace, composition, names, native};

/// What a property is known to show with its defaults.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct KnownSeverity {
    /// With how many ranks.
    pub ranks: u32,
    /// Of how many threads each.
    pub threads: u32,
    /// How much.
    pub amount: Amount,
}

/// How much a property shows.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Amount {
    /// Of a wait state.
    Wait {
        /// Summed over all locations, in seconds.
        waiting_time: f64,
        /// Waiting time as a share of the measured region's time over all locations.
        severity: f64,
    },
    /// How often a call is entered, over all locations.
    Visits(u64),
}

/// How programs are generated.
#[derive(Clone, Debug, PartialEq)]
pub struct Options {
    /// Where they find the suite's crates.
    pub suite: SuiteSource,
    /// What they are written in.
    pub language: Language,
    /// What runs the threads of those in Rust that have some.
    pub team: Team,
    /// Write into a folder that is not empty, over the files of a former program; others stay.
    pub force: bool,
    /// Make one executable of the properties in Rust that run on the same, with a link for each ([`Generated::link`]): it
    /// is built in a fraction of the time.
    pub together: bool,
    /// Link at a fixed address.
    pub no_pie: bool,
    /// For the READMEs: what is known to be shown, by the property's name.
    pub severities: BTreeMap<String, Vec<KnownSeverity>>,
}

impl Options {
    /// In Rust, into new folders, with OpenMP, without known severities.
    pub fn new(suite: SuiteSource) -> Self {
        Options {
            suite,
            language: Language::Rust,
            team: Team::OpenMp,
            force: false,
            together: false,
            no_pie: false,
            severities: BTreeMap::new(),
        }
    }
}

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

/// Writes the programs of properties and compositions into one workspace for each paradigm, each in a folder of its name.
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
    files.add("README.md", readme(&subjects, &workspaces, options));
    let files = files.write(dir, options.force)?;
    Ok(Generated { dir: dir.to_owned(), language: options.language, workspaces, files })
}

fn readme(subjects: &[Subject], workspaces: &[Workspace], options: &Options) -> String {
    let rows: Vec<_> = subjects
        .iter()
        .map(|subject| {
            let folder = subject.needs().paradigm();
            context! { name => subject.executable(), folder, summary => subject.summary() }
        })
        .collect();
    let folders: Vec<_> = workspaces.iter().map(|workspace| workspace.needs.paradigm()).collect();
    let has_ranks = workspaces.iter().any(|workspace| workspace.needs.ranks);
    let language = options.language.name();
    fill(template::README_OF_SET, context! { programs => rows, folders, has_ranks, language })
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
        Language::Rust => files.add("Cargo.toml", fill(template::WORKSPACE, context! { names })),
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
    files.add("Cargo.toml", fill(template::PACKAGE, values.clone()));
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

fn of_property(property: &Property, options: &Options, single: bool) -> Result<Files, GenerateError> {
    let values = template::values(property, options, single)?;
    let mut files = Files::default();
    files.add("Cargo.toml", fill(template::PACKAGE, values.clone()));
    files.add("src/main.rs", fill(template::MAIN, values.clone()));
    files.add("README.md", fill(template::README, values.clone()));
    if template::has_build_script(property.needs, options) {
        files.add("build.rs", fill(template::BUILD, values));
    }
    Ok(files)
}

/// What belongs to the folder, not to a program.
fn surroundings(set: bool, options: &Options) -> Files {
    let mut files = Files::default();
    if options.language != Language::Rust {
        files.add(".gitignore", native::IGNORED.to_owned());
        return files;
    }
    files.add(".cargo/config.toml", fill(template::CONFIG, context! { set }));
    files.add(".gitignore", "/target*\n".to_owned());
    files
}

/// Cargo completes the suite's lock file with the programs, so an existing one is more than the suite's.
fn lock(dir: &Path, options: &Options) -> Files {
    let mut files = Files::default();
    if options.language == Language::Rust
        && !dir.join("Cargo.lock").exists()
        && let Ok(lock) = fs::read_to_string(options.suite.lock_file())
    {
        files.add("Cargo.lock", lock);
    }
    files
}
