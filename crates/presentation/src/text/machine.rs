//! The work of the machine in sentences.

use ats_documents::machine::Machine;

use super::printable::printable;

/// The sentences that an answer begins with, and an empty line; nothing if nothing has to be said.
pub(super) fn sentences(machine: &Machine) -> String {
    let mut text: String =
        machine.sentences().iter().map(|sentence| format!("{}\n", printable(sentence))).collect();
    if !text.is_empty() {
        text.push('\n');
    }
    text
}
