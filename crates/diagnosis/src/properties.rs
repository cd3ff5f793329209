//! Performance properties over kept experiments, in the sense of JavaPSL (Fahringer and Seragiotto 2001).
//!
//! [`Properties`] are read from TOML files; many are shipped. [`diagnose`] evaluates them for experiments: an instance of a
//! property holds, with a severity and a confidence from 0 to 1, or does not hold, or lacks data.
//!
//! ```
//! use ats_documents::experiment::Listed;
//! use ats_experiment::{Given, parse_table};
//! use ats_diagnosis::properties::{Properties, Selection, diagnose};
//!
//! let table = "application,version,experiment,region,unit,metric,value\n\
//!              heat,1.0,heat-sequential,main,s,time,8\n\
//!              heat,1.0,heat.ranks4,main,s,time,4\n";
//! let experiments = parse_table("heat.csv".as_ref(), table.as_bytes(), &Given::default())?;
//! let listed = (0..).zip(&experiments).map(|(at, one): (usize, _)| one.listed(&at.to_string())).collect();
//! let read = |listed: &Listed| Ok(experiments[listed.id.parse::<usize>().expect("a number")].clone());
//! let no_files: [&str; 0] = [];
//! let diagnosis = diagnose(&Properties::read(&no_files)?, listed, read, Selection::default())?;
//! let worst = &diagnosis.instances[0];
//! assert_eq!((worst.property.as_str(), worst.severity), ("Inefficiency", Some(0.5)));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod amounts;
mod condition;
mod curve;
mod diagnose;
mod document;
mod draft;
mod expression;
mod figures;
pub mod formula;
mod judged;
mod loaded;
mod place;
mod property;
mod quantity;
mod set;
mod syntax;
mod text;
mod token;
mod unit;

pub use condition::Condition;
pub use diagnose::{Selection, diagnose};
pub use document::SCHEMA;
#[cfg(feature = "schema")]
pub use document::schema;
pub use set::Properties;
