//! Numbers that may carry a unit of time.

use thiserror::Error;

/// Units of time: name, and the seconds in it as a fraction (so that `50us` is exactly the number `0.00005`).
const UNITS: [(&str, f64, f64); 8] = [
    ("ns", 1.0, 1e9),
    ("us", 1.0, 1e6),
    ("\u{b5}s", 1.0, 1e6),
    // Unicode's micro sign, and the Greek letter that it is normalised to.
    ("\u{3bc}s", 1.0, 1e6),
    ("ms", 1.0, 1e3),
    ("s", 1.0, 1.0),
    ("min", 60.0, 1.0),
    ("h", 3600.0, 1.0),
];

/// Reads a number such as `0.05`, `1e-3`, `10ms` or `50us`; with a unit the result is in seconds.
///
/// ```
/// assert_eq!(ats_distr::parse_number("50us"), Ok(0.00005));
/// assert_eq!(ats_distr::parse_number("0.5"), Ok(0.5));
/// ```
///
/// # Errors
/// The text is not a number, its unit is unknown, or the number is infinite or NaN.
pub fn parse_number(text: &str) -> Result<f64, NumberError> {
    let text = text.trim();
    let number = match text.parse::<f64>() {
        Ok(number) => number,
        Err(_) => with_unit(text)?,
    };
    if number.is_finite() { Ok(number) } else { Err(NumberError::NotFinite(text.to_owned())) }
}

fn with_unit(text: &str) -> Result<f64, NumberError> {
    let end = text.rfind(|c: char| c.is_ascii_digit() || c == '.').map_or(0, |last| last + 1);
    let (number, unit) = (&text[..end], text[end..].trim());
    let number: f64 = number.parse().map_err(|_| NumberError::NotANumber(text.to_owned()))?;
    let (_, times, per) = UNITS
        .iter()
        .find(|(name, ..)| *name == unit)
        .ok_or_else(|| NumberError::UnknownUnit { text: text.to_owned(), unit: unit.to_owned() })?;
    Ok(number * times / per)
}

/// Why a text is not a number.
#[derive(Clone, Debug, Error, PartialEq)]
pub enum NumberError {
    /// It is not a number at all.
    #[error("`{0}` is not a number; write for example 0.05, 50ms or 20us")]
    NotANumber(String),
    /// It is infinite, or not a number by name.
    #[error("`{0}` is not a finite number")]
    NotFinite(String),
    /// It is a number followed by something that is not a unit of time.
    #[error("`{text}` has the unknown unit `{unit}`; units are ns, us, ms, s, min and h")]
    UnknownUnit {
        /// The whole text.
        text: String,
        /// The text behind the number.
        unit: String,
    },
}
