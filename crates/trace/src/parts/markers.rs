//! The markers that a recorder leaves for each rank whose recording has not come to its end: `incomplete.RANK`.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use ats_model::locations::{Location, in_words};

/// The ranks that have left a marker in a folder.
pub fn marked_ranks(dir: &Path) -> BTreeSet<u32> {
    numbered(dir, MARKER, "").into_keys().collect()
}

/// Begins the name of a marker.
const MARKER: &str = "incomplete.";

/// The files in a folder whose name is a number between `before` and `after`; none if it cannot be read.
pub(super) fn numbered(dir: &Path, before: &str, after: &str) -> BTreeMap<u32, PathBuf> {
    let entries = fs::read_dir(if dir.as_os_str().is_empty() { Path::new(".") } else { dir });
    let file = |path: PathBuf| {
        let name = path.file_name()?.to_str()?;
        let number = name.strip_prefix(before)?.strip_suffix(after)?.parse().ok()?;
        path.is_file().then_some((number, path))
    };
    entries.into_iter().flatten().flatten().filter_map(|entry| file(entry.path())).collect()
}

/// The messages of the markers in a folder, if there are any; ranks with the same message are named together.
pub fn said_by_markers(dir: &Path) -> Option<String> {
    let mut ranks: BTreeMap<String, Vec<Location>> = BTreeMap::new();
    for (rank, file) in numbered(dir, MARKER, "") {
        let text = fs::read_to_string(file).unwrap_or_default();
        let why = text.split_once(": ").map_or(&text[..], |(_, why)| why).trim();
        ranks.entry(why.to_owned()).or_default().push(Location { rank, thread: 0 });
    }
    let mut groups: Vec<(Vec<Location>, String)> =
        ranks.into_iter().map(|(why, ranks)| (ranks, why)).collect();
    groups.sort();
    let said = |(ranks, why): (Vec<Location>, String)| {
        format!("rank{} {}: {why}", if ranks.len() == 1 { "" } else { "s" }, in_words(&ranks))
    };
    (!groups.is_empty()).then(|| groups.into_iter().map(said).collect::<Vec<_>>().join("; "))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranks_that_say_the_same_are_named_together() {
        let dir = tempfile::tempdir().unwrap();
        assert_eq!(said_by_markers(dir.path()), None);
        let killed = |rank: u32| format!("rank {rank}: it did not end; was it killed?\n");
        let mark =
            |rank: u32, text: &str| fs::write(dir.path().join(format!("incomplete.{rank}")), text).unwrap();
        [0, 1, 2, 10].into_iter().for_each(|rank| mark(rank, &killed(rank)));
        mark(3, "rank 3: the disk is full\n");
        fs::write(dir.path().join("incomplete.txt"), "no marker").unwrap();
        let said = "ranks 0-2,10: it did not end; was it killed?; rank 3: the disk is full";
        assert_eq!(said_by_markers(dir.path()).as_deref(), Some(said));
        assert_eq!(marked_ranks(dir.path()), [0, 1, 2, 3, 10].into());
    }
}
