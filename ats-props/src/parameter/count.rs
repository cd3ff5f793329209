//! Whole numbers: repetitions, ranks.

use super::{CPart, CType, CValue, ParameterType};

impl ParameterType for usize {
    const KIND: &'static str = "count";
    const RANGE: &'static str = "a whole number, 0 to 2147483647";
    const IN_C: &'static [CPart] =
        &[CPart { suffix: "", ctype: CType::Int, getter: "ats_count", doc: "a whole number" }];

    fn parse(text: &str) -> Result<Self, String> {
        match text.trim().parse::<i32>() {
            Ok(value) if value >= 0 => Ok(value as usize),
            _ => Err(format!("`{text}` is not a valid count; give a whole number from 0 to {}", i32::MAX)),
        }
    }

    fn text(&self) -> String {
        self.to_string()
    }

    fn to_c(&self) -> Vec<CValue> {
        vec![CValue::Int(i32::try_from(*self).unwrap_or(i32::MAX))]
    }

    fn from_c(values: &[CValue]) -> Result<Self, String> {
        match *values {
            [CValue::Int(value)] => usize::try_from(value).map_err(|_| "it must be 0 or more".to_owned()),
            _ => unreachable!("IN_C says what is passed"),
        }
    }

    fn number(&self) -> Option<f64> {
        Some(*self as f64)
    }

    fn of_number(number: f64) -> Result<Self, String> {
        Self::parse(&number.round().to_string())
    }
}
