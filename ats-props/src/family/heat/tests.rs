//! The grid of the ranks.

use super::Grid;

#[test]
fn a_grid_has_all_ranks_and_neighbours_are_mutual() {
    for ranks in 1..=33 {
        let grid = Grid::for_ranks(ranks);
        assert_eq!(grid.columns * grid.rows, ranks);
        for rank in 0..ranks {
            let known: Vec<_> = (0..ranks).filter(|&other| grid.distance(rank, other) == 1).collect();
            assert_eq!(grid.neighbours(rank), known);
        }
    }
    assert_eq!((Grid::for_ranks(12).columns, Grid::for_ranks(12).rows), (3, 4));
}
