//! Totals by what programs run with.

use ats_documents::validation::{ProgramResult, Totals};
use comfy_table::presets::NOTHING;
use comfy_table::{CellAlignment, Table};

use super::off;

const KINDS: [&str; 3] = ["processes", "threads", "processes of threads"];

/// The kind of a program, by its size. A run of one process with one thread counts as one of processes.
fn kind(program: &ProgramResult) -> &'static str {
    match (program.ranks > 1, program.threads > 1) {
        (_, false) => KINDS[0],
        (false, true) => KINDS[1],
        (true, true) => KINDS[2],
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
    let of = |name| programs.iter().filter(|program| kind(program) == name).collect::<Vec<_>>();
    let kinds: Vec<_> =
        KINDS.map(|name| (name, of(name))).into_iter().filter(|(_, programs)| !programs.is_empty()).collect();
    if kinds.len() < 2 {
        return String::new();
    }
    let mut table = Table::new();
    table.load_style(NOTHING).set_header(COLUMNS);
    for (name, programs) in &kinds {
        let totals = Totals::counted(programs, threshold);
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
