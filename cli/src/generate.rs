//! `ats generate`.

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use ats_compose::Composition;
use ats_generator::{
    Amount, Generated, KnownSeverity, Language, Options, SuiteSource, Team, Workspace, generate,
    generate_composition, generate_set,
};
use ats_props::{Catalogue, Finds, Paradigm, Program, Property};
use ats_validation::size::Size;
use ats_validation::subject::Subject;
use ats_validation::truth::{TruthOptions, nominal};
use clap::Args;
use schemars::JsonSchema;
use serde::Serialize;

use crate::failure::Failure;
use crate::output::Output;

/// Write the complete program of a property or of a composition: source, build file, README.
#[derive(Args, Debug)]
#[command(after_help = "Examples:
  ats generate late_sender -o late_sender
  ats generate late_sender late_receiver -o two
  ats generate imbalance_at_omp_barrier --team rayon -o barrier
  ats generate late_sender --lang c -o late_sender_c
  ats generate examples/hybrid.toml --lang fortran -o hybrid
  ats generate --all -o programs")]
pub(crate) struct Generate {
    /// The properties, of which several get one workspace; or the file of a composition (a name with / or ending in
    /// .toml).
    #[arg(required_unless_present = "all", value_name = "PROPERTY or FILE")]
    properties: Vec<String>,
    /// Every property.
    #[arg(long, conflicts_with = "properties")]
    all: bool,
    /// The folder to write into.
    #[arg(short, long, value_name = "DIR")]
    output: PathBuf,
    /// Write into a folder that is not empty.
    #[arg(long)]
    force: bool,
    /// What they are written in: rust, c or fortran.
    #[arg(long, value_name = "LANGUAGE", default_value = "rust", value_parser = language)]
    lang: Language,
    /// What runs the threads of programs in Rust that have some: openmp, or rayon where there is no OpenMP runtime.
    #[arg(long, value_name = "ENGINE", default_value = "openmp", value_parser = team)]
    team: Team,
    /// Link at a fixed address, for tools that need it.
    #[arg(long)]
    no_pie: bool,
}

fn language(name: &str) -> Result<Language, String> {
    let known = Language::ALL.into_iter().find(|language| language.name() == name);
    known.ok_or_else(|| "give rust, c or fortran".to_owned())
}

fn team(name: &str) -> Result<Team, String> {
    Team::ALL.into_iter().find(|team| team.name() == name).ok_or_else(|| "give openmp or rayon".to_owned())
}

/// `ats-generated/1`.
#[derive(Debug, JsonSchema, Serialize)]
pub(crate) struct Document {
    /// `ats-generated/1`.
    schema: &'static str,
    /// The folder.
    dir: PathBuf,
    /// The programs in it.
    programs: Vec<String>,
    /// Every file.
    files: Vec<PathBuf>,
}

impl Document {
    pub(crate) const SCHEMA: &str = "ats-generated/1";
}

/// For the READMEs: the sizes at which the known severity is told.
fn sizes(paradigm: Paradigm) -> [Size; 3] {
    let size = |ranks, threads| Size { ranks, threads };
    match paradigm {
        Paradigm::Mpi => [size(4, 1), size(8, 1), size(16, 1)],
        Paradigm::OpenMp => [size(1, 4), size(1, 8), size(1, 16)],
        Paradigm::Hybrid => [size(2, 2), size(2, 4), size(4, 4)],
    }
}

impl Generate {
    pub(crate) fn run(&self, catalogue: &Catalogue, output: Output) -> Result<ExitCode, Failure> {
        let suite = SuiteSource::find().map_err(|error| Failure::Missing(error.to_string()))?;
        let Generate { lang: language, team, force, no_pie, .. } = *self;
        let mut options = Options { language, team, force, no_pie, ..Options::new(suite) };
        let generated = match &self.properties[..] {
            [file] if is_file(file) => self.composition(file, catalogue, &options)?,
            _ => self.set(catalogue, &mut options)?,
        };
        let programs = generated.programs().map(str::to_owned).collect();
        let builds: String =
            generated.workspaces.iter().map(|workspace| build(workspace, language)).collect();
        let Generated { dir, files, .. } = generated;
        let document = Document { schema: Document::SCHEMA, dir, programs, files };
        output.document(&document, || {
            let Document { dir, programs, files, .. } = &document;
            let (dir, what) = (dir.display(), programs.join(", "));
            format!("{what}: {} files in {dir}; build with:\n{builds}", files.len())
        })?;
        Ok(ExitCode::SUCCESS)
    }

    fn set(&self, catalogue: &Catalogue, options: &mut Options) -> Result<Generated, Failure> {
        let properties: Vec<&Property> = if self.all {
            catalogue.properties().collect()
        } else {
            let property = |name: &String| catalogue.program(name).map(|program| program.property);
            self.properties.iter().map(property).collect::<Result<_, _>>().map_err(Failure::input)?
        };
        for &property in &properties {
            options.severities.insert(property.name.to_owned(), severities(catalogue, property)?);
        }
        match properties[..] {
            [property] if !self.all => generate(property, &self.output, options),
            _ => generate_set(properties, &self.output, options),
        }
        .map_err(Failure::input)
    }

    fn composition(
        &self,
        file: &str,
        catalogue: &Catalogue,
        options: &Options,
    ) -> Result<Generated, Failure> {
        let composition = Composition::read(Path::new(file), catalogue).map_err(Failure::input)?;
        composition.plan(composition.ranks(), composition.threads()).map_err(Failure::input)?;
        generate_composition(&composition, &self.output, options).map_err(Failure::input)
    }
}

fn is_file(name: &str) -> bool {
    name.contains('/') || name.ends_with(".toml")
}

/// What builds a workspace, for the user to run.
fn build(workspace: &Workspace, language: Language) -> String {
    let dir = workspace.dir.display();
    match language {
        Language::Rust => format!("    cd {dir} && cargo build --release\n"),
        Language::C | Language::Fortran => format!("    make -C {dir} ATS_PREFIX=PREFIX\n"),
    }
}

fn severities(catalogue: &Catalogue, property: &Property) -> Result<Vec<KnownSeverity>, Failure> {
    let program: Program = catalogue.program(property.name).map_err(Failure::input)?;
    let arguments = property.arguments([]).map_err(Failure::input)?;
    sizes(property.paradigm)
        .into_iter()
        .filter(|size| size.check(property).is_ok())
        .map(|size| {
            let subject = Subject::Property { program, arguments: arguments.clone() };
            let truth = nominal(&subject, size, &TruthOptions::default())?;
            let amount = match property.finds {
                Finds::Wait(state) => {
                    let shown = truth.findings.iter().filter(|finding| finding.property == Some(state));
                    let waiting_time = shown.fold(0.0, |sum, finding| sum + finding.waiting_time);
                    Amount::Wait { waiting_time, severity: truth.basis.severity(waiting_time) }
                }
                Finds::Count(region) => {
                    Amount::Visits(truth.counts.get(region).map_or(0, |count| count.calls))
                }
            };
            Ok(KnownSeverity { ranks: size.ranks as u32, threads: size.threads as u32, amount })
        })
        .collect()
}
