//! Properties of processes: facts that OTF2 has no definitions of.

use std::collections::BTreeMap;

use ats_model::affinity::Affinity;
use ats_model::definitions::{COUNTED_SHARE, LOST_SAMPLES, LocationDefinition, left_out};
use ats_model::event::{CommunicatorRef, RegionRef};
use ats_model::neighbors::Neighbors;
use ats_model::openmp;
use rustc_hash::FxHashMap;

use super::budget::Budget;
use super::cursor::Fault;
use super::definitions::GlobalDefinitions;

/// The properties of processes that are known.
#[derive(Default)]
pub(super) struct Properties {
    pub(super) neighbors: BTreeMap<(u32, CommunicatorRef), Neighbors>,
    pub(super) openmp_ended: BTreeMap<u32, u64>,
    pub(super) lost_samples: BTreeMap<u32, u64>,
    pub(super) counted_permille: BTreeMap<u32, u32>,
    pub(super) left_out: BTreeMap<(u32, RegionRef), u64>,
    pub(super) affinities: BTreeMap<u32, Affinity>,
}

impl Properties {
    /// The properties of processes. Those that are not in their notation, or are of nothing that is defined, are others.
    pub(super) fn new(
        raw: &GlobalDefinitions<'_>,
        locations: &[(LocationDefinition, u32)],
        communicator_ids: &[u32],
        region_ids: &[u32],
        budget: &mut Budget,
    ) -> Result<Self, Fault> {
        let ranks: FxHashMap<u32, u32> =
            locations.iter().map(|(location, group)| (*group, location.rank)).collect();
        let communicators: FxHashMap<u32, u32> = communicator_ids.iter().copied().zip(0..).collect();
        let regions: FxHashMap<u32, u32> = region_ids.iter().copied().zip(0..).collect();
        let mut all = Properties::default();
        for property in &raw.location_group_properties {
            let Some(&rank) = ranks.get(&property.group) else { continue };
            let name = budget.text(raw, property.name)?;
            if name == openmp::ENDED {
                let ended = budget.text(raw, property.value)?.parse();
                all.openmp_ended.extend(ended.ok().map(|ended| (rank, ended)));
            }
            if name == LOST_SAMPLES {
                let lost = budget.text(raw, property.value)?.parse();
                all.lost_samples.extend(lost.ok().map(|lost| (rank, lost)));
            }
            if name == COUNTED_SHARE {
                let counted = budget.text(raw, property.value)?.parse();
                all.counted_permille.extend(counted.ok().map(|counted| (rank, counted)));
            }
            if let Some(region) = left_out::region(&name).and_then(|id| regions.get(&id)) {
                let calls = budget.text(raw, property.value)?.parse();
                all.left_out.extend(calls.ok().map(|calls| ((rank, RegionRef(*region)), calls)));
            }
            if name == Affinity::PROPERTY {
                let text = budget.text(raw, property.value)?;
                // A set takes more memory than its text.
                budget.spend(16 * text.len())?;
                all.affinities.extend(text.parse().ok().map(|affinity| (rank, affinity)));
            }
            let Some(communicator) = Neighbors::communicator(&name).and_then(|id| communicators.get(&id))
            else {
                continue;
            };
            // A list takes more memory than its text.
            let text = budget.text(raw, property.value)?;
            budget.spend(2 * text.len())?;
            if let Ok(neighbors) = text.parse() {
                all.neighbors.insert((rank, CommunicatorRef(*communicator)), neighbors);
            }
        }
        Ok(all)
    }
}
