//! Explanations as text.

use ats_documents::Explanation;
use ats_documents::explanation::{NoteKind, OverTime, Problem};

use super::gate::gate;
use crate::printable::printable;
use crate::{machine, words};

/// The efficiency, and the problems in sentences, the largest first; with `details`, the evidence and all causes that fit.
pub fn explanation(document: &Explanation, details: bool) -> String {
    let mut text = machine::opening(&document.machine);
    let (first, notes): (Vec<_>, Vec<_>) =
        document.noted().partition(|(kind, _)| *kind == NoteKind::ReadInPart);
    first.into_iter().for_each(|(_, note)| text += &format!("{}\n", printable(note)));
    if let Some(against) = &document.against {
        against.sentences.iter().for_each(|sentence| text += &format!("{}\n", printable(sentence)));
        text.push('\n');
    }
    text += &format!("efficiency {}\n", words::efficiency(document));
    let waiting = words::waiting(&document.division).filter(|_| details);
    text += &waiting.map_or_else(String::new, |waiting| format!("{waiting}\n"));
    text += &over_time(document);
    for transfers in &document.transfers {
        text += &format!("{}\n", printable(&words::transfers(transfers)));
    }
    text += &words::lacking_processors(document).map_or_else(String::new, |sentence| format!("{sentence}\n"));
    for (_, note) in notes {
        text += &format!("{}\n", printable(note));
    }
    if document.is_enough() {
        return text;
    }
    if document.problems.is_empty() {
        let how = if document.omits_problems() { "; see --top and --above." } else { "" };
        text += &format!("{}{how}\n", words::no_problem(document));
    }
    for (number, problem) in (1..).zip(&document.problems) {
        text += &format!(
            "\n{number}. {}: {:.1} %\n",
            crate::title(problem.cause().name()),
            problem.share * 100.0
        );
        text += &format!("   {}\n", printable(&problem.text));
        text += &problem.gain.as_ref().map_or_else(String::new, |gain| {
            format!("   {}\n", printable(&words::gain(gain, document.replay_error.unwrap_or_default())))
        });
        if details {
            text += &evidence(problem);
        }
    }
    if let Some(omitted) = words::omitted(document) {
        text += &format!("\n{omitted}; see --top and --above.\n");
    }
    text + &document.gate.as_ref().map_or_else(String::new, |of| format!("\n{}", gate(of)))
}

/// A bar for each interval, as high as its efficiency, and the times of the first and the last below them.
fn over_time(document: &Explanation) -> String {
    const BARS: [char; 8] = ['▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'];
    let OverTime { begin, interval, efficiency, .. } = &document.over_time;
    if efficiency.is_empty() {
        return String::new();
    }
    let bars: String = efficiency.iter().map(|share| BARS[((share * 8.0) as usize).min(7)]).collect();
    let number = efficiency.len();
    let (begin, end) = (format!("{begin:.3} s"), format!("{:.3} s", begin + interval * number as f64));
    let room = number.saturating_sub(begin.len()).max(end.len() + 1);
    let untimed = words::untimed(document).map_or_else(String::new, |untimed| format!("{untimed}\n"));
    format!("{bars}\n{begin}{end:>room$}\n{untimed}")
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
