//! `ats doctor`.

use std::process::ExitCode;

use ats_launch::doctor::{Check, examine, examine_tool};
use ats_launch::tool::Tool;
use clap::Args;
use schemars::JsonSchema;
use serde::Serialize;

use crate::completions::tools;
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

/// `ats-doctor/1`: the checks of this machine.
#[derive(Debug, JsonSchema, Serialize)]
pub(crate) struct Document {
    /// The schema: `ats-doctor/1`.
    schema: &'static str,
    /// Whether programs can be run under MPI, and under the tool that was named.
    ready: bool,
    /// Remarks on that tool, for its users; omitted if none was named.
    #[serde(skip_serializing_if = "Option::is_none")]
    remarks: Option<String>,
    /// The checks, in order.
    checks: Vec<Entry>,
}

/// One thing that was looked at.
#[derive(Debug, JsonSchema, Serialize)]
struct Entry {
    /// The name of the thing.
    what: String,
    /// Whether it is as it should be.
    ok: bool,
    /// Whether programs cannot be run under MPI without it.
    required: bool,
    /// The result of the look, in words.
    found: String,
    /// The same as a number, where it is an amount of data: an eager limit.
    #[serde(skip_serializing_if = "Option::is_none")]
    bytes: Option<u64>,
    /// The remedy, if it is not as it should be.
    fix: Option<String>,
}

impl Document {
    pub(crate) const SCHEMA: &str = "ats-doctor/1";
}

impl Doctor {
    pub(crate) fn run(&self, output: Output) -> Result<ExitCode, Failure> {
        let entry = |check: Check| Entry {
            ok: check.fix.is_none(),
            what: check.what,
            required: check.required,
            found: check.found,
            bytes: check.bytes,
            fix: check.fix,
        };
        let tool = self.tool.as_deref().map(Tool::named).transpose().map_err(Failure::input)?;
        let checks = examine().into_iter().chain(tool.iter().flat_map(examine_tool));
        let checks: Vec<Entry> = checks.map(entry).collect();
        let ready = checks.iter().all(|check| check.ok || !check.required);
        let remarks = tool.map(|tool| tool.remarks);
        let document = Document { schema: Document::SCHEMA, ready, remarks, checks };
        output.document(&document, || {
            let checks: String = document.checks.iter().map(text).collect();
            let remarks = document.remarks.iter().filter(|remarks| !remarks.is_empty());
            checks + &remarks.map(|remarks| format!("\n{}\n", remarks.trim_end())).collect::<String>()
        })?;
        Ok(ExitCode::from(if ready { 0 } else { 3 }))
    }
}

fn text(entry: &Entry) -> String {
    let mark = match (entry.ok, entry.required) {
        (true, _) => "ok     ",
        (false, true) => "MISSING",
        (false, false) => "-      ",
    };
    let fix = entry.fix.as_ref().map(|fix| format!("\n          {fix}")).unwrap_or_default();
    format!("{mark}  {}: {}{fix}\n", entry.what, entry.found)
}
