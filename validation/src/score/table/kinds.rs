//! Totals by what programs run with.

use ats_model::validation::ProgramResult;
use comfy_table::presets::NOTHING;
use comfy_table::{CellAlignment, Table};

use super::off;
use crate::score::totals;

/// What a program runs with: its paradigm, as far as its run tells.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Processes,
    Threads,
    Both,
}

impl Kind {
    const ALL: [Kind; 3] = [Kind::Processes, Kind::Threads, Kind::Both];

    fn of(program: &ProgramResult) -> Self {
        match (program.ranks, program.threads) {
            (_, 0 | 1) => Kind::Processes,
            (0 | 1, _) => Kind::Threads,
            _ => Kind::Both,
        }
    }

    fn name(self) -> &'static str {
        match self {
            Kind::Processes => "processes",
            Kind::Threads => "threads",
            Kind::Both => "processes of threads",
        }
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
    let of = |kind| -> Vec<ProgramResult> {
        programs.iter().filter(|program| Kind::of(program) == kind).cloned().collect()
    };
    let kinds: Vec<_> = Kind::ALL
        .map(|kind| (kind, of(kind)))
        .into_iter()
        .filter(|(_, programs)| !programs.is_empty())
        .collect();
    if kinds.len() < 2 {
        return String::new();
    }
    let mut table = Table::new();
    table.load_style(NOTHING).set_header(COLUMNS);
    for (kind, programs) in &kinds {
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
        let name = [kind.name().to_owned()];
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
