//! `ats convert`.

use std::fs;
use std::path::PathBuf;
use std::process::ExitCode;

use ats_launch::tool::Tool;
use clap::Args;

use crate::commands::completions::tools;
use crate::commands::template::As;
use crate::failure::Failure;
use crate::output::{Output, check_file, remark};

/// Convert a tool's report to ats-report/1 or CSV.
///
/// Every report that can be scored can be converted: see `ats score --help`. The result shows how a report is
/// understood. All mistakes in a report of your own are listed.
#[derive(Args, Debug)]
#[command(after_help = "Examples:
  ats convert mine.csv
  ats convert scout.cubex -o scout.json
  ats convert late_sender.cali --as csv
  ats convert profile.out --tool ./mine.toml")]
pub(crate) struct Convert {
    /// The report of the tool.
    report: PathBuf,
    /// The tool, where its description says what makes a report of it: its name, or the path of the description.
    #[arg(long, value_name = "NAME", add = tools())]
    tool: Option<String>,
    /// The form that is written.
    #[arg(long = "as", value_name = "FORM", value_enum, default_value_t = As::Json)]
    form: As,
    /// The file to write [default: standard output].
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
}

impl Convert {
    pub(crate) fn run(&self, output: Output) -> Result<ExitCode, Failure> {
        let tool = self.tool.as_deref().map(Tool::named).transpose().map_err(Failure::input)?;
        let any = || ats_reports::source::report(&self.report).map_err(|error| error.to_string());
        let report =
            tool.map_or_else(any, |tool| tool.read(&self.report, ats_reports::source::Wanted::default()));
        let report = report.map_err(Failure::Input)?;
        report.warnings.iter().for_each(|warning| remark(warning));
        let text = self.form.render(&report);
        let Some(file) = &self.output else {
            self.form.print(&text, output)?;
            return Ok(ExitCode::SUCCESS);
        };
        check_file(file, &[&self.report])?;
        fs::write(file, text)
            .map_err(|error| Failure::Failed(format!("cannot write {}: {error}", file.display())))?;
        output.written(vec![file.clone()])?;
        Ok(ExitCode::SUCCESS)
    }
}
