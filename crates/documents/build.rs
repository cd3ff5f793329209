//! Lists the JSON schemas, so that whoever adds a document adds no line for its schema.

use std::path::Path;
use std::{env, fs};

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rerun-if-changed=schemas");
    let folder = fs::read_dir("schemas").expect("the schemas are there");
    let mut names: Vec<_> = folder.map(|entry| entry.expect("it can be listed").file_name()).collect();
    names.sort();
    let line = |name: &std::ffi::OsString| {
        format!("({name:?}, include_str!(concat!(env!(\"CARGO_MANIFEST_DIR\"), \"/schemas/\", {name:?}))),\n")
    };
    let lines: String = names.iter().map(line).collect();
    let out = env::var_os("OUT_DIR").expect("Cargo sets OUT_DIR");
    fs::write(Path::new(&out).join("schemas.rs"), format!("const FILES: &[(&str, &str)] = &[\n{lines}];\n"))
        .expect("OUT_DIR is writable");
}
