//! Programs of threads alone, which know no MPI library.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::suite::{prefix_without_mpi, stderr, succeed, turn};
use ats_generator::{Language, Options, SuiteSource, generate};
use ats_props::Catalogue;
use tempfile::TempDir;

const PROGRAM: &str = "imbalance_at_omp_barrier";

/// A program in a folder of its own, as it is written.
fn written(language: Language) -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    let property = Catalogue::builtin().program(PROGRAM).unwrap().property;
    let options = Options { language, ..Options::new(SuiteSource::find().unwrap()) };
    generate(property, folder.path(), &options).unwrap();
    folder
}

/// `make`, where no MPI library can be found.
fn make(folder: &Path, arguments: &[&str]) -> PathBuf {
    // Its installation takes a turn of its own.
    let prefix = prefix_without_mpi();
    let _turn = turn();
    let mut command = Command::new("make");
    command.arg("-C").arg(folder).args(["MPICC=false", "MPIFC=false"]).args(arguments);
    for name in ["MAKEFLAGS", "CC", "FC", "OMP_CC"] {
        command.env_remove(name);
    }
    succeed(command.env("ATS_PREFIX", prefix));
    folder.join("bin").join(PROGRAM)
}

/// The program runs by itself, and needs no MPI library, directly or through another. Returns the libraries it needs.
#[track_caller]
fn runs_without_mpi(program: &Path) -> String {
    let needed = succeed(Command::new("ldd").arg(program));
    assert!(!needed.contains("libmpi") && !needed.contains("not found"), "{needed}");
    let _turn = turn();
    let output = Command::new(program).args(["--threads", "2", "r=1"]).output().unwrap();
    let said = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success(), "{}", stderr(&output));
    assert!(said.starts_with(&format!("ATS {PROGRAM} ")) && said.contains("threads=2"), "{said}");
    needed
}

#[test]
fn make_needs_no_mpi_library() {
    for language in [Language::C, Language::Fortran] {
        if language == Language::Fortran && !ats_testing::required("gfortran") {
            continue;
        }
        let folder = written(language);
        let needed = runs_without_mpi(&make(folder.path(), &[]));
        assert!(needed.contains("lib/without-mpi/libats.so"), "{needed}");
    }
}

#[test]
fn cmake_needs_no_mpi_library() {
    if ats_testing::required("cmake") {
        let folder = written(Language::C);
        let build = folder.path().join("build");
        succeed(
            Command::new("cmake")
                .arg("-S")
                .arg(folder.path())
                .arg("-B")
                .arg(&build)
                .arg(format!("-DCMAKE_PREFIX_PATH={}", prefix_without_mpi().display()))
                .arg("-DCMAKE_DISABLE_FIND_PACKAGE_MPI=ON"),
        );
        succeed(Command::new("cmake").arg("--build").arg(&build));
        runs_without_mpi(&build.join(PROGRAM));
    }
}

/// An instrumenter has a compiler of its own, and the Makefile sets no other behind its back.
#[test]
fn an_instrumenter_compiles_with_the_compiler_that_it_is_given() {
    let folder = written(Language::C);
    let (instrumenter, log) = (folder.path().join("instrument"), folder.path().join("log"));
    fs::write(&instrumenter, format!("#!/bin/sh\necho \"$@\" >> {}\nexec \"$@\"\n", log.display())).unwrap();
    fs::set_permissions(&instrumenter, fs::Permissions::from_mode(0o755)).unwrap();
    let program = make(folder.path(), &[&format!("CC={} gcc", instrumenter.display())]);
    let needed = runs_without_mpi(&program);
    assert!(needed.contains("libgomp") && !needed.contains("libomp"), "{needed}");
    let compiled = fs::read_to_string(log).unwrap();
    assert!(
        compiled.lines().all(|line| line.starts_with("gcc ")) && compiled.contains("main.c"),
        "{compiled}"
    );
}

#[test]
fn a_property_with_ranks_says_what_it_has_to_be_linked_with() {
    let folder = written(Language::C);
    let main = folder.path().join("main.c");
    let source = fs::read_to_string(&main).unwrap();
    fs::write(&main, source.replace(&format!("\"{PROGRAM}\""), "\"late_sender\"")).unwrap();
    let output = Command::new(make(folder.path(), &[])).output().unwrap();
    let said = stderr(&output);
    assert!(!output.status.success() && said.contains("the libats of an MPI library"), "{said}");
}
