//! Header, module and library say the same, in every dialect.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use std::process::Command;

use crate::suite::{library, prefix, prefix_without_mpi, source, succeed};
use ats_launch::installation::library_folder;

/// The folder of `mpi.h`: a header of the system, whose own warnings do not count.
fn mpi_include() -> Vec<String> {
    let folders = succeed(Command::new("mpicc.openmpi").arg("--showme:incdirs"));
    folders.split_whitespace().map(|folder| format!("-isystem{folder}")).collect()
}

#[test]
fn the_header_compiles_in_every_dialect_without_a_warning() {
    for (compiler, language, standard) in [
        ("gcc", "c", "c89"),
        ("gcc", "c", "c99"),
        ("gcc", "c", "c17"),
        ("g++", "c++", "c++98"),
        ("g++", "c++", "c++20"),
        ("clang", "c", "c99"),
    ] {
        succeed(
            Command::new(compiler)
                .args([
                    "-x",
                    language,
                    &format!("-std={standard}"),
                    "-Wall",
                    "-Wextra",
                    "-Wpedantic",
                    "-Werror",
                ])
                .args(["-Wstrict-prototypes"].iter().filter(|_| language == "c"))
                .arg("-fsyntax-only")
                .args(mpi_include())
                .arg(format!("-I{}", prefix().join("include").display()))
                .arg(source("report.c")),
        );
    }
}

#[test]
fn the_module_compiles_without_a_warning() {
    if ats_testing::required("gfortran") {
        let folder = tempfile::tempdir().unwrap();
        succeed(
            Command::new("gfortran")
                .args(["-std=f2018", "-Wall", "-Wextra", "-Wpedantic", "-Werror", "-c"])
                .arg(prefix().join("include/ats.f90"))
                .current_dir(folder.path()),
        );
    }
}

fn exported_by(library: &Path) -> BTreeSet<String> {
    let library = library.join("libats.so");
    let symbols = succeed(Command::new("nm").args(["--dynamic", "--defined-only"]).arg(library));
    symbols.lines().filter_map(|line| Some(line.split_whitespace().nth(2)?.to_owned())).collect()
}

/// The names that a header declares.
fn declared_by(header: &str) -> BTreeSet<&str> {
    let functions = header
        .lines()
        .filter(|line| line.ends_with(");") && !line.starts_with("typedef") && !line.contains("__asm__"));
    functions.filter_map(|line| line.split('(').next()?.split_whitespace().last()).collect()
}

/// The header of both libraries is one.
#[test]
fn the_library_without_mpi_exports_what_the_header_declares_without_it() {
    let [header, others] = [prefix(), prefix_without_mpi()]
        .map(|prefix| fs::read_to_string(prefix.join("include/ats.h")).unwrap());
    assert_eq!(header, others);
    let preprocessed = succeed(
        Command::new("cc")
            .args(["-E", "-P", "-DATS_WITHOUT_MPI", "-x", "c"])
            .arg(prefix_without_mpi().join("include/ats.h")),
    );
    // A declaration in a line.
    let declarations = preprocessed.replace('\n', " ").replace(';', ";\n");
    let own: BTreeSet<String> = declared_by(&header)
        .into_iter()
        .filter(|name| declarations.contains(&format!(" {name}(")))
        .map(str::to_owned)
        .collect();
    assert_eq!(exported_by(&library_folder(prefix_without_mpi(), None)), own);
    assert!(own.contains("ats_begin") && !own.contains("par_do_mpi_work"), "{own:?}");
    assert!(!declarations.contains("MPI_Comm"), "{declarations}");
}

#[test]
fn exports_are_those_that_header_and_module_declare() {
    let header = fs::read_to_string(prefix().join("include/ats.h")).unwrap();
    let declared = declared_by(&header);
    assert_eq!(exported_by(&library()), declared.iter().map(|&name| name.to_owned()).collect());
    assert!(declared.is_superset(&["do_work", "late_sender", "late_sender_balanced"].into()), "{declared:?}");
    let is_work = |name: &&&str| name.ends_with("_work") && !name.starts_with("ats_f_");
    assert!(declared.iter().filter(is_work).eq(&ats_work::WORKING_FUNCTIONS));

    let module = fs::read_to_string(prefix().join("include/ats.f90")).unwrap();
    let called: BTreeSet<&str> =
        module.split("name=\"").skip(1).filter_map(|rest| rest.split('"').next()).collect();
    // Fortran calls the entry points that are its own, and where there is none the function itself.
    let has_none =
        |name: &&&str| !name.starts_with("ats_f_") && !declared.contains(&*format!("ats_f_{name}"));
    let own = declared.iter().filter(|name| name.starts_with("ats_f_"));
    assert_eq!(called, own.chain(declared.iter().filter(has_none)).copied().collect());
}

#[test]
fn the_reports_prototypes_stand_in_the_header() {
    let header = fs::read_to_string(prefix().join("include/ats.h")).unwrap();
    for prototype in [
        "void do_work(double secs);",
        "void par_do_mpi_work(distr_func_t df, distr_t* dd, double sf, MPI_Comm c);",
        "void par_do_omp_work(distr_func_t df, distr_t* dd, double sf);",
        "typedef double (*distr_func_t)(int me, int sz, double sf, distr_t* dd);",
        "typedef struct {\n    double val;\n} val1_distr_t;",
        "typedef struct {\n    double low;\n    double high;\n} val2_distr_t;",
        "typedef struct {\n    double low;\n    double high;\n    int n;\n} val2_n_distr_t;",
        "typedef struct {\n    double low;\n    double high;\n    double med;\n} val3_distr_t;",
        "double df_same(int me, int sz, double scale, distr_t* dd);",
        "double df_cyclic2(int me, int sz, double scale, distr_t* dd);",
        "double df_block2(int me, int sz, double scale, distr_t* dd);",
        "double df_linear(int me, int sz, double scale, distr_t* dd);",
        "double df_peak(int me, int sz, double scale, distr_t* dd);",
        "double df_cyclic3(int me, int sz, double scale, distr_t* dd);",
        "double df_block3(int me, int sz, double scale, distr_t* dd);",
        "typedef struct {\n    void* buf;\n    MPI_Datatype type;\n    int cnt;\n} mpi_buf_t;",
        "mpi_buf_t* alloc_mpi_buf(MPI_Datatype type, int cnt);",
        "void free_mpi_buf(mpi_buf_t* buf);",
        "typedef struct {\n    void* buf;\n    void* rootbuf;\n    MPI_Datatype type;\n    int cnt;\n    int* rootcnt;\n    \
         int* rootdispl;\n    int isroot;\n} mpi_vbuf_t;",
        "mpi_vbuf_t* alloc_mpi_vbuf(MPI_Datatype type, distr_func_t df, distr_t* dd, int root, MPI_Comm c);",
        "void free_mpi_vbuf(mpi_vbuf_t* buf);",
        "void set_base_comm(MPI_Datatype type, int cnt);",
        "typedef enum MPI_DIR { DIR_UP, DIR_DOWN } mpi_dir_t;",
        "void mpi_commpattern_sendrecv(mpi_buf_t* buf, mpi_dir_t dir, int use_isend, int use_irecv, MPI_Comm c);",
        "void mpi_commpattern_shift(mpi_buf_t* sbuf, mpi_buf_t* rbuf, mpi_dir_t dir, int use_isend, int use_irecv, \
         MPI_Comm c);",
        "void late_sender(double basework, double extrawork, int r, MPI_Comm c);",
        "void late_receiver(double basework, double extrawork, int r, MPI_Comm c);",
        "void imbalance_at_mpi_barrier(distr_func_t df, distr_t* dd, int r, MPI_Comm c);",
        "void imbalance_at_mpi_alltoall(distr_func_t df, distr_t* dd, int r, MPI_Comm c);",
        "void late_broadcast(double basework, double rootextrawork, int root, int r, MPI_Comm c);",
        "void late_scatter(double basework, double rootextrawork, int root, int r, MPI_Comm c);",
        "void late_scatterv(double basework, double rootextrawork, int root, int r, MPI_Comm c);",
        "void early_reduce(double rootwork, double baseextrawork, int root, int r, MPI_Comm c);",
        "void early_gather(double rootwork, double baseextrawork, int root, int r, MPI_Comm c);",
        "void early_gatherv(double rootwork, double baseextrawork, int root, int r, MPI_Comm c);",
    ] {
        assert!(header.contains(prototype), "{prototype}");
    }
}
