//! Amounts of data.

use super::{CPart, CType, CValue, ParameterType};

/// An amount of data in bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Bytes(pub u64);

/// What may stand behind the number, and how many bytes it is.
const UNITS: [(&str, u64); 8] = [
    ("B", 1),
    ("kB", 1_000),
    ("MB", 1_000_000),
    ("GB", 1_000_000_000),
    ("KiB", 1 << 10),
    ("MiB", 1 << 20),
    ("GiB", 1 << 30),
    ("", 1),
];

impl ParameterType for Bytes {
    const KIND: &'static str = "bytes";
    const UNIT: &'static str = "B";
    const RANGE: &'static str = "a whole number; with B, kB, MB, GB, KiB, MiB or GiB behind it";
    const IN_C: &'static [CPart] =
        &[CPart { suffix: "", ctype: CType::Long, getter: "ats_bytes", doc: "an amount of data in bytes" }];

    fn parse(text: &str) -> Result<Self, String> {
        let given = text.trim();
        let end = given.find(|letter: char| !letter.is_ascii_digit()).unwrap_or(given.len());
        let unit = given[end..].trim_start();
        let times = UNITS.iter().find(|(name, _)| *name == unit).map(|(_, times)| times);
        times
            .and_then(|times| given[..end].parse::<u64>().ok()?.checked_mul(*times))
            .filter(|bytes| i64::try_from(*bytes).is_ok())
            .map(Bytes)
            .ok_or_else(|| format!("`{text}` is no amount of data; give {}", Self::RANGE))
    }

    fn text(&self) -> String {
        self.0.to_string()
    }

    fn to_c(&self) -> Vec<CValue> {
        vec![CValue::Long(i64::try_from(self.0).unwrap_or(i64::MAX))]
    }

    fn from_c(values: &[CValue]) -> Result<Self, String> {
        match *values {
            [CValue::Long(bytes)] => {
                u64::try_from(bytes).map(Bytes).map_err(|_| "it must be 0 or more".to_owned())
            }
            _ => unreachable!("IN_C says what is passed"),
        }
    }

    fn number(&self) -> Option<f64> {
        Some(self.0 as f64)
    }

    fn of_number(number: f64) -> Result<Self, String> {
        Self::parse(&number.round().to_string())
    }
}
