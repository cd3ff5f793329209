//! Judged predictions as text.

use ats_documents::WhatIfScore;
use ats_documents::what_if_score::{JudgedChange, VerdictOnChange};

use super::grid::Grid;
use super::{Look, Mood, Shown};
use crate::printable::printable;

const COLUMNS: [&str; 6] = ["program", "change", "predicted", "truth", "off by", "verdict"];

/// A row for each change, and the number of predictions by their verdict. It has no control characters but those that
/// `look` paints with.
pub fn what_if_score(score: &WhatIfScore, look: Look) -> String {
    let mut table = Grid::new(&COLUMNS, &[2, 3, 4], look.width);
    let is_shown =
        |change: &&JudgedChange| look.shown == Shown::All || change.verdict == VerdictOnChange::Off;
    for change in score.changes.iter().filter(is_shown) {
        table.row(row(change));
    }
    let mut text = String::new();
    if !table.is_empty() {
        text += &painted(table.text(), look);
        text += "\n";
    }
    let version = score.version.as_ref().map(|version| format!(" {version}")).unwrap_or_default();
    let totals = score.totals;
    text += &format!(
        "predictions of {}{}: {} exact, {} off, {} undefined\n",
        printable(&score.predictor),
        printable(&version),
        totals.exact,
        totals.off,
        totals.undefined
    );
    text
}

fn row(change: &JudgedChange) -> [String; 6] {
    let size = match (change.ranks, change.threads) {
        (ranks, 1) => ranks.to_string(),
        (ranks, threads) => format!("{ranks}×{threads}"),
    };
    let seconds = |seconds: f64| format!("{seconds:.6} s");
    let [predicted, truth, off] = change.times.map_or_else(Default::default, |times| {
        [seconds(times.predicted), seconds(times.truth), difference(times.difference)]
    });
    let reasons = change.reason.iter().chain(&change.losses);
    let reasons: Vec<&str> = reasons.map(String::as_str).collect();
    let name = word(change.verdict);
    let verdict =
        if reasons.is_empty() { name.to_owned() } else { format!("{name}: {}", reasons.join("; ")) };
    [format!("{} on {size}", change.program), change.options.join(" "), predicted, truth, off, verdict]
}

fn word(verdict: VerdictOnChange) -> &'static str {
    match verdict {
        VerdictOnChange::Exact => "exact",
        VerdictOnChange::Off => "off",
        VerdictOnChange::Undefined => "undefined",
    }
}

/// A share with as many digits as tell it from zero.
fn difference(share: f64) -> String {
    let percent = share * 100.0;
    match percent.abs() {
        0.0 => "0".to_owned(),
        small if small < 0.001 => format!("{percent:+.0e} %"),
        _ => format!("{percent:+.3} %"),
    }
}

/// The table with the verdicts that are off in their colour.
fn painted(table: String, look: Look) -> String {
    let paint = |line: &str| {
        let painted =
            line.strip_suffix(" off").map(|rest| format!("{rest} {}", (look.paint)("off", Mood::Bad)));
        painted.unwrap_or_else(|| line.to_owned()) + "\n"
    };
    table.lines().map(paint).collect()
}
