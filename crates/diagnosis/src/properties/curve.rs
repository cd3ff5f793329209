//! Experiments that differ only in ranks and threads.

use std::collections::{BTreeMap, HashSet};

use ats_documents::experiment::Listed;

use crate::properties::loaded::Loaded;

/// Experiments that differ only in ranks and threads.
#[derive(Debug, Default)]
pub(crate) struct Curve {
    /// Their numbers.
    pub(crate) experiments: Vec<usize>,
    /// The places, among these, of the parallel ones by size, and of the sequential ones that they are compared with.
    pub(crate) parallels: Vec<(usize, Option<usize>)>,
}

impl Curve {
    /// The curves of experiments.
    pub(crate) fn all(listed: &[Listed]) -> Vec<Curve> {
        let mut curves: BTreeMap<String, Curve> = BTreeMap::new();
        for (number, one) in listed.iter().enumerate() {
            curves.entry(one.curve()).or_default().experiments.push(number);
        }
        curves.into_values().collect()
    }

    /// Takes only the experiments that have been read, and compares them.
    pub(crate) fn of_read(&mut self, listed: &[Listed], is_read: &[bool]) {
        let mut read = is_read.iter();
        self.experiments.retain(|_| read.next() == Some(&true));
        let run = |at: usize| &listed[self.experiments[at]].run;
        let (sequentials, mut parallels): (Vec<usize>, Vec<usize>) =
            (0..self.experiments.len()).partition(|&at| run(at).sequential);
        parallels.sort_by_key(|&at| (run(at).configuration(), run(at).repeat));
        let bases = sequentials.iter().map(|&at| run(at).configuration());
        let sequential =
            |at: usize| run(at).configuration().sequential(bases.clone()).map(|base| sequentials[base]);
        self.parallels = parallels.into_iter().map(|at| (at, sequential(at))).collect();
    }

    /// The regions of its parallel experiments, each once.
    pub(crate) fn regions<'a>(&self, loaded: &'a [Loaded], wanted: Option<&str>) -> Vec<&'a str> {
        let mut seen = HashSet::new();
        let all = self.parallels.iter().flat_map(|&(at, _)| loaded[at].regions());
        let wanted = all.filter(|region| wanted.is_none_or(|wanted| region.contains(wanted)));
        wanted.filter(|region| seen.insert(*region)).collect()
    }
}
