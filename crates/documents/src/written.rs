//! Documents that people write, or ten lines of a script: read against their published schema, with all that is wrong at once.
//!
//! A finding has short forms: `call` in the place of `call_path`, `seconds` in that of `waiting_time`, `share` in that of
//! `severity`.

mod check;

use std::collections::BTreeSet;

use serde::de::DeserializeOwned;
use serde_json::Value;

use super::short::{Calls, lengthen};
use crate::schema;
use crate::{Report, Truth};
use ats_model::mistakes::{Mistakes, not_json};
use ats_model::wait_state::Name;

/// Reads an `ats-report/1`, and completes omitted fields.
///
/// ```
/// let text = r#"{"schema":"ats-report/1","findings":[{"property":"late_sender","call":"MPI_Recv","seconds":1.0}]}"#;
/// assert_eq!(ats_documents::written::report(text.as_bytes())?.findings[0].waiting_time, 1.0);
/// # Ok::<(), ats_model::mistakes::Mistakes>(())
/// ```
///
/// # Errors
/// All mistakes in it.
pub fn report(bytes: &[u8]) -> Result<Report, Mistakes> {
    let mut report: Report = document(Report::SCHEMA, Calls::Unknown, bytes)?;
    report.complete()?;
    let unknown =
        report.findings.iter().filter(|finding| finding.unit().is_time() && finding.property.is_none());
    let warnings: BTreeSet<String> =
        unknown.filter_map(|finding| Name::parse(finding.metric.as_deref()?).err()).collect();
    report.warnings.extend(warnings);
    Ok(report)
}

/// Reads an `ats-truth/1`, and completes omitted fields.
///
/// # Errors
/// All mistakes in it.
pub fn truth(bytes: &[u8]) -> Result<Truth, Mistakes> {
    let mut truth: Truth = document(Truth::SCHEMA, Calls::Wherever, bytes)?;
    truth.complete()?;
    Ok(truth)
}

/// Reads a document of the schema of this name.
fn document<D: DeserializeOwned>(name: &str, calls: Calls, bytes: &[u8]) -> Result<D, Mistakes> {
    let mut value: Value = serde_json::from_slice(bytes).map_err(|error| Mistakes::one(not_json(&error)))?;
    if let Some(other) = value.get("schema").filter(|schema| *schema != name) {
        return Err(Mistakes::one(format!("its schema is {other}, not \"{name}\"")));
    }
    let schema = schema::text(name).expect("it is published");
    check::check(&serde_json::from_str(schema).expect("a schema is JSON"), &value)?;
    lengthen(&mut value, calls)?;
    serde_json::from_value(value).map_err(Mistakes::one)
}

#[cfg(test)]
mod tests;
