//! The drawing in characters.

use std::collections::{BTreeMap, BTreeSet};

use super::scale::ticks;
use super::spans::{Doing, Span, of_row, part, zero};
use crate::timeline::Timeline;
use crate::words::{location, state, title};

const WORKS: char = '█';
const IN_A_CALL: char = '─';
const WAITS: char = '░';

/// Draws a timeline for a terminal: a line for each location, as wide as `columns` at most.
///
/// A character stands for the activity that takes most of its time; calls too short for one are not shown, nor are
/// messages.
///
/// ```
/// use ats_presentation::{Limits, draw_text, timeline};
/// let trace = ats_analyzer::notation::parse("0: 0..6 work; 6..8 MPI_Send send 1\n1: 0..8 MPI_Recv recv 0")?;
/// let timeline = timeline(&trace, None, &Limits::default());
/// assert!(draw_text(&timeline, 16).starts_with("rank 0  ██████──\nrank 1  ────────\n"));
/// # Ok::<(), ats_analyzer::notation::NotationError>(())
/// ```
pub fn text(timeline: &Timeline, columns: usize) -> String {
    let names: Vec<String> = timeline.rows.iter().map(|row| location(timeline, row)).collect();
    let indent = names.iter().map(|name| name.chars().count()).max().unwrap_or(0) + 2;
    let width = columns.saturating_sub(indent).max(1);
    let part = part(timeline);
    let mut drawn = String::new();
    for (index, (row, name)) in timeline.rows.iter().zip(&names).enumerate() {
        let spans = of_row(row, &timeline.regions, part);
        let cells = spans.iter().map(|span| (*span, character(span)));
        let waits = timeline.waits.iter().filter(|wait| wait.row == index);
        // A wait lies within a call, and takes its place.
        let waits =
            waits.map(|wait| (Span { begin: wait.begin, end: wait.end, doing: Doing::Nothing }, WAITS));
        let line = line(&cells.collect::<Vec<_>>(), &waits.collect::<Vec<_>>(), part, width);
        drawn += format!("{name:indent$}{line}").trim_end();
        drawn.push('\n');
    }
    drawn += axis(timeline, indent, width).trim_end();
    drawn += "\n\n";
    let waits = timeline.waits.iter().filter(|wait| wait.end > part.0 && wait.begin < part.1);
    let states: BTreeSet<&str> = waits.map(|wait| state(&timeline.findings[wait.finding])).collect();
    let states: Vec<String> = states.into_iter().map(title).collect();
    drawn += &format!("{WORKS} works  {IN_A_CALL} in a call");
    if !states.is_empty() {
        drawn += &format!("  {WAITS} waits: {}", states.join(", "));
    }
    drawn.push('\n');
    drawn
}

fn character(span: &Span) -> char {
    match span.doing {
        Doing::Nothing => ' ',
        Doing::Work => WORKS,
        Doing::Call(_) => IN_A_CALL,
    }
}

/// The characters that take most of each cell.
fn line(spans: &[(Span, char)], waits: &[(Span, char)], part: (u64, u64), width: usize) -> String {
    let length = (part.1 - part.0) as f64 / width as f64;
    let mut cells: Vec<BTreeMap<char, f64>> = vec![BTreeMap::new(); width];
    let mut add = |span: &Span, what: char, sign: f64| {
        let at = |time: u64| (time.clamp(part.0, part.1) - part.0) as f64 / length.max(f64::MIN_POSITIVE);
        let (begin, end) = (at(span.begin), at(span.end));
        let last = (end.ceil() as usize).min(width);
        for (cell, content) in cells.iter_mut().enumerate().take(last).skip(begin as usize) {
            let covered = end.min((cell + 1) as f64) - begin.max(cell as f64);
            *content.entry(what).or_default() += sign * covered.max(0.0);
        }
    };
    spans.iter().for_each(|(span, what)| add(span, *what, 1.0));
    for (wait, what) in waits {
        add(wait, *what, 1.0);
        add(wait, IN_A_CALL, -1.0);
    }
    let most = |cell: &BTreeMap<char, f64>| {
        cell.iter().max_by(|one, other| one.1.total_cmp(other.1)).map_or(' ', |(what, _)| *what)
    };
    cells.iter().map(most).collect()
}

fn axis(timeline: &Timeline, indent: usize, width: usize) -> String {
    let (begin, end) = part(timeline);
    let length = (end - begin) as f64 / timeline.resolution.max(1) as f64;
    let mut axis = " ".repeat(indent);
    for (seconds, name) in ticks(zero(timeline), length, (width / 10).max(1)) {
        let at = indent + (seconds / length * width as f64).round() as usize;
        let there = axis.chars().count();
        if (there == indent || there < at) && at + name.len() <= indent + width {
            axis += &" ".repeat(at - there);
            axis += &name;
        }
    }
    axis
}

#[cfg(test)]
mod tests {
    use ats_analyzer::{analyze_with, notation};

    use crate::{Limits, draw_text, timeline};

    fn drawn(text: &str, columns: usize) -> String {
        let trace = notation::parse(text).unwrap();
        let mut waits = Vec::new();
        let observe = &mut |wait| waits.push(wait);
        let analysis = analyze_with(&trace, "x", &Default::default(), observe).unwrap();
        draw_text(&timeline(&trace, Some((&analysis, &waits)), &Limits::default()), columns)
    }

    #[test]
    fn waiting_ranks_and_their_times_are_shown() {
        let text = "0: 0..5 work; 5..10 MPI_Send send 1
                    1: 0..1 work; 1..10 MPI_Recv recv 0";
        let wanted = "\
rank 0  ██████████──────────
rank 1  ██░░░░░░░░──────────
        0 s       5 s

█ works  ─ in a call  ░ waits: Late sender
";
        assert_eq!(drawn(text, 28), wanted);
    }

    #[test]
    fn a_narrow_terminal_is_no_mistake() {
        let text = "0: 0..5 work";
        for columns in 0..12 {
            assert!(drawn(text, columns).starts_with("rank 0  █"));
        }
    }
}
