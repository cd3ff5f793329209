//! Explanations as text.

use ats_documents::Explanation;
use ats_documents::explanation::{OverTime, Problem};

use super::printable::printable;
use crate::words;

/// The efficiency, and the problems in sentences, the largest first; with `details`, the evidence and all causes that fit.
pub fn explanation(document: &Explanation, details: bool) -> String {
    let mut text = efficiency(document);
    for note in &document.notes {
        text += &format!("{}\n", printable(note));
    }
    if document.is_enough() {
        return text;
    }
    if document.problems.is_empty() {
        text += "There is no problem worth a change.\n";
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
    if document.omitted.problems > 0 && !document.problems.is_empty() {
        let plural = if document.omitted.problems == 1 { "" } else { "s" };
        let (problems, seconds) = (document.omitted.problems, document.omitted.seconds);
        text += &format!(
            "\n{problems} smaller problem{plural} of {seconds:.3} s not shown; see --top and --above.\n"
        );
    }
    text
}

fn efficiency(document: &Explanation) -> String {
    let percent = document.efficiency * 100.0;
    let required = match document.required {
        None => String::new(),
        Some(required) if document.is_enough() => format!("; {:.1} % is enough", required * 100.0),
        Some(required) => format!("; {:.1} % is required", required * 100.0),
    };
    let lost = document.lost;
    let line = format!(
        "efficiency {percent:.1} %{required}: {lost:.3} s lost of {:.3} s\n",
        document.basis.location_seconds
    );
    line + &over_time(&document.over_time)
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
