//! Programs and pages of the corpus that need more than compilers and MPI: Python and Chromium.

use std::fs;

use super::{check, commands, table};

/// The programs that have a test here.
pub(super) const TESTED: &[&str] = &["slow_rank_in_python"];

#[test]
fn slow_rank_in_python() {
    check("slow_rank_in_python");
}

/// The pages of real runs of ranks, of threads, and of both, and those of their experiments.
#[test]
fn pages_have_no_script_errors() {
    if !ats_testing::required("chromium") {
        return;
    }
    let table = table();
    for name in ["two_causes", "critical_section", "hybrid_serial_part"] {
        let program = table.iter().find(|program| program.name() == name).unwrap();
        let Some(dir) = program.recorded() else { return };
        commands::run_all(dir.path());
        for page in ["trace.html", "experiments.html"] {
            let html = fs::read_to_string(dir.path().join(page)).unwrap();
            assert!(ats_testing::press_all(&html).is_some(), "{name}: {page}");
        }
    }
}
