//! C's numbers as the suite's.

use std::ffi::c_int;

use ats_props::{CValue, ParameterType};

use crate::failure::Problem;

/// A parameter's value, from the values that were passed for it.
pub(crate) fn value<T: ParameterType>(name: &str, passed: &[CValue]) -> Result<T, Problem> {
    T::from_c(passed).map_err(|wrong| {
        let told: Vec<_> = passed.iter().map(ToString::to_string).collect();
        Problem(format!("{name} is {}; {wrong}", told.join(", ")))
    })
}

/// A count or a rank.
pub(crate) fn count(name: &str, passed: c_int) -> Result<usize, Problem> {
    value(name, &[CValue::Int(passed)])
}
