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

#[cfg(test)]
mod tests {
    use super::{count, parse, seconds};

    #[test]
    fn what_is_no_time_is_named() {
        assert_eq!(seconds(0.25), Ok(0.25));
        assert_eq!(seconds(f64::NAN).unwrap_err(), "a time is not a number (NaN)");
        assert_eq!(seconds(-1.0).unwrap_err(), "a time of -1 s is negative");
        assert_eq!(seconds(f64::INFINITY).unwrap_err(), "a time of inf s is beyond all measure");
        assert_eq!(parse::<u32>("-7", "rank").unwrap_err(), "\"-7\" is not a valid rank");
        assert_eq!(count(1e300).unwrap_err(), format!("{} is not a valid count", 1e300));
        assert_eq!(count(41.0), Ok(41));
    }
}
