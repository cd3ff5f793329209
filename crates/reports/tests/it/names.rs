//! Plain names of regions.

use ats_model::openmp::{Construct, without_place};

use ats_reports::region_name;

#[test]
fn constructs_have_our_names_and_keep_their_place() {
    assert_eq!(region_name("!$omp do @bt.f:17"), "!$omp for @bt.f:17");
    assert_eq!(region_name("!$omp for/do @0x00401f30"), "!$omp for @0x00401f30");
    assert_eq!(region_name("!$omp ibarrier"), "!$omp implicit barrier");
    assert_eq!(region_name("!$omp masked @a.c:1"), "!$omp master @a.c:1");
    assert_eq!(region_name("!$omp workshare @a.f:1"), "!$omp workshare @a.f:1");
    for construct in Construct::ALL {
        let name = construct.region();
        assert_eq!(region_name(name), name);
        assert_eq!(
            without_place(&region_name(&format!("{name} @a.c:3"))),
            without_place(&format!("{name} @a.c:3"))
        );
    }
}

#[test]
fn names_are_demangled() {
    assert_eq!(region_name("_RNvNtCs1234_7mycrate3mpi11late_sender"), "mycrate::mpi::late_sender");
    assert_eq!(
        region_name("_ZN9ats_props3mpi11late_sender17h0123456789abcdefE"),
        "ats_props::mpi::late_sender"
    );
    assert_eq!(region_name(" MPI_Recv "), "MPI_Recv");
    assert_eq!(region_name("atsmini.scorep"), "atsmini.scorep");
}
