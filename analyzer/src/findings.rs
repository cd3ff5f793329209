//! The sums of all processes, brought together by wait state and call path.

use std::collections::{BTreeMap, BTreeSet};

use ats_model::{
    Basis, CallPathId, CallTree, Definitions, Finding, Wait, WaitState,
    definitions::Members,
    event::{CommunicatorRef, RegionRef},
    finding::{CommunicatorInfo, LocationShare},
};

use rustc_hash::FxHashMap;

use crate::{
    ledger::{Ledger, Sum},
    place::Place,
    scan::{Paths, Scan, continued, is_outside},
};

/// What a finding is of.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
struct Key {
    state: WaitState,
    path: CallPathId,
    /// Whether it is what lies before `MPI_Init` or after `MPI_Finalize`, where these bound the basis.
    is_cut_off: bool,
}

/// What the id of a finding ends with if the basis has another one of the same state and path.
const OUTSIDE: &str = " (outside)";

/// Every finding, by falling waiting time; its single waits go to `observe`. Regions of one name are one region. Where
/// time `runs_backwards` on a location, no share is longer than the basis.
pub(crate) fn findings(
    definitions: &Definitions,
    scans: &[Scan],
    ledgers: &[Ledger],
    basis: &Basis,
    runs_backwards: bool,
    observe: Option<&mut dyn FnMut(Wait)>,
) -> Vec<Finding> {
    let mut tree = CallTree::default();
    let mut found: BTreeMap<Key, Found> = BTreeMap::new();
    let mut keys: FxHashMap<(WaitState, Place), Key> = FxHashMap::default();
    for (state, place, sum) in ledgers.iter().flat_map(Ledger::sums) {
        let of_location = |location: u32| &scans[location as usize].paths;
        let path = named_path(definitions, of_location, place, &mut tree, CallPathId::ROOT);
        let is_cut_off = basis.region.is_none() && is_outside(scans, place);
        let key = Key { state, path, is_cut_off };
        if observe.is_some() {
            keys.insert((state, place), key);
        }
        found.entry(key).or_default().add(place.location, sum);
    }
    let is_cut = |key: &Key| found.contains_key(&Key { is_cut_off: false, ..*key });
    let cut_off: BTreeSet<Key> = found.keys().filter(|key| key.is_cut_off && is_cut(key)).copied().collect();
    let finding = |(key, found): (Key, Found)| {
        let name: Vec<String> = tree.path(key.path).into_iter().map(str::to_owned).collect();
        let in_basis = !key.is_cut_off && basis.includes(Some(key.state), &name);
        let mut finding = found.finding(definitions, key.state, name, (basis, in_basis), runs_backwards);
        if cut_off.contains(&key) {
            finding.id += OUTSIDE;
        }
        (finding, key)
    };
    let mut findings: Vec<(Finding, Key)> = found.into_iter().map(finding).collect();
    findings
        .sort_by(|(a, _), (b, _)| b.waiting_time.total_cmp(&a.waiting_time).then_with(|| a.id.cmp(&b.id)));
    let (findings, order): (Vec<Finding>, Vec<Key>) = findings.into_iter().unzip();
    if let Some(observe) = observe {
        let positions: FxHashMap<Key, usize> = order.into_iter().zip(0..).collect();
        let position = |state, place| positions.get(keys.get(&(state, place))?).copied();
        ledgers.iter().flat_map(|ledger| ledger.waits.waits(position)).for_each(observe);
    }
    findings
}

/// The path of a place, and of those that it continues, below `root` in the tree of all locations.
pub(crate) fn named_path<'a, 'p>(
    definitions: &'a Definitions,
    paths: impl Fn(u32) -> &'p Paths,
    place: Place,
    tree: &mut CallTree<&'a str>,
    root: CallPathId,
) -> CallPathId {
    let name = |region: RegionRef| {
        definitions.regions.get(region.0 as usize).map_or("(undefined region)", |region| region.name.as_str())
    };
    let places: Vec<Place> = continued(&paths, place).collect();
    let path = |place: &Place| paths(place.location).tree.path(place.path);
    let path = places.iter().rev().flat_map(path);
    path.fold(root, |parent, region| tree.child(parent, name(region)))
}

/// What was found of one wait state at one call path.
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
