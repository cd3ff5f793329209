#![allow(unsafe_code, reason = "asks the system through libc for the nodes that pages are on")]
//! Pages on nodes of memory.

use std::collections::BTreeMap;
use std::ffi::{c_int, c_ulong, c_void};
use std::io;
use std::ptr;
use std::sync::atomic::Ordering;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use crate::affinity::on_cores;
use crate::amount::Placed;
use crate::machine;
use crate::mapping::{Mapping, PageSize};
use crate::nodes::{Node, usable_nodes};

/// Words of a line of the cache.
const WORDS: usize = 8;

/// Pages by their place, which all threads of the process can reach.
static PAGES: Mutex<BTreeMap<u64, Arc<Mapping>>> = Mutex::new(BTreeMap::new());

/// Really touches the pages or loads from them, on the cores of a node; returns the number of pages, each as often as that was.
/// With pages that were touched comes the number of those that are on another node than their reader.
pub(crate) fn placed(work: &Placed) -> (u64, Option<u64>) {
    let [home, reader] =
        two(usable_nodes(), [work.home, work.node]).unwrap_or_else(|reason| machine::unfit(&reason));
    if work.rounds == 0 {
        let pages = on_cores(&home.cores, || touch(work.pages));
        let elsewhere = elsewhere(&pages, reader.number).unwrap_or_else(|error| {
            machine::unfit(&format!("the system does not tell which node pages are on ({error})"))
        });
        pages_by_place().insert(work.place, Arc::new(pages));
        return (work.pages, Some(elsewhere));
    }
    let pages = pages_by_place().get(&work.place).cloned().unwrap_or_default();
    (on_cores(&reader.cores, || read(&pages, work.rounds)), None)
}

fn pages_by_place() -> MutexGuard<'static, BTreeMap<u64, Arc<Mapping>>> {
    PAGES.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Two nodes by their numbers; the reason why not if there are fewer.
fn two<'a>(nodes: Result<&'a [Node], &str>, numbers: [u64; 2]) -> Result<[&'a Node; 2], String> {
    let nodes = nodes.map_err(|error| format!("the system does not list its nodes of memory ({error})"))?;
    if nodes.len() < 2 {
        return Err("pages are placed on two nodes of memory, and the machine has one".to_owned());
    }
    Ok(numbers.map(|number| &nodes[number as usize % nodes.len()]))
}

/// Fresh pages, each with a 1 as its first word.
fn touch(number: u64) -> Mapping {
    let pages = Mapping::new(number as usize * Mapping::page_bytes(), PageSize::Small);
    let each = pages.words().chunks(Mapping::page_bytes() / size_of::<u64>());
    each.for_each(|page| page[0].store(1, Ordering::Relaxed));
    pages
}

/// Loads a word of each line, `rounds` times, and returns the sum.
fn read(pages: &Mapping, rounds: u64) -> u64 {
    let lines = || pages.words().iter().step_by(WORDS);
    (0..rounds).map(|_| lines().fold(0u64, |sum, word| sum.wrapping_add(word.load(Ordering::Relaxed)))).sum()
}

/// The number of pages that are on another node than this.
fn elsewhere(pages: &Mapping, node: usize) -> io::Result<u64> {
    let each = pages.words().chunks(Mapping::page_bytes() / size_of::<u64>());
    let addresses: Vec<*const c_void> = each.map(|page| page.as_ptr().cast()).collect();
    let mut found: Vec<c_int> = vec![-1; addresses.len()];
    let (process, flags): (c_int, c_int) = (0, 0);
    // SAFETY: as many addresses and places for results as said. Without a list of nodes no page is moved.
    let status = unsafe {
        let nodes = ptr::null::<c_int>();
        let number = addresses.len() as c_ulong;
        libc::syscall(
            libc::SYS_move_pages,
            process,
            number,
            addresses.as_ptr(),
            nodes,
            found.as_mut_ptr(),
            flags,
        )
    };
    if status < 0 {
        return Err(io::Error::last_os_error());
    }
    if let Some(&error) = found.iter().find(|&&found| found < 0) {
        return Err(io::Error::from_raw_os_error(-error));
    }
    Ok(found.iter().filter(|&&found| found as usize != node).count() as u64)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_page_is_touched_and_read_in_each_round() {
        let pages = touch(5);
        assert_eq!(pages.bytes(), 5 * Mapping::page_bytes());
        assert_eq!([0, 1, 3].map(|rounds| read(&pages, rounds)), [0, 5, 15]);
    }

    /// Pages of this thread are on some node, and on no other; a system may not tell.
    #[test]
    fn the_system_tells_which_node_pages_are_on() {
        let pages = touch(5);
        let Ok(nowhere) = elsewhere(&pages, usize::MAX) else { return };
        assert_eq!(nowhere, 5);
        let on: u64 = (0..64).map(|node| 5 - elsewhere(&pages, node).unwrap()).sum();
        assert_eq!(on, 5);
    }

    #[test]
    fn one_node_is_too_few() {
        let node = |number| Node { number, cores: vec![number] };
        let (one, three) = (vec![node(4)], vec![node(4), node(5), node(7)]);
        assert_eq!(two(Ok(&three), [0, 4]).unwrap(), [&node(4), &node(5)]);
        assert_eq!(
            two(Ok(&one), [0, 1]).unwrap_err(),
            "pages are placed on two nodes of memory, and the machine has one"
        );
        assert!(two(Err("gone"), [0, 1]).unwrap_err().ends_with("its nodes of memory (gone)"));
    }
}
