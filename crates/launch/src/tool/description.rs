//! A tool's description: the document `ats-tool/1`, in TOML.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use ats_model::WaitState;
use ats_model::files::read_text;
use serde::{Deserialize, Serialize};
use thiserror::Error;

use super::known::Known;
use super::simulator::{PLACES_OF_SIMULATOR, Simulator};

/// Names of places; any other is a mistake of the description.
const PLACES: [&str; 7] = ["dir", "here", "recorder", "program", "ranks", "threads", "mpi"];

/// Those of what makes a report of another.
const PLACES_OF_CONVERT: [&str; 2] = ["report", "here"];

pub(super) const PARADIGMS: [&str; 4] = ["mpi", "openmp", "hybrid", "sequential"];

/// `ats-tool/1`: how programs run under a tool, and what it shows of them.
///
/// In every text, `{dir}` is the folder of the run, `{here}` that of the description, `{recorder}` our recorder for the program's MPI library, `{program}` the
/// executable, `{ranks}` and `{threads}` how many there are, `{mpi}` the MPI library (`openmpi`, `mpich`), and `{env:NAME}` a
/// variable of the environment, which has to be set.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Tool {
    /// The schema: `ats-tool/1`.
    pub schema: String,
    /// Its name on command lines and in documents.
    pub name: String,
    /// The name that its makers write; by default the same as `name`.
    #[serde(default)]
    pub title: String,
    /// The address of its home page.
    #[serde(default)]
    pub url: String,
    /// Whether a run under it was ever scored by us.
    #[serde(default)]
    pub tested: Tested,
    /// Remarks for users.
    #[serde(default)]
    pub remarks: String,
    /// The command that says its version, the first number of what it prints; none where the report does.
    #[serde(default)]
    pub version: Vec<String>,
    /// Its requirements.
    #[serde(default)]
    pub needs: Needs,
    /// The build options of programs for it.
    #[serde(default)]
    pub build: Build,
    /// The words, variables and folders that put it into a run.
    #[serde(default)]
    pub attach: Attach,
    /// Commands that make the report after the run, one after the other, in the folder of the run.
    #[serde(default)]
    pub after: Vec<After>,
    /// The report that it leaves; a simulator leaves none.
    #[serde(default)]
    pub report: Left,
    /// The way in which it predicts a run by its trace, if it is a simulator of networks.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub simulator: Option<Simulator>,
    /// The call paths and wait states that it can show.
    #[serde(default)]
    pub shows: Shows,
    /// The folder of the description; that of the command for one that comes with the suite.
    #[serde(skip)]
    pub here: PathBuf,
    /// Differences for programs of a paradigm (`[when.hybrid]`): any of `needs`, `attach`, `after`, `report`, `shows`.
    /// Tables are merged; any other value replaces the one above.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    #[cfg_attr(feature = "schema", schemars(with = "BTreeMap<String, BTreeMap<String, serde_json::Value>>"))]
    pub(super) when: BTreeMap<String, toml::Table>,
    /// The description after applying `when`, by paradigm.
    #[serde(skip)]
    pub(super) of_paradigm: BTreeMap<String, Tool>,
}

/// Whether a run under a tool was ever scored by us.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields, rename_all = "snake_case")]
pub enum Tested {
    /// It was: with this version.
    With(String),
    /// It was not, for this reason; the description is from its documentation.
    Not(String),
}

impl Default for Tested {
    fn default() -> Self {
        Tested::Not("its description does not say".to_owned())
    }
}

/// The needs of a tool. Anything omitted is not needed.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Needs {
    /// Commands that have to be on the `PATH`.
    #[serde(default)]
    pub commands: Vec<String>,
    /// Files that have to be there.
    #[serde(default)]
    pub files: Vec<String>,
    /// Instructions to install it.
    #[serde(default)]
    pub install: String,
    /// The MPI libraries that it works with (`openmpi`, `mpich`); any, where none is named.
    #[serde(default)]
    pub mpi: Vec<String>,
    /// The paradigms that it knows (`mpi`, `openmp`, `hybrid`, `sequential`); all, where none is named.
    #[serde(default)]
    pub paradigms: Vec<String>,
    /// The languages of programs that it works with (`rust`, `c`, `fortran`); any, where none is named. Programs in C and
    /// Fortran are those of MPI: pragmas leave no witness.
    #[serde(default)]
    pub languages: Vec<String>,
    /// The kind of work that it has to see (`spin` for samplers: sleeping is no work to them); any, where none is named.
    #[serde(default)]
    pub work: Option<String>,
    /// The most ranks × threads on a core.
    #[serde(default)]
    pub ranks_per_core: Option<f64>,
    /// The highest thread level of MPI that it stands (`single`, `funneled`, `serialized`, `multiple`).
    #[serde(default)]
    pub thread_level: Option<String>,
}

/// The build options of programs for a tool. Programs built in different ways are kept apart.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Build {
    /// The compiler in place of `mpicc` (for programs in C, `scorep mpicc`).
    #[serde(default)]
    pub mpicc: Option<String>,
    /// Flags of rustc besides the programs' own, which keep frame pointers and names that can be demangled.
    #[serde(default)]
    pub rustflags: Vec<String>,
}

/// The words, variables and folders that put a tool into a run.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Attach {
    /// Words before the launcher (`scan -t`).
    #[serde(default)]
    pub before_launcher: Vec<String>,
    /// Words between launcher and program (`tau_exec -T mpi`).
    #[serde(default)]
    pub before_program: Vec<String>,
    /// Variables that every rank finds in its environment (`LD_PRELOAD`).
    #[serde(default)]
    pub environment: BTreeMap<String, String>,
    /// Folders in that of the run that have to be there before.
    #[serde(default)]
    pub folders: Vec<String>,
}

/// A command that works on what the run has left.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct After {
    /// The command and its words.
    pub command: Vec<String>,
    /// Whether it is an MPI program, to be launched with as many ranks as the program had.
    #[serde(default)]
    pub launched: bool,
}

/// The report that a tool leaves.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Left {
    /// The report, from the folder of the run; `*` stands for any part of a name.
    pub path: String,
    /// The kind of report.
    #[serde(default)]
    pub format: Format,
    /// The command that prints a report that can be read here, where what the tool leaves is none; in its words `{report}` is
    /// what it leaves, and `{here}` the folder of the description.
    #[serde(default)]
    pub convert: Vec<String>,
}

/// The kinds of reports.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum Format {
    /// A report that is recognised by what is in it, or that `convert` makes one of.
    #[default]
    Report,
    /// A trace in OTF2 or of Paraver, which our analyzer reads: the tool is a recorder.
    #[serde(alias = "otf2")]
    Trace,
    /// Something that cannot be read here: the run is made, and the report is left to the user.
    Other,
}

/// The call paths and wait states that a tool can show.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Shows {
    /// Its call paths.
    #[serde(default)]
    pub call_paths: CallPaths,
    /// The wait states that it can name, where that is less than a report of its kind can.
    #[serde(default)]
    pub wait_states: Option<Vec<WaitState>>,
}

/// The call paths that a tool can show.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum CallPaths {
    /// None, or the call alone. Programs are run without warm-up then, which could not be told from what is measured.
    #[default]
    None,
    /// Regions that the program marks.
    UserRegions,
    /// By unwinding the stack.
    Unwound,
    /// By what the compiler puts into each function.
    CompilerInstrumented,
}

/// Why a description cannot be used.
#[derive(Debug, Error)]
pub enum ToolError {
    /// No such tool.
    #[error("there is no tool `{name}`; use one of {}, or give the path of a description of your own (`ats \
             schema ats-tool/1`)", known.join(", "))]
    Unknown {
        /// The name that was asked for.
        name: String,
        /// The names of the known tools.
        known: Vec<String>,
    },
    /// It cannot be read.
    #[error("cannot read {}: {source}", path.display())]
    Unreadable {
        /// The file.
        path: PathBuf,
        /// The system's reason.
        source: std::io::Error,
    },
    /// It is none.
    #[error(
        "{origin} cannot be read as a description of a tool: {reason}; `ats schema ats-tool/1` shows the format"
    )]
    Invalid {
        /// The file.
        origin: String,
        /// The mistake and its place.
        reason: String,
    },
}

impl Tool {
    /// The value of [`Tool::schema`].
    pub const SCHEMA: &str = "ats-tool/1";

    /// The tool of this name, or whose description this file is.
    ///
    /// # Errors
    /// There is none, or the description is not whole.
    pub fn named(name: &str) -> Result<Tool, ToolError> {
        let mut all = Known::TEXTS.iter().chain(&Known::SIMULATORS);
        if let Some((_, text)) = all.find(|(known, _)| *known == name) {
            return Tool::parse(text, &format!("the description of {name}"));
        }
        let path = Path::new(name);
        if !path.exists() && !name.ends_with(".toml") {
            let known = Known::names().chain(Known::simulators()).map(str::to_owned).collect();
            return Err(ToolError::Unknown { name: name.to_owned(), known });
        }
        let text =
            read_text(path).map_err(|source| ToolError::Unreadable { path: path.to_owned(), source })?;
        let here = std::path::absolute(path).unwrap_or_else(|_| path.to_owned());
        let here = here.parent().map_or_else(PathBuf::new, Path::to_owned);
        Tool::parse_in(here, &text, name)
    }

    /// A description from its text; `origin` is what errors call it.
    ///
    /// # Errors
    /// It is not whole, or says what cannot be.
    pub fn parse(text: &str, origin: &str) -> Result<Tool, ToolError> {
        Tool::parse_in(PathBuf::new(), text, origin)
    }

    /// The same of a description that lies in this folder.
    fn parse_in(here: PathBuf, text: &str, origin: &str) -> Result<Tool, ToolError> {
        let invalid = |reason: String| ToolError::Invalid { origin: origin.to_owned(), reason };
        let mut tool: Tool =
            toml::from_str(text).map_err(|error| invalid(error.to_string().trim_end().to_owned()))?;
        tool.here = here;
        if tool.title.is_empty() {
            tool.title.clone_from(&tool.name);
        }
        tool.wrong().map_or(Ok(()), |reason| Err(invalid(reason)))?;
        tool.of_paradigm = tool.by_paradigm().map_err(invalid)?;
        Ok(tool)
    }

    /// A combination in the description that cannot work, in words; `None` if there is none.
    pub(super) fn wrong(&self) -> Option<String> {
        let leaves =
            |path: &&String| Path::new(path).is_absolute() || path.split('/').any(|part| part == "..");
        let outside = self.attach.folders.iter().chain([&self.report.path]).find(leaves);
        let unknown = |given: &[String], known: &[&str]| {
            given
                .iter()
                .find(|word| !known.contains(&word.as_str()))
                .map(|word| (word.clone(), known.join(", ")))
        };
        let (needs, level) = (&self.needs, self.needs.thread_level.as_slice());
        if self.schema != Tool::SCHEMA {
            Some(format!("its schema is `{}`; use `{}`", self.schema, Tool::SCHEMA))
        } else if self.name.is_empty()
            || !self.name.bytes().all(|b| b.is_ascii_alphanumeric() || b"-_".contains(&b))
        {
            Some(format!("`{}` is not a valid name; use letters, digits, `-` and `_`", self.name))
        } else if let Some(path) = outside {
            Some(format!("`{path}` leaves the folder of the run; give a path below it"))
        } else if let Some(text) = self.texts().find(|text| !has_known_places(text, &PLACES)) {
            Some(format!(
                "`{text}` has an unknown placeholder; use {{{}}} or {{env:NAME}}",
                PLACES.join("}, {")
            ))
        } else if let Some(text) =
            self.report.convert.iter().find(|text| !has_known_places(text, &PLACES_OF_CONVERT))
        {
            Some(format!(
                "`{text}` of `convert` has an unknown placeholder; use {{report}}, {{here}} or {{env:NAME}}"
            ))
        } else if let Some(reason) = self.simulator.as_ref().and_then(Simulator::wrong) {
            Some(reason)
        } else if let Some(text) = self
            .simulator
            .iter()
            .flat_map(Simulator::texts)
            .find(|text| !has_known_places(text, &PLACES_OF_SIMULATOR))
        {
            Some(format!(
                "`{text}` of the simulator has an unknown placeholder; use {{{}}}",
                PLACES_OF_SIMULATOR.join("}, {")
            ))
        } else if self.simulator.is_none() && self.report.path.is_empty() {
            Some("it leaves no report and is no simulator; add the table [report] with a `path`".to_owned())
        } else if self.after.iter().any(|after| after.command.is_empty()) {
            Some("a command in `after` is empty; give a program and its arguments".to_owned())
        } else if needs.ranks_per_core.is_some_and(|most| most.is_nan() || most <= 0.0) {
            Some("needs.ranks_per_core must be above 0".to_owned())
        } else {
            unknown(&needs.paradigms, &PARADIGMS)
                .or_else(|| unknown(&needs.mpi, &["openmpi", "mpich"]))
                .or_else(|| unknown(&needs.languages, &["rust", "c", "fortran"]))
                .or_else(|| unknown(level, &["single", "funneled", "serialized", "multiple"]))
                .map(|(word, known)| format!("`{word}` is unknown; use one of {known}"))
                .or_else(|| {
                    let work = needs.work.as_ref()?;
                    Some(work.parse::<ats_work::Kind>().err()?.to_string())
                })
        }
    }

    /// Every text that may have places.
    pub(super) fn texts(&self) -> impl Iterator<Item = &String> {
        let attach = &self.attach;
        let words =
            attach.before_launcher.iter().chain(&attach.before_program).chain(attach.environment.values());
        words.chain(self.after.iter().flat_map(|after| &after.command)).chain(&self.needs.files)
    }
}

fn has_known_places(text: &str, known: &[&str]) -> bool {
    let mut places = text.split('{').skip(1).map(|rest| rest.split_once('}').map(|(name, _)| name));
    places.all(|name| name.is_some_and(|name| known.contains(&name) || name.starts_with("env:")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_description_is_whole_and_named_as_its_file() {
        for name in Known::names().chain(Known::simulators()) {
            let tool = Tool::named(name).unwrap();
            assert_eq!(tool.name, name);
            assert!(!tool.needs.install.is_empty() || name == "ats", "{name}");
        }
    }

    #[test]
    fn a_name_that_is_none_and_a_file_that_is_not_there_are_told_apart() {
        let error = Tool::named("scalaska").unwrap_err().to_string();
        assert!(error.contains("no tool `scalaska`; use one of ats, cachegrind, caliper"), "{error}");
        let error = Tool::named("/nowhere/mine.toml").unwrap_err().to_string();
        assert!(error.contains("cannot read /nowhere/mine.toml"), "{error}");
    }

    #[test]
    fn mistakes_are_named_with_their_place() {
        let text = include_str!("../../tools/scalasca.toml");
        let error = |from: &str, to: &str| {
            assert!(text.contains(from), "{from}");
            Tool::parse(&text.replacen(from, to, 1), "mine.toml").unwrap_err().to_string()
        };
        let misspelt = error("[attach.environment]", "[atach.environment]");
        assert!(
            misspelt.contains("mine.toml") && misspelt.contains("atach") && misspelt.contains("line"),
            "{misspelt}"
        );
        assert!(error("ats-tool/1", "ats-tool/9").contains("its schema is `ats-tool/9`"));
        assert!(
            error("call_paths = \"user_regions\"", "call_paths = \"all\"").contains("unknown variant `all`")
        );
        assert!(
            error("thread_level = \"funneled\"", "thread_level = \"most\"")
                .contains("`most` is unknown; use one of single")
        );
        assert!(
            error("{dir}", "{dri}").contains("has an unknown placeholder; use {dir}, {here}, {recorder}")
        );
        let converts = error("[report]", "[report]\nconvert = ['x', '{dir}']");
        assert!(
            converts.contains("`{dir}` of `convert` has an unknown placeholder; use {report}"),
            "{converts}"
        );
        let outside = error("path = \"", "path = \"../");
        assert!(outside.contains("leaves the folder of the run"), "{outside}");
    }
}
