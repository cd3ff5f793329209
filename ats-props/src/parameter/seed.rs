//! Seeds of pseudo-random numbers.

use super::{CPart, CType, CValue, ParameterType};

/// The seed of a sequence of pseudo-random numbers: the same seed gives the same program, in every language.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Seed(pub u64);

impl ParameterType for Seed {
    const KIND: &'static str = "seed";
    const RANGE: &'static str = "a whole number, 0 to 9223372036854775807";
    const IN_C: &'static [CPart] =
        &[CPart { suffix: "", ctype: CType::Long, getter: "ats_seed", doc: "a seed of random numbers" }];

    fn parse(text: &str) -> Result<Self, String> {
        match text.trim().parse::<i64>() {
            Ok(seed) if seed >= 0 => Ok(Seed(seed.unsigned_abs())),
            _ => Err(format!("`{text}` is not a valid seed; give a whole number from 0 to {}", i64::MAX)),
        }
    }

    fn text(&self) -> String {
        self.0.to_string()
    }

    fn to_c(&self) -> Vec<CValue> {
        vec![CValue::Long(i64::try_from(self.0).unwrap_or(i64::MAX))]
    }

    fn from_c(values: &[CValue]) -> Result<Self, String> {
        match *values {
            [CValue::Long(seed)] => {
                u64::try_from(seed).map(Seed).map_err(|_| "a seed is 0 or more".to_owned())
            }
            _ => unreachable!("IN_C says what is passed"),
        }
    }
}
