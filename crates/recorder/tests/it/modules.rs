//! A program that unloads modules, and goes on without its first thread.

use std::ffi::{OsStr, OsString};
use std::path::Path;
use std::process::Command;

use crate::mpi::{Mpi, Trace, compile, source, succeeded};
use crate::recording::stacks;

/// The stacks of the barriers on a location.
fn barriers(trace: &Trace, location: usize) -> Vec<Vec<(&str, u32)>> {
    let barriers = stacks(trace, location).into_iter().filter(|(region, _)| region.name == "MPI_Barrier");
    barriers.map(|(_, stack)| stack).collect()
}

/// Moves the debugging information of a module to a file beside it, or in this folder there.
fn separate(module: &str, folder: &str) {
    let folder = Path::new(module).parent().expect("it is in a folder").join(folder);
    std::fs::create_dir_all(&folder).expect("the folder can be made");
    let file = folder.join("lines.debug");
    let objcopy = |options: &[&OsStr]| {
        assert!(Command::new("objcopy").args(options).status().expect("objcopy runs").success());
    };
    objcopy(&["--only-keep-debug".as_ref(), module.as_ref(), file.as_ref()]);
    let mut link = OsString::from("--add-gnu-debuglink=");
    link.push(&file);
    objcopy(&["--strip-all".as_ref(), &link, module.as_ref()]);
}

/// The lines of the calls of `modules.c`: of the parallel regions and barriers of its two modules, of its calls of them,
/// and of the barrier after the end of its first thread.
const PARALLEL: [u32; 2] = [9, 16];
const BARRIER: [u32; 2] = [12, 19];
const CALL: u32 = 48;
const AFTER_MAIN: u32 = 31;

#[test]
fn calls_are_of_the_code_that_was_loaded_when_they_were_made() {
    for mpi in Mpi::tested() {
        let folder = tempfile::tempdir().expect("a folder");
        let build = |name: &str, options: &[&str]| {
            let folder = folder.path().join(name);
            std::fs::create_dir(&folder).expect("the folder can be made");
            let mut compiler = Command::new(mpi.compiler());
            compiler.envs([("OMPI_CC", "clang"), ("MPICH_CC", "clang")]);
            let built = compile(compiler, &source("modules.c"), &folder, options);
            built.to_str().expect("a name").to_owned()
        };
        let program = build("program", &["-fopenmp"]);
        let module = |name, define, id| {
            build(name, &["-fopenmp", "-shared", "-fPIC", define, &format!("-Wl,--build-id={id}")])
        };
        let modules = [module("alpha", "-DMODULE=1", "sha1"), module("beta", "-DMODULE=2", "none")];
        // One is found beside its module by the build id, the other one in a folder by its checksum.
        separate(&modules[0], "");
        separate(&modules[1], ".debug");
        let output = mpi.record_with_stacks(
            2,
            folder.path(),
            program.as_ref(),
            &modules.each_ref().map(|name| &**name),
        );
        succeeded(&output);
        let trace = Trace::read(folder.path());
        trace.is_sound();
        for rank in 0..2 {
            let steps = (0..4).map(|call| vec![("main", CALL), ("step", BARRIER[call % 2])]);
            assert_eq!(barriers(&trace, rank), steps.collect::<Vec<_>>(), "{mpi:?}, rank {rank}");
            let listing = trace.listing(rank);
            let regions: Vec<&str> =
                listing.lines().filter(|line| line.starts_with("!$omp parallel")).collect();
            let expected =
                [0, 1, 0, 1].map(|module| format!("!$omp parallel @modules.c:{}", PARALLEL[module]));
            assert_eq!(regions, expected, "{mpi:?}, rank {rank}");
            let mut after = trace.definitions.locations.iter();
            let after = after.position(|location| (location.rank, location.thread) == (rank as u32, 2));
            let after = barriers(&trace, after.expect("the other thread is recorded"));
            assert_eq!(after, [[("after_main", AFTER_MAIN)]], "{mpi:?}, rank {rank}");
        }
    }
}
