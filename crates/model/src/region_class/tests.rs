use std::collections::{BTreeMap, BTreeSet};

use super::*;

fn of_name(name: &str) -> String {
    let class = RegionClass::for_region(name, RegionRole::Unknown, Paradigm::Unknown);
    class.map_or_else(|| "none".to_owned(), |class| class.to_string())
}

#[test]
fn calls_of_mpi_have_the_class_of_what_they_do() {
    for (name, class) in [
        ("MPI_Recv", "communication/receive"),
        ("mpi_mrecv_", "communication/receive"),
        ("MPI_Sendrecv_replace", "communication/receive"),
        ("MPI_Iprobe", "communication/receive"),
        ("MPI_Irecv", "communication/point_to_point"),
        ("MPI_Isendrecv", "communication/point_to_point"),
        ("MPI_Ssend", "communication/point_to_point"),
        ("MPI_Waitall", "communication/point_to_point"),
        ("MPI_Testany", "communication/point_to_point"),
        ("MPI_Start", "communication/point_to_point"),
        ("MPI_Bcast_c", "communication/collective"),
        ("MPI_Ineighbor_alltoallw", "communication/collective"),
        ("PMPI_Exscan", "communication/collective"),
        ("MPI_Put", "communication/one_sided"),
        ("MPI_Barrier", "synchronisation/mpi_barrier"),
        ("MPI_Ibarrier", "synchronisation/mpi_barrier"),
        ("MPI_Win_fence", "synchronisation/window"),
        ("MPI_Win_flush_local_all", "synchronisation/window"),
        ("MPI_Win_create", "control/window"),
        ("MPI_Win_set_name", "control/window"),
        ("MPI_Init_thread", "control/init"),
        ("MPI_Finalize", "control/finalize"),
        ("MPI_Comm_split", "control/communicator"),
        ("MPI_Cart_create", "control/communicator"),
        ("MPI_Group_incl", "control/communicator"),
        ("MPI_File_open", "control/file"),
        ("MPI_File_seek", "control/file"),
        ("MPI_File_set_atomicity", "control/file"),
        ("MPI_Type_commit", "control/mpi"),
        ("MPI_File_read", "io/mpi"),
        ("MPI_File_iwrite_at_all", "io/mpi"),
        ("MPI_File_read_ordered_end", "io/mpi"),
        ("MPI_File_sync", "io/mpi"),
        ("MPI_Wtime", "none"),
        ("MPI_Pcontrol", "none"),
    ] {
        assert_eq!(of_name(name), class, "{name}");
    }
}

#[test]
fn every_function_of_mpi_that_is_recorded_has_a_class() {
    for function in Function::ALL {
        let class = of_mpi(function, function.role());
        assert_eq!(class.is_some(), function.is_recorded(), "{function}");
        assert!(
            class.is_none_or(|class| class.reach == Reach::Unclassed && !class.sub.is_empty()),
            "{function}"
        );
    }
}

#[test]
fn accesses_to_files_and_windows_are_told_from_their_management() {
    let of_kind = |kind: Kind| -> BTreeSet<&str> {
        Function::ALL
            .iter()
            .filter(|function| function.kind() == kind)
            .map(|function| function.name())
            .collect()
    };
    let moves = |name: &&str| name.contains("read") || name.contains("write") || *name == "MPI_File_sync";
    assert!(of_kind(Kind::FileAccess).iter().all(moves));
    assert!(!of_kind(Kind::File).iter().any(moves));
    let synchronises = |name: &&str| {
        ["fence", "start", "complete", "post", "wait", "test", "lock", "flush", "sync"]
            .iter()
            .any(|word| name.trim_start_matches("MPI_Win_").trim_start_matches("un").starts_with(word))
    };
    assert!(of_kind(Kind::WindowSynchronisation).iter().all(synchronises));
    assert!(!of_kind(Kind::Window).iter().any(synchronises));
}

#[test]
fn constructs_of_openmp_have_the_class_of_their_own_time() {
    let mut by_class: BTreeMap<String, Vec<Construct>> = BTreeMap::new();
    for construct in Construct::ALL {
        let class = of_openmp(construct);
        assert!(class.is_none_or(|class| class.reach == Reach::Itself), "{construct:?}");
        by_class
            .entry(class.map_or("none", |class| class.class.name()).to_owned())
            .or_default()
            .push(construct);
    }
    use Construct::*;
    assert_eq!(
        by_class["none"],
        [Parallel, For, Section, SingleBlock, Master, CriticalBlock, OrderedBlock, Task]
    );
    assert_eq!(by_class["control"], [Sections, Single, CreateTask]);
    assert_eq!(by_class["synchronisation"].len() + 8 + 3, Construct::ALL.len());
    assert_eq!(of_name("omp_set_nest_lock_"), "synchronisation/lock");
    assert_eq!(of_name("!$omp implicit barrier @a.c:3"), "synchronisation/implicit_barrier");
}

#[test]
fn a_role_gives_the_class_that_a_name_gives() {
    for construct in Construct::ALL {
        let of_name = of_openmp(construct).map(|class| (class.class, class.reach));
        let of_role = of_role(construct.role(), Paradigm::OpenMp).map(|class| (class.class, class.reach));
        // A wrapper may be anything.
        let is_lock = construct.role() == RegionRole::Wrapper;
        assert!(of_role == of_name || is_lock && of_role.is_none(), "{construct:?}");
    }
    for function in Function::ALL {
        let is_coarse = matches!(function.kind(), Kind::Window | Kind::WindowSynchronisation | Kind::File);
        if let Some(of_role) = of_role(function.role(), Paradigm::Mpi).filter(|_| !is_coarse) {
            assert_eq!(
                Some(of_role.class),
                of_mpi(function, function.role()).map(|class| class.class),
                "{function}"
            );
        }
    }
    let unknown =
        |role, paradigm| RegionClass::for_region("read", role, paradigm).map(|class| class.to_string());
    assert_eq!(unknown(RegionRole::FileIo, Paradigm::Other).as_deref(), Some("io/file"));
    assert_eq!(unknown(RegionRole::Barrier, Paradigm::Mpi).as_deref(), Some("synchronisation/mpi_barrier"));
    assert_eq!(unknown(RegionRole::Function, Paradigm::User), None);
}

#[test]
#[cfg_attr(miri, ignore = "takes minutes there, and all of it is safe code")]
fn every_function_that_is_recorded_and_every_construct_has_a_group() {
    for function in Function::ALL {
        assert_eq!(group(function.name(), function.role()).is_some(), function.is_recorded(), "{function}");
    }
    for construct in Construct::ALL {
        assert_eq!(
            group(&format!("{} @a.c:3", construct.region()), construct.role()).is_some(),
            construct.region().starts_with('!')
        );
        assert_eq!(group(construct.region(), construct.role()), Some(construct.region()));
    }
    for (name, of) in [
        ("MPI_Recv", "MPI point-to-point"),
        ("mpi_iprobe_", "MPI point-to-point"),
        ("MPI_Startall", "MPI point-to-point"),
        ("MPI_Ibarrier", "MPI collective"),
        ("MPI_Neighbor_alltoall", "MPI collective"),
        ("MPI_Win_lock", "MPI one-sided"),
        ("MPI_Win_create", "MPI management"),
        ("MPI_File_open", "MPI management"),
        ("MPI_File_write_all", "MPI I/O"),
        ("MPI_Init", "MPI management"),
    ] {
        assert_eq!(group(name, RegionRole::Unknown), Some(of), "{name}");
    }
}

#[test]
fn the_role_of_a_call_that_completes_requests_says_what_they_stand_for() {
    use RegionRole::*;
    let class = |name: &str, role| RegionClass::for_region(name, role, Paradigm::Mpi).unwrap().to_string();
    for (role, right, of) in [
        (FileIo, "io/mpi", "MPI I/O"),
        (Barrier, "synchronisation/mpi_barrier", "MPI collective"),
        (CollAllToAll, "communication/collective", "MPI collective"),
        (CollOther, "communication/collective", "MPI collective"),
        (Rma, "communication/one_sided", "MPI one-sided"),
        (PointToPoint, "communication/point_to_point", "MPI point-to-point"),
        (Function, "communication/point_to_point", "MPI point-to-point"),
        (TaskWait, "communication/point_to_point", "MPI point-to-point"),
    ] {
        for name in ["MPI_Wait", "mpi_waitall_", "MPI_Testsome"] {
            assert_eq!(
                (class(name, role).as_str(), group(name, role)),
                (right, Some(of)),
                "{name}, {role:?}"
            );
        }
        assert_eq!(class("MPI_Recv", role), "communication/receive", "its name says it");
        assert_eq!(group("MPI_Recv", role), Some("MPI point-to-point"));
    }
}
