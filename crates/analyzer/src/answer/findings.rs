//! The sums of all processes, brought together by wait state and call path.

use std::collections::{BTreeMap, BTreeSet};

use ats_documents::{
    Basis, Finding,
    finding::{CommunicatorInfo, LocationShare},
};
use ats_model::{
    CallPathId, CallSite, CallTree, Definitions, WaitState,
    definitions::{Members, Region},
    event::{CommunicatorRef, RegionRef},
};

use rustc_hash::FxHashMap;

use crate::{
    judge::ledger::{Ledger, Sum},
    scan::{Paths, Scan, continued, is_outside},
    words::place::Place,
};

/// The identity of a finding.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
struct Key<'a> {
    state: WaitState,
    path: CallPathId,
    call_site: Option<&'a CallSite>,
    /// Whether it lies before `MPI_Init` or after `MPI_Finalize`, if these bound the basis.
    is_cut_off: bool,
}

/// The end of a finding's id if the basis has another one of the same state, path and call site.
const OUTSIDE: &str = " (outside)";

/// Every finding, by falling waiting time; its single waits go to `observe`. Regions of one name are one region, except
/// calls from different places; also returns how to find them. If time `runs_backwards` on a location, no share is longer than the basis.
pub(crate) fn findings<'a>(
    definitions: &'a Definitions,
    scans: &'a [Scan],
    ledgers: &[Ledger],
    basis: &Basis,
    runs_backwards: bool,
) -> (Vec<Finding>, Index<'a>) {
    let mut index = Index {
        definitions,
        scans,
        is_cut: basis.region.is_none(),
        tree: CallTree::default(),
        positions: FxHashMap::default(),
        known: FxHashMap::default(),
    };
    let mut found: BTreeMap<Key<'_>, Found> = BTreeMap::new();
    for (state, place, sum) in ledgers.iter().flat_map(Ledger::sums) {
        found.entry(index.key(state, place)).or_default().add(place.location, sum);
    }
    let is_cut = |key: &Key<'_>| found.contains_key(&Key { is_cut_off: false, ..*key });
    let cut_off: BTreeSet<Key<'_>> =
        found.keys().filter(|key| key.is_cut_off && is_cut(key)).copied().collect();
    let mut findings: Vec<(Finding, Key<'_>)> = Vec::with_capacity(found.len());
    for (key, found) in found {
        let names: Vec<String> = index.tree.path(key.path).into_iter().map(str::to_owned).collect();
        let in_basis = !key.is_cut_off && basis.includes(Some(key.state), &names);
        let finding = found.finding(definitions, key.state, names, (basis, in_basis), runs_backwards);
        let mut finding = finding.called_at(key.call_site.cloned());
        if cut_off.contains(&key) {
            finding.id += OUTSIDE;
        }
        findings.push((finding, key));
    }
    findings
        .sort_by(|(a, _), (b, _)| b.waiting_time.total_cmp(&a.waiting_time).then_with(|| a.id.cmp(&b.id)));
    let (findings, order): (Vec<Finding>, Vec<Key<'_>>) = findings.into_iter().unzip();
    index.positions = order.into_iter().zip(0..).collect();
    (findings, index)
}

/// The positions of findings.
pub(crate) struct Index<'a> {
    definitions: &'a Definitions,
    scans: &'a [Scan],
    /// Whether findings before `MPI_Init` and after `MPI_Finalize` are findings of their own.
    is_cut: bool,
    tree: CallTree<&'a str>,
    positions: FxHashMap<Key<'a>, usize>,
    known: FxHashMap<(WaitState, Place), Option<usize>>,
}

impl<'a> Index<'a> {
    /// The position of the finding that has a wait state at a place.
    pub(crate) fn position(&mut self, state: WaitState, place: Place) -> Option<usize> {
        if let Some(&known) = self.known.get(&(state, place)) {
            return known;
        }
        let key = self.key(state, place);
        let position = self.positions.get(&key).copied();
        self.known.insert((state, place), position);
        position
    }

    fn key(&mut self, state: WaitState, place: Place) -> Key<'a> {
        let Index { definitions, scans, tree, .. } = self;
        let regions = regions(definitions, |location| &scans[location as usize].paths, place);
        let path = regions.iter().fold(CallPathId::ROOT, |parent, region| tree.child(parent, name(*region)));
        let call_site = regions.iter().rev().flatten().find_map(|region| region.call_site.as_ref());
        Key { state, path, call_site, is_cut_off: self.is_cut && is_outside(scans, place) }
    }
}

/// The regions that a place and those that it continues lie in, the outermost first; `None` stands for a region that is
/// not defined.
pub(crate) fn regions<'a, 'p>(
    definitions: &'a Definitions,
    paths: impl Fn(u32) -> &'p Paths,
    place: Place,
) -> Vec<Option<&'a Region>> {
    let places: Vec<Place> = continued(&paths, place).collect();
    let path = |place: &Place| paths(place.location).tree.path(place.path);
    let region = |region: RegionRef| definitions.regions.get(region.0 as usize);
    places.iter().rev().flat_map(path).map(region).collect()
}

/// The name of a region, or a substitute.
pub(crate) fn name(region: Option<&Region>) -> &str {
    region.map_or("(undefined region)", |region| &region.name)
}

/// The sums of one wait state at one call path.
#[derive(Default)]
struct Found {
    total: Option<Sum>,
    /// Ticks by location.
    shares: BTreeMap<u32, u64>,
}

impl Found {
    fn add(&mut self, location: u32, sum: Sum) {
        match &mut self.total {
            Some(total) => total.absorb(sum),
            None => self.total = Some(sum),
        }
        let share = self.shares.entry(location).or_default();
        *share = share.saturating_add(sum.ticks);
    }

    fn finding(
        self,
        definitions: &Definitions,
        state: WaitState,
        path: Vec<String>,
        (basis, in_basis): (&Basis, bool),
        runs_backwards: bool,
    ) -> Finding {
        let longest =
            if in_basis && runs_backwards && basis.wall_time > 0.0 { basis.wall_time } else { f64::INFINITY };
        let share = |(location, ticks): (u32, u64)| {
            let location = &definitions.locations[location as usize];
            let waiting_time = definitions.clock.seconds(ticks).min(longest);
            LocationShare { rank: location.rank, thread: location.thread, waiting_time }
        };
        let shares = self.shares.into_iter().map(share).collect();
        let instances = self.total.map_or(0, |total| total.instances);
        let communicator = self.total.and_then(|total| total.communicator);
        let mut finding = Finding::wait(Some(state), path, shares, instances, basis, in_basis);
        finding.communicator = communicator.and_then(|reference| info(definitions, reference));
        finding
    }
}

fn info(definitions: &Definitions, reference: CommunicatorRef) -> Option<CommunicatorInfo> {
    let communicator = definitions.communicator(reference)?;
    let size = match &communicator.members {
        Members::Ranks(ranks) => ranks.len() as u32,
        Members::SelfOnly => 1,
    };
    Some(CommunicatorInfo { name: communicator.name.clone(), size })
}
