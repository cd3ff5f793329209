//! `ats generate`.

pub(crate) mod standalone;

use std::path::PathBuf;
use std::process::ExitCode;

use ats_compose::Subject;
use ats_documents::answer::Done;
use ats_generator::{
    Generated, Language, Options, SuiteSource, Team, Workspace, generate, generate_set, installed_prefix,
};
use ats_props::{Catalogue, Entry};
use ats_truth::Planned;
use clap::Args;

use crate::commands::completions::one_of;
use crate::environment::{PROGRAMS, section};
use crate::failure::Failure;
use crate::options::program::{SizeArgs, is_file};
use crate::output::Output;
use standalone::Written;

/// Write the source of a program: Rust, C or Fortran.
///
/// The folder also gets a build file and a README.
#[derive(Args, Debug)]
#[command(after_help = section("Environment of programs", PROGRAMS) + "
Examples:
  ats generate late_sender -o late_sender
  ats generate late_sender late_receiver -o two
  ats generate imbalance_at_omp_barrier --team rayon -o barrier
  ats generate late_sender --lang c -o late_sender_c
  ats generate late_sender --standalone -o late_sender.c
  ats generate late_sender extrawork=20ms --np 8 --standalone -o late_sender.c
  ats generate --all --standalone -o files
  ats generate examples/hybrid.toml --lang fortran -o hybrid
  ats generate --all -o programs")]
pub(crate) struct Generate {
    /// Properties, or files of compositions (names with `/` or ending in `.toml`); several get a workspace for each
    /// paradigm. With --standalone also parameters, NAME=VALUE.
    #[arg(required_unless_present = "all", value_name = "PROPERTY or FILE")]
    programs: Vec<String>,
    /// Every property.
    #[arg(long, conflicts_with = "programs")]
    all: bool,
    /// The folder to write into; with --standalone the file of a single property, if it ends in `.c`.
    #[arg(short, long, value_name = "DIR")]
    output: PathBuf,
    /// Write into a folder that is not empty, or over a file.
    #[arg(long)]
    force: bool,
    /// The language of the programs: rust, c or fortran [default: rust; with --standalone c].
    #[arg(long, value_name = "LANGUAGE", value_parser = language, add = one_of(languages))]
    lang: Option<Language>,
    /// Write each property as one file in C that needs nothing of the suite, only MPI or OpenMP: for mail, slides, and
    /// reports of errors in tools.
    #[arg(long, conflicts_with_all = ["team", "no_pie"])]
    standalone: bool,
    #[command(flatten)]
    size: SizeArgs,
    /// The engine for threads of programs in Rust: openmp, or rayon where there is no OpenMP runtime.
    #[arg(long, value_name = "ENGINE", default_value = "openmp", value_parser = team, add = one_of(teams))]
    team: Team,
    /// Link at a fixed address, for tools that need it.
    #[arg(long)]
    no_pie: bool,
}

pub(crate) fn language(name: &str) -> Result<Language, String> {
    let known = Language::ALL.into_iter().find(|language| language.name() == name);
    known.ok_or_else(|| "give rust, c or fortran".to_owned())
}

pub(crate) fn languages() -> Vec<&'static str> {
    Language::ALL.map(Language::name).to_vec()
}

fn teams() -> Vec<&'static str> {
    Team::ALL.map(Team::name).to_vec()
}

fn team(name: &str) -> Result<Team, String> {
    Team::ALL.into_iter().find(|team| team.name() == name).ok_or_else(|| "give openmp or rayon".to_owned())
}

impl Generate {
    pub(crate) fn run(&self, catalogue: &Catalogue, output: Output) -> Result<ExitCode, Failure> {
        if self.standalone {
            return self.standalone(catalogue, output);
        }
        self.has_no_size()?;
        let language = self.lang.unwrap_or_default();
        let suite = SuiteSource::find().map_err(|error| Failure::Missing(error.to_string()))?;
        let Generate { team, force, no_pie, .. } = *self;
        let has_libats = |prefix: &PathBuf| prefix.join("lib/pkgconfig/ats.pc").exists();
        let prefix = installed_prefix().filter(has_libats).map(|prefix| prefix.display().to_string());
        let told = if prefix.is_some() { "" } else { " ATS_PREFIX=PREFIX" };
        let options = Options { language, team, force, no_pie, prefix, ..Options::new(suite) };
        let subjects = self.subjects(catalogue)?;
        let generated = match &subjects[..] {
            [subject] if !self.all => generate(subject, &self.output, &options),
            _ => generate_set(&subjects, &self.output, &options),
        }?;
        let programs: Vec<String> = generated.programs().map(str::to_owned).collect();
        let builds: String =
            generated.workspaces.iter().map(|workspace| build(workspace, language, told)).collect();
        let Generated { dir, files, .. } = generated;
        let (what, number) = (programs.join(", "), files.len());
        let text = format!("{what}: {number} files in {}; build with:\n{builds}", dir.display());
        let document = Done { schema: Done::SCHEMA, dir: Some(dir), programs, files, ..Done::default() };
        output.document(&document, || text)?;
        Ok(ExitCode::SUCCESS)
    }

    fn standalone(&self, catalogue: &Catalogue, output: Output) -> Result<ExitCode, Failure> {
        if let Some(language @ (Language::Rust | Language::Fortran)) = self.lang {
            return Err(Failure::Input(format!(
                "--standalone writes C, not {}; omit --lang or --standalone",
                language.name()
            )));
        }
        let Written { document, builds } = standalone::write(self, catalogue)?;
        output.document(&document, || {
            let what = document.programs.join(", ");
            format!("{what}: {} of C; build with:\n{builds}", files(document.files.len()))
        })?;
        Ok(ExitCode::SUCCESS)
    }

    /// Other programs are told their parameters and their size when they are run.
    fn has_no_size(&self) -> Result<(), Failure> {
        let size = [("--np", self.size.np.is_some()), ("--threads", self.size.threads.is_some())];
        let option = size.into_iter().find(|(_, is_given)| *is_given).map(|(option, _)| option);
        let word = self.programs.iter().find(|word| word.contains('=') && !is_file(word));
        match option.or(word.map(String::as_str)) {
            Some(given) => Err(Failure::Input(format!(
                "{given}: generated programs take parameters when they run; omit it, or add --standalone"
            ))),
            None => Ok(()),
        }
    }

    fn subjects(&self, catalogue: &Catalogue) -> Result<Vec<Subject>, Failure> {
        if self.all {
            // libats, which programs in C and Fortran call, has functions.
            let in_rust = self.lang.unwrap_or_default() == Language::Rust;
            let is_wanted = |entry: Entry| entry.has_program() && (in_rust || entry.is_function());
            let catalogue = catalogue.clone().filter(is_wanted);
            return Ok(catalogue.properties().map(Subject::from).collect());
        }
        let subject = |word: &String| {
            if is_file(word) {
                let Planned { subject, size } =
                    Planned::composition(word, &[], catalogue).map_err(Failure::input)?;
                size.check(&subject).map_err(Failure::input)?;
                return Ok(subject);
            }
            Ok(catalogue.program(word).map_err(Failure::input)?.property.into())
        };
        self.programs.iter().map(subject).collect()
    }
}

/// So many files.
fn files(number: usize) -> String {
    if number == 1 { "a file".to_owned() } else { format!("{number} files") }
}

/// The command that builds a workspace, for the user; `told` are the variables that make needs to find libats.
fn build(workspace: &Workspace, language: Language, told: &str) -> String {
    let dir = workspace.dir.display();
    match language {
        Language::Rust => format!("    cd {dir} && cargo build --release\n"),
        Language::C | Language::Fortran => format!("    make -C {dir}{told}\n"),
    }
}
