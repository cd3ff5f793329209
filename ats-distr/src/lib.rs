//! Distributions of amounts: the distribution functions and descriptors of the APART Test Suite (report, section
//! 3.1.2).
//!
//! A [`Distribution`] gives the share of each participant of a group. It is written as a shape and the values of the
//! shape's descriptor, joined by colons; a value may carry a unit of time.
//!
//! ```
//! use ats_distr::Distribution;
//!
//! let work: Distribution = "cyclic2:10ms:50ms".parse()?;
//! let amounts: Vec<f64> = (0..4).map(|me| work.value(me, 4, 1.0)).collect();
//! assert_eq!(amounts, [0.01, 0.05, 0.01, 0.05]);
//! assert_eq!(work.to_string(), "cyclic2:0.01:0.05");
//! # Ok::<(), ats_distr::DistributionError>(())
//! ```
//!
//! | shape | code | descriptor | who gets what |
//! |---|---|---|---|
//! | `same` | `ss` | `val` | everyone `val` |
//! | `cyclic2` | `c2` | `low:high` | even participants `low`, odd ones `high` |
//! | `block2` | `b2` | `low:high` | the first half `low`, the rest `high` |
//! | `linear` | `lr` | `low:high` | evenly rising from `low` to `high` |
//! | `peak` | `pk` | `low:high:n` | participant `n` gets `high`, all others `low` |
//! | `cyclic3` | `c3` | `low:med:high` | `low`, `med`, `high` in turn |
//! | `block3` | `b3` | `low:med:high` | the first third `low`, the second `med`, the rest `high` |

mod descriptor;
mod distribution;
mod error;
mod function;
mod number;
mod shape;
mod text;

pub use descriptor::{Val1, Val2, Val2N, Val3};
pub use distribution::{Distribution, UserFunction};
pub use error::DistributionError;
pub use function::{df_block2, df_block3, df_cyclic2, df_cyclic3, df_linear, df_peak, df_same};
pub use number::{NumberError, parse_number};
pub use shape::{SHAPES, Shape};
