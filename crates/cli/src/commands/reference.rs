//! `ats reference`.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use ats_compose::Row;
use ats_documents::{Scoreboard, Truth};
use ats_generator::SuiteSource;
use ats_model::WaitState;
use ats_presentation::{Described, Picture, Reference as Content, ReferenceRow, Source, Twin, reference};
use ats_props::{Catalogue, Program, Property};
use ats_truth::{Planned, TruthOptions, nominal, nominal_runs};
use ats_validation::score::scoreboard::{CAUSES, ScoreboardError, Scores};
use clap::Args;

use crate::commands::generate::standalone;
use crate::commands::{draw, list, show};
use crate::failure::Failure;
use crate::options::program::{ProgramArgs, SizeArgs};
use crate::output::Output;
use crate::output::progress::Line;

/// Write the reference: a page for each property.
///
/// The pages are HTML files that need neither a network nor a script. Each property has one, properties/NAME.html, with
/// its description, parameters, timeline, truth and twin, its wait states and their names in tools, what tools
/// reported, properties like it, and its source. Indexes list the properties by family, wait state, cause, metric and
/// row.
#[derive(Args, Debug)]
#[command(after_help = "Examples:
  ats reference -o reference
  ats reference late_sender late_receiver -o reference
  ats reference --scores docs/scores -o reference")]
pub(crate) struct Reference {
    /// Only these properties; links lead to no others [default: all].
    #[arg(value_name = "PROPERTY")]
    properties: Vec<String>,
    /// The folder to write into; pages of the same names are overwritten.
    #[arg(short, long, value_name = "DIR")]
    output: PathBuf,
    /// The folder of the tools' scores, as `ats scoreboard` takes it [default: those of the suite].
    #[arg(long, value_name = "DIR")]
    scores: Option<PathBuf>,
}

impl Reference {
    pub(crate) fn run(&self, catalogue: &Catalogue, output: Output) -> Result<ExitCode, Failure> {
        let properties = self.chosen(catalogue)?;
        let suite = SuiteSource::find().map_err(|error| Failure::Missing(error.to_string()))?;
        let scoreboard = self.scoreboard(suite.root(), catalogue)?;
        let dir = &self.output;
        let cannot = |error| {
            Failure::Folder(format!(
                "cannot write into {}: {error}; choose a folder that you may write to",
                dir.display()
            ))
        };
        fs::create_dir_all(dir.join("properties")).map_err(cannot)?;
        let rows = Row::list();
        let line = Line::new(output);
        let describe = |(done, property): (usize, &&'static Property)| {
            line.count(property.name, done, properties.len());
            described(property, &rows, suite.root(), catalogue)
        };
        let described = properties.iter().enumerate().map(describe).collect::<Result<_, _>>();
        line.done();
        let content = Content {
            properties: described?,
            wait_states: WaitState::ALL.into_iter().map(list::waits::term).collect(),
            rows: rows.iter().map(row).collect(),
            scoreboard,
        };
        let mut files = Vec::new();
        for (path, text) in reference(&content) {
            let file = dir.join(path);
            fs::write(&file, text).map_err(cannot)?;
            files.push(file);
        }
        output.written(files)?;
        Ok(ExitCode::SUCCESS)
    }

    /// The named properties, or all, family by family.
    fn chosen(&self, catalogue: &Catalogue) -> Result<Vec<&'static Property>, Failure> {
        let named = |name: &String| Ok(catalogue.program(name).map_err(Failure::input)?.property.name);
        let names = self.properties.iter().map(named).collect::<Result<Vec<_>, Failure>>()?;
        let is_chosen = |property: &&Property| names.is_empty() || names.contains(&property.name);
        Ok(list::by_family(catalogue.properties().filter(is_chosen)))
    }

    /// The judgement of tools: of the given folder, or of the suite, if it has one.
    fn scoreboard(&self, suite: &Path, catalogue: &Catalogue) -> Result<Option<Scoreboard>, Failure> {
        let of_suite = suite.join("docs/scores");
        let dir = match &self.scores {
            Some(dir) => dir,
            None if of_suite.is_dir() => &of_suite,
            None => return Ok(None),
        };
        let scores = Scores::read(dir).map_err(Failure::input)?;
        let board = scores.board(catalogue).map_err(|mistakes| {
            Failure::input(ScoreboardError::Causes { path: dir.join(CAUSES), mistakes })
        })?;
        Ok(Some(board))
    }
}

fn described(
    property: &'static Property,
    rows: &[Row],
    suite: &Path,
    catalogue: &Catalogue,
) -> Result<Described, Failure> {
    let size = standalone::of_one_run(SizeArgs::default(), property);
    let truth = |program: Program| -> Result<Truth, Failure> {
        let Planned { subject, size } = ProgramArgs::new(program.name(), &[], size).resolve(catalogue)?;
        Ok(nominal(&subject, size, &TruthOptions::default())?)
    };
    let program = Program { property, balanced: false };
    let twin = |twin| -> Result<Twin, Failure> {
        Ok(Twin { program: list::entry(twin, rows), truth: truth(twin)? })
    };
    let experiment = ProgramArgs::new(property.name, &[], SizeArgs::default()).experiment(catalogue)?;
    let runs = experiment.map(|(subject, sizes)| nominal_runs(&subject, &sizes, &TruthOptions::default()));
    let (timeline, title) = draw::picture(&ProgramArgs::new(property.name, &[], size), catalogue)?;
    Ok(Described {
        program: list::entry(program, rows),
        facts: show::facts(property),
        truth: truth(program)?,
        runs: runs.transpose()?.map_or_else(Vec::new, |first| first.runs),
        twin: program.twin().map(twin).transpose()?,
        picture: Picture { timeline, title },
        sources: sources(property, suite, catalogue)?,
    })
}

/// The source in Rust, and the file in C that `ats generate --standalone` writes.
fn sources(property: &Property, suite: &Path, catalogue: &Catalogue) -> Result<Vec<Source>, Failure> {
    let in_rust = fs::read_to_string(suite.join(property.file)).ok();
    let in_rust = in_rust.map(|text| Source { language: "Rust", origin: property.file.to_owned(), text });
    let origin = format!("ats generate {} --standalone -o {0}.c", property.name);
    let in_c = standalone::file(property, catalogue)?;
    let in_c = in_c.map(|text| Source { language: "C", origin, text });
    Ok(in_rust.into_iter().chain(in_c).collect())
}

/// The row, with the property that it is or that shows it.
fn row(row: &Row) -> ReferenceRow {
    let by = row.by.as_deref().and_then(|by| by.split(' ').next());
    ReferenceRow {
        row: row.row.clone(),
        table: row.table,
        property: row.property.as_deref().or(by).map(str::to_owned),
        status: row.status(),
    }
}
