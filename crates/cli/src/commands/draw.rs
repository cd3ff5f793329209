//! `ats draw`.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use ats_presentation::{Timeline, draw_svg, draw_text};
use ats_props::Catalogue;
use ats_truth::{TruthOptions, ideal_trace};
use clap::Args;

use crate::commands::export::{Trace, Wanted};
use crate::failure::Failure;
use crate::options::part::PartArgs;
use crate::options::program::ProgramArgs;
use crate::output::{Output, check_file, width};

/// Draw the timeline of a program or a trace.
///
/// The drawing shows what each location does, where it waits, and the messages between them. Without -o it is printed
/// in the terminal; an SVG file suits slides and papers. A program is drawn in virtual time; few repetitions are
/// easiest to read.
#[derive(Args, Debug)]
#[command(after_help = "Examples:
  ats draw late_sender r=2
  ats draw wrong_order --np 2 r=1 -o wrong_order.svg
  ats draw examples/hybrid.toml
  ats draw trace/traces.otf2 -o trace.svg
  ats draw trace/traces.otf2 --from 1.2s --to 1.25s --rank 0-3")]
pub(crate) struct Draw {
    #[command(flatten)]
    program: ProgramArgs,
    #[command(flatten)]
    part: PartArgs,
    /// The file to write: `.svg`, or `.txt` for characters [default: characters on standard output].
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
}

/// The width of a drawing without a terminal, in characters.
const COLUMNS: usize = 100;

/// The format of a file.
#[derive(Clone, Copy, Debug)]
enum Form {
    Svg,
    Text,
}

impl Form {
    /// The form that the ending of a file's name stands for.
    fn from_path(file: &Path) -> Result<Self, Failure> {
        let ending = file.extension().unwrap_or_default();
        if ending.eq_ignore_ascii_case("svg") {
            Ok(Form::Svg)
        } else if ending.eq_ignore_ascii_case("txt") {
            Ok(Form::Text)
        } else {
            Err(Failure::Input(format!(
                "cannot draw into {}: a drawing is SVG or text; end the name with .svg or .txt, and convert the SVG \
                 if you need another format",
                file.display()
            )))
        }
    }
}

impl Draw {
    pub(crate) fn run(&self, catalogue: &Catalogue, output: Output) -> Result<ExitCode, Failure> {
        let form = self.output.as_deref().map(Form::from_path).transpose()?;
        self.output.iter().try_for_each(|file| check_file(file, &[]))?;
        let given = Path::new(&self.program.program);
        let is_trace = given.is_dir() || ats_trace::Trace::is_named_as_one(given);
        let (timeline, title) =
            if is_trace { self.recorded(given)? } else { ideal(&self.program, &self.part, catalogue)? };
        match self.output.as_ref().zip(form) {
            None => output.as_it_is("a drawing", &in_text(&timeline))?,
            Some((file, form)) => {
                let drawn = match form {
                    Form::Svg => draw_svg(&timeline, &title),
                    Form::Text => draw_text(&timeline, COLUMNS),
                };
                fs::write(file, drawn)
                    .map_err(|error| Failure::Failed(format!("cannot write {}: {error}", file.display())))?;
                output.written(vec![file.clone()])?;
            }
        }
        Ok(ExitCode::SUCCESS)
    }

    /// The timeline of a trace, and its title.
    fn recorded(&self, trace: &Path) -> Result<(Timeline, String), Failure> {
        if !self.program.is_plain() {
            return Err(Failure::Input(
                "a trace has neither parameters nor sizes to choose; omit them".to_owned(),
            ));
        }
        let read = Trace::given(trace, self.output.as_deref(), &Wanted::default())?;
        Ok((read.timeline_of(&self.part)?, trace.display().to_string()))
    }
}

/// A drawing as characters, as wide as there is room.
fn in_text(timeline: &Timeline) -> String {
    draw_text(timeline, width().map_or(COLUMNS, usize::from))
}

/// The timeline of a program in virtual time, and its title.
fn ideal(
    program: &ProgramArgs,
    part: &PartArgs,
    catalogue: &Catalogue,
) -> Result<(Timeline, String), Failure> {
    let planned = program.resolve(catalogue)?;
    let title = format!("{} on {}", planned.subject.name(), planned.size);
    let folder = tempfile::tempdir()
        .map_err(|error| Failure::Failed(format!("no folder for a trace can be made: {error}")))?;
    let anchor = ideal_trace::write(&planned.subject, planned.size, folder.path(), &TruthOptions::default())?;
    Ok((Trace::read(&anchor, &Wanted::default())?.called(&title).timeline_of(part)?, title))
}

/// A drawing of a property as characters, with its title, as [`picture`] has it; `None` for an experiment, which is several
/// runs.
pub(crate) fn of_property(program: &ProgramArgs, catalogue: &Catalogue) -> Result<Option<String>, Failure> {
    if program.experiment(catalogue)?.is_some() {
        return Ok(None);
    }
    let (timeline, title) = picture(program, catalogue)?;
    Ok(Some(format!("{title}:\n\n{}", in_text(&timeline))))
}

/// The timeline of a property with the given parameters, and its title: with few repetitions, unless it shows nothing then.
pub(crate) fn picture(program: &ProgramArgs, catalogue: &Catalogue) -> Result<(Timeline, String), Failure> {
    let property = catalogue.program(&program.program).map_err(Failure::input)?.property;
    let short =
        program.short(property).map(|short| ideal(&short, &PartArgs::default(), catalogue)).transpose()?;
    match short {
        Some((timeline, title)) if !timeline.waits.is_empty() => Ok((timeline, title + ", r=2")),
        _ => ideal(program, &PartArgs::default(), catalogue),
    }
}
