//! Profiles of runs, kept in a folder for comparison.
//!
//! An [`Experiment`](ats_documents::Experiment) is made [`of_profile`], and a [`Repository`] keeps it: a folder that
//! needs no server and no locks, and that other tools open as it is.
//!
//! ```
//! use ats_experiment::{Beside, Given, Repeat, Repository, of_profile};
//! use ats_documents::experiment::{Run, Version};
//! use ats_documents::profile::{CallNode, Combine, Metric, Origin, ProcessingUnit, Profile, ProfiledRegion};
//! use ats_documents::classes::Classes;
//!
//! let mut profile = Profile::new("traces.otf2");
//! profile.units = vec![ProcessingUnit { rank: 0, thread: 0, node: None }];
//! profile.regions = vec![ProfiledRegion { id: 0, name: "main".to_owned(), ..ProfiledRegion::default() }];
//! profile.call_tree = vec![CallNode { id: 0, parent: None, region: 0 }];
//! profile.metrics = vec![Metric::new(Profile::TIME, "s", Origin::Measured, Combine::Sum)];
//! profile.values.insert(Profile::TIME.to_owned(), vec![(0, 0, 2.0)].into());
//!
//! let folder = tempfile::tempdir()?;
//! let repository = Repository::create(folder.path())?;
//! let parameters = [("size".to_owned(), "100".to_owned())].into();
//! let run = Run { name: "heat".to_owned(), parameters, ..Run::default() };
//! let version = Version { name: "1.0".to_owned(), files: Vec::new() };
//! let given = Given { application: "heat".to_owned(), version, run, ..Given::default() };
//! let classes = Classes::default();
//! let experiment = of_profile(&profile, given, &classes);
//! let added = repository.add(experiment, Beside::profile(&profile), &["size".to_owned()], Repeat::Number(1))?;
//! assert_eq!(added.id, "heat/1.0/heat.Ranks1.threads1.size100.r1");
//! assert_eq!(repository.read(&added.id)?.totals()[0].1.time, Some(2.0));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod error;
mod export;
mod failed;
mod files;
mod filter;
mod ideal;
mod identity;
mod leftovers;
mod listing;
mod meant;
mod of_profile;
pub mod plan;
mod repository;
#[cfg(feature = "running")]
pub mod running;
mod sequential;
mod table;
mod whole;

pub use error::RepositoryError;
pub use export::{ExportError, Form, export};
pub use failed::{Standing, id};
pub use files::{date, source_files};
pub use filter::{Filter, FilterError};
pub use ideal::ideal_times_of_replay;
pub use listing::{Damaged, Listing};
pub use of_profile::{Given, OfProfile, of_profile};
pub use plan::{Plan, PlanError};
pub use repository::{Beside, Repeat, Repository, parse};
pub use sequential::{by_one_unit, sequential};
pub use table::{TableError, is_table, parse_table, read_table, unit_of};
