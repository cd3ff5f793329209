//! The score of a single report, in a line.

use ats_documents::Score;
use ats_documents::score::ProgramResult;

use super::{Look, Names, Row, Shown, off, programs, rows};

/// The verdicts of a score in a line per program, below the rows and remarks of programs that did not pass.
pub fn short_score(score: &Score, look: Look) -> String {
    let shown = if look.shown == Shown::All { Shown::Failed } else { look.shown };
    let names = Names::of_results(&score.programs);
    let line = |program: &ProgramResult| {
        let rows = rows(program, &names, score.totals.threshold);
        format!("{}: {}{}\n", names.name(program), verdicts(&rows, look), rest(program, score))
    };
    programs(score, Look { shown, ..look }) + &score.programs.iter().map(line).collect::<String>()
}

/// Equal verdicts once, with their number: `2 found, 1 missed`.
fn verdicts(rows: &[Row], look: Look) -> String {
    let mut counted: Vec<(&Row, usize)> = Vec::new();
    for row in rows {
        match counted.iter_mut().find(|(other, _)| other.verdict.text == row.verdict.text) {
            Some((_, number)) => *number += 1,
            None => counted.push((row, 1)),
        }
    }
    let painted = |row: &Row| (look.paint)(&row.verdict.text, row.verdict.mood);
    match counted[..] {
        [(only, 1)] => painted(only),
        _ => {
            let each = counted.iter().map(|(row, number)| format!("{number} {}", painted(row)));
            each.collect::<Vec<_>>().join(", ")
        }
    }
}

fn rest(program: &ProgramResult, score: &Score) -> String {
    let alarms = match program.unexpected.len() {
        0 => "no false alarms".to_owned(),
        1 => "1 false alarm".to_owned(),
        number => format!("{number} false alarms"),
    };
    let most = score.totals.worst_against_observed;
    let amounts =
        most.map_or(String::new(), |share| format!("; amounts off by at most {}", off(Some(share))));
    format!("; {alarms}{amounts}")
}
