//! Call paths: where something happens, as a path in a tree of names.

use std::hash::{Hash, Hasher};

use rustc_hash::FxHashMap;
use serde::{Deserialize, Serialize};

/// A node of a [`CallTree`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
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
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CallTree<K: Eq + Hash> {
    nodes: Vec<Node<K>>,
    /// Children beyond the first [`FEW`] of a node.
    many: FxHashMap<(CallPathId, K), CallPathId>,
}

/// A node and its links. A link to the root means that there is none.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct Node<K> {
    parent: CallPathId,
    key: Option<K>,
    first_child: CallPathId,
    /// The next child of its parent.
    next: CallPathId,
}

/// The number of children that are searched one by one, which is quicker than hashing.
const FEW: usize = 8;

impl<K> Node<K> {
    fn new(parent: CallPathId, key: Option<K>) -> Self {
        Node { parent, key, first_child: CallPathId::ROOT, next: CallPathId::ROOT }
    }
}

impl<K: Eq + Hash> Hash for CallTree<K> {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.nodes.hash(state);
    }
}

impl<K: Eq + Hash> Default for CallTree<K> {
    fn default() -> Self {
        CallTree { nodes: vec![Node::new(CallPathId::ROOT, None)], many: FxHashMap::default() }
    }
}

impl<K: Copy + Eq + Hash> CallTree<K> {
    /// The child of `parent` with this key, made where it is missing.
    #[inline]
    pub fn child(&mut self, parent: CallPathId, key: K) -> CallPathId {
        let (mut last, mut child) = (CallPathId::ROOT, self.nodes[parent.0 as usize].first_child);
        for _ in 0..FEW {
            if child == CallPathId::ROOT {
                return self.add_few(parent, key, last);
            }
            let node = &self.nodes[child.0 as usize];
            if node.key == Some(key) {
                return child;
            }
            (last, child) = (child, node.next);
        }
        match self.many.get(&(parent, key)) {
            Some(&child) => child,
            None => {
                let child = self.add(parent, key);
                self.many.insert((parent, key), child);
                child
            }
        }
    }

    /// Adds a child behind the last that there is.
    fn add_few(&mut self, parent: CallPathId, key: K, last: CallPathId) -> CallPathId {
        let child = self.add(parent, key);
        match last {
            CallPathId::ROOT => self.nodes[parent.0 as usize].first_child = child,
            _ => self.nodes[last.0 as usize].next = child,
        }
        child
    }

    fn add(&mut self, parent: CallPathId, key: K) -> CallPathId {
        let child = CallPathId(self.nodes.len() as u32);
        self.nodes.push(Node::new(parent, Some(key)));
        child
    }

    /// Gives back the room for more.
    pub fn shrink(&mut self) {
        self.nodes.shrink_to_fit();
        self.many.shrink_to_fit();
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

    /// The number of paths, the root included.
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
