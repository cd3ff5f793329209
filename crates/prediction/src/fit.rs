//! Models of points: terms in the parameters, chosen by the points that they would have predicted.
//!
//! [`fit`] enumerates the terms and solves for their coefficients by least squares on relative errors. Models are
//! judged by the largest value of each parameter, which they are fitted without. All that are not clearly worse than
//! the best one stay: their median is the answer, their spread the interval. The less a model was off, the more it
//! counts in the median.
//!
//! Beyond the data, the interval grows with each doubling by the error of the best model there, as far as that is not
//! explained by the noise of what is measured. Inside, it is at least as wide as the noise of a fitted value.

mod choice;
mod kinks;
mod model;
mod points;
mod pool;
mod predict;
mod rational;
mod sample;
mod sets;
mod shapes;

pub use model::{Exponent, Factor, Model, Term};
pub use points::{FitError, Point, Points};
pub use predict::{Fitted, Kink, Limit, Predicted};

use choice::Choice;
use pool::Pool;
use sample::Sample;

/// Values of a parameter below which forms can hardly be told apart: one more than the coefficients of two terms.
const FEW: usize = 4;
/// Values of a parameter that a model needs: two for a constant and a term, and one to judge them by.
const FEWEST: usize = 3;

/// Fits models to points.
///
/// # Errors
/// If there are too few points, or one is not usable; the error names it.
pub fn fit(points: &Points) -> Result<Fitted, FitError> {
    points.check()?;
    let sample = Sample::new(points);
    let mut notes = Vec::new();
    for (parameter, name) in points.parameters.iter().enumerate() {
        let values = sample.course(parameter).means.len();
        if values < FEWEST {
            return Err(FitError::TooFew { parameter: name.clone(), values });
        }
        if values < FEW {
            notes.push(format!("{name} has {values} values; with fewer than {FEW}, most forms look alike"));
        }
    }
    let range = |parameter: usize| {
        let values = sample.different(parameter);
        (values[0], values[values.len() - 1])
    };
    let ranges = (0..points.parameters.len()).map(range).collect();
    let (above, kinks) = match kinks::find(&sample) {
        None => (sample, Vec::new()),
        Some((parameter, between)) => {
            let name = &points.parameters[parameter];
            let (last, first) = between;
            notes.push(format!("the course changes between {name} = {last} and {first}; both sides count"));
            let below = sample.filter(|values| values[parameter] <= last);
            let below = models(&points.parameters, &choice::choose(&below), &below);
            (sample.filter(|values| values[parameter] >= first), vec![Kink { parameter, between, below }])
        }
    };
    let chosen = choice::choose(&above);
    let models = models(&points.parameters, &chosen, &above);
    let (exact, left_out) = chosen.1.first().map_or((false, 0.0), |best| (best.exact, best.left_out));
    let error = models.iter().map(|model| model.error).fold(f64::INFINITY, f64::min);
    // What a mean is off by itself is no error of the model, and does not grow. Variances add up.
    let growth = (error.powi(2) - above.noise.powi(2)).max(0.0).sqrt();
    // Without repeats, noise is told by how far off points are that the best model is fitted without.
    let [of_points, deviation] =
        [above.noise, above.deviation].map(|of| if above.noise > 0.0 { of } else { left_out });
    // The mean variance of fitted values: that of the points, divided among them, for each coefficient.
    let coefficients = models.first().map_or(0, |best| best.terms.len() + usize::from(best.constant != 0.0));
    let noise = of_points * (coefficients as f64 / above.means.len() as f64).sqrt();
    Ok(Fitted { models, error, growth, noise, deviation, kinks, notes, exact, ranges })
}

/// The models of the sets that are chosen for a sample, best first.
fn models(parameters: &[String], (pool, choices): &(Pool, Vec<Choice>), sample: &Sample) -> Vec<Model> {
    let model = |choice: &Choice| {
        let terms: Vec<&[Factor]> = choice.set.iter().map(|column| pool.term(*column)).collect();
        let rational = choice.exact.then(|| rational::coefficients(sample, &terms)).flatten();
        let coefficients = rational.as_ref().unwrap_or(&choice.coefficients);
        pool.model(parameters, &choice.set, coefficients, choice.error)
    };
    choices.iter().map(model).collect()
}
