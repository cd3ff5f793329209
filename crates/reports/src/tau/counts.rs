//! Counters of the machine: the profiles of metrics that are no time.

use std::collections::{BTreeMap, HashSet};

use super::{ROOT, Row, plain_name};
use crate::ReportError;
use crate::draft::Draft;

/// The numbers of all locations, by metric and call path.
#[derive(Default)]
pub(super) struct Counts(BTreeMap<(String, Vec<String>), u64>);

impl Counts {
    /// Adds those of a location.
    pub(super) fn add(
        &mut self,
        metric: &str,
        rows: &[Row<'_>],
        draft: &mut Draft<'_>,
    ) -> Result<(), ReportError> {
        let in_paths: HashSet<&str> = rows.iter().filter_map(Row::innermost).collect();
        for row in rows.iter().filter(|row| !row.is_sample() && !row.is_repeated(&in_paths)) {
            let frames = row.frames.iter().filter(|frame| **frame != ROOT).map(|frame| plain_name(frame));
            let path: Vec<String> = frames.collect();
            if !path.is_empty() {
                draft.take(path.iter().map(String::len).sum())?;
                let sum = self.0.entry((metric.to_owned(), path)).or_default();
                *sum = sum.saturating_add(row.own_count());
            }
        }
        Ok(())
    }

    pub(super) fn report(self, draft: &mut Draft<'_>) -> Result<(), ReportError> {
        self.0.into_iter().try_for_each(|((metric, path), number)| draft.number(path, &metric, number))
    }
}
