//! Values over repeats.

use serde::{Deserialize, Serialize};

/// A value over repeats.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Spread {
    /// The middle one, or the mean of the two in the middle.
    pub median: f64,
    /// The least.
    pub least: f64,
    /// The largest.
    pub most: f64,
    /// Over how many repeats.
    pub of: u32,
}

impl Spread {
    /// The spread of these values, which must not be NaN; `None` without values.
    pub fn over(mut values: Vec<f64>) -> Option<Spread> {
        values.sort_by(f64::total_cmp);
        let (&least, &most) = (values.first()?, values.last()?);
        let middle = values.len() / 2;
        let median =
            if values.len() % 2 == 1 { values[middle] } else { (values[middle - 1] + values[middle]) / 2.0 };
        Some(Spread { median, least, most, of: values.len() as u32 })
    }
}

#[cfg(test)]
mod tests {
    use super::Spread;

    #[test]
    fn a_median_lies_in_the_middle() {
        assert_eq!(Spread::over(vec![]), None);
        let spread = |values: &[f64]| {
            let spread = Spread::over(values.to_vec()).unwrap();
            (spread.least, spread.median, spread.most, spread.of)
        };
        assert_eq!(spread(&[2.0]), (2.0, 2.0, 2.0, 1));
        assert_eq!(spread(&[5.0, 1.0, 2.0]), (1.0, 2.0, 5.0, 3));
        assert_eq!(spread(&[4.0, 1.0, 2.0, 8.0]), (1.0, 3.0, 8.0, 4));
    }
}
