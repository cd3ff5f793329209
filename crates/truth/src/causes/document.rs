//! The causes as a document, in seconds and under Scalasca's names.

use std::collections::BTreeMap;

use ats_documents::causes::{Causes as Document, CriticalPath, Stretch};
use ats_documents::profile::ProcessingUnit;
use ats_model::delay::{CRITICAL_PATH, Term};
use ats_model::{CallPathId, CallSite, Definitions};

use super::{Causes, Cell};

impl Causes {
    /// The document of the causes in a trace with these definitions. It has no causes of single findings.
    pub fn document(&self, definitions: &Definitions) -> Document {
        let seconds = |ticks: f64| ticks * (definitions.clock.seconds(1_000_000_000) / 1e9);
        let mut metrics: BTreeMap<String, Vec<(u32, u32, f64)>> = BTreeMap::new();
        let mut numbers: BTreeMap<CallPathId, u32> = BTreeMap::new();
        let mut call_paths: Vec<Vec<String>> = Vec::new();
        let mut call_sites: BTreeMap<u32, CallSite> = BTreeMap::new();
        self.each(|metric, (location, path), ticks| {
            let number = *numbers.entry(path).or_insert_with(|| {
                let (names, site) = self.call_path(path);
                let number = call_paths.len() as u32;
                call_paths.push(names.into_iter().map(str::to_owned).collect());
                call_sites.extend(site.map(|site| (number, site.clone())));
                number
            });
            metrics.entry(metric.to_owned()).or_default().push((number, location as u32, seconds(ticks)));
        });
        metrics.values_mut().for_each(|rows| rows.sort_by_key(|&(path, unit, _)| (path, unit)));
        let units = definitions.locations.iter();
        let units =
            units.map(|location| ProcessingUnit { rank: location.rank, thread: location.thread, node: None });
        Document {
            extent: self.extent,
            units: units.collect(),
            call_paths,
            call_sites,
            metrics,
            findings: Vec::new(),
            omitted: 0,
            critical_path: self.path_document(seconds),
        }
    }

    /// Calls `take` with every value above 0: metric, cell and ticks.
    fn each(&self, mut take: impl FnMut(&'static str, Cell, f64)) {
        let mut take = |metric: Option<&'static str>, cell: Cell, ticks: f64| {
            metric.filter(|_| ticks > 0.0).into_iter().for_each(|metric| take(metric, cell, ticks));
        };
        for (&(kind, cell), &ticks) in &self.short_term {
            take(Some(kind.metric(Term::Short)), cell, ticks);
        }
        for (&(kind, cell), &ticks) in &self.long_term {
            take(Some(kind.metric(Term::Long)), cell, ticks);
        }
        for (&(kind, cell), &ticks) in &self.indirect {
            take(kind.indirect_waits(), cell, ticks);
        }
        for (&(kind, cell), &ticks) in &self.propagating_by_messages {
            take(kind.propagating_waits(), cell, ticks);
        }
        for (&cell, &ticks) in &self.critical_path.profile {
            take(Some(CRITICAL_PATH), cell, ticks as f64);
        }
    }

    fn path_document(&self, seconds: impl Fn(f64) -> f64) -> CriticalPath {
        let since_begin = |time: u64| seconds(time.saturating_sub(self.begin) as f64);
        let mut stretches: Vec<Stretch> = Vec::new();
        for stretch in &self.critical_path.stretches {
            let (unit, end) = (stretch.location as u32, since_begin(stretch.end));
            match stretches.last_mut() {
                Some(last) if last.unit == unit => last.end = end,
                _ => stretches.push(Stretch { unit, begin: since_begin(stretch.begin), end }),
            }
        }
        let omitted = stretches.len().saturating_sub(CriticalPath::LONGEST);
        let length = |stretch: &Stretch| stretch.end - stretch.begin;
        stretches.sort_by(|one, other| length(other).total_cmp(&length(one)));
        stretches.truncate(CriticalPath::LONGEST);
        stretches.sort_by(|one, other| one.begin.total_cmp(&other.begin));
        let ticks = self.critical_path.profile.values().sum::<u64>();
        CriticalPath { seconds: seconds(ticks as f64), stretches, omitted: omitted as u64 }
    }
}
