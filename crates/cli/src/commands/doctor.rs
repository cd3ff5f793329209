//! `ats doctor`.

use std::process::ExitCode;

use ats_documents::answer::{self, Check};
use ats_launch::doctor::{self, examine, examine_tool};
use ats_launch::tool::Tool;
use clap::Args;

use crate::commands::completions::tools;
use crate::failure::Failure;
use crate::output::Output;

/// Check what is installed, and how to get the rest.
///
/// Two ranks of each MPI library measure the size up to which messages are sent eagerly. The exit code is 3 if programs
/// cannot run under MPI, or under the given tool. The virtual engine needs nothing to be installed.
#[derive(Args, Debug)]
#[command(after_help = "Examples:\n  ats doctor\n  ats doctor --tool scalasca\n  ats doctor --format json")]
pub(crate) struct Doctor {
    /// Look for this tool, too, and say what it needs and what to set: a name that the suite knows, or the path of a
    /// description.
    #[arg(long, value_name = "NAME", add = tools())]
    tool: Option<String>,
}

impl Doctor {
    pub(crate) fn run(&self, output: Output) -> Result<ExitCode, Failure> {
        let entry = |check: doctor::Check| Check {
            ok: check.fix.is_none(),
            what: check.what,
            required: check.required,
            found: check.found,
            bytes: check.bytes,
            fix: check.fix,
        };
        let tool = self.tool.as_deref().map(Tool::named).transpose().map_err(Failure::input)?;
        let checks = examine().into_iter().chain(tool.iter().flat_map(examine_tool));
        let checks: Vec<Check> = checks.map(entry).collect();
        let ready = checks.iter().all(|check| check.ok || !check.required);
        let remarks = tool.map(|tool| tool.remarks);
        let document = answer::Doctor {
            schema: answer::Doctor::SCHEMA,
            ready: Some(ready),
            remarks,
            checks,
            ..answer::Doctor::default()
        };
        output.document(&document, || {
            let remarks = document.remarks.iter().filter(|remarks| !remarks.is_empty());
            let remarks = remarks.map(|remarks| format!("\n{}\n", remarks.trim_end()));
            document.checks.iter().map(text).chain(remarks).collect()
        })?;
        Ok(ExitCode::from(if ready { 0 } else { 3 }))
    }
}

fn text(entry: &Check) -> String {
    let mark = match (entry.ok, entry.required) {
        (true, _) => "ok     ",
        (false, true) => "MISSING",
        (false, false) => "-      ",
    };
    let fix = entry.fix.as_ref().map(|fix| format!("\n          {fix}")).unwrap_or_default();
    format!("{mark}  {}: {}{fix}\n", entry.what, entry.found)
}
