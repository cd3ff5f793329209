//! The values of metrics, in the tree of call paths and in their own.

use super::anchor::{Anchor, Kind};
use super::matrix::Matrix;
use super::rows::{self, Entries, ValueType};
use super::tar::Archive;
use super::vocabulary::{self, Meaning};
use crate::ReportError;
use crate::error::{At, Origin};

/// A report that is being read.
pub(crate) struct Cube<'a> {
    pub(crate) origin: Origin<'a>,
    archive: Archive<'a>,
    pub(crate) anchor: Anchor,
    /// By metric; none of metrics that have no values or no meaning.
    pub(crate) meanings: Vec<Option<Meaning>>,
}

impl<'a> Cube<'a> {
    pub(crate) fn new(origin: Origin<'a>, archive: Archive<'a>, anchor: Anchor) -> Self {
        let mut cube = Cube { origin, archive, anchor, meanings: Vec::new() };
        cube.meanings = (0..cube.anchor.metrics.len()).map(|metric| cube.meaning(metric)).collect();
        cube
    }

    fn meaning(&self, metric: usize) -> Option<Meaning> {
        let meaning = vocabulary::meaning(&self.anchor.metrics[metric].name)?;
        let counts = matches!(meaning, Meaning::Count(_)) && self.has_values(metric);
        (counts || self.is_time(metric)).then_some(meaning)
    }

    /// The metric of a meaning.
    pub(crate) fn metric_of(&self, meaning: Meaning) -> Option<usize> {
        self.meanings.iter().position(|of| *of == Some(meaning))
    }

    /// Whether a metric has values in seconds.
    pub(crate) fn is_time(&self, metric: usize) -> bool {
        self.has_values(metric) && self.anchor.metrics[metric].unit == "sec"
    }

    fn has_values(&self, metric: usize) -> bool {
        let metric = &self.anchor.metrics[metric];
        metric.kind != Kind::Derived
            && ValueType::of(&metric.data_type).is_some()
            && self.archive.entry(&format!("{}.index", metric.id)).is_some()
    }

    /// The values as they are stored.
    fn stored(&self, metric: usize) -> Result<Matrix, ReportError> {
        let (tree, locations) = (&self.anchor.tree, self.anchor.locations.len());
        let metric = &self.anchor.metrics[metric];
        let damaged =
            |what: String| self.origin.damaged(At::Whole, format!("metric {:?} {what}", metric.name));
        let [index_name, data_name] = ["index", "data"].map(|kind| format!("{}.{kind}", metric.id));
        let [index, data] = [&index_name, &data_name].map(|name| {
            let entry = self.archive.entry(name).map(|bytes| (self.origin.entry(name), bytes));
            entry.ok_or_else(|| damaged(format!("has no entry {name:?}")))
        });
        let entries = Entries { index: index?, data: data? };
        let value_type = ValueType::of(&metric.data_type);
        let value_type = value_type.ok_or_else(|| damaged("has no numbers".to_owned()))?;
        let order = match metric.kind {
            Kind::Inclusive => tree.wide(),
            Kind::Exclusive | Kind::Derived => (0..tree.len() as u32).collect(),
        };
        let mut matrix = Matrix::new(tree.len(), locations);
        rows::read(&entries, value_type, tree.len(), locations, |row, values| {
            if let Some(value) = values.iter().find(|value| !value.is_finite()) {
                let what = format!("metric {:?} has a value of {value} in row {row}", metric.name);
                return Err(entries.data.0.damaged(At::Whole, what));
            }
            matrix.add(self.origin, order[row] as usize, 1.0, &values)
        })?;
        Ok(matrix)
    }

    /// The values without those of call paths below.
    pub(crate) fn exclusive(&self, metric: usize) -> Result<Matrix, ReportError> {
        let mut matrix = self.stored(metric)?;
        if self.anchor.metrics[metric].kind == Kind::Inclusive {
            matrix.without_children(self.origin, &self.anchor.tree)?;
        }
        Ok(matrix)
    }

    /// The values with those of call paths below.
    pub(crate) fn inclusive(&self, metric: usize) -> Result<Matrix, ReportError> {
        let mut matrix = self.stored(metric)?;
        if self.anchor.metrics[metric].kind != Kind::Inclusive {
            matrix.with_children(self.origin, &self.anchor.tree)?;
        }
        Ok(matrix)
    }

    /// The exclusive values, without those of the metrics below that `counts` and that no other that does is between.
    pub(crate) fn without_metrics(
        &self,
        metric: usize,
        counts: impl Fn(usize) -> bool,
    ) -> Result<Matrix, ReportError> {
        let mut parts = Matrix::new(self.anchor.tree.len(), self.anchor.locations.len());
        for below in metric + 1..self.anchor.metrics.len() {
            if counts(below)
                && self.above(below).find(|&above| counts(above) || above == metric) == Some(metric)
            {
                parts.add_all(self.origin, 1.0, &self.exclusive(below)?)?;
            }
        }
        // Their sum at once: nothing is left of a metric that is no more than its parts.
        let mut matrix = self.exclusive(metric)?;
        matrix.add_all(self.origin, -1.0, &parts)?;
        Ok(matrix)
    }

    /// The metrics above one, the nearest first.
    pub(crate) fn above(&self, metric: usize) -> impl Iterator<Item = usize> {
        let parent = |metric: usize| self.anchor.metrics[metric].parent;
        std::iter::successors(parent(metric), move |&above| parent(above))
    }
}
