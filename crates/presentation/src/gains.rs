//! Gains of changes in rows and sentences: what text and pages show of them.

use ats_documents::WhatIf;
use ats_documents::what_if::{StateOfRun, WhatIfAnswer};

use crate::words::percent;

/// The headings of [`rows`].
pub(crate) const HEADINGS: [&str; 5] = ["seconds", "gain", "efficiency", "lost", "change"];

/// The run without changes, and with each.
pub(crate) fn rows(document: &WhatIf) -> Vec<[String; 5]> {
    let row = |run: &StateOfRun, gain: String, changes: String| {
        [seconds(run.seconds), gain, percent(run.efficiency), seconds(run.division.lost()), changes]
    };
    let answer = |of: &WhatIfAnswer| row(&of.after, gain(document, of), of.changes.join(" "));
    let without = row(&document.before, String::new(), "none".to_owned());
    std::iter::once(without).chain(document.answers.iter().map(answer)).collect()
}

/// The error, and what is not known.
pub(crate) fn head(document: &WhatIf) -> Vec<String> {
    let WhatIf { trace, recorded, error, not_followed, .. } = document;
    let (recorded, error) = (seconds(*recorded), signed(*error));
    let mut lines = vec![format!("{trace}: {recorded} recorded; a replay without changes is {error} off")];
    if *not_followed > 0.0 {
        lines.push(format!(
            "{} of calls, over all locations, are not followed: no record says whom they wait for, or they test \
             for messages, as often as they did",
            seconds(*not_followed)
        ));
    }
    lines.extend(document.notes.iter().cloned());
    lines
}

/// The run with changes for its own problems, one after the other, and the least that it can take.
pub(crate) fn together(document: &WhatIf) -> String {
    let floor = format!("floor {}", seconds(document.floor));
    let steps: Vec<String> = document.together.iter().map(|&step| seconds(step)).collect();
    if steps.is_empty() {
        return floor;
    }
    format!("one after the other: {}, {}; {floor}", seconds(document.before.seconds), steps.join(", "))
}

/// The problem that limits the run with the last changes.
pub(crate) fn limit(document: &WhatIf) -> Option<String> {
    let problem = document.answers.last()?.after.problem.as_ref()?;
    Some(format!("With the last row, the run is limited by this: {problem}"))
}

fn gain(document: &WhatIf, answer: &WhatIfAnswer) -> String {
    if answer.is_certain {
        let share = if document.before.seconds > 0.0 { answer.gain / document.before.seconds } else { 0.0 };
        format!("{} ({})", signed(answer.gain), percent(share))
    } else {
        "none".to_owned()
    }
}

pub(crate) fn seconds(seconds: f64) -> String {
    format!("{seconds:.6} s")
}

fn signed(seconds: f64) -> String {
    format!("{seconds:+.6} s")
}
