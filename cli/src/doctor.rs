//! `ats doctor`.

use std::process::ExitCode;

use ats_validation::run::doctor::{Check, examine};
use clap::Args;
use schemars::JsonSchema;
use serde::Serialize;

use crate::failure::Failure;
use crate::output::Output;

/// Say what this machine has and what it lacks, and how to get it.
///
/// Ends with 3 where programs cannot be run under MPI; the virtual engine needs none of it.
#[derive(Args, Debug)]
#[command(after_help = "Examples:\n  ats doctor\n  ats doctor --format json")]
pub(crate) struct Doctor {}

/// `ats-doctor/1`.
#[derive(Debug, JsonSchema, Serialize)]
pub(crate) struct Document {
    /// `ats-doctor/1`.
    schema: &'static str,
    /// Whether programs can be run under MPI.
    ready: bool,
    /// What was looked at.
    checks: Vec<Entry>,
}

/// One thing that was looked at.
#[derive(Debug, JsonSchema, Serialize)]
struct Entry {
    /// What.
    what: String,
    /// Whether it is as it should be.
    ok: bool,
    /// Whether programs cannot be run under MPI without it.
    required: bool,
    /// What was found.
    found: String,
    /// What to do, where it is not as it should be.
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
            fix: check.fix,
        };
        let checks: Vec<Entry> = examine().into_iter().map(entry).collect();
        let ready = checks.iter().all(|check| check.ok || !check.required);
        let document = Document { schema: Document::SCHEMA, ready, checks };
        output.document(&document, || document.checks.iter().map(text).collect())?;
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
