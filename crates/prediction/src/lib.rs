//! Costs of programs at sizes and on machines that they have not run on, with bounds.
//!
//! [`models`] are made of runs, each of them [`Observed`]; a [`Predictor`] asks them, or given costs, for a size.
//!
//! - [`costs`] are given expressions: composed over the calls of regions, calibrated by runs, with exact bounds.
//! - [`fit`] turns points into models, and models into predictions with intervals.
//! - [`memory`] turns references to memory into the misses of every cache.

pub mod costs;
pub mod fit;
mod fitted;
mod kept;
mod least_squares;
pub mod memory;
mod observed;
mod predictor;

pub use fitted::{ModelError, calibrated, models};
pub use kept::predicted_profile;
pub use observed::{Observed, Spent};
pub use predictor::{PredictionError, Predictor};
