//! The regions that were entered.

use std::collections::BTreeMap;

use ats_model::event::RegionRef;
use rustc_hash::FxHashMap;

/// The regions that were entered, numbered by first use.
#[derive(Default)]
pub(crate) struct Regions {
    pub(crate) names: Vec<&'static str>,
    by_name: BTreeMap<&'static str, RegionRef>,
    /// By where a name is and how long: comparing text at every call would cost more than the call.
    by_address: FxHashMap<(usize, usize), RegionRef>,
}

impl Regions {
    #[inline]
    pub(crate) fn get(&mut self, name: &'static str) -> RegionRef {
        let address = (name.as_ptr() as usize, name.len());
        match self.by_address.get(&address) {
            Some(&region) => region,
            None => self.find(name, address),
        }
    }

    /// The name of a region.
    pub(crate) fn name(&self, region: RegionRef) -> &'static str {
        self.names[region.0 as usize]
    }

    #[cold]
    fn find(&mut self, name: &'static str, address: (usize, usize)) -> RegionRef {
        let Regions { names, by_name, by_address } = self;
        let region = *by_name.entry(name).or_insert_with(|| {
            names.push(name);
            RegionRef(names.len() as u32 - 1)
        });
        by_address.insert(address, region);
        region
    }
}
