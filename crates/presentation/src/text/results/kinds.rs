//! Totals by what programs run with.

use ats_documents::score::{ProgramResult, Totals};

use super::off;
use crate::text::grid::Grid;

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
    let right: Vec<usize> = (1..COLUMNS.len()).collect();
    let mut grid = Grid::new(&COLUMNS, &right, None);
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
        grid.row(name.into_iter().chain(cells).chain([off(totals.worst_against_observed)]));
    }
    grid.text() + "\n"
}
