//! What C and Fortran write alike.

use ats_props::native::fortran_symbol;

use super::code::{Condition, Prototype, Run};

/// The symbol that Fortran calls.
pub(super) fn symbol(Prototype { name, communicator, .. }: &Prototype) -> String {
    fortran_symbol(name, *communicator)
}

/// Which entry of a table a run has.
pub(super) fn index(Run { phase, step }: Run) -> String {
    match (phase, step) {
        (1, 1) => "0".to_owned(),
        (1, _) => "run".to_owned(),
        (_, 1) => "iteration".to_owned(),
        (_, step) => format!("iteration * {step} + run"),
    }
}

/// When something is done.
pub(super) fn condition(condition: &Condition) -> String {
    match condition {
        Condition::Member { split, group } => format!("color_{split} == {group}"),
        Condition::Run(run, number) => format!("{} == {number}", index(*run)),
    }
}

/// What stands alone needs none.
pub(super) fn without_parentheses(mut parts: Vec<String>) -> Vec<String> {
    if let [alone] = &mut parts[..] {
        *alone = alone.trim_start_matches('(').trim_end_matches(')').to_owned();
    }
    parts
}
