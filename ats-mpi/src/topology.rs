//! Topologies: the neighbours of ranks on a grid.

/// A dimension of a grid.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Dimension {
    /// The number of places in it.
    pub extent: usize,
    /// Whether the last place is beside the first one.
    pub periodic: bool,
}

impl Dimension {
    /// A periodic dimension.
    pub const fn ring(extent: usize) -> Self {
        Dimension { extent, periodic: true }
    }
}

/// The neighbours of a rank on a grid: for each dimension the one before it and the one behind it, `None` beyond an
/// edge. The coordinate in the last dimension changes fastest from rank to rank (MPI 4.1, section 8.5.3).
///
/// ```
/// use ats_mpi::{Dimension, grid_neighbors};
/// let grid = [Dimension { extent: 2, periodic: false }, Dimension::ring(3)];
/// assert_eq!(grid_neighbors(&grid, 3), [Some(0), None, Some(5), Some(4)]);
/// ```
pub fn grid_neighbors(grid: &[Dimension], rank: usize) -> Vec<Option<usize>> {
    let sides = |(number, &Dimension { extent, periodic }): (usize, &Dimension)| {
        let stride: usize = grid[number + 1..].iter().map(|dimension| dimension.extent).product();
        let at = rank / stride % extent;
        let beside = move |to: usize, is_inside: bool| {
            (periodic || is_inside).then(|| rank - at * stride + to * stride)
        };
        [beside((at + extent - 1) % extent, at > 0), beside((at + 1) % extent, at + 1 < extent)]
    };
    grid.iter().enumerate().flat_map(sides).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn whoever_is_behind_a_rank_has_that_rank_before_it() {
        for periodic in [false, true] {
            let grid = [3, 1, 4].map(|extent| Dimension { extent, periodic });
            for rank in 0..12 {
                for (side, neighbor) in grid_neighbors(&grid, rank).into_iter().enumerate() {
                    let Some(neighbor) = neighbor else { continue };
                    assert_eq!(grid_neighbors(&grid, neighbor)[side ^ 1], Some(rank));
                }
            }
        }
    }
}
