//! How often MPI calls and OpenMP constructs are entered.

use std::collections::BTreeMap;

use ats_model::{Basis, Definitions, event::RegionRef, openmp::without_place};
use rayon::prelude::*;

use crate::{
    calls::{CallKind, Regions},
    place::Place,
    scan::Scan,
};

/// How often each call and construct was entered in the basis, over all locations.
pub(crate) fn counts(
    definitions: &Definitions,
    regions: &Regions,
    scans: &[Scan],
    basis: &Basis,
) -> BTreeMap<String, u64> {
    let is_counted = |place: Place, region: RegionRef| match basis.region {
        Some(_) => is_in_basis(regions, scans, place),
        None => !matches!(regions.traits(region).call, CallKind::Init | CallKind::Finalize),
    };
    let of_location = |(location, scan): (usize, &Scan)| {
        let mut counts: BTreeMap<RegionRef, u64> = BTreeMap::new();
        for (base, path, count) in scan.visits.all() {
            let place = Place { location: location as u32, path, base };
            if let Some(region) = scan.tree.key(path)
                && is_counted(place, region)
            {
                *counts.entry(region).or_default() += count;
            }
        }
        counts
    };
    let summed = scans.par_iter().enumerate().map(of_location).reduce(BTreeMap::new, |mut sum, counts| {
        counts.into_iter().for_each(|(region, count)| *sum.entry(region).or_default() += count);
        sum
    });
    let mut named: BTreeMap<String, u64> = BTreeMap::new();
    for (region, count) in summed {
        if let Some(region) = definitions.regions.get(region.0 as usize) {
            *named.entry(without_place(&region.name).to_owned()).or_default() += count;
        }
    }
    named
}

/// Whether the region of the basis is on the path of a place, or on one that it continues.
fn is_in_basis(regions: &Regions, scans: &[Scan], mut place: Place) -> bool {
    loop {
        let scan = &scans[place.location as usize];
        if scan.tree.path(place.path).into_iter().any(|region| regions.traits(region).is_basis) {
            return true;
        }
        match place.base.place() {
            Some(base) => place = scan.bases[base],
            None => return false,
        }
    }
}
