//! The tree of call paths, and the two orders of row numbers.

/// A call path.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Cnode {
    /// The id of the region that is called.
    pub(crate) callee: u32,
    /// The index of the call path one level up, which is smaller.
    pub(crate) parent: Option<u32>,
}

/// Call paths in the order of the anchor: depth first.
#[derive(Default)]
pub(crate) struct Tree {
    nodes: Vec<Cnode>,
}

impl Tree {
    pub(crate) fn push(&mut self, node: Cnode) -> u32 {
        self.nodes.push(node);
        self.nodes.len() as u32 - 1
    }

    pub(crate) fn len(&self) -> usize {
        self.nodes.len()
    }

    /// The call path one level up.
    pub(crate) fn parent(&self, index: usize) -> Option<u32> {
        self.nodes[index].parent
    }

    /// Whether a call path lies in no other.
    pub(crate) fn is_outermost(&self, index: usize) -> bool {
        self.parent(index).is_none()
    }

    pub(crate) fn nodes(&self) -> impl DoubleEndedIterator<Item = (usize, Cnode)> + use<'_> {
        self.nodes.iter().copied().enumerate()
    }

    /// The regions from the outermost to that of `index`.
    pub(crate) fn path(&self, index: usize) -> Vec<u32> {
        let mut path = vec![self.nodes[index].callee];
        let mut node = self.nodes[index];
        while let Some(parent) = node.parent {
            node = self.nodes[parent as usize];
            path.push(node.callee);
        }
        path.reverse();
        path
    }

    /// The call paths directly below each, in their order.
    pub(crate) fn children(&self) -> Children {
        let mut begins = vec![0; self.len() + 1];
        let below = || self.nodes().filter_map(|(index, node)| Some((index, node.parent? as usize)));
        below().for_each(|(_, parent)| begins[parent + 1] += 1);
        (0..self.len()).for_each(|index| begins[index + 1] += begins[index]);
        let mut next = begins.clone();
        let mut all = vec![0; *begins.last().unwrap_or(&0) as usize];
        for (index, parent) in below() {
            all[next[parent] as usize] = index as u32;
            next[parent] += 1;
        }
        Children { begins, all }
    }

    /// The call path of each row of an inclusive metric. A root is numbered first, then at each call path all its
    /// children before the first of them is descended into.
    pub(crate) fn wide(&self) -> Vec<u32> {
        let children = self.children();
        let mut order = Vec::with_capacity(self.len());
        for (root, _) in self.nodes().filter(|(_, node)| node.parent.is_none()) {
            order.push(root as u32);
            let mut open = vec![root as u32];
            while let Some(index) = open.pop() {
                let below = children.get(index as usize);
                order.extend(below);
                open.extend(below.iter().rev());
            }
        }
        order
    }
}

/// The children of each node.
pub(crate) struct Children {
    /// For each call path the index in `all` where its children begin; at the end their number.
    begins: Vec<u32>,
    all: Vec<u32>,
}

impl Children {
    pub(crate) fn get(&self, index: usize) -> &[u32] {
        &self.all[self.begins[index] as usize..self.begins[index + 1] as usize]
    }
}
