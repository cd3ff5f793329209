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
    nodes: Vec<(CallPathId, Option<K>)>,
    children: FxHashMap<(CallPathId, K), CallPathId>,
}

impl<K> Default for CallTree<K> {
    fn default() -> Self {
        CallTree { nodes: vec![(CallPathId::ROOT, None)], children: FxHashMap::default() }
    }
}

impl<K: Copy + Eq + std::hash::Hash> CallTree<K> {
    /// The child of `parent` with this key, made where it is missing.
    pub fn child(&mut self, parent: CallPathId, key: K) -> CallPathId {
        let nodes = &mut self.nodes;
        *self.children.entry((parent, key)).or_insert_with(|| {
            nodes.push((parent, Some(key)));
            CallPathId(nodes.len() as u32 - 1)
        })
    }

    /// The path one level up; the root is its own parent.
    pub fn parent(&self, path: CallPathId) -> CallPathId {
        self.nodes[path.0 as usize].0
    }

    /// The innermost key; none at the root.
    pub fn key(&self, path: CallPathId) -> Option<K> {
        self.nodes[path.0 as usize].1
    }

    /// The keys from the outermost region to `path`.
    pub fn path(&self, mut path: CallPathId) -> Vec<K> {
        let mut keys = Vec::new();
        while let (parent, Some(key)) = self.nodes[path.0 as usize] {
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
