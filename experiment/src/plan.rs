//! Plans: a command or a program of the suite, the values that it is run with, and how often.

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

pub use document::schema;
pub use product::Combination;
pub use template::Template;
pub use what::{PlannedEngine, What};

/// A plan that is right in itself; whether what it runs is there, it does not know.
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
    /// What is run.
    pub what: What,
    /// The application; there always is one of a command.
    pub application: Option<String>,
    /// Which version of it.
    pub version: String,
    /// The name of its experiments; that of the application where there is none.
    pub name: Option<String>,
    /// The source files of the version.
    pub files: Vec<PathBuf>,
    /// The file of rules for what the time in regions is spent on.
    pub classes: Option<PathBuf>,
    /// The machine, as far as it is told.
    pub machine: VirtualMachine,
    /// How long a run may take.
    pub timeout: Duration,
    /// Whether the traces are kept, too.
    pub keep_trace: bool,
    /// The names of the values, which tell the runs apart besides ranks and threads.
    pub told: Vec<String>,
    /// What it is run with, run by run: at first all combinations once, then all of them again.
    pub combinations: Vec<Combination>,
    /// Where the keys are, and the values as `values.NAME`.
    places: BTreeMap<String, Place>,
}

/// Why there is no plan.
#[derive(Debug, Error)]
pub enum PlanError {
    /// The file cannot be read.
    #[error("cannot read {}: {source}; check the path", file.display())]
    Io {
        /// Which.
        file: PathBuf,
        /// The system's reason.
        source: io::Error,
    },
    /// It is not as it has to be.
    #[error(transparent)]
    Wrong(#[from] Mistakes),
}

impl Plan {
    /// What the key `schema` of a plan says.
    pub const SCHEMA: &str = "ats-plan/1";
    /// The most runs that a plan has, those that are excluded among them.
    pub const MOST_RUNS: usize = values::MOST_RUNS;

    /// Reads a file.
    ///
    /// # Errors
    /// It cannot be read, or is no plan: all that is wrong with it.
    pub fn read(path: &Path) -> Result<Self, PlanError> {
        let text = read_text(path).map_err(|source| PlanError::Io { file: path.to_owned(), source })?;
        Plan::parse(&text, &path.display().to_string())
    }

    /// Reads a text; `file` is what messages call it.
    ///
    /// # Errors
    /// It is no plan: all that is wrong with it.
    pub fn parse(text: &str, file: &str) -> Result<Self, PlanError> {
        Ok(parse::plan(text, file)?)
    }

    /// Adds that something is wrong with what stands at a key, of which a value is `values.NAME`.
    pub fn mistake(&self, mistakes: &mut Mistakes, key: &str, what: impl Display) {
        let place = self.places.get(key).copied().unwrap_or(Place { line: 1, column: 1 });
        mistakes.add(&format!("{}:{place}", self.file), what);
    }
}
