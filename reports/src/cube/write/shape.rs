//! The rows and columns of a profile in a report of Cube.

use ats_model::Profile;
use ats_model::profile::ProcessingUnit;

/// Call paths and locations in Cube's order.
pub(super) struct Shape {
    /// Call paths depth first, each with the number of those that it lies in. Row 0 is the program: theirs begin with 1.
    pub(super) paths: Vec<(u32, usize)>,
    /// By call path, its row.
    pub(super) rows: Vec<u32>,
    /// The locations of a process side by side, by rank and thread.
    pub(super) units: Vec<ProcessingUnit>,
    /// By unit, its column.
    pub(super) columns: Vec<u32>,
}

impl Shape {
    pub(super) fn of(profile: &Profile) -> Self {
        let mut inside = vec![Vec::new(); profile.call_tree.len()];
        let mut open = Vec::new();
        for node in profile.call_tree.iter().rev() {
            match node.parent {
                Some(parent) => inside[parent as usize].push(node.id),
                None => open.push((node.id, 0)),
            }
        }
        let mut paths = Vec::with_capacity(profile.call_tree.len());
        let mut rows = vec![0; profile.call_tree.len()];
        while let Some((path, depth)) = open.pop() {
            paths.push((path, depth));
            rows[path as usize] = paths.len() as u32;
            open.extend(inside[path as usize].iter().map(|&path| (path, depth + 1)));
        }

        let mut order: Vec<usize> = (0..profile.units.len()).collect();
        order.sort_by_key(|&unit| (profile.units[unit].rank, profile.units[unit].thread));
        let mut columns = vec![0; order.len()];
        order.iter().zip(0..).for_each(|(&unit, column)| columns[unit] = column);
        let units = order.iter().map(|&unit| profile.units[unit]).collect();
        Shape { paths, rows, units, columns }
    }
}
