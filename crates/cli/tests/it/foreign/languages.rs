//! Programs in C++ and Fortran.

use ats_documents::Finding;
use ats_model::WaitState;

use super::{Foreign, TWO_RANKS, assert_waits};

#[test]
fn regions_that_an_exception_leaves_are_said_and_end_with_the_one_around_them() {
    let analysis = Foreign::compiled("cxx.cpp").on_ranks(2).analysis();
    let said = "regions left by an exception or a jump (each ends with the region around it): 8";
    assert_eq!(analysis.warnings, [said]);
    let barrier = |finding: &Finding| {
        let [around @ .., call] = &finding.call_path[..] else { return false };
        call == "MPI_Barrier" && !around.iter().any(|region| region == "outer")
    };
    assert!(analysis.findings.iter().any(barrier), "outside of outer: {:?}", analysis.findings);
    assert_eq!(analysis.counts["MPI_Recv"], 3);
}

#[test]
fn the_sentinels_of_fortran_2008_reach_mpi() {
    let analysis = Foreign::compiled("f08.f90").on_ranks(2).analysis();
    assert_eq!(analysis.warnings, [""; 0]);
    assert_waits(&analysis, WaitState::WaitAtNxN, 0.1);
    assert_waits(&analysis, WaitState::LateSender, 0.1);
}

#[test]
fn callbacks_in_fortran_are_called() {
    let foreign = Foreign::compiled("keyval.f90");
    let output = foreign.try_record(&TWO_RANKS);
    let printed = String::from_utf8_lossy(&output.stdout);
    let right = "attribute 42 T copies 1 deletes 1 sum 3 errors 1";
    assert_eq!(printed.lines().filter(|line| line.trim() == right).count(), 2, "{printed}");
    let analysis = foreign.analysis();
    assert_eq!(analysis.warnings, [""; 0]);
    assert_eq!(analysis.counts["MPI_Allreduce"], 2);
}
