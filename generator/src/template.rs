//! The templates, and the values for them.

use std::collections::BTreeMap;

use ats_props::native::without_links;
use ats_props::{Entry, Needs, Parameter, Property};
use minijinja::syntax::SyntaxConfig;
use minijinja::{Environment, Value, context};

use crate::suite::{HARNESS, utf8};
use crate::{GenerateError, Language, Options, SuiteSource, Team};

pub(crate) const MAIN: &str = include_str!("../templates/main.rs.j2");
pub(crate) const TOGETHER: &str = include_str!("../templates/together.rs.j2");
pub(crate) const BUILD: &str = include_str!("../templates/build.rs.j2");
pub(crate) const CONFIG: &str = include_str!("../templates/config.toml.j2");
const PACKAGE: &str = include_str!("../templates/package.toml.j2");
pub(crate) const LIBRARY: &str = include_str!("../templates/library.toml.j2");
const WORKSPACE: &str = include_str!("../templates/workspace.toml.j2");
/// The build profile of programs.
pub(crate) const PROFILE: &str = include_str!("../templates/profile.toml");
pub(crate) const BUILD_OF_COMPOSITION: &str = include_str!("../templates/composition.build.md.j2");

/// Fills a template.
pub(crate) fn fill(template: &str, values: Value) -> String {
    let mut environment = Environment::new();
    environment.set_syntax(
        SyntaxConfig::builder().keep_trailing_newline(true).build().expect("the usual delimiters"),
    );
    environment.add_filter("cell", |text: String| text.replace('|', "\\|").replace('\n', " "));
    environment.render_str(template, values).expect("the templates are part of this crate and tested")
}

/// The manifest of a program.
pub(crate) fn package(values: &Value) -> String {
    fill(PACKAGE, context! { profile => PROFILE.trim_end(), ..values.clone() })
}

/// The manifest of programs that are built at once.
pub(crate) fn workspace(names: Vec<String>) -> String {
    fill(WORKSPACE, context! { names, profile => PROFILE })
}

/// The values for the templates of a property's program.
pub(crate) fn values(property: &Property, options: &Options, single: bool) -> Result<Value, GenerateError> {
    let doc = without_links(property.doc);
    let summary = doc.split("\n\n").next().unwrap_or_default().replace('\n', " ");
    let header = header_lines(property, &doc);
    let suite = &options.suite;
    Ok(context! {
        name => property.name,
        header,
        summary,
        has_ranks => property.needs.ranks,
        owns_mpi => property.entry == Entry::Program,
        has_team => property.needs.team,
        links_openmp => links_openmp(property.needs, options),
        features => features(property.needs, options),
        packages => packages(&[property], suite)?,
        harness => suite.crate_path(HARNESS)?,
        omp => suite.crate_path("ats-omp")?,
        version => env!("CARGO_PKG_VERSION"),
        sentences => property.finds.sentences().iter().map(|one| in_comment(one)).collect::<Vec<_>>(),
        parameters => property.parameters.iter().map(parameter).collect::<Vec<_>>(),
        import => import(property),
        call => call(property),
        target => target(single),
        build_script => has_build_script(property.needs, options),
        no_pie => options.no_pie,
        single,
    })
}

/// Cargo's target folder, as seen from the program's.
pub(crate) fn target(single: bool) -> &'static str {
    if single { "target" } else { "../target" }
}

/// The comment at the head of a program, line by line.
pub(crate) fn header(property: &Property, language: Language) -> Vec<String> {
    let mut lines = header_lines(property, &without_links(property.doc));
    lines.push(String::new());
    lines.extend(property.finds.sentences().iter().map(|sentence| in_comment(sentence)));
    lines.push(String::new());
    lines.push(format!(
        "Written by `ats generate {} --lang {}`; README.md says what it shows and how to run it.",
        property.name,
        language.name()
    ));
    lines
}

fn header_lines(property: &Property, doc: &str) -> Vec<String> {
    format!("{}: {doc}", property.name).lines().map(in_comment).collect()
}

/// The meaning of a parameter, and its default.
pub(crate) fn described(parameter: &Parameter) -> String {
    let default = (parameter.default)();
    let doc = in_comment(&parameter.doc.replace('\n', " "));
    let unit =
        if parameter.kind.unit.is_empty() { String::new() } else { format!(" {}", parameter.kind.unit) };
    format!("{} ({default}{unit} unless given)", doc.trim_end_matches('.'))
}

/// The features of the harness that a program needs.
pub(crate) fn features(needs: Needs, options: &Options) -> Vec<&'static str> {
    let mpi = needs.ranks.then_some("mpi");
    let team = needs.team.then(|| options.team.name());
    mpi.into_iter().chain(team).collect()
}

pub(crate) fn links_openmp(needs: Needs, options: &Options) -> bool {
    needs.team && options.team == Team::OpenMp
}

/// Whether a program passes flags to the linker.
pub(crate) fn has_build_script(needs: Needs, options: &Options) -> bool {
    options.no_pie || links_openmp(needs, options)
}

/// The widest line that rustfmt leaves alone.
const WIDTH: usize = 100;

/// The widest arguments of a call that rustfmt leaves on one line.
const CALL_WIDTH: usize = 60;

/// The import of a program from the property's module, as rustfmt breaks it.
fn import(property: &Property) -> String {
    let (module, name) = (property.origin.module, property.name);
    let line = format!("use {module}::{{PROPERTY, {name}}};");
    // It keeps room for a brace and a comma where a list is imported.
    if line.len() <= WIDTH - 2 { line } else { format!("use {module}::{{\n    PROPERTY, {name},\n}};") }
}

/// The property's call, indented, as rustfmt breaks it.
fn call(property: &Property) -> String {
    let indent = " ".repeat(12);
    let parameters = property.parameters.iter().map(|parameter| parameter.name);
    let handle = if property.entry == Entry::Program { "run.process()" } else { "run.communicator()" };
    let communicator = property.needs.ranks.then_some(handle);
    let team = property.needs.team.then_some("run.team()");
    let arguments: Vec<_> = parameters.chain(communicator).chain(team).collect();
    let joined = arguments.join(", ");
    let line = format!("{indent}{}({joined})", property.name);
    if line.len() <= WIDTH && joined.len() <= CALL_WIDTH {
        return line;
    }
    let arguments: String = arguments.iter().map(|argument| format!("{indent}    {argument},\n")).collect();
    format!("{indent}{}(\n{arguments}{indent})", property.name)
}

/// The crates that properties come from: the suite's own with the suite, wherever it is now; others from the folder
/// where they were compiled.
pub(crate) fn packages(properties: &[&Property], suite: &SuiteSource) -> Result<Vec<Value>, GenerateError> {
    let mut packages = BTreeMap::from([("ats-props", suite.crate_path("ats-props")?)]);
    for origin in properties.iter().map(|property| &property.origin) {
        if origin.package != "ats-props" {
            packages.insert(origin.package, utf8(origin.folder.into())?);
        }
    }
    Ok(packages.into_iter().map(|(name, path)| context! { name, path }).collect())
}

fn parameter(parameter: &Parameter) -> Value {
    context! {
        name => parameter.name,
        comment => described(parameter),
    }
}

/// A line that cannot end the comment it is put in.
pub(crate) fn in_comment(line: &str) -> String {
    line.replace(|c: char| c.is_control(), " ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::SuiteLibrary;

    #[test]
    fn crates_are_built_as_in_the_suite() {
        let overrides = |manifest: &str| {
            let manifest: toml::Table = manifest.parse().unwrap();
            manifest["profile"]["release"]["package"].as_table().unwrap().clone()
        };
        let suite = overrides(include_str!("../../Cargo.toml"));
        for (package, profile) in overrides(PROFILE) {
            assert_eq!(suite.get(&package), Some(&profile), "{package} would be built twice");
        }
        let (_, recorder) = SuiteLibrary::Recorder.manifest(&SuiteSource::find().unwrap(), true).unwrap();
        assert_eq!(overrides(&recorder), suite);
    }
}
