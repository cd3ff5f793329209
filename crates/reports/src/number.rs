//! Numbers that a report may have: seconds are finite and not negative.

use ats_documents::finding::FOREVER;

/// Seconds, or why these are none.
pub(crate) fn seconds(value: f64) -> Result<f64, String> {
    if value.is_nan() {
        Err("a time is not a number (NaN)".to_owned())
    } else if value < 0.0 {
        Err(format!("a time of {value} s is negative"))
    } else if value > FOREVER {
        Err(format!("a time of {value:e} s is beyond all measure"))
    } else {
        Ok(value)
    }
}

/// A number in a text, or why it is none.
pub(crate) fn parse<T: std::str::FromStr>(text: &str, what: &str) -> Result<T, String> {
    text.parse().map_err(|_| format!("{:?} is not a valid {what}", crate::names::shortened(text)))
}

/// A count that a tool writes as a floating-point number.
pub(crate) fn count(value: f64) -> Result<u64, String> {
    if (0.0..9e15).contains(&value) {
        Ok(value.round() as u64)
    } else {
        Err(format!("{value} is not a valid count"))
    }
}
