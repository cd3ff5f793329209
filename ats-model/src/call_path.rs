//! Call paths: where something happens, as a path in a tree of names.

use rustc_hash::FxHashMap;

/// A node of a [`CallTree`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct CallPathId(pub u32);

impl CallPathId {
    /// The root: outside every region.
    pub const ROOT: CallPathId = CallPathId(0);
}

/// A tree of call paths over keys `K` (a name, a region reference); every path is stored once.
///
/// ```
/// use ats_model::CallTree;
/// let mut tree = CallTree::default();
/// let main = tree.child(ats_model::CallPathId::ROOT, "main");
/// let recv = tree.child(main, "MPI_Recv");
/// assert_eq!(tree.child(main, "MPI_Recv"), recv);
/// assert_eq!(tree.path(recv), ["main", "MPI_Recv"]);
/// ```
#[derive(Clone, Debug)]
pub struct CallTree<K> {
    nodes: Vec<Node<K>>,
    /// The children of nodes that have more than [`FEW`].
    many: FxHashMap<(CallPathId, K), CallPathId>,
}

#[derive(Clone, Debug)]
struct Node<K> {
    parent: CallPathId,
    key: Option<K>,
    /// Looking through few is quicker than hashing.
    few: Vec<(K, CallPathId)>,
}

/// So many children are kept in their parent.
const FEW: usize = 8;

impl<K> Default for CallTree<K> {
    fn default() -> Self {
        let root = Node { parent: CallPathId::ROOT, key: None, few: Vec::new() };
        CallTree { nodes: vec![root], many: FxHashMap::default() }
    }
}

impl<K: Copy + Eq + std::hash::Hash> CallTree<K> {
    /// The child of `parent` with this key, made where it is missing.
    #[inline]
    pub fn child(&mut self, parent: CallPathId, key: K) -> CallPathId {
        let few = &self.nodes[parent.0 as usize].few;
        match few.iter().find(|(known, _)| *known == key) {
            Some(&(_, child)) => child,
            None if few.len() < FEW => self.add(parent, key),
            None => match self.many.get(&(parent, key)) {
                Some(&child) => child,
                None => self.add(parent, key),
            },
        }
    }

    fn add(&mut self, parent: CallPathId, key: K) -> CallPathId {
        let child = CallPathId(self.nodes.len() as u32);
        let few = &mut self.nodes[parent.0 as usize].few;
        if few.len() < FEW {
            few.push((key, child));
        } else {
            self.many.insert((parent, key), child);
        }
        self.nodes.push(Node { parent, key: Some(key), few: Vec::new() });
        child
    }

    /// The path one level up; the root is its own parent.
    pub fn parent(&self, path: CallPathId) -> CallPathId {
        self.nodes[path.0 as usize].parent
    }

    /// The key of the innermost region; none of the root.
    pub fn key(&self, path: CallPathId) -> Option<K> {
        self.nodes[path.0 as usize].key
    }

    /// The keys from the outermost region to `path`.
    pub fn path(&self, mut path: CallPathId) -> Vec<K> {
        let mut keys = Vec::new();
        while let Node { parent, key: Some(key), .. } = self.nodes[path.0 as usize] {
            keys.push(key);
            path = parent;
        }
        keys.reverse();
        keys
    }

    /// How many paths there are, the root included.
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// A tree always has its root.
    pub fn is_empty(&self) -> bool {
        false
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_node_with_many_children_finds_each_again() {
        let mut tree = CallTree::default();
        let children: Vec<CallPathId> = (0..40).map(|key| tree.child(CallPathId::ROOT, key)).collect();
        assert_eq!((0..40).map(|key| tree.child(CallPathId::ROOT, key)).collect::<Vec<_>>(), children);
        assert_eq!((tree.len(), tree.path(children[30])), (41, vec![30]));
    }
}
