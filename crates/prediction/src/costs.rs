//! Given costs: a file of expressions, composed over the calls of regions, with coefficients that runs calibrate.
//!
//! ```
//! use std::collections::BTreeMap;
//! use ats_documents::models::CostTerm;
//! use ats_prediction::costs::{Costs, Known};
//!
//! let text = r#"
//!     schema = "ats-costs/1"
//!     [let]
//!     miss_ratio = "0.01 .. 0.05"
//!     [region.step]
//!     computation = "2e-9 * n"
//!     memory = "1e-7 * n * miss_ratio"
//!     within = "main"
//!     visits = "10"
//!     [region.main]
//!     io = "0.5"
//! "#;
//! let costs = Costs::parse(text, "heat.toml")?;
//! let known = Known { parameters: BTreeMap::from([("n".to_owned(), [1e6, 1e6])]), ..Known::default() };
//! let total = &costs.totals(&known)?[0];
//! assert_eq!(total.region, None);
//! assert_eq!(total.terms[&CostTerm::Computation].value, 0.02);
//! let memory = total.terms[&CostTerm::Memory];
//! assert!((memory.low - 0.01).abs() < 1e-12 && (memory.high - 0.05).abs() < 1e-12);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod bounds;
mod calibrate;
mod document;
mod evaluate;
mod read;

pub use document::SCHEMA;
#[cfg(feature = "schema")]
pub use document::schema;
pub use evaluate::Known;
pub use read::{Costs, Network};
