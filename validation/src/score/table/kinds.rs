//! Totals by what programs run with.

use ats_documents::validation::ProgramResult;
use ats_props::Needs;
use comfy_table::presets::NOTHING;
use comfy_table::{CellAlignment, Table};

use super::off;
use crate::score::{needs_of, totals};

fn name(needs: Needs) -> &'static str {
    match (needs.ranks, needs.team) {
        (true, false) => "processes",
        (false, true) => "threads",
        (true, true) => "processes of threads",
        (false, false) => "neither",
    }
}

const COLUMNS: [&str; 10] = [
    "programs with",
    "programs",
    "found",
    "wrong",
    "missed",
    "not manifested",
    "failed",
    "silent",
    "false alarms",
    "from observed",
];

/// A row for each kind, where there are several.
pub(super) fn table(programs: &[ProgramResult], threshold: f64) -> String {
    let of = |needs: &Needs| -> Vec<&ProgramResult> {
        let is_one =
            |program: &&ProgramResult| needs_of(&program.program, program.ranks, program.threads) == *needs;
        programs.iter().filter(is_one).collect()
    };
    let kinds: Vec<_> = Needs::ALL
        .map(|needs| (name(needs), of(&needs)))
        .into_iter()
        .filter(|(_, programs)| !programs.is_empty())
        .collect();
    if kinds.len() < 2 {
        return String::new();
    }
    let mut table = Table::new();
    table.load_style(NOTHING).set_header(COLUMNS);
    for (name, programs) in &kinds {
        let totals = totals(programs, threshold);
        let numbers = [
            totals.programs,
            totals.found,
            totals.wrong,
            totals.missed,
            totals.not_manifested,
            totals.failed,
            totals.correctly_silent,
            totals.false_alarms,
        ];
        let cells = numbers.map(|number| number.to_string());
        let name = [(*name).to_owned()];
        table.add_row(name.into_iter().chain(cells).chain([off(totals.worst_against_observed)]));
    }
    if let Some(first) = table.column_mut(0) {
        first.set_padding((0, 1));
    }
    for column in 1..COLUMNS.len() {
        if let Some(column) = table.column_mut(column) {
            column.set_cell_alignment(CellAlignment::Right);
        }
    }
    let lines: String = table.lines().map(|line| format!("{}\n", line.trim_end())).collect();
    lines + "\n"
}
