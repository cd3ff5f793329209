//! One HTML page with everything in it: it needs no network, no other file, and, for the scorecard, no script.

mod causes;
mod comparison;
mod data;
mod experiments;
mod explanation;
mod history;
mod names;
mod picture;
mod profile;
mod rows;
mod scatter;
mod scorecard;
mod script;

use ats_documents::{
    Basis, Causes, Comparison, Diagnosis, Explanation, Finding, Profile, Score, Scoreboard, Truth, WhatIf,
    analysis::NotAnalyzed, page as document, score::Totals,
};
use minijinja::{Value, context, value::Serde};

use crate::reference::place_of;
use crate::{severities, sources::Sources, speed_up::Compared, template, timeline::Timeline};

/// The content of a page. Every part may be empty.
#[derive(Clone, Debug, Default)]
pub struct Page<'a> {
    /// Its heading.
    pub title: &'a str,
    /// The columns of the scorecard.
    pub tools: Vec<Tool<'a>>,
    /// The programs to look into: property tree, call tree, locations and timeline.
    pub programs: Vec<Program<'a>>,
    /// Earlier results, oldest first, drawn over time.
    pub history: Vec<Moment>,
    /// The causes of deviations in the scorecard, and the omitted programs: of tools in the order of `tools`.
    pub board: Option<&'a Scoreboard>,
    /// Experiments whose time and speed-up are drawn.
    pub experiments: Option<&'a Compared>,
    /// The properties of experiments; those that were evaluated for several sizes are drawn.
    pub diagnosis: Option<&'a Diagnosis>,
    /// The address of the reference that findings link to, as seen from the page: `../reference`, or one with `https`.
    pub reference: Option<&'a str>,
}

/// A tool and how it did.
#[derive(Clone, Copy, Debug)]
pub struct Tool<'a> {
    /// Its name, with its version.
    pub name: &'a str,
    /// Its judgement.
    pub score: &'a Score,
}

/// A program, with its truth and the findings of one run.
#[derive(Clone, Debug, Default)]
pub struct Program<'a> {
    /// Its name; with ranks and threads it finds its row in the scorecard.
    pub name: &'a str,
    /// The number of processes.
    pub ranks: u32,
    /// The number of threads of each process.
    pub threads: u32,
    /// The truth about the program, if it is known.
    pub truth: Option<&'a Truth>,
    /// The findings of tools; the first is shown first.
    pub found: Vec<Found<'a>>,
    /// The picture of its trace.
    pub timeline: Option<&'a Timeline>,
    /// Its profile, by call path and location.
    pub profile: Option<&'a Profile>,
    /// The root causes of its waits.
    pub causes: Option<&'a Causes>,
    /// The problems of the run, with the causes and advice.
    pub explanation: Option<&'a Explanation>,
    /// The source files of its regions, as far as they were read.
    pub sources: Option<&'a Sources>,
    /// Its messages from process to process.
    pub communication: Option<&'a document::Communication>,
    /// Its differences to another run: then the program is two runs, and `found` has the findings of each.
    pub comparison: Option<ComparedRuns<'a>>,
}

/// Two runs that are compared.
#[derive(Clone, Copy, Debug)]
pub struct ComparedRuns<'a> {
    /// The differences.
    pub document: &'a Comparison,
    /// The least share of A of a difference that is shown.
    pub above: f64,
    /// The pictures of the traces of A and B, if both have one.
    pub timelines: Option<[&'a Timeline; 2]>,
    /// The gains of changes, if B is A with the last of them.
    pub what_if: Option<&'a WhatIf>,
}

/// The findings of a tool in one run.
#[derive(Clone, Copy, Debug, Default)]
pub struct Found<'a> {
    /// The tool.
    pub tool: &'a str,
    /// Its findings.
    pub findings: &'a [Finding],
    /// The basis that severities are relative to, if the tool reports one.
    pub basis: Option<&'a Basis>,
    /// Calls that it has not analyzed.
    pub not_analyzed: &'a [NotAnalyzed],
    /// Warnings about the trace as a whole, for example that it is incomplete.
    pub warnings: &'a [String],
}

/// A result of some time ago.
#[derive(Clone, Debug, PartialEq)]
pub struct Moment {
    /// The time, as in RFC 3339: moments are sorted by this text.
    pub time: String,
    /// The version or commit that was tested.
    pub label: String,
    /// The tool.
    pub tool: String,
    /// Its sums and rates.
    pub totals: Totals,
}

/// The page as a single HTML document.
///
/// It shows the scorecard (program × tool, truth against found), the lines of results over time, and for each program
/// property tree, call tree and locations, linked, above a timeline that can be zoomed; the problems of the run beside it;
/// the root causes of its waits; and its profile, down to the lines of source files.
///
/// ```
/// use ats_presentation::{Page, page};
/// let html = page(&Page { title: "Nothing <yet>", ..Page::default() });
/// assert!(html.starts_with("<!doctype html>") && html.contains("Nothing &lt;yet&gt;"));
/// ```
pub fn page(page: &Page<'_>) -> String {
    let rendered = template::environment().render_named_str(
        "page.html",
        include_str!("page/page.html"),
        context! {
            title => page.title,
            version => env!("CARGO_PKG_VERSION"),
            style => Value::from_safe_string(include_str!("page/page.css").to_owned()),
            script => Value::from_safe_string(script::SCRIPT.to_owned()),
            programs => programs(page),
            has_experiments => page.experiments.is_some(),
            severities => page.diagnosis.map(severities::pictures).map(safe),
            scorecard => Value::from(Serde(scorecard::scorecard(page))),
            scatter => Value::from(Serde(scatter::scatter(&page.tools))),
            left_out => Value::from(Serde(page.board.map(|board| &board.left_out))),
            history => Value::from(Serde(history::charts(&page.history))),
            data => Value::from_safe_string(in_script(&data::data(page))),
        },
    );
    rendered.expect("the template is part of this crate and tested")
}

impl Page<'_> {
    /// The address of what the reference says of a wait state or a metric.
    fn explained(&self, name: &str) -> Option<String> {
        let root = self.reference?.trim_end_matches('/');
        Some(format!("{root}/{}", place_of(name)))
    }
}

/// Markup that stands in the page as it is.
fn safe(parts: Vec<String>) -> Vec<Value> {
    parts.into_iter().map(Value::from_safe_string).collect()
}

/// Name and size of each program of the page.
fn programs(page: &Page<'_>) -> Vec<Value> {
    let name = |program: &Program<'_>| {
        context! { name => program.name, size => data::size(program) }
    };
    page.programs.iter().map(name).collect()
}

/// JSON that may stand in a script element: nothing in it can end the element or begin a comment.
fn in_script(data: &document::Page) -> String {
    let data = serde_json::to_string(data).expect("all keys of the data are strings");
    data.replace('<', "\\u003c").replace('>', "\\u003e").replace('&', "\\u0026")
}
