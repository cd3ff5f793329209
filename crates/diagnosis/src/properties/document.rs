//! Property files, as they are written: the document `ats-properties/1`.

use std::collections::BTreeMap;
use std::sync::Arc;

use ats_model::lines::{Lines, Place};
use serde::Deserialize;
use toml::Spanned;

/// The value of the key `schema`.
pub const SCHEMA: &str = "ats-properties/1";

/// The JSON schema of property files.
#[cfg(feature = "schema")]
pub fn schema() -> schemars::Schema {
    schemars::schema_for!(Document)
}

/// `ats-properties/1`: properties in the sense of JavaPSL (Fahringer and Seragiotto 2001), written in TOML.
#[derive(Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "schema", schemars(rename = "Properties"))]
#[serde(deny_unknown_fields)]
pub(crate) struct Document {
    /// The schema's name, `ats-properties/1`.
    #[cfg_attr(feature = "schema", schemars(with = "String"))]
    pub(crate) schema: Spanned<String>,
    /// The units of metrics: `s`, `bytes`, `count`, `1`, or a quotient such as `bytes/s`.
    #[serde(default)]
    #[cfg_attr(feature = "schema", schemars(with = "BTreeMap<String, String>"))]
    pub(crate) units: BTreeMap<String, Spanned<String>>,
    /// The names of properties of other files that are not evaluated.
    #[serde(default)]
    #[cfg_attr(feature = "schema", schemars(with = "Vec<String>"))]
    pub(crate) off: Vec<Spanned<String>>,
    /// Properties with parameters, to be used by others.
    #[serde(default)]
    pub(crate) template: Vec<Entry>,
    /// The properties.
    #[serde(default)]
    pub(crate) property: Vec<Entry>,
}

/// A property, or a template of properties.
#[derive(Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "schema", schemars(rename = "Property"))]
#[serde(deny_unknown_fields)]
pub(crate) struct Entry {
    /// Its name. A property replaces one of the same name in a file before.
    #[cfg_attr(feature = "schema", schemars(with = "String"))]
    pub(crate) name: Spanned<String>,
    /// The template of the keys that it does not have itself.
    #[serde(default)]
    #[cfg_attr(feature = "schema", schemars(with = "Option<String>"))]
    pub(crate) template: Option<Spanned<String>>,
    /// The parameters of a template: variables of its expressions.
    #[serde(default)]
    #[cfg_attr(feature = "schema", schemars(with = "Vec<String>"))]
    pub(crate) parameters: Vec<Spanned<String>>,
    /// An expression for each parameter of the template.
    #[serde(default)]
    #[cfg_attr(feature = "schema", schemars(with = "BTreeMap<String, String>"))]
    pub(crate) with: BTreeMap<String, Spanned<String>>,
    /// The parts of an instance: `region`; `unit`, `parallel` or `parallels`; and `sequential` if it compares with the sequential
    /// run.
    #[serde(default)]
    #[cfg_attr(feature = "schema", schemars(with = "Vec<String>"))]
    pub(crate) of: Vec<Spanned<String>>,
    /// Parts of the other expressions, by name. A part may use those before it.
    #[serde(default)]
    #[cfg_attr(feature = "schema", schemars(with = "BTreeMap<String, String>"))]
    pub(crate) r#let: BTreeMap<String, Spanned<String>>,
    /// Expressions that are evaluated for each experiment of `parallels`; the others see all values of one.
    #[serde(default)]
    #[cfg_attr(feature = "schema", schemars(with = "BTreeMap<String, String>"))]
    pub(crate) each: BTreeMap<String, Spanned<String>>,
    /// The properties whose instances a meta-property is about.
    #[serde(default)]
    #[cfg_attr(feature = "schema", schemars(with = "Vec<String>"))]
    pub(crate) over: Vec<Spanned<String>>,
    /// Whether the property holds; by default, if its severity is more than 0.
    #[serde(default)]
    #[cfg_attr(feature = "schema", schemars(with = "Option<String>"))]
    pub(crate) holds: Option<Spanned<String>>,
    /// The confidence that it holds, from 0 to 1; by default 1.
    #[serde(default)]
    #[cfg_attr(feature = "schema", schemars(with = "Option<String>"))]
    pub(crate) confidence: Option<Spanned<String>>,
    /// The importance, from 0 to 1.
    #[serde(default)]
    #[cfg_attr(feature = "schema", schemars(with = "Option<String>"))]
    pub(crate) severity: Option<Spanned<String>>,
    /// The part of the run's time that the severity is relative to, from 0 to 1; by default 1.
    #[serde(default)]
    #[cfg_attr(feature = "schema", schemars(with = "Option<String>"))]
    pub(crate) weight: Option<Spanned<String>>,
    /// The properties that it explains, and stands under.
    #[serde(default)]
    #[cfg_attr(feature = "schema", schemars(with = "Vec<String>"))]
    pub(crate) explains: Vec<Spanned<String>>,
    /// The meaning, in words; `{severity}`, `{region}` and `{NAME}` of a part are replaced.
    #[serde(default)]
    #[cfg_attr(feature = "schema", schemars(with = "Option<String>"))]
    pub(crate) text: Option<Spanned<String>>,
}

/// A property file, or another one with expressions.
#[derive(Debug)]
pub struct Source {
    /// Its name in mistakes.
    pub file: String,
    /// Its content.
    pub text: String,
}

/// A text of a property file, with its place.
#[derive(Clone, Debug)]
pub struct Located {
    /// The text.
    pub text: String,
    pub(crate) source: Arc<Source>,
    pub(crate) at: usize,
}

impl Source {
    /// A text of it. Its place is that of its first letter, or of its quotation mark if it is written with escapes.
    pub fn located(self: &Arc<Self>, text: &Spanned<String>) -> Located {
        let (span, value) = (text.span(), text.get_ref());
        let written = self.text.get(span.clone()).unwrap_or_default();
        let is_quote = |letter| matches!(letter, '"' | '\'');
        let inner = written.trim_start_matches(is_quote);
        let begins = [inner, inner.strip_prefix('\n').unwrap_or(inner)];
        let begin = begins.into_iter().find(|begin| begin.starts_with(value.as_str()));
        let at = begin.map_or(0, |begin| written.len() - begin.len());
        Located { text: value.clone(), source: self.clone(), at: span.start + at }
    }

    /// The place of a byte.
    fn place(&self, at: usize) -> Place {
        Lines::new(&self.text).place(at.min(self.text.len()))
    }
}

impl Located {
    /// The place of a byte of the text: file, line and column.
    pub fn place(&self, byte: usize) -> String {
        format!("{}:{}", self.source.file, self.source.place(self.byte(byte)))
    }

    /// A byte of the text as one of the file.
    pub(crate) fn byte(&self, byte: usize) -> usize {
        let as_written = self.source.text.get(self.at..).is_some_and(|rest| rest.starts_with(&self.text));
        self.at + if as_written { byte } else { 0 }
    }
}
