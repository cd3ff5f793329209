//! `ats list --waits`.

use std::process::ExitCode;

use ats_model::wait_state::Class;
use ats_model::{View, WaitState};
use ats_presentation::title;
use schemars::JsonSchema;
use serde::Serialize;

use crate::failure::Failure;
use crate::output::Output;

/// `ats-waits/1`: a glossary.
#[derive(Debug, JsonSchema, Serialize)]
pub(crate) struct Document {
    /// The schema: `ats-waits/1`.
    schema: &'static str,
    /// Family by family.
    wait_states: Vec<Entry>,
}

/// A wait state, and what it is called.
#[derive(Debug, JsonSchema, Serialize)]
struct Entry {
    /// Its name in every document and table.
    name: WaitState,
    /// Its name on pages and in viewers' files.
    title: String,
    /// Its definition, in a sentence.
    definition: &'static str,
    /// The partner that a location waits for; none where the operation or the runtime itself takes that long.
    awaited: Option<&'static str>,
    /// The family that it belongs to.
    class: Class,
    /// The view whose seconds it divides.
    view: View,
    /// The unique name of Score-P and Scalasca, under which it is read, too; none where they do not know it.
    metric: Option<&'static str>,
    /// The title in reports of Scalasca 2.6, as Cube shows it.
    metric_title: Option<&'static str>,
    /// Other metrics under which a tool may rightly report it, nearest first.
    accept: &'static [&'static str],
}

impl Document {
    pub(crate) const SCHEMA: &str = "ats-waits/1";
}

impl Entry {
    fn of(state: WaitState) -> Self {
        Entry {
            name: state,
            title: title(state.name()),
            definition: state.definition(),
            awaited: state.awaited(),
            class: state.class(),
            view: state.view(),
            metric: state.metric(),
            metric_title: state.title(),
            accept: state.accept(),
        }
    }

    fn is_called(&self, word: &str) -> bool {
        let names = [self.name.name(), &self.title, self.class.name()];
        let of_tools = self.metric.into_iter().chain(self.metric_title).chain(self.accept.iter().copied());
        names.into_iter().chain(of_tools).any(|name| name.to_lowercase().contains(word))
    }

    fn text(&self) -> String {
        let of_scalasca = match (self.metric, self.metric_title) {
            (Some(metric), Some(title)) => format!("{metric} ({title})"),
            _ => "has no name for it".to_owned(),
        };
        let mut text = format!("{} ({})\n  {}\n", self.name.name(), self.class.name(), self.definition);
        if let Some(whom) = self.awaited {
            text += &format!("  for       {whom}\n");
        }
        text += &format!("  pages     {}\n  Scalasca  {of_scalasca}\n", self.title);
        if !self.accept.is_empty() {
            text += &format!("  also as   {}\n", self.accept.join(", "));
        }
        text
    }
}

/// Prints the wait states that have this word in any of their names, or all.
pub(crate) fn list(filter: Option<&str>, output: Output) -> Result<ExitCode, Failure> {
    let word = filter.unwrap_or_default().to_lowercase();
    let entries = WaitState::ALL.into_iter().map(Entry::of);
    let wait_states: Vec<Entry> = entries.filter(|entry| entry.is_called(&word)).collect();
    let document = Document { schema: Document::SCHEMA, wait_states };
    output.document(&document, || match &document.wait_states[..] {
        [] => "No wait state matches.\n".to_owned(),
        found => found.iter().map(Entry::text).collect::<Vec<_>>().join("\n"),
    })?;
    Ok(ExitCode::SUCCESS)
}
