//! Experiments that differ only in ranks and threads.

use std::collections::{BTreeMap, HashSet};

use ats_documents::experiment::Listed;

use crate::properties::loaded::Loaded;

/// Experiments that differ only in ranks and threads.
#[derive(Debug, Default)]
pub(crate) struct Curve {
    /// Their numbers.
    pub(crate) experiments: Vec<usize>,
    /// The places, among these, of the parallel ones by size, and of those that they are compared with.
    pub(crate) parallels: Vec<(usize, Option<usize>)>,
}

impl Curve {
    /// The curves of experiments.
    pub(crate) fn divide(listed: &[Listed]) -> Vec<Curve> {
        let mut curves: BTreeMap<String, Curve> = BTreeMap::new();
        for (number, one) in listed.iter().enumerate() {
            curves.entry(one.curve()).or_default().experiments.push(number);
        }
        curves.into_values().collect()
    }

    /// Takes only the experiments that have been read, and compares them; those that are there as references alone with none.
    pub(crate) fn of_read(&mut self, listed: &[Listed], is_read: &[bool], references: &[String]) {
        let mut read = is_read.iter();
        self.experiments.retain(|_| read.next() == Some(&true));
        let one = |at: usize| &listed[self.experiments[at]];
        let is_meant = |at: &usize| !one(*at).run.sequential && !references.contains(&one(*at).id);
        let mut parallels: Vec<usize> = (0..self.experiments.len()).filter(is_meant).collect();
        parallels.sort_by_key(|&at| (one(at).run.configuration(), one(at).run.repeat));
        let of = (0..self.experiments.len()).map(|at| one(at).run.configuration());
        let base = |at: usize| one(at).run.configuration().base(of.clone());
        self.parallels = parallels.into_iter().map(|at| (at, base(at))).collect();
    }

    /// The regions of its parallel experiments, each once.
    pub(crate) fn regions<'a>(&self, loaded: &'a [Loaded], wanted: Option<&str>) -> Vec<&'a str> {
        let mut seen = HashSet::new();
        let all = self.parallels.iter().flat_map(|&(at, _)| loaded[at].regions());
        let wanted = all.filter(|region| wanted.is_none_or(|wanted| region.contains(wanted)));
        wanted.filter(|region| seen.insert(*region)).collect()
    }
}
