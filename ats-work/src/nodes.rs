//! Nodes of memory: cores with the memory that is near them.

use std::fs;
use std::io;
use std::path::Path;
use std::sync::OnceLock;

use crate::affinity::granted_cores;

/// The folder in which the kernel lists them.
const LISTED_IN: &str = "/sys/devices/system/node";

/// A node of memory.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Node {
    /// Its number in the system.
    pub(crate) number: usize,
    /// Those of its cores that are usable.
    pub(crate) cores: Vec<usize>,
}

/// The number of nodes of memory with cores that threads of this process may be bound to; 0 if the system does not list them.
pub fn memory_nodes() -> usize {
    usable_nodes().map_or(0, <[Node]>::len)
}

/// Those nodes, found by the first that asks; or why the system does not list them.
pub(crate) fn usable_nodes() -> Result<&'static [Node], &'static str> {
    static NODES: OnceLock<Result<Vec<Node>, String>> = OnceLock::new();
    let list = || nodes(Path::new(LISTED_IN), granted_cores()?).map_err(|error| error.to_string());
    NODES.get_or_init(list).as_deref().map_err(String::as_str)
}

/// The nodes that have memory and usable cores, in the order of their numbers, by the folder that lists them. A system without
/// the folder has none.
///
/// # Errors
/// A list cannot be read.
fn nodes(listed_in: &Path, usable: &[usize]) -> io::Result<Vec<Node>> {
    let list = |file: &str| numbers(&fs::read_to_string(listed_in.join(file))?);
    if !listed_in.exists() {
        return Ok(Vec::new());
    }
    let node = |number: usize| {
        let mut cores = list(&format!("node{number}/cpulist"))?;
        cores.retain(|core| usable.contains(core));
        Ok(Node { number, cores })
    };
    let all: io::Result<Vec<Node>> = list("has_memory")?.into_iter().map(node).collect();
    Ok(all?.into_iter().filter(|node| !node.cores.is_empty()).collect())
}

/// The numbers of a list of the kernel, such as `0-3,8`.
fn numbers(list: &str) -> io::Result<Vec<usize>> {
    let wrong =
        || io::Error::new(io::ErrorKind::InvalidData, format!("`{}` is no list of numbers", list.trim()));
    let mut all = Vec::new();
    for range in list.trim().split(',').filter(|range| !range.is_empty()) {
        let (first, last) = range.split_once('-').unwrap_or((range, range));
        let [first, last] = [first, last].map(|number| number.parse::<u16>().map(usize::from));
        all.extend(first.map_err(|_| wrong())?..=last.map_err(|_| wrong())?);
    }
    Ok(all)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A machine whose node 1 has no memory, and whose node 3 has no cores.
    #[test]
    fn nodes_have_memory_and_cores() {
        let folder = tempfile::tempdir().unwrap();
        let write = |file: &str, text: &str| {
            let file = folder.path().join(file);
            fs::create_dir_all(file.parent().unwrap()).unwrap();
            fs::write(file, text).unwrap();
        };
        write("has_memory", "0,2-3\n");
        for (node, cores) in [(0, "0-1,4\n"), (1, "2\n"), (2, "3,5\n"), (3, "\n")] {
            write(&format!("node{node}/cpulist"), cores);
        }
        let found = |usable: &[usize]| nodes(folder.path(), usable).unwrap();
        let node = |number, cores: &[usize]| Node { number, cores: cores.to_vec() };
        assert_eq!(found(&[0, 1, 2, 3, 4, 5]), [node(0, &[0, 1, 4]), node(2, &[3, 5])]);
        assert_eq!(found(&[1, 2]), [node(0, &[1])]);
        write("has_memory", "0-\n");
        let error = nodes(folder.path(), &[0]).unwrap_err().to_string();
        assert_eq!(error, "`0-` is no list of numbers");
        assert_eq!(nodes(&folder.path().join("none"), &[0]).unwrap(), []);
    }
}
