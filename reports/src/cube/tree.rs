//! The tree of call paths, and the two orders in which rows are numbered.

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

    /// The call path of each row of an inclusive metric. A root is numbered first, then at each call path all its
    /// children before the first of them is descended into.
    pub(crate) fn wide(&self) -> Vec<u32> {
        let mut children = vec![Vec::new(); self.len()];
        let mut roots = Vec::new();
        for (index, node) in self.nodes() {
            match node.parent {
                Some(parent) => children[parent as usize].push(index as u32),
                None => roots.push(index as u32),
            }
        }
        let mut order = Vec::with_capacity(self.len());
        for root in roots {
            order.push(root);
            let mut open = vec![root];
            while let Some(index) = open.pop() {
                let children = &children[index as usize];
                order.extend(children);
                open.extend(children.iter().rev());
            }
        }
        order
    }
}

#[cfg(test)]
mod tests {
    use super::{Cnode, Tree};

    #[test]
    fn all_children_are_numbered_before_the_first_is_descended_into() {
        let mut tree = Tree::default();
        for parent in [None, Some(0), Some(1), Some(1), Some(0), Some(4), Some(0), None, Some(7)] {
            tree.push(Cnode { callee: 0, parent });
        }
        assert_eq!(tree.wide(), [0, 1, 4, 6, 2, 3, 5, 7, 8]);
    }
}
