//! A report in our own format, `ats-report/1`, written by another program or a person.

use ats_documents::{Report, written};
use serde::Deserialize;

use crate::input::Input;
use crate::reader::Reader;
use crate::{ReportError, limits};

#[derive(Deserialize)]
struct Head {
    schema: String,
}

pub(crate) const READER: Reader = Reader { name: "ats-report", tools: &[Report::UNNAMED], recognises, read };

/// Also recognises a file that ends in the middle, if it begins like a report.
fn recognises(input: &Input) -> bool {
    let Some(file) = input.single().filter(|file| file.bytes.len() <= limits::TEXT) else { return false };
    if file.bytes.trim_ascii_start().first() != Some(&b'{') {
        return false;
    }
    match serde_json::from_slice::<Head>(&file.bytes) {
        Ok(head) => head.schema == Report::SCHEMA,
        Err(error) if error.is_data() => false,
        Err(_) => {
            let beginning = &file.bytes[..file.bytes.len().min(1 << 10)];
            beginning.windows(Report::SCHEMA.len()).any(|word| word == Report::SCHEMA.as_bytes())
        }
    }
}

fn read(input: &Input) -> Result<Report, ReportError> {
    let file = input.file()?;
    let report = written::report(&file.bytes)
        .map_err(|mistakes| ReportError::Wrong { file: file.path.clone(), mistakes })?;
    let source = if report.source.is_empty() { input.path.display().to_string() } else { report.source };
    Ok(Report { source, ..report })
}
