//! One program after the other, as they come: a line for each row that the table would have.

use ats_documents::score::ProgramResult;

use super::{Mood, Names, Row, rows};
use crate::printable::printable;

/// A line in two parts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Line {
    /// The verdict, to be painted, with the room before it.
    pub verdict: String,
    /// The mood that decides its colour.
    pub mood: Mood,
    /// All the rest.
    pub rest: String,
}

/// So wide a verdict usually is.
const VERDICT: usize = 9;

/// The lines of a program among others of these names; what was planned above `threshold` was to be found.
pub fn lines(program: &ProgramResult, names: &Names, threshold: f64) -> Vec<Line> {
    let line = |row: Row| {
        let [name, nominal, observed, found, seconds, path, locations] =
            row.cells.map(|cell| printable(&cell).into_owned());
        let amounts = Amounts { nominal, observed, found, seconds };
        let mood = row.verdict.mood;
        let verdict = printable(&row.verdict.text).into_owned();
        Line {
            verdict: format!("{verdict:>VERDICT$}"),
            mood,
            rest: rest(&name, names, &amounts, &path, &locations),
        }
    };
    rows(program, names, threshold).into_iter().map(line).collect()
}

/// The header above the lines.
pub fn header(names: &Names) -> String {
    let of = |text: &str| text.to_owned();
    let amounts = Amounts {
        nominal: of("nominal"),
        observed: of("observed"),
        found: of("found"),
        seconds: of("seconds"),
    };
    format!("{:>VERDICT$}{}", "verdict", rest("program", names, &amounts, "call path", "locations"))
}

struct Amounts {
    nominal: String,
    observed: String,
    found: String,
    seconds: String,
}

fn rest(name: &str, names: &Names, amounts: &Amounts, path: &str, locations: &str) -> String {
    let Amounts { nominal, observed, found, seconds } = amounts;
    let width = names.width();
    let line = format!(
        "  {name:<width$}  {nominal:>9}  {observed:>9}  {found:>9}  {seconds:>8}  {path}  {locations}"
    );
    line.trim_end().to_owned()
}
