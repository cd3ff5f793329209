//! Our own analyzer's document.

use ats_documents::{Analysis, Report};
use serde::Deserialize;

use crate::error::At;
use crate::input::Input;
use crate::reader::Reader;
use crate::{ReportError, limits, number};

/// The tool's name.
pub(crate) const TOOL: &str = "ats";

#[derive(Deserialize)]
struct Head {
    schema: String,
}

pub(crate) const READER: Reader = Reader { name: "ats-analysis", tools: &[TOOL], recognises, read };

fn recognises(input: &Input) -> bool {
    let Some(file) = input.single().filter(|file| file.bytes.len() <= limits::TEXT) else { return false };
    serde_json::from_slice::<Head>(&file.bytes).is_ok_and(|head| head.schema == Analysis::SCHEMA)
}

fn read(input: &Input) -> Result<Report, ReportError> {
    let file = input.file()?;
    let origin = file.origin();
    let analysis: Analysis = serde_json::from_slice(&file.bytes)
        .map_err(|error| origin.damaged(At::Line(error.line()), error.to_string()))?;
    for finding in &analysis.findings {
        let times = finding.locations.iter().map(|share| share.waiting_time);
        for time in times.chain([finding.waiting_time]) {
            number::seconds(time)
                .map_err(|what| origin.damaged(At::Whole, format!("{}: {what}", finding.id)))?;
        }
    }
    let source = input.path.display().to_string();
    Ok(Report { source, ..Report::from(analysis) })
}
