//! The program of a composition, in Rust: its file, and a main that runs it.

use std::collections::BTreeSet;

use ats_compose::{Composition, Subject};
use minijinja::{Value, context};

use crate::files::Files;
use crate::suite::HARNESS;
use crate::template::{self, fill};
use crate::{GenerateError, Options, readme};

const MAIN: &str = include_str!("../templates/composition.rs.j2");

/// The crate that a composition's properties are looked up in, unless they are the program's own.
const CATALOGUE: &str = "ats-props";

/// A program in Rust.
pub(crate) fn files(
    composition: &Composition,
    options: &Options,
    single: bool,
) -> Result<Files, GenerateError> {
    let values = values(composition, options, single)?;
    let mut files = Files::default();
    files.add("Cargo.toml", template::package(&values));
    files.add("src/main.rs", fill(MAIN, values.clone()));
    files.add(format!("{}.toml", composition.name()), composition.to_toml());
    let build = fill(template::BUILD_OF_COMPOSITION, values.clone());
    files.add("README.md", readme::of_composition(composition, &build, "target/release"));
    if template::has_build_script(composition.needs(), options) {
        files.add("build.rs", fill(template::BUILD, values));
    }
    Ok(files)
}

fn values(composition: &Composition, options: &Options, single: bool) -> Result<Value, GenerateError> {
    let needs = composition.needs();
    let own = |property: &&'static ats_props::Property| property.origin.package != CATALOGUE;
    let properties = Subject::from(composition).properties();
    let modules: BTreeSet<_> =
        properties.iter().copied().filter(own).map(|property| property.origin.module).collect();
    let features: Vec<_> = ["composition"].into_iter().chain(template::features(needs, options)).collect();
    let lines = composition.description().lines().map(template::in_comment);
    Ok(context! {
        name => composition.name(),
        summary => composition.description().lines().next().unwrap_or_default(),
        header => lines.collect::<Vec<_>>(),
        modules,
        ranks => composition.ranks(),
        threads => composition.threads(),
        has_ranks => needs.ranks,
        has_team => needs.team,
        links_openmp => template::links_openmp(needs, options),
        features,
        packages => template::packages(&properties, &options.suite)?,
        harness => options.suite.crate_path(HARNESS)?,
        omp => options.suite.crate_path("ats-omp")?,
        version => env!("CARGO_PKG_VERSION"),
        build_script => template::has_build_script(needs, options),
        no_pie => options.no_pie,
        target => template::target(single),
        single,
    })
}
