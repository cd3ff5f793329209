//! The JSON schemas of documents, which are kept in files: `ATS_RENEW=1 cargo test -p ats-cli --lib schemas` makes them of
//! the types.

#[cfg(feature = "schema")]
mod types;

#[cfg(feature = "schema")]
pub use types::{document_schema, report, truth};

include!(concat!(env!("OUT_DIR"), "/schemas.rs"));

/// The text of the schema of a published document, `ats-truth/1`.
pub fn text(name: &str) -> Option<&'static str> {
    let file = file_name(name);
    FILES.iter().find(|(name, _)| *name == file).map(|(_, text)| *text)
}

/// The name of the file with a document's schema.
pub fn file_name(document: &str) -> String {
    document.replace('/', "-") + ".json"
}
