//! Numbers of a run by call path, of tools that measure no time.

use std::collections::{BTreeMap, HashMap};

use ats_documents::profile::{Combine, Metric, Origin, ProcessingUnit, ProfiledRegion, Value};
use ats_documents::{Profile, Report};
use ats_model::call_path::{CallPathId, CallTree};
use ats_model::definitions::Region;
use ats_model::regions;

use crate::ReportError;
use crate::draft::Draft;

/// The unit of a number of something.
pub(crate) const NUMBER: &str = "occ";

/// The numbers of one thread of a run, by call path.
pub(crate) struct Counted<'a> {
    draft: Draft<'a>,
    thread: u32,
    metrics: Vec<Metric>,
    /// The names of frames, which the tree has by their numbers.
    names: Vec<String>,
    numbers: HashMap<String, u32>,
    tree: CallTree<u32>,
    values: BTreeMap<(CallPathId, usize), f64>,
}

impl<'a> Counted<'a> {
    pub(crate) fn new(draft: Draft<'a>) -> Self {
        Counted {
            draft,
            thread: 0,
            metrics: Vec::new(),
            names: Vec::new(),
            numbers: HashMap::new(),
            tree: CallTree::default(),
            values: BTreeMap::new(),
        }
    }

    pub(crate) fn thread(&mut self, thread: u32) {
        self.thread = thread;
    }

    pub(crate) fn version(&mut self, version: Option<String>) {
        self.draft.version(version);
    }

    pub(crate) fn warn(&mut self, warning: String) {
        self.draft.warn(warning);
    }

    /// The number of a metric, which is there from now on.
    pub(crate) fn metric(&mut self, name: &str, unit: &str) -> usize {
        self.metrics.iter().position(|metric| metric.name == name).unwrap_or_else(|| {
            self.metrics.push(Metric::new(name, unit, Origin::Imported, Combine::Sum));
            self.metrics.len() - 1
        })
    }

    /// The rule that the values of a metric were made by.
    pub(crate) fn rule(&mut self, metric: usize, rule: String) {
        self.metrics[metric].rule = Some(rule);
    }

    /// A call path one level below another.
    pub(crate) fn child(&mut self, parent: CallPathId, name: &str) -> Result<CallPathId, ReportError> {
        let next = self.names.len() as u32;
        let number = match self.numbers.get(name) {
            Some(&number) => number,
            None => {
                self.draft.take(2 * (name.len() + size_of::<String>()))?;
                self.names.push(name.to_owned());
                self.numbers.insert(name.to_owned(), next);
                next
            }
        };
        let paths = self.tree.len();
        let path = self.tree.child(parent, number);
        if self.tree.len() > paths {
            self.draft.take(size_of::<(CallPathId, u32)>())?;
        }
        Ok(path)
    }

    /// Adds to what a call path has alone.
    pub(crate) fn add(&mut self, path: CallPathId, metric: usize, value: f64) -> Result<(), ReportError> {
        if value == 0.0 {
            return Ok(());
        }
        if !self.values.contains_key(&(path, metric)) {
            self.draft.take(size_of::<((CallPathId, usize), f64)>())?;
        }
        *self.values.entry((path, metric)).or_default() += value;
        Ok(())
    }

    /// The report: the counts at each of these call paths, which have those of the frames below them that are not among
    /// them.
    pub(crate) fn report(mut self, places: &[CallPathId]) -> Result<Report, ReportError> {
        let mut sums: BTreeMap<(CallPathId, usize), f64> = BTreeMap::new();
        for (&(path, metric), value) in &self.values {
            let mut above = std::iter::successors(Some(path), |&path| {
                (path != CallPathId::ROOT).then(|| self.tree.parent(path))
            });
            let place = above.find(|path| places.binary_search(path).is_ok());
            let is_entry = self.metrics[metric].name == Profile::VISITS;
            let place = place.filter(|&place| place == path || !is_entry);
            if let Some(place) = place.filter(|_| self.metrics[metric].unit == NUMBER) {
                *sums.entry((place, metric)).or_default() += value;
            }
        }
        for ((path, metric), number) in sums {
            let frames = self.tree.path(path);
            let path = self.draft.path(frames.iter().map(|&frame| self.names[frame as usize].as_str()))?;
            self.draft.number(path, &self.metrics[metric].name, number as u64)?;
        }
        Ok(self.draft.finish())
    }

    /// The profile, with every call path and metric.
    pub(crate) fn profile(mut self) -> Profile {
        let report = self.draft.finish();
        let mut profile = Profile::new(&report.source);
        profile.warnings = report.warnings;
        profile.units = vec![ProcessingUnit { rank: 0, thread: self.thread, node: None }];
        let names = &self.names;
        profile.take_paths(&self.tree, |name| {
            let name = &names[name as usize];
            let Region { role, paradigm, .. } = regions::definition(name, regions::paradigm(name));
            ProfiledRegion { name: name.clone(), role, paradigm, ..ProfiledRegion::default() }
        });
        let mut values: Vec<Vec<Value>> = vec![Vec::new(); self.metrics.len()];
        for ((path, metric), value) in self.values {
            values[metric].push((path.0 - 1, 0, value));
        }
        for (metric, values) in self.metrics.iter().zip(values) {
            profile.values.insert(metric.name.clone(), values.into());
        }
        profile.metrics = std::mem::take(&mut self.metrics);
        profile
    }
}
