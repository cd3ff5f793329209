//! The comparison of two runs that the script draws.

use ats_documents::page::{self as document, Difference};

use super::rows::Row;
use super::{ComparedRuns, picture};
use crate::differences::{Line, lines, sentences};

/// The data of a comparison; `rows` are the findings of both runs.
pub(super) fn data(compared: &ComparedRuns<'_>, rows: &[Row<'_>]) -> document::Comparison {
    let ComparedRuns { document, above, timelines } = compared;
    let difference = |line: Line<'_>| Difference {
        depth: line.depth as u32,
        text: line.text(),
        whole: line.whole(),
        a: line.difference.a,
        b: line.difference.b,
        share: document.share(&line.difference),
        paths: line.paths(),
    };
    document::Comparison {
        measure: document.measure,
        sentences: sentences(document),
        notes: document.notes.clone(),
        differences: lines(document, *above).into_iter().map(difference).collect(),
        timelines: timelines.map(|timelines| timelines.map(|timeline| picture::data(timeline, rows))),
    }
}
