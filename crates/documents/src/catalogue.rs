//! The entries of the catalogue: parts of `ats-catalogue/1`.

use ats_model::wait_state::Class;
use ats_model::{View, WaitState};
use serde::Serialize;

/// One program.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ListedProgram {
    /// Its name.
    pub program: &'static str,
    /// The property that it shows, or whose twin it is.
    pub property: &'static str,
    /// Whether it is the twin, with nothing to find.
    pub balanced: bool,
    /// `function`, `program` where it initialises and finalizes MPI itself, `experiment` where its truth
    /// is told over several runs, or `trace` where no program can show it.
    pub kind: &'static str,
    /// Its paradigm: `mpi`, `openmp`, `hybrid` or `sequential`.
    pub paradigm: &'static str,
    /// The rows of the catalogue that it is, or shows.
    pub rows: Vec<String>,
    /// The kind of knowledge about it: `wait`, `count`, `time` or `ratio`, by what it is named for, or `silent`.
    pub truth: &'static str,
    /// Wait states that are not there, though a careless rule might report them.
    pub tempts: &'static [WaitState],
    /// The family of what it shows, or tempts to report; none where there is no such thing.
    pub class: Option<Class>,
    /// In one sentence.
    pub summary: String,
}

/// The facts about a property.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct PropertyFacts {
    /// Its name.
    pub property: &'static str,
    /// The name of its balanced twin; its own where there is nothing to find, and so no twin.
    pub twin: &'static str,
    /// In Markdown.
    pub doc: String,
    /// `function`, `program` where it initialises and finalizes MPI itself, `experiment` where its truth
    /// is told over several runs, or `trace` where no program can show it.
    pub kind: &'static str,
    /// The rows of the catalogue that it is, or shows.
    pub rows: Vec<String>,
    /// The kind of knowledge about it: `wait`, `count`, `time` or `ratio`, by what it is named for, or `silent`.
    pub truth: &'static str,
    /// Its paradigm: `mpi`, `openmp`, `hybrid` or `sequential`.
    pub paradigm: &'static str,
    /// Its parameters, in the order of the function's signature.
    pub parameters: Vec<ParameterFacts>,
    /// The wait state that it is named for; none where that is a number, or nothing.
    pub finds: Option<WaitState>,
    /// The call, construct or region whose number or time it is named for; none where that is a wait state, or nothing.
    pub counts: Option<&'static str>,
    /// The Score-P/Scalasca unique name of what it is named for.
    pub metric: Option<&'static str>,
    /// Other metrics under which a tool may rightly report it.
    pub accept: &'static [&'static str],
    /// Its amount as mathematics; P is the number of ranks, T that of the threads of each, i a rank and t a thread.
    pub formula: String,
    /// All that is to be found; the first is what it is named for.
    pub shows: Vec<ShownFact>,
    /// Waits that come with it, and that it is not named for.
    pub also: Vec<AlsoFact>,
    /// Wait states that are not there, though a careless rule might report them.
    pub tempts: &'static [WaitState],
    /// Fewest ranks that it shows anything with.
    pub min_ranks: usize,
    /// Fewest threads a process that it shows anything with.
    pub min_threads: usize,
    /// The send mode of its messages, if it depends on it.
    pub send_mode: Option<String>,
    /// The source file.
    pub file: &'static str,
}

/// A parameter of a property.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ParameterFacts {
    /// Its name.
    pub name: &'static str,
    /// Its meaning.
    pub doc: &'static str,
    /// The kind of value that it takes.
    pub kind: &'static str,
    /// Its unit; empty where it has none.
    pub unit: &'static str,
    /// The range of its values, in words.
    pub range: &'static str,
    /// Its value where none is given.
    pub default: String,
}

/// Something that is to be found in a property.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ShownFact {
    /// The wait state; none where it is a number or a time.
    pub property: Option<WaitState>,
    /// The call, construct or region that the number or time belongs to; none where it is a wait state.
    pub call: Option<&'static str>,
    /// The Score-P/Scalasca unique name.
    pub metric: &'static str,
    /// Its amount over all locations and at each, as mathematics.
    pub formula: &'static str,
    /// The call paths of the wait, from the property's region on; none of a number or a time.
    pub call_paths: Vec<String>,
    /// The cause that an explanation has to name, as it depends on the parameters; empty of a number or a time.
    pub explained_by: &'static str,
}

/// A wait that comes with what a property is named for.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct AlsoFact {
    /// The wait state; none where no metric counts it.
    pub property: Option<WaitState>,
    /// Its amount over all locations and at each, as mathematics.
    pub formula: &'static str,
    /// Its call paths, from the property's region on.
    pub call_paths: Vec<String>,
}

/// A wait state, and what it is called.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Term {
    /// Its name in every document and table.
    pub name: WaitState,
    /// Its name on pages and in viewers' files.
    pub title: String,
    /// Its definition, in a sentence.
    pub definition: &'static str,
    /// The partner that a location waits for; none where the operation or the runtime itself takes that long.
    pub awaited: Option<&'static str>,
    /// The family that it belongs to.
    pub class: Class,
    /// The view whose seconds it divides.
    pub view: View,
    /// The unique name of Score-P and Scalasca, under which it is read, too; none where they do not know it.
    pub metric: Option<&'static str>,
    /// The title in reports of Scalasca 2.6, as Cube shows it.
    pub metric_title: Option<&'static str>,
    /// Other metrics under which a tool may rightly report it, nearest first.
    pub accept: &'static [&'static str],
}

/// A published document, and its origin.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ListedDocument {
    /// Name and version.
    pub name: &'static str,
    /// Commands that write it; empty for a document that is written by hand.
    pub written_by: Vec<String>,
}
