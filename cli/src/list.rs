//! `ats list`.

use std::process::ExitCode;

use ats_compose::{Row, Selection};
use ats_props::{Catalogue, Needs, Program, What};
use clap::Args;
use schemars::JsonSchema;
use serde::Serialize;

use crate::failure::Failure;
use crate::findings::{lines, plain};
use crate::output::Output;
use crate::rows;

/// List the programs: every property and its balanced twin; or the rows of the catalogue, also those to come.
#[derive(Args, Debug)]
#[command(
    after_help = "Examples:\n  ats list\n  ats list sender\n  ats list --paradigm openmp --format json\n  \
                  ats list --representative\n  \
                  ats list --rows late\n  ats list --excluded"
)]
pub(crate) struct List {
    /// Only programs with this in their names or summaries.
    filter: Option<String>,
    /// Only programs of this paradigm.
    #[arg(long, value_parser = Needs::ALL.map(Needs::paradigm))]
    paradigm: Option<String>,
    /// Only what `ats validate` runs unless something else is said: few programs, which show together what all show.
    #[arg(long)]
    representative: bool,
    /// The rows of the catalogue instead, and what there is of each.
    #[arg(long, conflicts_with_all = ["paradigm", "representative"])]
    rows: bool,
    /// The rows that cannot be had, with the reasons.
    #[arg(long, conflicts_with_all = ["paradigm", "representative", "rows"])]
    excluded: bool,
}

/// `ats-list/1`.
#[derive(Debug, JsonSchema, Serialize)]
pub(crate) struct Document {
    /// `ats-list/1`.
    schema: &'static str,
    /// By name.
    programs: Vec<Entry>,
}

/// One program.
#[derive(Debug, JsonSchema, Serialize)]
struct Entry {
    /// Its name.
    program: &'static str,
    /// The property that it shows, or whose twin it is.
    property: &'static str,
    /// Whether it is the twin, with nothing to find.
    balanced: bool,
    /// `function`, or `trace` where no program can show it.
    kind: &'static str,
    /// What it is written with.
    paradigm: &'static str,
    /// In one sentence.
    summary: String,
}

impl Document {
    pub(crate) const SCHEMA: &str = "ats-list/1";
}

impl List {
    pub(crate) fn run(&self, catalogue: &Catalogue, output: Output) -> Result<ExitCode, Failure> {
        if self.rows || self.excluded {
            let has_name =
                |name: &str| self.filter.as_ref().is_none_or(|filter| name.contains(&filter.to_lowercase()));
            let is_wanted = |row: &Row| has_name(&row.row) && (self.rows || row.excluded.is_some());
            return rows::list(is_wanted, output);
        }
        let selection = if self.representative { Selection::Representative } else { Selection::All };
        let programs = selection.programs(catalogue).map(entry).filter(|entry| self.wants(entry)).collect();
        let document: Document = Document { schema: Document::SCHEMA, programs };
        if let (Some(filter), true) = (&self.filter, document.programs.is_empty()) {
            catalogue.program(filter).map_err(Failure::input)?;
            let (what, option) = match self.paradigm {
                Some(_) => ("is of another paradigm", "--paradigm"),
                None => ("is not among the representative programs", "--representative"),
            };
            return Err(Failure::Input(format!("{filter} {what}; leave {option} away")));
        }
        output.document(&document, || {
            let mut table = plain(&["program", "paradigm", "summary"], &[]);
            for entry in &document.programs {
                table.add_row([entry.program, entry.paradigm, &entry.summary]);
            }
            lines(&table)
        })?;
        Ok(ExitCode::SUCCESS)
    }

    fn wants(&self, entry: &Entry) -> bool {
        self.paradigm.as_ref().is_none_or(|paradigm| paradigm == entry.paradigm)
            && self.filter.as_ref().is_none_or(|filter| {
                let filter = filter.to_lowercase();
                entry.program.contains(&filter) || entry.summary.to_lowercase().contains(&filter)
            })
    }
}

fn entry(program: Program) -> Entry {
    let property = program.property;
    Entry {
        program: program.name(),
        property: property.name,
        balanced: program.balanced,
        kind: property.entry.name(),
        paradigm: property.needs.paradigm(),
        summary: if program.balanced {
            match property.finds.first() {
                None | Some(What::Wait(_)) => {
                    format!("The same work and calls as {}, with nothing to wait for.", property.name)
                }
                Some(What::Count(_, call)) => {
                    format!("The same work as {}, with few of {call}.", property.name)
                }
            }
        } else {
            property.summary().split_whitespace().collect::<Vec<_>>().join(" ")
        },
    }
}
