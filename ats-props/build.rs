#![allow(clippy::disallowed_macros, clippy::disallowed_methods, reason = "this is no property")]
//! Lists the property files into one sorted static slice, and writes a test of each, so that a file cannot be forgotten.

use std::path::{Path, PathBuf};
use std::{env, fs};

/// The beginning of a line in files that have an entry of the catalogue.
const MARK: &str = "\n#[property";

fn main() {
    println!("cargo:rerun-if-changed=src");
    let mut entries = Vec::new();
    for folder in paths(Path::new("src")).into_iter().filter(|path| path.is_dir()) {
        list(&folder, &format!("crate::{}", name(&folder)), &mut entries);
    }
    entries.sort();
    let list: Vec<String> =
        entries.iter().map(|(name, module)| format!("&{module}::{name}::PROPERTY")).collect();
    write("builtin.rs", &format!("static BUILTIN: &[&Property] = &[{}];\n", list.join(", ")));
    let test = |(name, module): &(String, String)| {
        format!(
            "#[test]\nfn {name}() {{\n    crate::testing::assert_formulas(&{module}::{name}::PROPERTY);\n}}\n"
        )
    };
    write("formulas.rs", &entries.iter().map(test).collect::<String>());
}

fn write(file: &str, text: &str) {
    let out = env::var_os("OUT_DIR").expect("Cargo sets OUT_DIR");
    fs::write(Path::new(&out).join(file), text).expect("the output folder is writable");
}

/// The properties in a folder, which is a family, and in those below it.
fn list(folder: &Path, module: &str, entries: &mut Vec<(String, String)>) {
    for path in paths(folder) {
        if path.is_dir() {
            list(&path, &format!("{module}::{}", name(&path)), entries);
        } else if path.extension().is_some_and(|extension| extension == "rs")
            && fs::read_to_string(&path).expect("a source file").contains(MARK)
        {
            entries.push((name(&path), module.to_owned()));
        }
    }
}

fn paths(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).expect("a folder of the sources");
    entries.map(|entry| entry.expect("an entry of the folder").path()).collect()
}

fn name(path: &Path) -> String {
    path.file_stem().and_then(|stem| stem.to_str()).expect("a module's name").to_owned()
}
