//! The rows and columns of a profile in a report of Cube.

use ats_documents::Profile;
use ats_documents::profile::{ProcessingUnit, ProfiledRegion};
use ats_model::definitions::{RegionRole, SystemNode};

/// The name of the program's region around all call paths, if the profile has none.
const PROGRAM: &str = "PROGRAM";

/// Call paths and locations in Cube's order.
pub(super) struct Shape {
    /// The region that all call paths lie in, if the profile has none: row 0 belongs to it.
    pub(super) program: Option<ProfiledRegion>,
    /// Call paths depth first, each with the number of those that it lies in, including the program's.
    pub(super) paths: Vec<(u32, usize)>,
    /// The row of each call path.
    pub(super) rows: Vec<u32>,
    /// The parts of the machine depth first, each with the number of those that it lies in.
    pub(super) nodes: Vec<(SystemNode, usize)>,
    /// The locations of a process side by side, node by node, by rank and thread, each with the number of its node.
    pub(super) units: Vec<(usize, ProcessingUnit)>,
    /// The column of each unit.
    pub(super) columns: Vec<u32>,
}

impl Shape {
    pub(super) fn new(profile: &Profile) -> Self {
        let program = program(profile);
        let first = usize::from(program.is_some());
        let parents: Vec<Option<u32>> = profile.call_tree.iter().map(|node| node.parent).collect();
        let paths: Vec<_> =
            depth_first(&parents).into_iter().map(|(path, depth)| (path, depth + first)).collect();
        let mut rows = vec![0; paths.len()];
        paths.iter().zip(first as u32..).for_each(|(&(path, _), row)| rows[path as usize] = row);

        let (nodes, node_of) = machine(profile);
        let mut order: Vec<usize> = (0..profile.units.len()).collect();
        order.sort_by_key(|&unit| {
            let ProcessingUnit { rank, thread, .. } = profile.units[unit];
            (node_of[unit], rank, thread)
        });
        let mut columns = vec![0; order.len()];
        order.iter().zip(0..).for_each(|(&unit, column)| columns[unit] = column);
        let units = order.iter().map(|&unit| (node_of[unit], profile.units[unit])).collect();
        Shape { program, paths, rows, nodes, units, columns }
    }

    /// The number of rows.
    pub(super) fn height(&self) -> u32 {
        (self.paths.len() + usize::from(self.program.is_some())) as u32
    }
}

/// A region for the program if the profile has none around all its call paths.
fn program(profile: &Profile) -> Option<ProfiledRegion> {
    let mut outermost = profile.call_tree.iter().filter(|node| node.parent.is_none());
    let of_profile = outermost.next().filter(|_| outermost.next().is_none());
    let role = of_profile.map(|node| profile.regions[node.region as usize].role);
    (role != Some(RegionRole::Artificial)).then(|| ProfiledRegion {
        id: profile.regions.len() as u32,
        name: PROGRAM.to_owned(),
        role: RegionRole::Artificial,
        ..ProfiledRegion::default()
    })
}

/// The parts of the machine, and by unit the number of its node. If some nodes are unknown, all units are on one.
fn machine(profile: &Profile) -> (Vec<(SystemNode, usize)>, Vec<usize>) {
    let known: Option<Vec<u32>> = profile.units.iter().map(|unit| unit.node).collect();
    let Some(known) = known.filter(|_| !profile.nodes.is_empty()) else {
        let node =
            |class: &str, parent| SystemNode { name: class.to_owned(), class: class.to_owned(), parent };
        return (vec![(node("machine", None), 0), (node("node", Some(0)), 1)], vec![1; profile.units.len()]);
    };
    let parents: Vec<Option<u32>> = profile.nodes.iter().map(|node| node.parent).collect();
    let order = depth_first(&parents);
    let mut numbers = vec![0; order.len()];
    order.iter().enumerate().for_each(|(number, &(node, _))| numbers[node as usize] = number);
    let nodes = order.iter().map(|&(node, depth)| (profile.nodes[node as usize].clone(), depth)).collect();
    (nodes, known.into_iter().map(|node| numbers[node as usize]).collect())
}

/// The nodes of a forest with these parents, which come before their children, each with the number of those that it
/// lies in.
fn depth_first(parents: &[Option<u32>]) -> Vec<(u32, usize)> {
    let mut inside = vec![Vec::new(); parents.len()];
    let mut open = Vec::new();
    for (node, parent) in (0..parents.len() as u32).zip(parents).rev() {
        match parent {
            Some(parent) => inside[*parent as usize].push(node),
            None => open.push((node, 0)),
        }
    }
    let mut order = Vec::with_capacity(parents.len());
    while let Some((node, depth)) = open.pop() {
        order.push((node, depth));
        open.extend(inside[node as usize].iter().map(|&inner| (inner, depth + 1)));
    }
    order
}
