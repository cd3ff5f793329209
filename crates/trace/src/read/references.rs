//! From the archive's sparse ids to dense references.

use rustc_hash::FxHashMap;

/// Ids that a location uses of its own, and the archive's ids for them; others are the archive's already.
#[derive(Debug, PartialEq)]
pub(super) enum IdMap {
    /// Id *i* is `.0[i]` of the archive.
    Dense(Vec<u32>),
    /// Pairs of own id and the archive's.
    Sparse(Vec<(u32, u32)>),
}

/// The meaning of an id.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Reference {
    /// An index into the definitions.
    To(u32),
    /// Something that is defined but has no place in the model, such as an inter-communicator.
    Inexpressible,
    /// Not defined.
    Undefined,
}

const UNDEFINED: u32 = u32::MAX;
const INEXPRESSIBLE: u32 = u32::MAX - 1;

/// The number of ids that are copied for a location with ids of its own; there may be as many locations as teams.
const COPIED: usize = 4096;

/// The references of ids. Small ids are looked up by index, others by hash, and ids not found there in the table that
/// this one is derived from.
#[derive(Debug, Default)]
pub(super) struct IdTable<'a> {
    small: Vec<u32>,
    large: FxHashMap<u32, u32>,
    base: Option<&'a IdTable<'a>>,
}

impl<'a> IdTable<'a> {
    /// Id `ids[i]` refers to `i`; of two with one id the later counts. Others of `inexpressible` are known and nothing more.
    pub(super) fn new(ids: &[u32], inexpressible: &[u32]) -> Self {
        let mut table = IdTable::default();
        table.small.resize(4 * (ids.len() + inexpressible.len()) + 64, UNDEFINED);
        for &id in inexpressible {
            table.set(id, INEXPRESSIBLE);
        }
        for (index, &id) in ids.iter().enumerate() {
            table.set(id, index as u32);
        }
        table
    }

    #[inline(always)]
    pub(super) fn get(&self, id: u32) -> Reference {
        match self.small.get(id as usize) {
            Some(&index) if index < INEXPRESSIBLE => Reference::To(index),
            _ => self.rare(id),
        }
    }

    #[cold]
    fn rare(&self, id: u32) -> Reference {
        match self.raw(id) {
            UNDEFINED => Reference::Undefined,
            INEXPRESSIBLE => Reference::Inexpressible,
            index => Reference::To(index),
        }
    }

    /// The table for a location with an id map.
    pub(super) fn mapped(&'a self, map: &IdMap) -> Self {
        let copied = &self.small[..self.small.len().min(COPIED)];
        let mut table = IdTable { small: copied.to_vec(), large: FxHashMap::default(), base: Some(self) };
        match map {
            IdMap::Dense(ids) => {
                table.small.resize(table.small.len().max(ids.len()), UNDEFINED);
                for (own, &id) in ids.iter().enumerate() {
                    table.set(own as u32, self.raw(id));
                }
            }
            IdMap::Sparse(pairs) => {
                for &(own, id) in pairs {
                    table.set(own, self.raw(id));
                }
            }
        }
        table
    }

    /// As it is kept: in this table, or else in the one that it is derived from.
    fn raw(&self, id: u32) -> u32 {
        match (self.small.get(id as usize), self.large.get(&id), self.base) {
            (Some(&index), ..) if index != UNDEFINED => index,
            (_, Some(&index), _) => index,
            (_, _, Some(base)) => base.raw(id),
            _ => UNDEFINED,
        }
    }

    fn set(&mut self, id: u32, index: u32) {
        match self.small.get_mut(id as usize) {
            Some(place) => *place = index,
            None => _ = self.large.insert(id, index),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Reference::{Inexpressible, To, Undefined};
    use super::*;

    #[test]
    fn sparse_ids_become_dense_references() {
        let table = IdTable::new(&[3, 536_870_911, 0], &[9]);
        let found = [3, 536_870_911, 0, 9, 4, u32::MAX].map(|id| table.get(id));
        assert_eq!(found, [To(0), To(1), To(2), Inexpressible, Undefined, Undefined]);
    }

    #[test]
    fn a_dense_map_goes_before_and_leaves_the_rest() {
        let archive = IdTable::new(&[10, 11, 2], &[]);
        let table = archive.mapped(&IdMap::Dense(vec![11, 10]));
        assert_eq!([0, 1, 2].map(|id| table.get(id)), [To(1), To(0), To(2)]);
    }

    #[test]
    fn a_dense_map_may_know_more_ids_than_the_archive() {
        let archive = IdTable::new(&[0], &[]);
        let table = archive.mapped(&IdMap::Dense(vec![0; 1000]));
        assert_eq!(table.get(999), To(0));
    }

    #[test]
    #[cfg_attr(miri, ignore = "a hundred thousand ids take Miri minutes, and nothing here is unsafe")]
    fn a_large_table_is_not_copied_for_each_location() {
        let ids: Vec<u32> = (0..100_000).collect();
        let table = IdTable::new(&ids, &[200_000]);
        let mapped = table.mapped(&IdMap::Sparse(vec![(7, 99_999), (3_000_000_000, 8)]));
        assert!(mapped.small.len() <= COPIED);
        let found = [7, 8, 50_000, 200_000, 3_000_000_000, 150_000].map(|id| mapped.get(id));
        assert_eq!(found, [To(99_999), To(8), To(50_000), Inexpressible, To(8), Undefined]);
    }

    #[test]
    fn a_sparse_map_swaps_ids() {
        let pairs = vec![(236, 237), (237, 236), (4_000_000_000, 236)];
        let archive = IdTable::new(&[236, 237], &[]);
        let table = archive.mapped(&IdMap::Sparse(pairs));
        assert_eq!([236, 237, 4_000_000_000].map(|id| table.get(id)), [To(1), To(0), To(0)]);
    }
}
