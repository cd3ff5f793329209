//! Counts of visits to MPI calls and OpenMP constructs, and the data that calls move.

use std::collections::BTreeMap;
use std::ops::AddAssign;

use ats_documents::Basis;
use ats_model::{Definitions, Traffic, event::RegionRef, instances, openmp::without_place};
use rayon::prelude::*;

use crate::{
    judge::ledger::Ledger,
    scan::{Scan, continued, is_outside},
    words::{
        place::Place,
        regions::{CallKind, Regions},
        sums::Sums,
    },
};

/// The number of visits to each call and construct in the basis, over all locations.
pub(crate) fn visits(
    definitions: &Definitions,
    regions: &Regions,
    scans: &[Scan],
    basis: &Basis,
) -> BTreeMap<String, u64> {
    by_name(definitions, regions, scans, basis, |scan| &scan.visits)
}

/// The data that each call moved in the basis, over all locations.
pub(crate) fn traffic(
    definitions: &Definitions,
    regions: &Regions,
    scans: &[Scan],
    basis: &Basis,
) -> BTreeMap<String, Traffic> {
    by_name(definitions, regions, scans, basis, |scan| &scan.traffic)
}

/// Gives the scans the numbers of their waits for messages.
pub(crate) fn add_instances(ledgers: &[Ledger], scans: &mut [Scan]) {
    let sums = ledgers.iter().flat_map(Ledger::sums);
    for (state, Place { location, path, base }, sum) in sums {
        for (is_empty, count) in [(false, sum.instances - sum.of_empty), (true, sum.of_empty)] {
            for metric in instances::metrics(state, is_empty).iter().filter(|_| count > 0) {
                let of_metric = scans[location as usize].instances.entry(metric).or_default();
                of_metric.add(base, path, count);
            }
        }
    }
}

/// The sums in the basis by the names of their regions.
pub(crate) fn by_name<T: Copy + Default + PartialEq + AddAssign + Send + Sync>(
    definitions: &Definitions,
    regions: &Regions,
    scans: &[Scan],
    basis: &Basis,
    sums: impl Fn(&Scan) -> &Sums<T> + Sync,
) -> BTreeMap<String, T> {
    let is_counted = |place: Place, region: RegionRef| match basis.region {
        Some(_) => is_in_basis(regions, scans, place),
        None => {
            !matches!(regions.traits(region).call, CallKind::Init | CallKind::Finalize)
                && !is_outside(scans, place)
        }
    };
    let of_location = |(location, scan): (usize, &Scan)| {
        let mut of_regions: BTreeMap<RegionRef, T> = BTreeMap::new();
        for (base, path, more) in sums(scan).iter() {
            let place = Place { location: location as u32, path, base };
            if let Some(region) = scan.paths.tree.key(path)
                && is_counted(place, region)
            {
                *of_regions.entry(region).or_default() += more;
            }
        }
        of_regions
    };
    let summed =
        scans.par_iter().enumerate().map(of_location).reduce(BTreeMap::new, |mut sum, of_regions| {
            of_regions.into_iter().for_each(|(region, more)| *sum.entry(region).or_default() += more);
            sum
        });
    let mut named: BTreeMap<String, T> = BTreeMap::new();
    for (region, more) in summed {
        if let Some(region) = definitions.regions.get(region.0 as usize) {
            *named.entry(without_place(&region.name).to_owned()).or_default() += more;
        }
    }
    named
}

/// Whether the region of the basis is on the path of a place, or on one that it continues.
fn is_in_basis(regions: &Regions, scans: &[Scan], place: Place) -> bool {
    let paths = |location: u32| &scans[location as usize].paths;
    continued(paths, place).any(|place| {
        let path = paths(place.location).tree.path(place.path);
        path.into_iter().any(|region| regions.traits(region).is_basis)
    })
}
