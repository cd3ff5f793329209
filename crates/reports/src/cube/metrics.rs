//! The values of metrics, in the tree of call paths and in their own.

use std::collections::{HashMap, hash_map};
use std::path::Path;
use std::sync::Arc;

use ats_documents::profile::Combine;

use super::anchor::{Anchor, Kind, Metric};
use super::rows::{Entry, Rows, ValueType};
use super::tree::Children;
use super::vocabulary::{self, Meaning};
use crate::ReportError;
use crate::archive::Archive;
use crate::error::{At, Origin};

/// A report that is being read.
pub(crate) struct Cube<'a> {
    pub(crate) origin: Origin<'a>,
    archive: Archive,
    pub(crate) anchor: Arc<Anchor>,
    /// The meanings, by metric; `None` for metrics without values or without a meaning here.
    pub(crate) meanings: Vec<Option<Meaning>>,
    order: Arc<Order>,
}

/// The call paths below each, and for each its row in inclusive metrics.
struct Order {
    children: Children,
    wide: Vec<u32>,
}

impl<'a> Cube<'a> {
    pub(crate) fn new(origin: Origin<'a>, archive: Archive, anchor: Anchor) -> Self {
        let mut wide = vec![0; anchor.tree.len()];
        (0..).zip(anchor.tree.wide()).for_each(|(row, path)| wide[path as usize] = row);
        let children = anchor.tree.children();
        let (anchor, order) = (Arc::new(anchor), Arc::new(Order { children, wide }));
        let mut cube = Cube { origin, archive, anchor, meanings: Vec::new(), order };
        cube.meanings = (0..cube.anchor.metrics.len()).map(|metric| cube.meaning(metric)).collect();
        cube
    }

    fn meaning(&self, metric: usize) -> Option<Meaning> {
        let meaning = vocabulary::meaning(&self.anchor.metrics[metric].name)?;
        let counts = matches!(meaning, Meaning::Count(_) | Meaning::Machine)
            && self.combine(metric) == Combine::Sum
            && self.has_values(metric);
        (counts || self.is_time(metric)).then_some(meaning)
    }

    /// The metric of a meaning.
    pub(crate) fn metric_of(&self, meaning: Meaning) -> Option<usize> {
        self.meanings.iter().position(|of| *of == Some(meaning))
    }

    /// Whether a metric has values in seconds that add up.
    pub(crate) fn is_time(&self, metric: usize) -> bool {
        let adds_up = self.combine(metric) == Combine::Sum;
        adds_up && self.has_values(metric) && self.anchor.metrics[metric].unit == "sec"
    }

    /// The way to combine several values of a metric.
    pub(crate) fn combine(&self, metric: usize) -> Combine {
        match &*self.anchor.metrics[metric].data_type {
            "MINDOUBLE" => Combine::Minimum,
            "MAXDOUBLE" => Combine::Maximum,
            _ => Combine::Sum,
        }
    }

    pub(crate) fn has_values(&self, metric: usize) -> bool {
        let metric = &self.anchor.metrics[metric];
        metric.kind != Kind::Derived
            && ValueType::from_name(&metric.data_type).is_some()
            && self.archive.entry(&format!("{}.index", metric.id)).is_some()
    }

    /// The values of a metric.
    pub(crate) fn values(&self, metric: usize) -> Result<Values, ReportError> {
        self.stored(metric)?.open()
    }

    /// The place of the values of a metric.
    pub(crate) fn stored(&self, number: usize) -> Result<Stored, ReportError> {
        let metric = &self.anchor.metrics[number];
        let damaged =
            |what: String| self.origin.damaged(At::Whole, format!("metric {:?} {what}", metric.name));
        let entry = |kind: &str| {
            let name = format!("{}.{kind}", metric.id);
            let content = self.archive.entry(&name);
            let content = content.ok_or_else(|| damaged(format!("has no entry {name:?}")))?;
            Ok(Entry { name, content })
        };
        let value_type = ValueType::from_name(&metric.data_type);
        let value_type = value_type.ok_or_else(|| damaged("has no numbers".to_owned()))?;
        Ok(Stored {
            file: self.origin.path().into(),
            anchor: self.anchor.clone(),
            order: self.order.clone(),
            metric: number,
            value_type,
            entries: [entry("index")?, entry("data")?],
        })
    }

    /// A metric without those below it that `counts` and that no other that does is between.
    pub(crate) fn without_metrics(
        &self,
        metric: usize,
        counts: impl Fn(usize) -> bool,
    ) -> Result<Rest, ReportError> {
        let is_part = |below: usize| {
            counts(below) && self.above(below).find(|&above| counts(above) || above == metric) == Some(metric)
        };
        let parts = (metric + 1..self.anchor.metrics.len()).filter(|&below| is_part(below));
        let parts = parts.map(|below| self.values(below)).collect::<Result<_, _>>()?;
        Ok(Rest { whole: self.values(metric)?, parts })
    }

    /// The metrics above one, the nearest first.
    pub(crate) fn above(&self, metric: usize) -> impl Iterator<Item = usize> {
        let parent = |metric: usize| self.anchor.metrics[metric].parent;
        std::iter::successors(parent(metric), move |&above| parent(above))
    }
}

/// The values of each location at a call path; `None` if all are zero.
pub(crate) type Row = Option<Vec<f64>>;

/// Adds `sign` × another row.
pub(crate) fn add(row: &mut Row, sign: f64, other: &[f64]) {
    let row = row.get_or_insert_with(|| vec![0.0; other.len()]);
    row.iter_mut().zip(other).for_each(|(own, value)| *own += sign * value);
}

/// The place of a metric's values in a report that stays open.
#[derive(Clone)]
pub(crate) struct Stored {
    file: Arc<Path>,
    anchor: Arc<Anchor>,
    order: Arc<Order>,
    metric: usize,
    value_type: ValueType,
    entries: [Entry; 2],
}

impl Stored {
    pub(crate) fn open(&self) -> Result<Values, ReportError> {
        let (paths, locations) = (self.anchor.tree.len(), self.anchor.locations.len());
        let origin = Origin::file(&self.file);
        let rows = Rows::open(origin, self.entries.clone(), self.value_type, paths, locations)?;
        Ok(Values { of: self.clone(), rows })
    }
}

/// The values of a metric, read call path by call path.
pub(crate) struct Values {
    of: Stored,
    rows: Rows,
}

impl Values {
    /// The most values that there can be, beside zeros.
    pub(crate) fn size(&self) -> usize {
        self.rows.size()
    }

    fn metric(&self) -> &Metric {
        &self.of.anchor.metrics[self.of.metric]
    }

    fn read(&mut self, number: u32) -> Result<Row, ReportError> {
        self.rows.read(Origin::file(&self.of.file), number)
    }

    fn row_number(&self, path: usize) -> u32 {
        match self.metric().kind {
            Kind::Inclusive => self.of.order.wide[path],
            Kind::Exclusive | Kind::Derived => path as u32,
        }
    }

    /// Minima or maxima as they are stored, including those of no visits, which are not finite.
    pub(crate) fn extremes(&mut self, path: usize) -> Result<Row, ReportError> {
        self.read(self.row_number(path))
    }

    /// The values as they are stored.
    fn stored(&mut self, path: usize) -> Result<Row, ReportError> {
        let number = self.row_number(path);
        let row = self.read(number)?;
        match row.iter().flatten().find(|value| !value.is_finite()) {
            Some(value) => {
                let what = format!("metric {:?} has a value of {value} in row {number}", self.metric().name);
                Err(self.rows.origin(Origin::file(&self.of.file)).damaged(At::Whole, what))
            }
            None => Ok(row),
        }
    }

    /// The values without those of call paths below.
    pub(crate) fn exclusive(&mut self, path: usize) -> Result<Row, ReportError> {
        let mut row = self.stored(path)?;
        if self.metric().kind == Kind::Inclusive {
            let order = self.of.order.clone();
            for &below in order.children.get(path) {
                if let Some(inside) = self.stored(below as usize)? {
                    add(&mut row, -1.0, &inside);
                }
            }
        }
        Ok(row)
    }

    /// The values with those of call paths below, from the last call path to the first.
    pub(crate) fn inclusive(mut self) -> impl Iterator<Item = Result<(usize, Row), ReportError>> {
        let anchor = self.of.anchor.clone();
        // What is known of call paths that are still to come.
        let mut begun: HashMap<usize, Row> = HashMap::new();
        let mut whole = move |path: usize, parent: Option<u32>| {
            if self.metric().kind == Kind::Inclusive {
                return Ok((path, self.stored(path)?));
            }
            let row = match begun.remove(&path) {
                Some(row) => row,
                None => self.stored(path)?,
            };
            if let (Some(parent), Some(inside)) = (parent, &row) {
                let outer = match begun.entry(parent as usize) {
                    hash_map::Entry::Occupied(outer) => outer.into_mut(),
                    hash_map::Entry::Vacant(outer) => outer.insert(self.stored(parent as usize)?),
                };
                add(outer, 1.0, inside);
            }
            Ok((path, row))
        };
        (0..anchor.tree.len()).rev().map(move |path| whole(path, anchor.tree.parent(path)))
    }
}

/// The values of a metric without those of its parts.
pub(crate) struct Rest {
    whole: Values,
    parts: Vec<Values>,
}

impl Rest {
    /// The values without those of call paths below.
    pub(crate) fn exclusive(&mut self, path: usize) -> Result<Row, ReportError> {
        let mut parts = None;
        for part in &mut self.parts {
            if let Some(row) = part.exclusive(path)? {
                add(&mut parts, 1.0, &row);
            }
        }
        // Their sum at once: nothing is left of a metric that is no more than its parts.
        let mut row = self.whole.exclusive(path)?;
        if let Some(parts) = parts {
            add(&mut row, -1.0, &parts);
        }
        Ok(row)
    }
}
