//! Shares of a whole, and probabilities.

use super::{CPart, CType, CValue, ParameterType};

/// A share of a whole, from 0 to 1.
#[derive(Clone, Copy, Debug, PartialEq, PartialOrd)]
pub struct Share(pub f64);

impl Share {
    fn checked(share: f64) -> Result<Self, String> {
        if (0.0..=1.0).contains(&share) { Ok(Share(share)) } else { Err("a share is from 0 to 1".to_owned()) }
    }
}

impl ParameterType for Share {
    const KIND: &'static str = "share";
    const RANGE: &'static str = "0 to 1, or 0% to 100%";
    const IN_C: &'static [CPart] =
        &[CPart { suffix: "", ctype: CType::Double, getter: "ats_share", doc: "a share from 0 to 1" }];

    fn parse(text: &str) -> Result<Self, String> {
        let given = text.trim();
        let (number, of) = given.strip_suffix('%').map_or((given, 1.0), |percent| (percent, 100.0));
        let share = number.trim_end().parse::<f64>().map(|number| number / of);
        share
            .map_err(drop)
            .and_then(|share| Share::checked(share).map_err(drop))
            .map_err(|()| format!("`{text}` is not a valid share; give {}", Self::RANGE))
    }

    fn text(&self) -> String {
        self.0.to_string()
    }

    fn to_c(&self) -> Vec<CValue> {
        vec![CValue::Real(self.0)]
    }

    fn from_c(values: &[CValue]) -> Result<Self, String> {
        match *values {
            [CValue::Real(share)] => Share::checked(share),
            _ => unreachable!("IN_C says what is passed"),
        }
    }

    fn number(&self) -> Option<f64> {
        Some(self.0)
    }
}
