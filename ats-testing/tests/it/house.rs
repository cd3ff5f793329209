//! The suite's folder, its manifests and its sources.

use std::path::{Path, PathBuf};
use std::{fs, iter};

/// The suite's folder.
pub(crate) fn suite() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap()
}

pub(crate) fn read(file: &Path) -> String {
    fs::read_to_string(file).unwrap_or_else(|error| panic!("{}: {error}", file.display()))
}

/// The manifest in a folder.
pub(crate) fn manifest(folder: &Path) -> toml::Table {
    read(&folder.join("Cargo.toml")).parse().unwrap()
}

/// The folders of the workspace's members, as the root's manifest names them.
pub(crate) fn members() -> Vec<String> {
    let members = &manifest(suite())["workspace"]["members"];
    members.as_array().unwrap().iter().map(|member| member.as_str().unwrap().to_owned()).collect()
}

/// Every Rust source below a folder.
pub(crate) fn sources(folder: &Path) -> Vec<PathBuf> {
    let mut folders = vec![folder.to_owned()];
    let next = iter::from_fn(move || {
        let entries = fs::read_dir(folders.pop()?).unwrap().map(|entry| entry.unwrap().path());
        let (inner, files): (Vec<_>, Vec<_>) = entries.partition(|path| path.is_dir());
        folders.extend(inner);
        Some(files)
    });
    next.flatten().filter(|file| file.extension().is_some_and(|ending| ending == "rs")).collect()
}
