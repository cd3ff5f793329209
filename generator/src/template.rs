//! The templates, and what they are filled with.

use std::collections::BTreeMap;

use ats_props::{Needs, Parameter, Property, SendMode, WaitState};
use minijinja::syntax::SyntaxConfig;
use minijinja::{Environment, Value, context};

use crate::suite::utf8;
use crate::{Amount, GenerateError, KnownSeverity, Language, Options, SuiteSource, Team, native};

pub(crate) const MAIN: &str = include_str!("../templates/main.rs.j2");
pub(crate) const TOGETHER: &str = include_str!("../templates/together.rs.j2");
pub(crate) const BUILD: &str = include_str!("../templates/build.rs.j2");
pub(crate) const CONFIG: &str = include_str!("../templates/config.toml.j2");
pub(crate) const PACKAGE: &str = include_str!("../templates/package.toml.j2");
pub(crate) const WORKSPACE: &str = include_str!("../templates/workspace.toml.j2");
pub(crate) const README: &str = include_str!("../templates/program.md.j2");
pub(crate) const BUILD_OF_COMPOSITION: &str = include_str!("../templates/composition.build.md.j2");
pub(crate) const README_OF_SET: &str = include_str!("../templates/set.md.j2");

/// Fills a template.
pub(crate) fn fill(template: &str, values: Value) -> String {
    let mut environment = Environment::new();
    environment.set_syntax(
        SyntaxConfig::builder().keep_trailing_newline(true).build().expect("the usual delimiters"),
    );
    environment.add_filter("cell", |text: String| text.replace('|', "\\|").replace('\n', " "));
    environment.render_str(template, values).expect("the templates are part of this crate and tested")
}

/// What the templates of one program are filled with.
pub(crate) fn values(property: &Property, options: &Options, single: bool) -> Result<Value, GenerateError> {
    let doc = without_links(property.doc);
    let summary = doc.split("\n\n").next().unwrap_or_default().replace('\n', " ");
    let header = header_lines(property, &doc);
    let suite = &options.suite;
    let example = property.parameters.first().map(|first| format!(" {}={}", first.name, (first.default)()));
    let build = (options.language != Language::Rust).then(|| {
        let example = example.as_deref().unwrap_or_default();
        native::build(options, property.needs, property.name, example, 4, false)
    });
    let severities = options.severities.get(property.name).map_or(&[][..], Vec::as_slice);
    Ok(context! {
        name => property.name,
        twin => property.twin,
        header,
        doc,
        summary,
        paradigm => property.needs.paradigm(),
        has_ranks => property.needs.ranks,
        has_team => property.needs.team,
        team => options.team.name(),
        links_openmp => links_openmp(property.needs, options),
        features => features(property.needs, options),
        packages => packages(&[property], suite)?,
        harness => suite.crate_path("ats-harness")?,
        omp => suite.crate_path("ats-omp")?,
        version => env!("CARGO_PKG_VERSION"),
        wait_state => property.finds.wait_state().map(WaitState::name),
        counted => property.finds.counted(),
        metric => property.finds.metric(),
        formula => in_comment(property.formula),
        min_ranks => property.min_ranks,
        min_threads => property.min_threads,
        send_mode => property.send_mode.map(send_mode),
        parameters => property.parameters.iter().map(parameter).collect::<Vec<_>>(),
        import => import(property),
        call => call(property),
        severities => severities.iter().map(severity).collect::<Vec<_>>(),
        example,
        build,
        target => if single { "target" } else { "../target" },
        build_script => has_build_script(property.needs, options),
        no_pie => options.no_pie,
        single,
    })
}

/// What a program says about itself, line by line.
pub(crate) fn header(property: &Property, language: Language) -> Vec<String> {
    let mut lines = header_lines(property, &without_links(property.doc));
    lines.extend([String::new(), format!("Waiting time: {}", in_comment(property.formula)), String::new()]);
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

/// What a parameter means, and its default.
pub(crate) fn described(parameter: &Parameter) -> String {
    let default = (parameter.default)();
    let doc = in_comment(&parameter.doc.replace('\n', " "));
    let unit = if parameter.unit.is_empty() { String::new() } else { format!(" {}", parameter.unit) };
    format!("{} ({default}{unit} unless given)", doc.trim_end_matches('.'))
}

/// What a program needs of the harness.
pub(crate) fn features(needs: Needs, options: &Options) -> Vec<&'static str> {
    let mpi = needs.ranks.then_some("mpi");
    let team = needs.team.then(|| options.team.name());
    mpi.into_iter().chain(team).collect()
}

pub(crate) fn links_openmp(needs: Needs, options: &Options) -> bool {
    needs.team && options.team == Team::OpenMp
}

/// Whether a program tells the linker anything.
pub(crate) fn has_build_script(needs: Needs, options: &Options) -> bool {
    options.no_pie || links_openmp(needs, options)
}

/// The widest line that rustfmt leaves alone.
const WIDTH: usize = 100;

/// What a program takes from the property's module, as rustfmt breaks it.
fn import(property: &Property) -> String {
    let (module, name) = (property.origin.module, property.name);
    let line = format!("use {module}::{{PROPERTY, {name}}};");
    if line.len() <= WIDTH { line } else { format!("use {module}::{{\n    PROPERTY, {name},\n}};") }
}

/// The property's call, indented, as rustfmt breaks it.
fn call(property: &Property) -> String {
    let indent = " ".repeat(12);
    let parameters = property.parameters.iter().map(|parameter| parameter.name);
    let communicator = property.needs.ranks.then_some("run.communicator()");
    let team = property.needs.team.then_some("run.team()");
    let arguments: Vec<_> = parameters.chain(communicator).chain(team).collect();
    let line = format!("{indent}{}({})", property.name, arguments.join(", "));
    if line.len() <= WIDTH {
        return line;
    }
    let arguments: String = arguments.iter().map(|argument| format!("{indent}    {argument},\n")).collect();
    format!("{indent}{}(\n{arguments}{indent})", property.name)
}

/// The crates that properties come from: the suite's own with the suite, wherever it is now; others from where they were
/// compiled.
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
        doc => in_comment(&parameter.doc.replace('\n', " ")),
        unit => parameter.unit,
        range => parameter.range,
        default => (parameter.default)(),
    }
}

/// The last columns of a known severity's row.
fn severity(known: &KnownSeverity) -> Value {
    let amount = match known.amount {
        Amount::Wait { waiting_time, severity } => {
            let waiting_time = format!("{waiting_time:.6}");
            let waiting_time = waiting_time.trim_end_matches('0').trim_end_matches('.');
            format!("{waiting_time} | {:.1} %", 100.0 * severity)
        }
        Amount::Visits(visits) => visits.to_string(),
    };
    context! { ranks => known.ranks, threads => known.threads, amount }
}

fn send_mode(mode: SendMode) -> &'static str {
    match mode {
        SendMode::Standard => "standard, and have to be eager, which the program probes (`MPI_Send`)",
        SendMode::Synchronous => "synchronous (`MPI_Ssend`)",
        SendMode::Buffered => "buffered (`MPI_Bsend`)",
        SendMode::Ready => "ready (`MPI_Rsend`)",
    }
}

/// Documentation without rustdoc's links, which lead nowhere outside the catalogue.
fn without_links(doc: &str) -> String {
    doc.replace("[`super::", "`").replace("[`", "`").replace("`]", "`")
}

/// A line that cannot end the comment it is put in.
pub(crate) fn in_comment(line: &str) -> String {
    line.replace(|c: char| c.is_control(), " ")
}
