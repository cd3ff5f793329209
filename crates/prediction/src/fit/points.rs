//! What models are fitted to.

use thiserror::Error;

/// What was measured at several values of the parameters.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Points {
    /// The names of the parameters.
    pub parameters: Vec<String>,
    /// The points, in any order; those with the same values are one point with more repeats.
    pub points: Vec<Point>,
}

/// What was measured at one value of each parameter.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Point {
    /// The values of the parameters, in their order.
    pub values: Vec<f64>,
    /// One value for each repeat.
    pub measured: Vec<f64>,
}

/// Points that no model can be fitted to, or asked at.
#[derive(Debug, Clone, PartialEq, Error)]
pub enum FitError {
    /// No parameter or no point.
    #[error("there is nothing to fit; give points with at least one parameter")]
    Nothing,
    /// A point without a value for each parameter.
    #[error("point {point} has {given} values for {parameters} parameters; give one for each")]
    Parameters {
        /// The point, as it is shown.
        point: String,
        /// The number of its values.
        given: usize,
        /// The number of parameters.
        parameters: usize,
    },
    /// A parameter with a value below 1, whose logarithm is negative.
    #[error(
        "{parameter} is {value} in point {point}, and its logarithm below 0; measure {parameter} in a smaller unit"
    )]
    Below1 {
        /// The point, as it is shown.
        point: String,
        /// The parameter.
        parameter: String,
        /// Its value.
        value: f64,
    },
    /// A point without a measured value.
    #[error("nothing is measured at point {0}; leave the point out, or measure it")]
    Missing(String),
    /// A measured value without defined relative errors.
    #[error(
        "the value measured at point {point} is {value}; relative errors need values above 0: leave it out"
    )]
    NotPositive {
        /// The point, as it is shown.
        point: String,
        /// What is measured.
        value: f64,
    },
    /// A parameter with fewer than three values.
    #[error(
        "{parameter} has {values} values where the other parameters stay the same; a model needs at least three, \
         better five"
    )]
    TooFew {
        /// The parameter.
        parameter: String,
        /// The number of its values.
        values: usize,
    },
}

impl Point {
    /// The point in errors: `(ranks=4, n=1000)`.
    pub(crate) fn show(&self, parameters: &[String]) -> String {
        let named = parameters.iter().zip(&self.values).map(|(name, value)| format!("{name}={value}"));
        format!("({})", named.collect::<Vec<_>>().join(", "))
    }
}

/// Checks that there is one value for each parameter, and its logarithm not below 0.
pub(crate) fn check_values(parameters: &[String], values: &[f64]) -> Result<(), FitError> {
    let point = || Point { values: values.to_vec(), measured: Vec::new() }.show(parameters);
    if values.len() != parameters.len() {
        return Err(FitError::Parameters {
            point: point(),
            given: values.len(),
            parameters: parameters.len(),
        });
    }
    match values.iter().zip(parameters).find(|(value, _)| !value.is_finite() || **value < 1.0) {
        Some((value, name)) => {
            Err(FitError::Below1 { point: point(), parameter: name.clone(), value: *value })
        }
        None => Ok(()),
    }
}

impl Points {
    /// Checks each point.
    ///
    /// # Errors
    /// If models cannot be fitted to one; the error names it.
    pub fn check(&self) -> Result<(), FitError> {
        if self.parameters.is_empty() || self.points.is_empty() {
            return Err(FitError::Nothing);
        }
        for point in &self.points {
            check_values(&self.parameters, &point.values)?;
            let point_name = || point.show(&self.parameters);
            if point.measured.is_empty() {
                return Err(FitError::Missing(point_name()));
            }
            if let Some(value) = point.measured.iter().find(|value| !value.is_finite() || **value <= 0.0) {
                return Err(FitError::NotPositive { point: point_name(), value: *value });
            }
        }
        Ok(())
    }
}
