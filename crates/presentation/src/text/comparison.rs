//! Comparisons as text.

use ats_documents::Comparison;
use ats_documents::comparison::Measure;

use crate::differences::{lines, sentences};
use crate::printable::printable;

/// Text on the time that B takes beyond A: the whole, its terms, and the places and root causes of each, those of at least the share
/// `above` of A.
pub fn comparison(document: &Comparison, above: f64) -> String {
    let sentences = sentences(document).into_iter().map(|sentence| format!("{}\n", printable(&sentence)));
    let mut text: String = sentences.collect();
    for line in lines(document, above) {
        let share = format!("{:+.1} %", document.share(&line.difference) * 100.0);
        let apart = if line.depth == 0 { "\n" } else { "" };
        let indent = "  ".repeat(line.depth);
        let name = line.text();
        let name = printable(&name);
        text += &match document.measure {
            Measure::Seconds => {
                format!("{apart}{:>+12.6} s  {share:>8}  {indent}{name}\n", line.difference.change())
            }
            Measure::Shares => format!("{apart}{share:>8}  {indent}{name}\n"),
        };
    }
    text
}
