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

#[cfg(test)]
mod tests {
    use std::fs::File;

    use super::*;

    #[test]
    fn what_is_written_now_stays_and_what_is_old_goes() {
        let dir = tempfile::TempDir::new().unwrap();
        let names = [".adding-old", ".adding-new", ".adding-busy", ".removing-old", ".mine-old", "heat"];
        let long_ago = SystemTime::now() - 2 * DEAD;
        let age = |path: &Path| File::open(path).unwrap().set_modified(long_ago).unwrap();
        for name in names {
            let folder = dir.path().join(name);
            fs::create_dir(&folder).unwrap();
            let file = folder.join("experiment.json");
            fs::write(&file, "{").unwrap();
            if name != ".adding-busy" {
                age(&file);
            }
            if name != ".adding-new" {
                age(&folder);
            }
        }
        remove(dir.path());
        let left = names.map(|name| dir.path().join(name).exists());
        assert_eq!(left, [false, true, true, false, true, true]);
    }
}
