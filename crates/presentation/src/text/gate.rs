//! Gates as text.

use ats_documents::explanation::{Gate, JudgedCalls, Numbers, ProblemState};

use crate::printable::printable;
use crate::words;

/// The facts that were not judged, then those that are worse than in the earlier runs, and the number of problems by state.
pub(super) fn gate(gate: &Gate) -> String {
    let mut text = String::new();
    for note in &gate.not_judged {
        text += &format!("{}\n", printable(note));
    }
    let is_said = |state| state != ProblemState::Unchanged;
    for problem in gate.problems.iter().filter(|of| is_said(of.state)) {
        text += &format!("{}: {}\n", crate::title(problem.state.name()), printable(&words::judged(problem)));
    }
    for calls in gate.calls.iter().filter(|of| JudgedCalls::are_more(of)) {
        text += &format!("More calls: {}\n", printable(&words::calls(calls)));
    }
    let Numbers { new, moved, grown, more_calls, not_judged, gone, unchanged } = gate.numbers;
    let verdict = if gate.is_passed() { "passed" } else { "failed" };
    let plural = if more_calls == 1 { "" } else { "s" };
    text + &format!(
        "Gate {verdict}: {new} new, {moved} moved, {grown} grown, {more_calls} function{plural} with more calls; {not_judged} not \
         judged, {gone} gone, {unchanged} unchanged.\n"
    )
}
