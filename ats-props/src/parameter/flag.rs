//! Flags: true or false.

use super::{CPart, CType, CValue, ParameterType};

impl ParameterType for bool {
    const KIND: &'static str = "flag";
    const RANGE: &'static str = "true or false";
    const IN_C: &'static [CPart] = &[CPart {
        suffix: "",
        ctype: CType::Int,
        getter: "ats_flag",
        doc: "a flag: 1 where it is true, else 0",
    }];

    fn parse(text: &str) -> Result<Self, String> {
        text.trim().parse().map_err(|_| format!("`{text}` is not a valid flag; give true or false"))
    }

    fn text(&self) -> String {
        self.to_string()
    }

    fn to_c(&self) -> Vec<CValue> {
        vec![CValue::Int((*self).into())]
    }

    fn from_c(values: &[CValue]) -> Result<Self, String> {
        match *values {
            [CValue::Int(0)] => Ok(false),
            [CValue::Int(1)] => Ok(true),
            [CValue::Int(_)] => Err("a flag is 1 or 0".to_owned()),
            _ => unreachable!("IN_C says what is passed"),
        }
    }
}
