//! Distributions of an amount: in C, as in the report, a function and its descriptor.

use ats_distr::Distribution;

use super::{CPart, CType, CValue, ParameterType};

impl ParameterType for Distribution {
    const KIND: &'static str = "distribution";
    const UNIT: &'static str = "s";
    const RANGE: &'static str =
        "same:v, cyclic2|block2|linear:low:high, peak:low:high:n, cyclic3|block3:low:med:high";
    const IN_C: &'static [CPart] = &[
        CPart { suffix: "_df", ctype: CType::Function, getter: "", doc: "" },
        CPart {
            suffix: "_dd",
            ctype: CType::Descriptor,
            getter: "ats_distribution",
            doc: "a distribution: its number, for the descriptor of `df_given`",
        },
    ];

    fn parse(text: &str) -> Result<Self, String> {
        text.parse().map_err(|error: ats_distr::DistributionError| error.to_string())
    }

    fn text(&self) -> String {
        self.to_string()
    }

    fn to_c(&self) -> Vec<CValue> {
        vec![CValue::Distribution(self.clone())]
    }

    fn from_c(values: &[CValue]) -> Result<Self, String> {
        match values {
            [CValue::Distribution(distribution)] => Ok(distribution.clone()),
            _ => unreachable!("IN_C says what is passed"),
        }
    }

    fn stepped(&self, _step: f64) -> Result<Self, String> {
        Err("a distribution does not grow by steps; use { first = …, factor = … } or a list".to_owned())
    }

    fn scaled(&self, factor: f64) -> Result<Self, String> {
        Ok(Distribution::scaled(self, factor))
    }
}
