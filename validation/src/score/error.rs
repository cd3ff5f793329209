//! The errors of reported amounts.

use ats_documents::score::{Expectation, Outcome, SeverityError, Spread};

/// (Found − observed) / observed of a wait that was reported; none of what was not, or of a count.
pub(super) fn relative(expectation: &Expectation) -> Option<f64> {
    let reported = matches!(expectation.outcome, Outcome::Found | Outcome::Wrong);
    let known = expectation.observed;
    (reported && expectation.unit().is_time() && known > 0.0).then(|| (expectation.found - known) / known)
}

/// The medians over all that was reported.
pub(super) fn severity_error<'a>(
    expectations: impl Iterator<Item = &'a Expectation>,
) -> Option<SeverityError> {
    let errors: Vec<f64> = expectations.filter_map(relative).collect();
    let absolute = Spread::over(errors.iter().map(|error| error.abs()).collect())?;
    let signed = Spread::over(errors)?;
    Some(SeverityError { signed: signed.median, absolute: absolute.median, of: signed.of.into() })
}
