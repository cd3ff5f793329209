//! Gains of changes as text.

use ats_documents::WhatIf;
use ats_documents::what_if::{StateOfRun, WhatIfAnswer};

use super::grid::Grid;
use crate::printable::printable;
use crate::words::percent;

/// The unknown, the run, and a row for each change; then what limits the run with them.
pub fn what_if(document: &WhatIf, width: Option<u16>) -> String {
    let mut parts = vec![head(document)];
    let mut table = Grid::new(&["seconds", "gain", "efficiency", "lost", "change"], &[0, 1, 2, 3], width);
    table.row([
        seconds(document.before.seconds),
        String::new(),
        percent(document.before.efficiency),
        lost(&document.before),
        "none".to_owned(),
    ]);
    for answer in &document.answers {
        let after = &answer.after;
        let changes = printable(&answer.changes.join(" ")).to_string();
        table.row([
            seconds(after.seconds),
            gain(document, answer),
            percent(after.efficiency),
            lost(after),
            changes,
        ]);
    }
    parts.push(table.text());
    parts.extend(document.answers.last().and_then(|answer| limit(&answer.after)));
    parts.join("\n")
}

fn head(document: &WhatIf) -> String {
    let error = document.error;
    let mut lines = vec![format!(
        "{}: {} recorded; a replay without changes is {} off",
        printable(&document.trace),
        seconds(document.recorded),
        signed(error)
    )];
    if document.not_followed > 0.0 {
        lines.push(format!(
            "{} of calls, over all locations, are not followed: they take what they took",
            seconds(document.not_followed)
        ));
    }
    lines.extend(document.notes.iter().map(|note| printable(note).to_string()));
    lines.join("\n") + "\n"
}

fn gain(document: &WhatIf, answer: &WhatIfAnswer) -> String {
    if answer.is_certain {
        let share = if document.before.seconds > 0.0 { answer.gain / document.before.seconds } else { 0.0 };
        format!("{} ({})", signed(answer.gain), percent(share))
    } else {
        "none".to_owned()
    }
}

fn limit(after: &StateOfRun) -> Option<String> {
    let problem = after.problem.as_ref()?;
    Some(format!("With the last row, the run is limited by this: {}\n", printable(problem)))
}

fn lost(state: &StateOfRun) -> String {
    seconds(state.division.lost())
}

fn seconds(seconds: f64) -> String {
    format!("{seconds:.6} s")
}

fn signed(seconds: f64) -> String {
    format!("{seconds:+.6} s")
}
