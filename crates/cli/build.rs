//! Packs the suite's sources, which travel in the command: from them it builds programs, the recorder and `libats`.
//!
//! A package of a registry has no suite around it, but the packed sources in it: `make packages` puts them there.

use std::path::{Path, PathBuf};
use std::{env, fs};

use flate2::{Compression, write::GzEncoder};
use sha2::{Digest, Sha256};
use tar::{Builder, Header};

/// In the output folder, and in a package.
const ARCHIVE: &str = "sources.tar.gz";

fn main() {
    let suite = Path::new("../..");
    let archive = if suite.join("crates/harness/Cargo.toml").is_file() {
        pack(suite)
    } else {
        println!("cargo::rerun-if-changed={ARCHIVE}");
        // Without it the command has to be told where the suite is.
        fs::read(ARCHIVE).unwrap_or_default()
    };
    let hash: String = Sha256::digest(&archive)[..8].iter().map(|byte| format!("{byte:02x}")).collect();
    println!("cargo::rustc-env=SOURCES_HASH={hash}");
    let out = env::var_os("OUT_DIR").expect("Cargo sets OUT_DIR");
    fs::write(Path::new(&out).join(ARCHIVE), archive).expect("the output folder is writable");
}

/// The suite's files as an archive, the same wherever and whenever it is made.
fn pack(suite: &Path) -> Vec<u8> {
    let mut files = Vec::new();
    for entry in entries(suite).into_iter().filter(|entry| is_packed(suite, entry)) {
        collect(&entry, &mut files);
    }
    // The reference tells what tools reported.
    collect(&suite.join("docs/scores"), &mut files);
    let mut archive = Builder::new(GzEncoder::new(Vec::new(), Compression::default()));
    for file in files {
        println!("cargo::rerun-if-changed={}", file.display());
        let text = fs::read(&file).expect("a source can be read");
        let mut header = Header::new_gnu();
        header.set_size(text.len() as u64);
        header.set_mode(if file.starts_with("../../scripts") { 0o755 } else { 0o644 });
        let path = file.strip_prefix(suite).expect("it lies in the suite");
        archive.append_data(&mut header, path, &*text).expect("memory can be written");
    }
    archive.into_inner().and_then(GzEncoder::finish).expect("memory can be written")
}

/// Of what lies in the suite's own folder: crates, what they are built with, and what is installed.
fn is_packed(suite: &Path, entry: &Path) -> bool {
    let name = entry.strip_prefix(suite).ok().and_then(Path::to_str).unwrap_or_default();
    let is_text = ["Cargo.toml", "Cargo.lock", "LICENSE-APACHE", "LICENSE-MIT"].contains(&name);
    is_text
        || ["crates", "examples", "scripts", "share"].contains(&name)
        || entry.join("Cargo.toml").is_file()
}

/// Files in their order, and of tests only what Cargo asks for that reads a manifest: targets and crates.
fn collect(path: &Path, files: &mut Vec<PathBuf>) {
    if path.is_file() {
        files.push(path.to_owned());
        return;
    }
    let is_of_tests = path.ends_with("tests");
    // Cargo looks at all that is below a folder, and whoever edits a test waits for nothing.
    if !is_of_tests && !path.join("tests").exists() {
        println!("cargo::rerun-if-changed={}", path.display());
    }
    for entry in entries(path) {
        if !is_of_tests || entry.is_file() || entry.join("Cargo.toml").is_file() {
            collect(&entry, files);
        }
    }
}

/// Folders that builds and fuzzing leave.
const LEFT_OVER: [&str; 4] = ["target", "corpus", "artifacts", "coverage"];

/// The entries of a folder, except hidden ones and [`LEFT_OVER`].
fn entries(dir: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(dir).expect("a folder of the suite can be read");
    let mut paths: Vec<PathBuf> =
        entries.map(|entry| entry.expect("an entry of the folder").path()).collect();
    paths.retain(|path| {
        let name = path.file_name().and_then(|name| name.to_str()).unwrap_or(".");
        !name.starts_with('.') && !LEFT_OVER.contains(&name)
    });
    paths.sort();
    paths
}
