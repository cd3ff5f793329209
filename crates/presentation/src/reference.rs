//! The reference: a page for each property, and indexes. Plain HTML with relative links and one style, without a script.

mod alike;
mod index;
mod property;
mod prose;
mod verdicts;

use ats_documents::catalogue::{ListedProgram, PropertyFacts, Term};
use ats_documents::truth::TruthOfRun;
use ats_documents::{Scoreboard, Truth};
use ats_model::{CauseKind, WaitState};
use minijinja::{Environment, Value, context, value::Serde};

use crate::template;
use crate::timeline::Timeline;
use crate::traits;

/// The content of a reference.
#[derive(Clone, Debug, Default)]
pub struct Reference {
    /// The properties.
    pub properties: Vec<Described>,
    /// The wait states, family by family.
    pub wait_states: Vec<Term>,
    /// The rows of the catalogue, table by table.
    pub rows: Vec<ReferenceRow>,
    /// The judgement of tools, if it is known.
    pub scoreboard: Option<Scoreboard>,
}

/// A property as a page of the reference describes it.
#[derive(Clone, Debug)]
pub struct Described {
    /// Its entry in lists.
    pub program: ListedProgram,
    /// The facts about it.
    pub facts: PropertyFacts,
    /// Its truth with the default parameters and at the default size; of an experiment, that of its largest run.
    pub truth: Truth,
    /// The runs of an experiment.
    pub runs: Vec<TruthOfRun>,
    /// Its twin, if it has one.
    pub twin: Option<Twin>,
    /// The drawing of its ideal run.
    pub picture: Picture,
    /// Its source in several languages.
    pub sources: Vec<Source>,
}

/// The balanced twin of a property.
#[derive(Clone, Debug)]
pub struct Twin {
    /// Its entry in lists.
    pub program: ListedProgram,
    /// Its truth, with the parameters and at the size of the property's.
    pub truth: Truth,
}

/// A timeline with its title.
#[derive(Clone, Debug)]
pub struct Picture {
    /// The timeline.
    pub timeline: Timeline,
    /// The program and its size.
    pub title: String,
}

/// A source text.
#[derive(Clone, Debug)]
pub struct Source {
    /// The language.
    pub language: &'static str,
    /// The file in the suite, or the command that writes it.
    pub origin: String,
    /// The text.
    pub text: String,
}

/// A row of the catalogue.
#[derive(Clone, Debug)]
pub struct ReferenceRow {
    /// Its name.
    pub row: String,
    /// The number of its table.
    pub table: u8,
    /// The property that it is, or that shows it; none where there is no such property.
    pub property: Option<String>,
    /// Its state, in a few words.
    pub status: String,
}

/// The name of the file with the style of all pages.
const STYLE: &str = "style.css";

impl Reference {
    /// The described property of a name.
    fn property(&self, name: &str) -> Option<&Described> {
        self.properties.iter().find(|described| described.name() == name)
    }
}

impl Described {
    fn name(&self) -> &'static str {
        self.facts.property
    }

    /// The wait states that it is to be found by.
    fn shown(&self) -> impl Iterator<Item = WaitState> {
        traits::wait_states(&self.facts)
    }

    /// The causes that an explanation has to name, as they depend on the parameters.
    fn causes(&self) -> Vec<CauseKind> {
        traits::causes(&self.facts)
    }

    /// The place of its family on the first page.
    fn family(&self) -> String {
        let class = self.program.class.map_or("silent", |class| class.name());
        format!("{}-{class}", self.program.paradigm)
    }
}

/// The files of a reference, with their paths in its folder: `index.html` and four other indexes, a page for each property,
/// such as `properties/late_sender.html`, and the style.
///
/// ```
/// use ats_presentation::{Reference, reference};
/// let files = reference(&Reference::default());
/// assert!(files.iter().any(|(path, html)| path == "index.html" && html.starts_with("<!doctype html>")));
/// ```
pub fn reference(reference: &Reference) -> Vec<(String, String)> {
    let pages = Pages::new();
    let style = concat!(include_str!("page/page.css"), include_str!("reference/reference.css"));
    let mut files = vec![(STYLE.to_owned(), style.to_owned())];
    files.extend(index::pages(reference).map(|page| (page.file.to_owned(), pages.index(&page))));
    let described = reference.properties.iter();
    files.extend(described.map(|of| (address(of.name()), pages.property(of, reference))));
    files
}

/// The path of a property's page.
fn address(property: &str) -> String {
    format!("properties/{property}.html")
}

/// The path of what a reference says of a wait state, a cause or a metric.
pub(crate) fn place_of(name: &str) -> String {
    let is_cause = CauseKind::ALL.iter().any(|cause| cause.name() == name);
    let file = match WaitState::from_name(name) {
        Some(_) => index::WAIT_STATES,
        None if is_cause => index::CAUSES,
        None => index::METRICS,
    };
    format!("{file}#{name}")
}

/// The templates of the pages.
struct Pages {
    templates: Environment<'static>,
}

impl Pages {
    fn new() -> Self {
        let mut templates = template::environment();
        templates.add_filter("marked", prose::marked);
        Pages { templates }
    }

    fn index(&self, page: &index::Index) -> String {
        let body = self.rendered(include_str!("reference/index.html"), Value::from(Serde(page)));
        self.framed("", page.title, page.file, body)
    }

    fn property(&self, described: &Described, reference: &Reference) -> String {
        let body =
            self.rendered(include_str!("reference/property.html"), property::content(described, reference));
        self.framed("../", described.name(), "", body)
    }

    /// The page around its content; `root` leads from it to the folder of the reference.
    fn framed(&self, root: &str, title: &str, file: &str, body: String) -> String {
        let indexes: Vec<(&str, &str)> = index::TITLES.to_vec();
        let version = env!("CARGO_PKG_VERSION");
        let body = Value::from_safe_string(body);
        self.rendered(
            include_str!("reference/frame.html"),
            context! { root, title, file, indexes, version, body, style => STYLE },
        )
    }

    fn rendered(&self, template: &str, content: Value) -> String {
        let rendered = self.templates.render_named_str("reference.html", template, content);
        rendered.expect("the templates are part of this crate and tested")
    }
}
