//! Plans: a command or a program of the suite, the values that it is run with, and how often.

#[cfg(feature = "schema")]
mod document;
mod parse;
mod product;
mod reader;
mod template;
mod values;
mod what;

use std::collections::BTreeMap;
use std::fmt::Display;
use std::io;
use std::path::{Path, PathBuf};
use std::time::Duration;

use ats_documents::experiment::VirtualMachine;
use ats_model::files::read_text;
use ats_model::lines::Place;
use ats_model::mistakes::Mistakes;
use thiserror::Error;

#[cfg(feature = "schema")]
pub use document::schema;
pub use product::Combination;
pub use template::Template;
pub use what::{PlannedEngine, What};

/// A plan that is valid in itself; whether its programs and files exist is not checked.
///
/// ```
/// use ats_experiment::Plan;
/// let text = r#"
///     schema = "ats-plan/1"
///     application = "heat"
///     command = ["mpirun", "-np", "{ranks}", "./heat", "{size}"]
///     exclude = ["ranks=8 size<200"]
///
///     [values]
///     ranks = [2, 8]
///     size = { from = 100, to = 400, factor = 2 }
/// "#;
/// let plan = Plan::parse(text, "plan.toml")?;
/// assert_eq!(plan.combinations.len(), 2 * 3 - 1);
/// # Ok::<(), ats_experiment::PlanError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Plan {
    /// The file, as it was named.
    pub file: String,
    /// The command or program that is run.
    pub what: What,
    /// The application; there always is one of a command.
    pub application: Option<String>,
    /// Its version.
    pub version: String,
    /// The name of its experiments; by default that of the application.
    pub name: Option<String>,
    /// The source files of the version.
    pub files: Vec<PathBuf>,
    /// The file of rules that classify the time in regions.
    pub classes: Option<PathBuf>,
    /// The machine, as far as the plan describes it.
    pub machine: VirtualMachine,
    /// The longest time of a run.
    pub timeout: Duration,
    /// Whether the traces are kept, too.
    pub keep_trace: bool,
    /// Whether the root causes of waits are kept, too.
    pub causes: bool,
    /// The names of the values that distinguish the runs, besides ranks and threads.
    pub told: Vec<String>,
    /// The values of each run: at first all combinations once, then all of them again.
    pub combinations: Vec<Combination>,
    /// The places of the keys, and of the values as `values.NAME`.
    places: BTreeMap<String, Place>,
}

/// The reason why there is no plan.
#[derive(Debug, Error)]
pub enum PlanError {
    /// The file cannot be read.
    #[error("cannot read {}: {source}; check the path", file.display())]
    Io {
        /// The file.
        file: PathBuf,
        /// The system's reason.
        source: io::Error,
    },
    /// It is not a valid plan.
    #[error(transparent)]
    Wrong(#[from] Mistakes),
}

impl Plan {
    /// The value of the key `schema` in a plan.
    pub const SCHEMA: &str = "ats-plan/1";
    /// The largest number of runs of a plan, including excluded ones.
    pub const MOST_RUNS: usize = values::MOST_RUNS;

    /// Reads a file.
    ///
    /// # Errors
    /// It cannot be read, or is not a valid plan: all its mistakes.
    pub fn read(path: &Path) -> Result<Self, PlanError> {
        let text = read_text(path).map_err(|source| PlanError::Io { file: path.to_owned(), source })?;
        Plan::parse(&text, &path.display().to_string())
    }

    /// Reads a text; `file` is its name in messages.
    ///
    /// # Errors
    /// It is not a valid plan: all its mistakes.
    pub fn parse(text: &str, file: &str) -> Result<Self, PlanError> {
        Ok(parse::plan(text, file)?)
    }

    /// Adds a mistake about the value of a key; `values.NAME` is the key of a name's values.
    pub fn mistake(&self, mistakes: &mut Mistakes, key: &str, what: impl Display) {
        let place = self.places.get(key).copied().unwrap_or(Place { line: 1, column: 1 });
        mistakes.add(&format!("{}:{place}", self.file), what);
    }
}
