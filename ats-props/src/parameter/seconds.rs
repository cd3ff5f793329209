//! Durations in seconds.

use super::{CPart, CType, CValue, ParameterType};

/// A duration in seconds, finite and not negative.
#[derive(Clone, Copy, Debug, PartialEq, PartialOrd)]
pub struct Seconds(pub f64);

impl Seconds {
    fn checked(seconds: f64) -> Result<Self, String> {
        if seconds.is_finite() && seconds >= 0.0 {
            Ok(Seconds(seconds))
        } else {
            Err("a duration in seconds is finite and not negative".to_owned())
        }
    }
}

impl ParameterType for Seconds {
    const KIND: &'static str = "seconds";
    const UNIT: &'static str = "s";
    const RANGE: &'static str = "0 or more; with s, ms, us or ns behind the number";
    const IN_C: &'static [CPart] =
        &[CPart { suffix: "", ctype: CType::Double, getter: "ats_seconds", doc: "a duration in seconds" }];

    fn parse(text: &str) -> Result<Self, String> {
        let seconds = ats_distr::parse_number(text).map_err(|error| error.to_string())?;
        Seconds::checked(seconds)
            .map_err(|_| format!("`{text}` is out of range; a duration is finite and not negative"))
    }

    fn text(&self) -> String {
        self.0.to_string()
    }

    fn to_c(&self) -> Vec<CValue> {
        vec![CValue::Real(self.0)]
    }

    fn from_c(values: &[CValue]) -> Result<Self, String> {
        match *values {
            [CValue::Real(seconds)] => Seconds::checked(seconds),
            _ => unreachable!("IN_C says what is passed"),
        }
    }

    fn number(&self) -> Option<f64> {
        Some(self.0)
    }
}
