//! Numbers for call paths, the same on all locations, and columns for findings.

use ats_documents::{Causes, Finding, profile::ProcessingUnit};
use ats_model::{
    CallPathId, CallSite, CallTree, Definitions, WaitState,
    definitions::{LocationDefinition, Region},
    delay::{Delay, Extent},
};

use crate::{
    answer::findings::{Index, name, regions},
    clock::Clocks,
    scan::Scan,
    words::place::Place,
};

/// A region as call paths tell it: its name, and where it is called.
type Called<'a> = (&'a str, Option<&'a CallSite>);

/// Call paths by the names and call sites of their regions, and the columns of findings.
pub(super) struct Places<'a> {
    definitions: &'a Definitions,
    scans: &'a [Scan],
    tree: CallTree<Called<'a>>,
    index: Index<'a>,
    /// The column of each finding, if its causes are asked for.
    columns: Vec<Option<u16>>,
    /// The kind of each column, and its finding if it has one of its own.
    pub(super) of_columns: Vec<(Delay, Option<usize>)>,
    clocks: Option<&'a Clocks>,
    pub(super) extent: Extent,
}

impl<'a> Places<'a> {
    /// Numbers for a trace with these `findings`, which are sorted by falling size; `clocks` correct its times.
    pub(super) fn new(
        definitions: &'a Definitions,
        scans: &'a [Scan],
        findings: &[Finding],
        index: Index<'a>,
        extent: Extent,
        clocks: Option<&'a Clocks>,
    ) -> Self {
        let mut of_columns: Vec<(Delay, Option<usize>)> = Vec::new();
        let mut columns = Vec::with_capacity(findings.len());
        for (position, finding) in findings.iter().enumerate() {
            let delay =
                finding.property.and_then(Delay::from_wait_state).filter(|delay| delay.extent() <= extent);
            let column = delay.map(|delay| {
                // The smallest ones of a kind share one.
                let own = (of_columns.len() < Causes::LARGEST).then_some(position);
                let shared = of_columns.iter().position(|column| own.is_none() && *column == (delay, None));
                shared.unwrap_or_else(|| {
                    of_columns.push((delay, own));
                    of_columns.len() - 1
                }) as u16
            });
            columns.push(column);
        }
        let tree = CallTree::default();
        Places { definitions, scans, tree, index, columns, of_columns, clocks, extent }
    }

    /// The number of findings that share columns.
    pub(super) fn without_own(&self) -> u64 {
        let is_shared = |column: &u16| self.of_columns[usize::from(*column)].1.is_none();
        self.columns.iter().flatten().filter(|column| is_shared(column)).count() as u64
    }

    /// The column of each finding, if its causes are asked for.
    pub(super) fn columns(&self) -> &[Option<u16>] {
        &self.columns
    }

    /// The number of a place's call path.
    pub(super) fn number(&mut self, place: Place) -> u32 {
        let regions = regions(self.definitions, |location| &self.scans[location as usize].paths, place);
        let called = |region: Option<&'a Region>| (name(region), region.and_then(|of| of.call_site.as_ref()));
        regions.into_iter().map(called).fold(CallPathId::ROOT, |parent, key| self.tree.child(parent, key)).0
    }

    /// The number of call paths.
    pub(super) fn paths(&self) -> usize {
        self.tree.len()
    }

    /// The names on a call path, the outermost first, and its call site.
    pub(super) fn called(&self, number: u32) -> (Vec<String>, Option<CallSite>) {
        let path = self.tree.path(CallPathId(number));
        let site = path.iter().rev().find_map(|(_, site)| *site).cloned();
        (path.into_iter().map(|(name, _)| name.to_owned()).collect(), site)
    }

    /// The column of a wait; `None` if its causes are not asked for.
    pub(super) fn column(&mut self, state: WaitState, place: Place) -> Option<u16> {
        Delay::from_wait_state(state)?;
        self.columns[self.index.position(state, place)?]
    }

    /// Whether a location is the main thread of its process.
    pub(super) fn is_main(&self, location: usize) -> bool {
        self.definitions.locations[location].thread == 0
    }

    /// Whether a location is idle while its process's main thread has no team for it.
    pub(super) fn is_worker(&self, location: u32) -> bool {
        self.scans[location as usize].is_worker
    }

    /// A number of ticks in seconds.
    pub(super) fn seconds(&self, ticks: f64) -> f64 {
        ticks / self.definitions.clock.resolution.max(1) as f64
    }

    /// The time of the first event on the common clock.
    pub(super) fn first_time(&self) -> u64 {
        self.scans.iter().filter_map(|scan| Some(scan.time?.0)).min().unwrap_or(0)
    }

    /// The locations, in the order of the trace.
    pub(super) fn units(&self) -> Vec<ProcessingUnit> {
        let unit = |location: &LocationDefinition| ProcessingUnit {
            rank: location.rank,
            thread: location.thread,
            node: None,
        };
        self.definitions.locations.iter().map(unit).collect()
    }

    /// The time of the last event of a location on the common clock; 0 without events.
    pub(super) fn end(&self, location: usize) -> u64 {
        self.scans[location].time.map_or(0, |(_, last)| last)
    }

    /// The time on the common clock of a time that a location has recorded, as those of stops are. The times of
    /// [`Scan`] have been brought to that clock already.
    pub(super) fn time(&self, location: usize, time: u64) -> u64 {
        let rank = self.definitions.locations[location].rank;
        self.clocks.map_or(time, |clocks| clocks.apply(rank, time))
    }
}
