//! The call paths of a location, mostly shared by many locations.

use std::sync::{Arc, Mutex, PoisonError};

use ats_model::{CallTree, event::RegionRef};
use rustc_hash::FxHashSet;

use crate::words::place::Place;

/// The call paths of a location.
#[derive(Debug, Default)]
pub(crate) struct Paths {
    pub(crate) tree: Arc<CallTree<RegionRef>>,
    /// Places that paths of this location continue: where its teams were started.
    pub(crate) bases: Vec<Place>,
}

/// A place, and those that its path continues, the outermost last.
pub(crate) fn continued<'p>(paths: impl Fn(u32) -> &'p Paths, place: Place) -> impl Iterator<Item = Place> {
    let around = move |place: &Place| Some(paths(place.location).bases[place.base.place()?]);
    std::iter::successors(Some(place), around)
}

/// The call trees of locations that are read, each once.
#[derive(Debug, Default)]
pub(crate) struct Trees(Mutex<FxHashSet<Arc<CallTree<RegionRef>>>>);

impl Trees {
    /// The tree, or the one that is like it.
    pub(crate) fn shared(&self, mut tree: CallTree<RegionRef>) -> Arc<CallTree<RegionRef>> {
        let mut known = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(same) = known.get(&tree) {
            return Arc::clone(same);
        }
        tree.shrink();
        let tree = Arc::new(tree);
        known.insert(Arc::clone(&tree));
        tree
    }
}

#[cfg(test)]
mod tests {
    use ats_model::CallPathId;

    use super::*;

    #[test]
    fn like_trees_are_one_and_others_are_not() {
        let tree = |regions: [u32; 2]| {
            let mut tree = CallTree::default();
            let outer = tree.child(CallPathId::ROOT, RegionRef(regions[0]));
            tree.child(outer, RegionRef(regions[1]));
            tree
        };
        let trees = Trees::default();
        let all = [tree([1, 2]), tree([2, 1]), tree([1, 2])].map(|tree| trees.shared(tree));
        assert!(Arc::ptr_eq(&all[0], &all[2]) && !Arc::ptr_eq(&all[0], &all[1]));
        assert_eq!(all[1].path(CallPathId(2)), [RegionRef(2), RegionRef(1)]);
    }
}
