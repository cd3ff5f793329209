//! Changes as they apply to one trace.

use ats_model::Definitions;
use ats_model::definitions::LocationDefinition;
use ats_model::event::RegionRef;
use ats_virtual::{Network, Processors};
use rustc_hash::FxHashMap;

use super::{Changes, NetworkOfReplay, Selection};
use crate::error::WhatIfError;

/// A selection in one trace.
#[derive(Debug)]
pub(crate) struct Selected {
    /// By region, whether it is selected; `None` if any place is.
    regions: Option<Vec<bool>>,
    selection: Selection,
}

impl Selected {
    fn new(selection: &Selection, definitions: &Definitions) -> Result<Self, WhatIfError> {
        let regions = match &selection.regions {
            None => None,
            Some(pattern) => {
                let matches = |name: &str| pattern.matches(name) || pattern.as_str() == name;
                let regions: Vec<bool> =
                    definitions.regions.iter().map(|region| matches(&region.name)).collect();
                if !regions.contains(&true) {
                    return Err(WhatIfError::unknown_region(pattern.as_str(), definitions));
                }
                Some(regions)
            }
        };
        let has = |select: &dyn Fn(&LocationDefinition) -> bool| definitions.locations.iter().any(select);
        if let Some(ranks) = &selection.ranks
            && !has(&|location| ranks.contains(&location.rank))
        {
            return Err(WhatIfError::NoLocation { what: selection.to_string() });
        }
        if let Some(threads) = &selection.threads
            && !has(&|location| threads.contains(&location.thread))
        {
            return Err(WhatIfError::NoLocation { what: selection.to_string() });
        }
        Ok(Selected { regions, selection: selection.clone() })
    }

    /// Whether it concerns a location.
    pub(crate) fn has_location(&self, location: &LocationDefinition) -> bool {
        let Selection { ranks, threads, .. } = &self.selection;
        ranks.as_ref().is_none_or(|ranks| ranks.contains(&location.rank))
            && threads.as_ref().is_none_or(|threads| threads.contains(&location.thread))
    }

    /// Whether it concerns all regions.
    pub(crate) fn has_all_regions(&self) -> bool {
        self.regions.is_none()
    }

    /// Whether a region is among those that it names.
    pub(crate) fn has_region(&self, region: RegionRef) -> bool {
        let regions = self.regions.as_ref();
        regions.is_some_and(|regions| regions.get(region.0 as usize).copied().unwrap_or(false))
    }

    /// The share of the picoseconds from `begin` to `end` that it concerns.
    pub(crate) fn share(&self, begin: u64, end: u64) -> f64 {
        let Some((from, to)) = self.selection.seconds else { return 1.0 };
        let (from, to) = ((from * 1e12) as u64, (to * 1e12) as u64);
        let inside = end.min(to).saturating_sub(begin.max(from));
        inside as f64 / end.saturating_sub(begin).max(1) as f64
    }
}

/// Locations that share work evenly.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Group {
    /// The masters of all processes, outside of teams.
    Processes,
    /// The threads of a process in its teams.
    Threads(u32),
}

impl Group {
    /// The group of a location of a process.
    pub(crate) fn new(rank: u32, in_team: bool) -> Self {
        if in_team { Group::Threads(rank) } else { Group::Processes }
    }
}

/// The work of the visits to balanced regions.
#[derive(Debug, Default)]
pub(crate) struct Visits {
    /// By location, group and number of the visit: its own work in picoseconds.
    own: FxHashMap<(usize, Group, u32), u64>,
    /// By group and number of the visit: all work, and the number of locations that share it.
    all: FxHashMap<(Group, u32), (u64, u32)>,
}

impl Visits {
    /// A visit of a location took so much work.
    pub(crate) fn add(&mut self, location: usize, group: Group, visit: u32, work: u64) {
        self.own.insert((location, group, visit), work);
        let (all, members) = self.all.entry((group, visit)).or_default();
        *all = all.saturating_add(work);
        *members += 1;
    }

    /// The even part of a visit's work: the share of the location's own work that it takes, or, if that has none, the
    /// work in its place.
    pub(crate) fn share(&self, location: usize, group: Group, visit: u32) -> (f64, u64) {
        let own = self.own.get(&(location, group, visit)).copied().unwrap_or(0);
        let Some(&(work, members)) = self.all.get(&(group, visit)) else { return (1.0, 0) };
        let even = work as f64 / f64::from(members.max(1));
        if own > 0 { (even / own as f64, 0) } else { (1.0, even.round() as u64) }
    }
}

/// The changes of one trace.
#[derive(Debug)]
pub(crate) struct Plan {
    /// With the share of its time that selected work takes.
    pub(crate) speeds: Vec<(Selected, f64)>,
    pub(crate) removals: Vec<Selected>,
    pub(crate) balances: Vec<(Selected, Visits)>,
    /// The model of the network; `None` if calls take what they took.
    pub(crate) network: Option<Network>,
    pub(crate) eager_limit: Option<usize>,
    pub(crate) processors: Option<Processors>,
}

impl Plan {
    /// # Errors
    /// Something that is selected is not in the trace.
    pub(crate) fn new(changes: &Changes, definitions: &Definitions) -> Result<Self, WhatIfError> {
        let selected = |selection: &Selection| Selected::new(selection, definitions);
        let speeds = changes.speeds.iter().map(|speed| Ok((selected(&speed.selection)?, 1.0 / speed.factor)));
        let balances = changes.balances.iter().map(|selection| Ok((selected(selection)?, Visits::default())));
        Ok(Plan {
            speeds: speeds.collect::<Result<_, WhatIfError>>()?,
            removals: changes.removals.iter().map(selected).collect::<Result<_, _>>()?,
            balances: balances.collect::<Result<_, WhatIfError>>()?,
            network: match changes.network {
                NetworkOfReplay::Recorded => None,
                NetworkOfReplay::Model(network) => Some(network),
            },
            eager_limit: changes.eager_limit,
            processors: changes.processors.clone(),
        })
    }
}
