//! All that derives from the catalogue and from the functions written by hand: the C functions of the properties, those
//! that Fortran calls, the header and the Fortran module. The files are kept, so that a build needs no catalogue for its
//! host.

mod fortran;
mod handwritten;
mod header;
mod interface;
mod properties;

use std::path::Path;

use ats_props::Needs;
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

const HEAD: &str = "// `ATS_RENEW=1 cargo test -p ats-capi --test it generated` writes this file.\n";

#[test]
fn the_generated_files_are_those_of_the_catalogue() {
    let mut interface = Interface::default();
    for file in HANDWRITTEN {
        handwritten::read(file, &mut interface);
    }
    let (getters, rust_of_getters) = split(properties::getters());
    interface.functions.extend(getters);
    let (properties, rust) = split(properties::of_catalogue(Needs::RANKS));
    let (sequential, rust_of_sequential) = split(properties::of_catalogue(Needs::NOTHING));
    interface.properties = sequential;
    interface.properties.extend(properties);
    let files = [
        ("getters.rs", HEAD.to_owned() + &rust_of_getters),
        ("properties.rs", HEAD.to_owned() + &rust),
        ("sequential.rs", HEAD.to_owned() + &rust_of_sequential),
        ("fortran.rs", HEAD.to_owned() + &fortran::entry_points(&interface)),
        ("ats.f90", fortran::module(&interface)),
        ("ats.h", header::header(&interface)),
    ];
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("generated");
    ats_testing::assert_current(&folder, files);
}

fn split(entries: Vec<Entry>) -> (Vec<Function>, String) {
    entries.into_iter().map(|entry| (entry.function, entry.rust)).unzip()
}
