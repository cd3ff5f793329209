//! Models of points: terms in the parameters, chosen by the points that they would have predicted.
//!
//! [`fit`] enumerates the terms and solves for their coefficients by least squares on relative errors. Models are
//! judged by the largest value of each parameter, which they are fitted without. All that are not clearly worse than
//! the best one stay: their median is the answer, their spread the interval. The less a model was off, the more it
//! counts in the median.

mod choice;
mod kinks;
mod least_squares;
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
            let (below, _) = models(&points.parameters, &sample.filter(|values| values[parameter] <= last));
            (sample.filter(|values| values[parameter] >= first), vec![Kink { parameter, between, below }])
        }
    };
    let (models, exact) = models(&points.parameters, &above);
    let error = models.iter().map(|model| model.error).fold(f64::INFINITY, f64::min);
    // The mean variance of fitted values: that of the points, divided among them, for each coefficient.
    let coefficients = models.first().map_or(0, |best| best.terms.len() + usize::from(best.constant != 0.0));
    let noise = above.noise * (coefficients as f64 / above.means.len() as f64).sqrt();
    Ok(Fitted { models, error, noise, kinks, notes, exact, ranges })
}

/// The models of a sample, best first, and whether they are exact.
fn models(parameters: &[String], sample: &Sample) -> (Vec<Model>, bool) {
    let (pool, choices) = choice::choose(sample);
    let exact = choices.first().is_some_and(|choice| choice.exact);
    let model = |choice: &choice::Choice| {
        let terms: Vec<&[Factor]> = choice.set.iter().map(|column| pool.term(*column)).collect();
        let rational = choice.exact.then(|| rational::coefficients(sample, &terms)).flatten();
        let coefficients = rational.as_ref().unwrap_or(&choice.coefficients);
        pool.model(parameters, &choice.set, coefficients, choice.error)
    };
    (choices.iter().map(model).collect(), exact)
}
