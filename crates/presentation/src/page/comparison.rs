//! The comparison of two runs that the script draws.

use ats_documents::page::{self as document, Difference, Gain};

use super::rows::Row;
use super::{ComparedRuns, picture};
use crate::differences::{Line, lines, of_replay, sentences};
use crate::gains;

/// The data of a comparison; `rows` are the findings of both runs.
pub(super) fn data(compared: &ComparedRuns<'_>, rows: &[Row<'_>]) -> document::Comparison {
    let ComparedRuns { document, above, timelines, what_if } = compared;
    let difference = |line: Line<'_>| Difference {
        depth: line.depth as u32,
        text: line.text(),
        whole: line.whole(),
        a: line.difference.a,
        b: line.difference.b,
        share: document.share(&line.difference),
        paths: line.paths(),
    };
    let gain = |[seconds, gain, efficiency, lost, change]: [String; 5]| Gain {
        change,
        seconds,
        gain,
        efficiency,
        lost,
    };
    document::Comparison {
        measure: document.measure,
        sentences: what_if.map_or_else(|| sentences(document), |what_if| of_replay(document, what_if)),
        gains: what_if.map(gains::rows).unwrap_or_default().into_iter().map(gain).collect(),
        together: what_if.map(gains::together),
        notes: document.notes.clone(),
        differences: lines(document, *above).into_iter().map(difference).collect(),
        timelines: timelines.map(|timelines| timelines.map(|timeline| picture::data(timeline, rows))),
    }
}
