//! Programs are built from the crates that the recorder was built beside.

use std::collections::BTreeSet;
use std::process::Command;

use ats_generator::{Mpi, Options, SuiteLibrary, SuiteSource, generate_set, library_command};
use ats_props::Catalogue;

/// The crates that a build compiles, each with its features: `bitflags v2.13.2 std`.
fn crates(build: &Command) -> BTreeSet<String> {
    let output = Command::new(env!("CARGO"))
        .args(["tree", "--offline", "--edges=normal,build", "--prefix=none", "--format={p} {f}"])
        .current_dir(build.get_current_dir().unwrap())
        .output()
        .unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let tree = String::from_utf8(output.stdout).unwrap();
    tree.lines().map(|line| line.trim_end_matches(" (*)").trim_end().to_owned()).collect()
}

/// A crate with other features is another crate: it is compiled again, and all that depend on it.
#[test]
fn programs_need_no_crate_that_is_not_built_beside_the_recorder() {
    let dir = tempfile::tempdir().unwrap();
    let (suite, mpi) = (SuiteSource::find().unwrap(), Mpi::default());
    let library =
        library_command(&suite, SuiteLibrary::RecorderBesideHarness, Some(&mpi), dir.path()).unwrap();
    let property = Catalogue::builtin().program("late_sender").unwrap().property;
    let programs = dir.path().join("programs");
    let options = Options { together: true, ..Options::new(suite) };
    let generated = generate_set([property], &programs, &options).unwrap();
    let (_, build) = generated.build_commands(&mpi).next().unwrap();
    let built = crates(&library);
    assert!(built.iter().any(|name| name.starts_with("bindgen ")), "{built:?}");
    let mut needed = crates(&build);
    needed.retain(|name| !name.contains(programs.to_str().unwrap()));
    assert_eq!(needed.difference(&built).collect::<Vec<_>>(), [""; 0]);
}
