//! A JSON object in each line.

use std::io::{self, Write};

use ats_documents::Experiment;
use ats_documents::summaries::Summary;
use serde::Serialize;

/// A summary with its experiment.
#[derive(Serialize)]
struct Line<'a> {
    experiment: &'a str,
    #[serde(flatten)]
    summary: Summary,
}

pub(super) fn lines(id: &str, experiment: &Experiment, out: &mut dyn Write) -> io::Result<()> {
    for summary in experiment.rows() {
        serde_json::to_writer(&mut *out, &Line { experiment: id, summary })?;
        out.write_all(b"\n")?;
    }
    Ok(())
}
