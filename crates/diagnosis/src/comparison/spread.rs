//! Noise: differences that runs of one program have, too.

use ats_documents::comparison::Difference;

use super::mean;

/// Student's t for a difference that one of a hundred comparisons of equal programs has, by degrees of freedom from 1 on. The
/// last is taken for more of them, which hides differences that are 1.2 times too small at most. With 0.95, each twentieth of
/// the uses of a run would seem to differ.
const T: [f64; 10] = [63.657, 9.925, 5.841, 4.604, 4.032, 3.707, 3.499, 3.355, 3.250, 3.169];

/// The difference of the means of two samples, and the least one that is not noise: that of Student's test, for amounts that
/// spread alike on both sides. One run a side knows of none.
pub(crate) fn difference(a: &[f64], b: &[f64]) -> Difference {
    let squares = |sample: &[f64]| {
        let mean = mean(sample);
        sample.iter().map(|value| (value - mean).powi(2)).sum::<f64>()
    };
    let freedom = (a.len() + b.len()).saturating_sub(2);
    let noise = (freedom > 0).then(|| {
        let variance = (squares(a) + squares(b)) / freedom as f64;
        let t = T[freedom.min(T.len()) - 1];
        t * (variance * (1.0 / a.len() as f64 + 1.0 / b.len() as f64)).sqrt()
    });
    Difference { a: mean(a), b: mean(b), noise }
}
