//! Predictions of fitted models, with their intervals.

use serde::{Deserialize, Serialize};

use super::choice::{EXACT, LEAST, WITHIN};
use super::model::Model;
use super::points::{FitError, Point, check_values};

/// Models that the data cannot tell apart, and how far they can be trusted.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Fitted {
    /// The models that are not clearly worse than the best one, best first. After a kink: of the values above it.
    pub models: Vec<Model>,
    /// How far off the best model is at the largest values, if it is fitted without them: 0.03 is 3 %.
    pub error: f64,
    /// The part of that error that is not noise of the measured values: as much are predictions off for each doubling.
    pub growth: f64,
    /// The relative standard error of the best model's values: by the repeats, and without any by how far off points are
    /// that it is fitted without.
    pub noise: f64,
    /// The relative standard deviation of a single measured value, told in the same way.
    pub deviation: f64,
    /// Where the points leave one model for another.
    pub kinks: Vec<Kink>,
    /// Sentences about what limits trust.
    pub notes: Vec<String>,
    /// A model meets each point.
    pub exact: bool,
    /// The smallest and the largest value of each parameter.
    pub ranges: Vec<(f64, f64)>,
}

/// A place where the points leave one model for another.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Kink {
    /// The position of the parameter.
    pub parameter: usize,
    /// The last value below, and the first above.
    pub between: (f64, f64),
    /// The models of the values below, best first.
    pub below: Vec<Model>,
}

/// What a value cannot exceed.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Limit {
    /// The largest possible value.
    pub highest: f64,
    /// Its name in sentences, such as `the run's time`.
    pub name: String,
}

/// A predicted value.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Predicted {
    /// The median of the models.
    pub value: f64,
    /// The smallest value that is likely.
    pub low: f64,
    /// The largest value that is likely.
    pub high: f64,
    /// Sentences about models that are left out, and what limits trust.
    pub notes: Vec<String>,
}

impl Fitted {
    /// The factor that bounds have to be wider by to hold a single measured value, and not the mean of many.
    #[must_use]
    pub fn single_run_factor(&self) -> f64 {
        1.0 + WITHIN * self.deviation
    }

    /// Predicts the value at one value of each parameter, which the limit bounds.
    ///
    /// # Errors
    /// If there is not one value for each parameter, or one is below 1.
    pub fn predict(&self, values: &[f64], limit: Option<&Limit>) -> Result<Predicted, FitError> {
        let best = self.models.first().ok_or(FitError::Nothing)?;
        check_values(&best.parameters, values)?;
        let mut notes = self.notes.clone();
        let doublings: f64 =
            values.iter().zip(&self.ranges).map(|(value, range)| doublings(*value, *range)).sum();
        if self.exact && doublings > 0.0 {
            notes.push(
                "the model meets each point; a change of its course beyond them does not show".to_owned(),
            );
        }
        let (models, others) = self.sides(values, doublings > 0.0);
        let highest = limit.map_or(f64::INFINITY, |limit| limit.highest);
        let possible = |model: &&Model| (0.0..=highest).contains(&model.value(values));
        let weighed: Vec<(f64, f64)> = models
            .iter()
            .filter(possible)
            .map(|model| (model.value(values), 1.0 / (model.error + LEAST)))
            .collect();
        let number = models.len() + others.len();
        let mut spread: Vec<f64> =
            models.iter().chain(others).filter(possible).map(|model| model.value(values)).collect();
        if spread.len() < number {
            let place = Point { values: values.to_vec(), measured: Vec::new() }.show(&best.parameters);
            let name = limit.map_or(String::new(), |limit| format!(", or above {}", limit.name));
            let dropped = number - spread.len();
            notes.push(format!(
                "{dropped} of {number} models are left out: at {place} they are below 0{name}"
            ));
        }
        if weighed.is_empty() {
            // What is left is what is possible, nearest to what the best model says.
            let value = best.value(values).min(highest).max(0.0);
            spread.extend([value, if highest.is_finite() { highest } else { value }]);
            return Ok(Predicted { value, low: 0.0, high: spread.into_iter().fold(0.0, f64::max), notes });
        }
        // Inside of the data the error is that of the fitted values, and of an exact fit what rounding leaves.
        let wider = if self.exact {
            (1.0 + EXACT).powf(1.0 + doublings)
        } else {
            (1.0 + self.growth).powf(doublings).max(1.0 + self.noise)
        };
        let low = spread.iter().copied().fold(f64::INFINITY, f64::min) / wider;
        let high = (spread.iter().copied().fold(0.0, f64::max) * wider).min(highest);
        Ok(Predicted { value: median(weighed), low, high, notes })
    }

    /// The models of the side of a kink where the values are, and those of the other side where both count:
    /// where there is no data.
    fn sides(&self, values: &[f64], beyond: bool) -> (&[Model], &[Model]) {
        let Some(kink) = self.kinks.first() else { return (&self.models, &[]) };
        let value = values[kink.parameter];
        let no_data = beyond || (value > kink.between.0 && value < kink.between.1);
        let (own, other) = match value <= kink.between.0 {
            true => (&kink.below, &self.models),
            false => (&self.models, &kink.below),
        };
        (own, if no_data { other } else { &[] })
    }
}

/// How often a value beyond a range has to be doubled or halved.
fn doublings(value: f64, (smallest, largest): (f64, f64)) -> f64 {
    (value / largest).log2().max((smallest / value).log2()).max(0.0)
}

/// The median of values, each with a weight.
fn median(mut weighed: Vec<(f64, f64)>) -> f64 {
    weighed.sort_by(|a, b| a.0.total_cmp(&b.0));
    let half = weighed.iter().map(|(_, weight)| weight).sum::<f64>() / 2.0;
    let mut sum = 0.0;
    let reached = weighed.iter().find(|(_, weight)| {
        sum += weight;
        sum >= half
    });
    reached.or(weighed.last()).map_or(f64::NAN, |(value, _)| *value)
}
