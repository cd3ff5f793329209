//! Errors in a composition, with their places.

use ats_model::lines::Place;
use thiserror::Error;

/// Something in a composition is wrong.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{file}{}: {message}", place_suffix(.place))]
pub struct CompositionError {
    /// The file.
    pub file: String,
    /// The place in it; `None` if it cannot be read.
    pub place: Option<Place>,
    /// The error, and what would be right.
    pub message: String,
}

fn place_suffix(place: &Option<Place>) -> String {
    place.map_or_else(String::new, |place| format!(":{place}"))
}
