//! Changes as they apply to one trace.

use ats_model::Definitions;
use ats_model::definitions::{LocationDefinition, Region, RegionRole};
use ats_model::event::RegionRef;
use ats_model::openmp::Construct;
use ats_virtual::{Network, Processors};
use glob::Pattern;

use super::segment::{Between, calls};
use super::visits::Visits;
use super::{Changes, NetworkOfReplay, Selection};
use crate::error::WhatIfError;

/// A selection in one trace.
#[derive(Debug)]
pub(crate) struct Selected {
    /// By region, whether it is selected; `None` if any place is.
    regions: Option<Vec<bool>>,
    /// By region, whether what is selected is inside of it; `None` if it may be anywhere.
    within: Option<Vec<bool>>,
    segment: Option<Between>,
    /// Whether its regions are tasks: who executes a task is chance, and tasks can be cut.
    has_tasks: bool,
    selection: Selection,
}

impl Selected {
    fn new(selection: &Selection, definitions: &Definitions) -> Result<Self, WhatIfError> {
        let regions = |pattern: &Option<Pattern>| match pattern {
            None => Ok(None),
            Some(pattern) => {
                let matches = |name: &str| pattern.matches(name) || pattern.as_str() == name;
                let is_one = |region: &Region| matches(&region.name) || matches(&region.label());
                let regions: Vec<bool> = definitions.regions.iter().map(is_one).collect();
                if !regions.contains(&true) {
                    return Err(WhatIfError::unknown_region(pattern.as_str(), definitions));
                }
                Ok(Some(regions))
            }
        };
        let (regions, within) = (regions(&selection.regions)?, regions(&selection.within)?);
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
        let segment =
            selection.segment.as_ref().map(|segment| Between::new(segment, definitions)).transpose()?;
        let has_tasks = regions.as_ref().is_some_and(|regions: &Vec<bool>| {
            let selected = definitions.regions.iter().zip(regions).filter(|(_, is_selected)| **is_selected);
            let is_task =
                |name: &str| Construct::of_region(name).map(Construct::role) == Some(RegionRole::Task);
            selected.into_iter().all(|(region, _)| is_task(&region.name))
        });
        Ok(Selected { regions, within, segment, has_tasks, selection: selection.clone() })
    }

    /// Whether it concerns a location.
    pub(crate) fn has_location(&self, location: &LocationDefinition) -> bool {
        let Selection { ranks, threads, .. } = &self.selection;
        // Segments are outside of teams.
        (self.segment.is_none() || location.thread == 0)
            && ranks.as_ref().is_none_or(|ranks| ranks.contains(&location.rank))
            && threads.as_ref().is_none_or(|threads| threads.contains(&location.thread))
    }

    /// Whether it concerns all regions.
    pub(crate) fn has_all_regions(&self) -> bool {
        self.regions.is_none() && self.segment.is_none()
    }

    /// Whether a region is among those that it is limited to.
    pub(crate) fn is_limited_to(&self, region: RegionRef) -> bool {
        let within = self.within.as_ref();
        within.is_some_and(|within| within.get(region.0 as usize).copied().unwrap_or(false))
    }

    /// Whether it is limited to what is inside of regions.
    pub(crate) fn is_limited(&self) -> bool {
        self.within.is_some()
    }

    /// Whether it concerns nothing but tasks. All those that a thread executes in a team are one visit.
    pub(crate) fn has_tasks(&self) -> bool {
        self.has_tasks
    }

    /// The segment that it concerns, if it is one.
    pub(crate) fn segment(&self) -> Option<&Between> {
        self.segment.as_ref()
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

/// The changes of one trace.
#[derive(Debug)]
pub(crate) struct Plan {
    /// By region, whether it is one that segments lie between; `None` if no change concerns segments.
    pub(crate) calls: Option<Vec<bool>>,
    /// With the share of its time that selected work takes.
    pub(crate) speeds: Vec<(Selected, f64)>,
    pub(crate) removals: Vec<Selected>,
    pub(crate) balances: Vec<(Selected, Visits)>,
    pub(crate) overlaps: Vec<Selected>,
    pub(crate) reorders: Vec<Selected>,
    pub(crate) has_free_locks: bool,
    /// The model of the network; `None` if calls take what they took.
    pub(crate) network: Option<Network>,
    pub(crate) eager_limit: Option<usize>,
    pub(crate) processors: Option<Processors>,
}

impl Plan {
    /// The work that balances give to visits without any.
    pub(crate) fn unplaced(&self) -> u64 {
        self.balances.iter().map(|(_, visits)| visits.unplaced).fold(0, u64::saturating_add)
    }

    /// # Errors
    /// Something that is selected is not in the trace.
    pub(crate) fn new(changes: &Changes, definitions: &Definitions) -> Result<Self, WhatIfError> {
        let changed = changes.speeds.iter().map(|speed| &speed.selection).chain(&changes.balances);
        if let Some(twice) = changed.into_iter().find(|selection| changes.removals.contains(selection)) {
            return Err(WhatIfError::Contradiction { what: twice.to_string() });
        }
        let selected = |selection: &Selection| Selected::new(selection, definitions);
        let speeds = changes.speeds.iter().map(|speed| Ok((selected(&speed.selection)?, 1.0 / speed.factor)));
        let balances = changes.balances.iter().map(|selection| Ok((selected(selection)?, Visits::default())));
        let speeds: Vec<(Selected, f64)> = speeds.collect::<Result<_, WhatIfError>>()?;
        let removals: Vec<Selected> = changes.removals.iter().map(selected).collect::<Result<_, _>>()?;
        let balances: Vec<(Selected, Visits)> = balances.collect::<Result<_, WhatIfError>>()?;
        let of_receives = |selection: &Selection| match &selection.segment {
            Some(_) => Err(WhatIfError::NoReceives { what: selection.to_string() }),
            None => selected(selection),
        };
        let overlaps: Vec<Selected> = changes.overlaps.iter().map(of_receives).collect::<Result<_, _>>()?;
        let reorders: Vec<Selected> = changes.reorders.iter().map(of_receives).collect::<Result<_, _>>()?;
        let with_balances = removals.iter().chain(balances.iter().map(|(selected, _)| selected));
        let mut all = speeds.iter().map(|(selected, _)| selected).chain(with_balances);
        let has_segments = all.any(|selected| selected.segment.is_some());
        Ok(Plan {
            calls: has_segments.then(|| calls(definitions)),
            speeds,
            removals,
            balances,
            overlaps,
            reorders,
            has_free_locks: changes.has_free_locks,
            network: match changes.network {
                NetworkOfReplay::Recorded => None,
                NetworkOfReplay::Model(network) => Some(network),
            },
            eager_limit: changes.eager_limit,
            processors: changes.processors.clone(),
        })
    }
}
