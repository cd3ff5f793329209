//! The answer of an analysis as text.

use ats_documents::analysis::NotAnalyzed;
use ats_documents::{Analysis, Finding};

use super::causes;
use super::findings;
use super::grid::Grid;
use crate::machine;

/// The wait states that an analysis found, inside its basis and outside, the calls that it knows no rule for, and the
/// first root causes, if they were asked for. Wait states of less than the share `above` of the basis are one line. The tables are as wide as `width` at most, in columns of a terminal.
pub fn analysis(analysis: &Analysis, above: f64, width: Option<u16>) -> String {
    let Analysis { trace, locations, events, basis, findings: all, not_analyzed, .. } = analysis;
    let mut text = machine::opening(&analysis.machine);
    text += &format!("{trace}: {locations} locations, {events} events\n{}\n\n", findings::basis(basis));
    let (inside, outside): (Vec<&Finding>, Vec<&Finding>) = all.iter().partition(|finding| finding.in_basis);
    if inside.is_empty() {
        let among = if analysis.is_whole() { "" } else { " among what is analyzed" };
        text += &format!("No wait states were found{among}.\n");
    } else {
        text += &findings::table_above(&inside, basis, above, width);
    }
    if !outside.is_empty() {
        text += &format!("\nOutside of it:\n{}", findings::table_above(&outside, basis, above, width));
    }
    if !not_analyzed.is_empty() {
        let calls = calls(not_analyzed, width);
        text += &format!("\nNot analyzed, so that waits in it are not found:\n{calls}");
    }
    text + &causes::causes(analysis, width)
}

/// A row for each function.
fn calls(not_analyzed: &[NotAnalyzed], width: Option<u16>) -> String {
    let mut grid = Grid::new(&["seconds", "calls", "function", "what it is"], &[0, 1], width);
    for NotAnalyzed { what, function, calls, seconds } in not_analyzed {
        grid.row([&format!("{seconds:.6}"), &calls.to_string(), function, what.title()]);
    }
    grid.text()
}
