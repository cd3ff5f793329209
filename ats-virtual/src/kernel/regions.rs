//! The regions that were entered.

use std::collections::BTreeMap;

use ats_model::event::RegionRef;

/// The regions that were entered, numbered by first use.
pub(crate) struct Regions {
    pub(crate) names: Vec<&'static str>,
    by_name: BTreeMap<&'static str, RegionRef>,
    /// By address first: comparing text at every call would cost more than the call. Few names are in use at a time,
    /// so a small table that forgets does.
    recent: [Option<(&'static str, RegionRef)>; 64],
}

impl Regions {
    #[inline]
    pub(crate) fn get(&mut self, name: &'static str) -> RegionRef {
        let address = name.as_ptr() as usize;
        let slot = (address ^ address >> 6 ^ name.len()) % self.recent.len();
        match self.recent[slot] {
            Some((recent, region)) if std::ptr::eq(recent, name) => region,
            _ => self.find(name, slot),
        }
    }

    #[cold]
    fn find(&mut self, name: &'static str, slot: usize) -> RegionRef {
        let Regions { names, by_name, recent } = self;
        let region = *by_name.entry(name).or_insert_with(|| {
            names.push(name);
            RegionRef(names.len() as u32 - 1)
        });
        recent[slot] = Some((name, region));
        region
    }
}

impl Default for Regions {
    fn default() -> Self {
        Regions { names: Vec::new(), by_name: BTreeMap::new(), recent: [None; 64] }
    }
}
