#![allow(clippy::disallowed_macros, clippy::disallowed_methods, reason = "this is no property")]
//! Lists the property files into one sorted static slice, so that a file cannot be forgotten.

use std::path::Path;
use std::{env, fs};

fn main() {
    println!("cargo:rerun-if-changed=src");
    let mut entries = Vec::new();
    for paradigm in ["mpi", "omp", "hybrid"] {
        for file in fs::read_dir(Path::new("src").join(paradigm)).expect("the folder of a paradigm") {
            let path = file.expect("an entry of the folder").path();
            if path.extension().is_some_and(|extension| extension == "rs") {
                let name =
                    path.file_stem().and_then(|stem| stem.to_str()).expect("a property's name").to_owned();
                entries.push((name.clone(), format!("&crate::{paradigm}::{name}::PROPERTY")));
            }
        }
    }
    entries.sort();
    let list: Vec<String> = entries.into_iter().map(|(_, entry)| entry).collect();
    let text = format!("static BUILTIN: &[&Property] = &[{}];\n", list.join(", "));
    let out = env::var_os("OUT_DIR").expect("Cargo sets OUT_DIR");
    fs::write(Path::new(&out).join("builtin.rs"), text).expect("the output folder is writable");
}
