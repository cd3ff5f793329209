//! The common notation of C and Fortran.

use ats_props::native::fortran_symbol;
use ats_props::{Bytes, CValue, ParameterType};

use super::code::{Condition, Prototype, Run};

/// The symbol that Fortran calls.
pub(super) fn symbol(Prototype { name, communicator, .. }: &Prototype) -> String {
    fortran_symbol(name, *communicator)
}

/// The index of a run in a table.
pub(super) fn index(Run { phase, step }: Run) -> String {
    match (phase, step) {
        (1, 1) => "0".to_owned(),
        (1, _) => "run".to_owned(),
        (_, 1) => "iteration".to_owned(),
        (_, step) => format!("iteration * {step} + run"),
    }
}

/// The condition as an expression.
pub(super) fn condition(condition: &Condition) -> String {
    match condition {
        Condition::Member { split, group } => format!("color_{split} == {group}"),
        Condition::Run(run, number) => format!("{} == {number}", index(*run)),
    }
}

/// A long number, written as it stands or beside `ATS_LIMIT`, which it may be an amount of bytes above.
pub(super) fn long(value: i64, number: impl Fn(i64) -> String) -> String {
    match Bytes::from_c(&[CValue::Long(value)]) {
        Ok(Bytes::Limit { above: 0 }) => "ATS_LIMIT".to_owned(),
        Ok(Bytes::Limit { above }) => format!("ATS_LIMIT + {}", number(above.into())),
        _ => number(value),
    }
}

/// The parts, without parentheses if there is only one.
pub(super) fn without_parentheses(mut parts: Vec<String>) -> Vec<String> {
    if let [alone] = &mut parts[..] {
        *alone = alone.trim_start_matches('(').trim_end_matches(')').to_owned();
    }
    parts
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_eager_limit_has_its_name() {
        let written = |bytes: &str| match Bytes::parse(bytes).unwrap().to_c()[..] {
            [CValue::Long(value)] => long(value, |number| format!("{number}_8")),
            _ => unreachable!("one number"),
        };
        let all = ["0", "4KiB", "limit", "limit+1"].map(written);
        assert_eq!(all, ["0_8", "4096_8", "ATS_LIMIT", "ATS_LIMIT + 1_8"]);
    }
}
