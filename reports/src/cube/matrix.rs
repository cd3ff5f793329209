//! The values of a metric, by call path and location.

use super::tree::Tree;
use crate::error::{At, Origin};
use crate::{ReportError, limits};

/// Rows by call path; a missing one is zeros.
pub(crate) struct Matrix {
    locations: usize,
    rows: Vec<Option<Box<[f64]>>>,
    stored: usize,
}

impl Matrix {
    pub(crate) fn new(call_paths: usize, locations: usize) -> Self {
        Matrix { locations, rows: vec![None; call_paths], stored: 0 }
    }

    /// The row of a call path, if it is not zeros.
    pub(crate) fn row(&self, call_path: usize) -> Option<&[f64]> {
        self.rows[call_path].as_deref()
    }

    /// Adds `sign` × `row` to the row of a call path.
    pub(crate) fn add(
        &mut self,
        origin: Origin<'_>,
        call_path: usize,
        sign: f64,
        row: &[f64],
    ) -> Result<(), ReportError> {
        if self.rows[call_path].is_none() {
            self.stored += self.locations;
            if self.stored > limits::VALUES {
                let what = format!("a metric has more than {} values", limits::VALUES);
                return Err(origin.refused(At::Whole, what));
            }
        }
        let own = self.rows[call_path].get_or_insert_with(|| vec![0.0; self.locations].into());
        for (own, value) in own.iter_mut().zip(row) {
            *own += sign * value;
        }
        Ok(())
    }

    /// Adds `sign` × the values of another metric.
    pub(crate) fn add_all(
        &mut self,
        origin: Origin<'_>,
        sign: f64,
        other: &Matrix,
    ) -> Result<(), ReportError> {
        for (call_path, row) in other.rows.iter().enumerate() {
            if let Some(row) = row {
                self.add(origin, call_path, sign, row)?;
            }
        }
        Ok(())
    }

    /// From inclusive to exclusive: a call path loses what those called from it have.
    pub(crate) fn without_children(&mut self, origin: Origin<'_>, tree: &Tree) -> Result<(), ReportError> {
        // A call path comes before those called from it: what it is taken from its parent is still inclusive.
        for (index, node) in tree.nodes() {
            self.add_to_parent(origin, index, node.parent, -1.0)?;
        }
        Ok(())
    }

    /// From exclusive to inclusive.
    pub(crate) fn with_children(&mut self, origin: Origin<'_>, tree: &Tree) -> Result<(), ReportError> {
        for (index, node) in tree.nodes().rev() {
            self.add_to_parent(origin, index, node.parent, 1.0)?;
        }
        Ok(())
    }

    fn add_to_parent(
        &mut self,
        origin: Origin<'_>,
        index: usize,
        parent: Option<u32>,
        sign: f64,
    ) -> Result<(), ReportError> {
        let Some(parent) = parent else { return Ok(()) };
        let Some(row) = self.rows[index].take() else { return Ok(()) };
        let added = self.add(origin, parent as usize, sign, &row);
        self.rows[index] = Some(row);
        added
    }
}
