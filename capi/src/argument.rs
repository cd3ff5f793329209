//! C's numbers as the suite's.

use std::ffi::c_int;

use ats_props::Seconds;

use crate::failure::Problem;

/// A duration.
pub(crate) fn seconds(name: &str, value: f64) -> Result<Seconds, Problem> {
    if value.is_finite() && value >= 0.0 {
        Ok(Seconds(value))
    } else {
        Err(Problem(format!("{name} is {value}; a duration in seconds is finite and not negative")))
    }
}

/// A count or a rank.
pub(crate) fn count(name: &str, value: c_int) -> Result<usize, Problem> {
    usize::try_from(value).map_err(|_| Problem(format!("{name} is {value}; it must be 0 or more")))
}
