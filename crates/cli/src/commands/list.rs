//! `ats list`.

mod rows;
pub(crate) mod waits;

use std::process::ExitCode;

use ats_compose::{Row, Selection};
use ats_documents::catalogue::ListedProgram;
use ats_model::wait_state::Class;
use ats_presentation::text;
use ats_props::{Catalogue, Needs, Program, Property, Truth, What};
use clap::Args;

use crate::commands::catalogue::Entries;
use crate::failure::Failure;
use crate::output::{Output, width};

/// List test programs, wait states, or the rows of the catalogue.
///
/// Without an option, the properties are listed family by family. Rows of the catalogue include those that have no
/// program yet.
#[derive(Args, Debug)]
#[command(
    after_help = "Examples:\n  ats list\n  ats list sender\n  ats list --paradigm openmp --format json\n  \
                  ats list --representative\n  \
                  ats list --rows late\n  ats list --excluded\n  ats list --waits"
)]
pub(crate) struct List {
    /// Only what has this in its name or summary, or in the name of its family.
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
    /// The wait states instead: what each is, and what tools call it.
    #[arg(long, conflicts_with_all = ["paradigm", "representative", "rows", "excluded"])]
    waits: bool,
}

impl List {
    pub(crate) fn run(&self, catalogue: &Catalogue, output: Output) -> Result<ExitCode, Failure> {
        if self.waits {
            return waits::list(self.filter.as_deref(), output);
        }
        if self.rows || self.excluded {
            let has_name =
                |name: &str| self.filter.as_ref().is_none_or(|filter| name.contains(&filter.to_lowercase()));
            let is_wanted = |row: &Row| has_name(&row.row) && (self.rows || row.excluded.is_some());
            return rows::list(is_wanted, output);
        }
        let selection = if self.representative { Selection::Representative } else { Selection::All };
        let rows = Row::list();
        let programs = selection.programs(catalogue).map(|program| entry(program, &rows));
        let programs: Vec<ListedProgram> = programs.filter(|entry| self.wants(entry)).collect();
        let document = Entries { schema: Entries::SCHEMA, programs: Some(&programs), ..Entries::default() };
        output.document(&document, || match &programs[..] {
            [] => self.no_match(catalogue),
            listed => text::properties(&in_families(listed, catalogue, &rows), width()),
        })?;
        Ok(ExitCode::SUCCESS)
    }

    /// The answer if no program matches, with programs that the filter may be a misspelling of.
    fn no_match(&self, catalogue: &Catalogue) -> String {
        let nearest = self.filter.as_ref().and_then(|filter| catalogue.program(filter).err());
        let nearest = nearest.map(|unknown| unknown.nearest.join(" or ")).filter(|near| !near.is_empty());
        let question = nearest.map(|near| format!(" Did you mean {near}?")).unwrap_or_default();
        format!("No program matches.{question}\n")
    }

    fn wants(&self, entry: &ListedProgram) -> bool {
        self.paradigm.as_ref().is_none_or(|paradigm| paradigm == entry.paradigm)
            && self.filter.as_ref().is_none_or(|filter| {
                let filter = filter.to_lowercase();
                let class = entry.class.map_or("", Class::name);
                let names = [entry.program, class, &entry.summary.to_lowercase()];
                names.iter().any(|name| name.contains(&filter))
            })
    }
}

/// The properties among these programs, paradigm by paradigm and family by family; each as its program, even if only its
/// twin is listed.
fn in_families(listed: &[ListedProgram], catalogue: &Catalogue, rows: &[Row]) -> Vec<ListedProgram> {
    let is_listed = |property: &&Property| listed.iter().any(|entry| entry.property == property.name);
    let properties = by_family(catalogue.properties().filter(is_listed));
    properties.into_iter().map(|property| entry(Program { property, balanced: false }, rows)).collect()
}

/// Properties paradigm by paradigm and family by family.
pub(crate) fn by_family(properties: impl Iterator<Item = &'static Property>) -> Vec<&'static Property> {
    let paradigm = |property: &Property| Needs::ALL.iter().position(|needs| *needs == property.needs);
    let mut properties: Vec<&Property> = properties.collect();
    properties.sort_by_key(|property| (paradigm(property), property.finds.class(), property.name));
    properties
}

fn summary(property: &Property) -> String {
    property.summary().split_whitespace().collect::<Vec<_>>().join(" ")
}

/// The entry of a program in lists.
pub(crate) fn entry(program: Program, rows: &[Row]) -> ListedProgram {
    let property = program.property;
    ListedProgram {
        program: program.name(),
        property: property.name,
        balanced: program.balanced,
        kind: property.entry.name(),
        paradigm: property.needs.paradigm(),
        rows: Row::names_for(rows, program.name()),
        truth: if program.balanced { Truth::Silent } else { property.finds.truth() }.name(),
        tempts: property.finds.tempts,
        class: property.finds.class(),
        summary: if program.balanced {
            match property.finds.first() {
                None | Some(What::Wait(_)) => {
                    format!("The same work and calls as {}, with nothing to wait for.", property.name)
                }
                Some(What::Count(..)) => {
                    format!("The same work as {}, with other numbers or sizes of calls.", property.name)
                }
                Some(What::Time(_) | What::Ratio { .. }) => {
                    format!("The same work as {}, with nothing that takes longer.", property.name)
                }
            }
        } else {
            summary(property)
        },
    }
}
