//! Programs written from the catalogue.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

use ats_props::Property;
use minijinja::context;

use crate::files::Files;
use crate::template::{self, fill};
use crate::{GenerateError, Generated, SuiteSource, names};

/// What a property is known to show with its defaults.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct KnownSeverity {
    /// With how many ranks.
    pub ranks: u32,
    /// Summed over all locations, in seconds.
    pub waiting_time: f64,
    /// Waiting time as a share of the measured region's time over all locations.
    pub severity: f64,
}

/// How programs are generated.
#[derive(Clone, Debug, PartialEq)]
pub struct Options {
    /// Where they find the suite's crates.
    pub suite: SuiteSource,
    /// Write into a folder that is not empty, over the files of a former program; others stay.
    pub force: bool,
    /// Link at a fixed address.
    pub no_pie: bool,
    /// For the READMEs: what is known to be shown, by the property's name.
    pub severities: BTreeMap<String, Vec<KnownSeverity>>,
}

impl Options {
    /// Into new folders, without known severities.
    pub fn new(suite: SuiteSource) -> Self {
        Options { suite, force: false, no_pie: false, severities: BTreeMap::new() }
    }
}

/// Writes the program of a property into a folder of its own.
///
/// # Errors
/// The folder is not empty (without [`Options::force`]) or cannot be written, or a name is unfit.
pub fn generate(property: &Property, dir: &Path, options: &Options) -> Result<Generated, GenerateError> {
    let mut files = program(property, options, true)?;
    files.add(".cargo/config.toml", fill(template::CONFIG, context! {}));
    finish(files, vec![property.name.to_owned()], dir, options)
}

/// Writes the programs of properties into one workspace, each in a folder of its name.
///
/// # Errors
/// As for [`generate`], or two properties have one name.
pub fn generate_set<'a>(
    properties: impl IntoIterator<Item = &'a Property>,
    dir: &Path,
    options: &Options,
) -> Result<Generated, GenerateError> {
    let properties: Vec<_> = properties.into_iter().collect();
    let mut names = BTreeSet::new();
    let mut files = Files::default();
    for property in &properties {
        if !names.insert(property.name) {
            return Err(GenerateError::Twice(property.name.to_owned()));
        }
        files.append(program(property, options, false)?.below(property.name));
    }
    let rows: Vec<_> = properties
        .iter()
        .map(|property| context! { name => property.name, summary => property.summary() })
        .collect();
    let programs: Vec<_> = names.into_iter().map(str::to_owned).collect();
    files.add("Cargo.toml", fill(template::WORKSPACE, context! { names => &programs }));
    files.add("README.md", fill(template::README_OF_SET, context! { programs => rows }));
    files.add(".cargo/config.toml", fill(template::CONFIG, context! {}));
    finish(files, programs, dir, options)
}

fn program(property: &Property, options: &Options, single: bool) -> Result<Files, GenerateError> {
    names::check(property)?;
    let severities = options.severities.get(property.name).map_or(&[][..], Vec::as_slice);
    let values = template::values(property, &options.suite, single, options.no_pie, severities)?;
    let mut files = Files::default();
    files.add("Cargo.toml", fill(template::PACKAGE, values.clone()));
    files.add("src/main.rs", fill(template::MAIN, values.clone()));
    files.add("README.md", fill(template::README, values));
    if options.no_pie {
        files.add("build.rs", fill(template::BUILD, context! {}));
    }
    Ok(files)
}

fn finish(
    mut files: Files,
    programs: Vec<String>,
    dir: &Path,
    options: &Options,
) -> Result<Generated, GenerateError> {
    // Cargo completes the suite's lock file with the programs, so an existing one is more than the suite's.
    if !dir.join("Cargo.lock").exists()
        && let Ok(lock) = fs::read_to_string(options.suite.lock_file())
    {
        files.add("Cargo.lock", lock);
    }
    files.add(".gitignore", "/target*\n".to_owned());
    let files = files.write(dir, options.force)?;
    Ok(Generated { dir: dir.to_owned(), programs, files })
}
