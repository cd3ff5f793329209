//! The document of `ats list`, `ats show` and `ats schema`.

use ats_compose::Row;
use ats_documents::catalogue::{ListedDocument, ListedProgram, PropertyFacts, Term};
use serde::Serialize;

/// The document `ats-catalogue/1`: entries of the catalogue. Lists that were not asked for are omitted.
#[derive(Debug, Default, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(crate) struct Entries<'a> {
    /// The schema: `ats-catalogue/1`.
    pub(crate) schema: &'static str,
    /// The programs, by name.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) programs: Option<&'a [ListedProgram]>,
    /// The facts about properties.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) properties: Option<&'a [PropertyFacts]>,
    /// The rows of the catalogue, table by table.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) rows: Option<&'a [Row]>,
    /// A glossary of the wait states, family by family.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) wait_states: Option<&'a [Term]>,
    /// The published documents.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) documents: Option<&'a [ListedDocument]>,
}

impl Entries<'_> {
    /// The value of [`Entries::schema`].
    pub(crate) const SCHEMA: &'static str = "ats-catalogue/1";
}
