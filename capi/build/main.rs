//! Writes all that derives from the catalogue and from the functions written by hand: the C functions of the
//! properties, those that Fortran calls, the header and the Fortran module.

mod fortran;
mod handwritten;
mod header;
mod interface;
mod properties;

use std::path::PathBuf;
use std::{env, fs};

use interface::{Function, Interface};
use properties::Entry;

/// The functions written by hand, in the order of the report; first those that need no MPI.
const HANDWRITTEN: [&str; 8] = [
    "src/work.rs",
    "src/distribution.rs",
    "src/program.rs",
    "src/openmp/marks.rs",
    "src/mpi/work.rs",
    "src/mpi/distribution.rs",
    "src/mpi/buffer.rs",
    "src/mpi/pattern.rs",
];

fn main() {
    println!("cargo::rerun-if-changed=src");
    println!("cargo::rerun-if-changed=templates");
    println!("cargo::rustc-cdylib-link-arg=-Wl,-soname,libats.so.{}", env!("CARGO_PKG_VERSION_MAJOR"));
    let mut interface = Interface::default();
    for file in HANDWRITTEN {
        handwritten::read(file, &mut interface);
    }
    let (getters, rust_of_getters) = split(properties::getters());
    interface.functions.extend(getters);
    let (properties, rust) = split(properties::of_catalogue());
    interface.properties = properties;
    let out = PathBuf::from(env::var_os("OUT_DIR").expect("Cargo sets OUT_DIR"));
    let write = |name: &str, text: String| fs::write(out.join(name), text).expect("OUT_DIR is writable");
    write("getters.rs", rust_of_getters);
    write("properties.rs", rust);
    write("fortran.rs", fortran::entry_points(&interface));
    write("ats.f90", fortran::module(&interface));
    write("ats.h", header::header(&interface));
}

fn split(entries: Vec<Entry>) -> (Vec<Function>, String) {
    entries.into_iter().map(|entry| (entry.function, entry.rust)).unzip()
}
