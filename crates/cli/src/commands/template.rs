//! `ats template`.

use std::process::ExitCode;

use ats_documents::Report;
use ats_launch::tool::csv;
use ats_props::Catalogue;
use ats_truth::{Planned, TruthOptions, nominal};
use ats_validation::template;
use clap::{Args, ValueEnum};

use crate::failure::Failure;
use crate::options::program::{ProgramArgs, SizeArgs};
use crate::output::{Output, json};

/// Write a sample report, or a description of a tool to fill in.
///
/// A report has all findings of a program, in the shortest form. A description (`ats-tool/1`) says how to run programs
/// under your tool (docs/your-tool.md).
#[derive(Args, Debug)]
#[command(after_help = "Examples:
  ats template report late_sender
  ats template report late_sender --np 8 r=3 --as csv > mine.csv
  ats template tool mine > mine.toml")]
pub(crate) struct Template {
    /// The document to write.
    what: What,
    /// Of a report, the program and its parameters; of a tool, its name.
    #[arg(value_name = "PROGRAM [NAME=VALUE]… or NAME")]
    words: Vec<String>,
    #[command(flatten)]
    size: SizeArgs,
    /// The form of a report.
    #[arg(long = "as", value_name = "FORM", value_enum, default_value_t = As::Json)]
    form: As,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum What {
    /// A report of a program: what a tool that is right in all says of it.
    Report,
    /// A description of a tool (`ats-tool/1`), with what may be in it.
    Tool,
}

/// The forms of a report.
#[derive(Clone, Copy, Debug, ValueEnum)]
pub(crate) enum As {
    /// A document, `ats-report/1`.
    Json,
    /// A table: `property,call path,rank,thread,seconds`.
    Csv,
}

impl As {
    /// A report in this form.
    pub(crate) fn render(self, report: &Report) -> String {
        match self {
            As::Json => json(report),
            As::Csv => csv(report),
        }
    }

    /// Prints what was written in this form.
    pub(crate) fn print(self, text: &str, output: Output) -> Result<(), Failure> {
        match self {
            As::Json => output.text(text),
            As::Csv => output.as_it_is("CSV", text),
        }
    }
}

impl Template {
    pub(crate) fn run(&self, catalogue: &Catalogue, output: Output) -> Result<ExitCode, Failure> {
        match self.what {
            What::Report => self.form.print(&self.report(catalogue)?, output)?,
            What::Tool => output.as_it_is("the description of a tool", &self.tool()?)?,
        }
        Ok(ExitCode::SUCCESS)
    }

    fn report(&self, catalogue: &Catalogue) -> Result<String, Failure> {
        let [program, parameters @ ..] = &self.words[..] else {
            return Err(Failure::Input(
                "no program is given; name one, as in `ats template report late_sender` (`ats list` shows \
                 all)"
                    .to_owned(),
            ));
        };
        let Planned { subject, size } =
            ProgramArgs::new(program, parameters, self.size).resolve(catalogue)?;
        let truth = nominal(&subject, size, &TruthOptions::default())?;
        match self.form {
            As::Json => Ok(template::report(&truth)),
            As::Csv => Ok(csv(&template::right(&truth))),
        }
    }

    fn tool(&self) -> Result<String, Failure> {
        match &self.words[..] {
            [] => Ok(template::tool("mine")),
            [name] => Ok(template::tool(name)),
            [_, word, ..] => Err(Failure::Input(format!(
                "`{word}` is too many; give one name, as in `ats template tool mine`"
            ))),
        }
    }
}
