//! Explanations as text.

use ats_documents::Explanation;
use ats_documents::explanation::{OverTime, Problem};

use super::machine;
use super::printable::printable;
use crate::words;

/// The efficiency, and the problems in sentences, the largest first; with `details`, the evidence and all causes that fit.
pub fn explanation(document: &Explanation, details: bool) -> String {
    let mut text = machine::sentences(&document.machine);
    text += &format!("efficiency {}\n{}", words::efficiency(document), over_time(&document.over_time));
    for transfers in &document.transfers {
        text += &format!("{}\n", printable(&words::transfers(transfers)));
    }
    for note in &document.notes {
        text += &format!("{}\n", printable(note));
    }
    if document.is_enough() {
        return text;
    }
    if document.problems.is_empty() {
        text += &format!("{}\n", words::no_problem(document));
    }
    for (number, problem) in (1..).zip(&document.problems) {
        text += &format!(
            "\n{number}. {}: {:.1} %\n",
            crate::title(problem.cause().name()),
            problem.share * 100.0
        );
        text += &format!("   {}\n", printable(&problem.text));
        if details {
            text += &evidence(problem);
        }
    }
    if let Some(omitted) = words::omitted(document) {
        text += &format!("\n{omitted}; see --top and --above.\n");
    }
    text
}

/// A bar for each interval, as high as its efficiency.
fn over_time(over_time: &OverTime) -> String {
    const BARS: [char; 8] = ['▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'];
    let bar = |efficiency: &f64| BARS[((efficiency * 8.0) as usize).min(7)];
    let bars: String = over_time.efficiency.iter().map(bar).collect();
    let end = over_time.begin + over_time.interval * over_time.efficiency.len() as f64;
    if bars.is_empty() { bars } else { format!("{:.3} s {bars} {end:.3} s\n", over_time.begin) }
}

fn evidence(problem: &Problem) -> String {
    let mut text = String::new();
    for effect in &problem.effects {
        let intervals = effect.intervals.as_ref().map_or_else(String::new, |of| {
            let plural = if of.number == 1 { "" } else { "s" };
            format!(", {} interval{plural}, the worst from {:.6} s to {:.6} s", of.number, of.begin, of.end)
        });
        text += &format!("   {}{intervals}\n", printable(&words::effect(effect)));
    }
    for cause in &problem.causes {
        text += &format!("   {} ({:.0} %)\n", crate::title(cause.cause.name()), cause.confidence * 100.0);
        for fact in &cause.evidence {
            text += &format!("     {}\n", printable(fact));
        }
        text += &format!("     Advice: {}\n", printable(&cause.advice));
    }
    text
}
