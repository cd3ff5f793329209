//! Ideal traces as other tools see them.

use std::collections::BTreeMap;
use std::path::Path;
use std::process::Command;

use ats_compose::Subject;
use ats_model::EventSource;
use ats_model::definitions::Paradigm;
use ats_props::Catalogue;
use ats_trace::Archive;
use ats_validation::truth::{Size, TruthOptions, ideal_trace};

fn property(name: &str) -> Subject {
    let program = Catalogue::builtin().program(name).unwrap();
    Subject::Property { program, arguments: program.property.arguments([]).unwrap() }
}

/// The names of a trace's regions, by paradigm and source file.
fn files(anchor: &Path) -> BTreeMap<(u8, String), Vec<String>> {
    let archive = Archive::open(anchor).unwrap();
    let mut files: BTreeMap<_, Vec<String>> = BTreeMap::new();
    for region in &archive.definitions().regions {
        files.entry((region.paradigm as u8, region.file.clone())).or_default().push(region.name.clone());
    }
    files
}

#[test]
fn regions_have_the_source_files_by_which_tools_know_them() {
    let dir = tempfile::tempdir().unwrap();
    let size = Size { ranks: 2, threads: 2 };
    let subject = property("mpi_in_master_with_barrier");
    let anchor = ideal_trace::write(&subject, size, dir.path(), &TruthOptions::default()).unwrap();
    let files = files(&anchor);
    let of = |paradigm: Paradigm, file: &str| files[&(paradigm as u8, file.to_owned())].as_slice();
    assert_eq!(of(Paradigm::Mpi, "MPI"), ["MPI_Init", "MPI_Ssend", "MPI_Recv", "MPI_Finalize"]);
    assert!(of(Paradigm::OpenMp, "OMP").contains(&"!$omp barrier".to_owned()));
    assert!(of(Paradigm::User, "").contains(&"mpi_in_master_with_barrier".to_owned()));
    assert_eq!(files.len(), 3, "{files:?}");

    let Some(otf2_print) = ats_testing::find("otf2-print") else { return };
    let output = Command::new(otf2_print).args(["-Werror", "-G"]).arg(&anchor).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let definitions = String::from_utf8_lossy(&output.stdout);
    let with_file = definitions.lines().filter(|line| line.contains(r#", File: "MPI" <"#)).count();
    assert_eq!(with_file, 4, "{definitions}");
}
