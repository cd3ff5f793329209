//! Folders that killed writers have left.

use std::fs::{self, DirEntry};
use std::path::Path;
use std::time::{Duration, SystemTime};

/// The beginnings of the names of folders and files that are being written, or removed.
const BEGINNINGS: [&str; 3] = [".adding-", ".making-", ".removing-"];

/// The time after which a file is no longer being written.
const DEAD: Duration = Duration::from_secs(24 * 60 * 60);

/// Removes what writers have left that were killed, once nothing of it has changed for a day. What cannot be removed stays.
pub(crate) fn remove(dir: &Path) {
    let Ok(entries) = fs::read_dir(dir) else { return };
    let is_left = |entry: &DirEntry| {
        let name = entry.file_name();
        let name = name.to_string_lossy();
        BEGINNINGS.iter().any(|begin| name.starts_with(begin)) && is_dead(&entry.path())
    };
    for entry in entries.flatten().filter(is_left) {
        let path = entry.path();
        let _ = if path.is_dir() { fs::remove_dir_all(&path) } else { fs::remove_file(&path) };
    }
}

/// Whether neither a folder nor anything in it has changed for a day.
fn is_dead(path: &Path) -> bool {
    let is_old = |path: &Path| {
        let changed = fs::symlink_metadata(path).and_then(|file| file.modified());
        changed.is_ok_and(|time| SystemTime::now().duration_since(time).is_ok_and(|age| age > DEAD))
    };
    let inside = fs::read_dir(path).into_iter().flatten().flatten();
    is_old(path) && inside.into_iter().all(|entry| is_old(&entry.path()))
}
