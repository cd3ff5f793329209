use std::collections::BTreeSet;

use super::*;

#[test]
#[cfg_attr(miri, ignore = "takes minutes there, and all of it is safe code")]
fn every_function_has_one_row_and_is_found_by_its_name() {
    let names: BTreeSet<&str> = Function::ALL.iter().map(|function| function.name()).collect();
    assert_eq!(names.len(), Function::ALL.len());
    for function in Function::ALL {
        assert_eq!(Function::of_spelling(function.name()), Some(function));
        assert_eq!(function.in_form(function.form()), Some(function));
    }
}

#[test]
fn forms_of_one_operation_know_each_other() {
    use Function::*;
    for (blocking, forms) in [
        (Send, [Some(Send), Some(Isend), Some(Send_init), Some(Psend_init)]),
        (Exscan, [Some(Exscan), Some(Iexscan), Some(Exscan_init), None]),
        (Comm_dup, [Some(Comm_dup), Some(Comm_idup), None, None]),
        (Wait, [Some(Wait), None, None, None]),
    ] {
        for of in forms.into_iter().flatten() {
            assert_eq!(Form::ALL.map(|form| of.in_form(form)), forms, "{of}");
            assert_eq!(of.kind(), blocking.kind(), "{of}");
        }
    }
}

#[test]
fn every_spelling_of_a_function_is_that_function() {
    for spelling in [
        "MPI_Comm_dup_with_info",
        "PMPI_Comm_dup_with_info",
        "mpi_comm_dup_with_info_",
        "mpi_comm_dup_with_info__",
        "pmpi_comm_dup_with_info_",
        "MPI_COMM_DUP_WITH_INFO",
        "mpi_comm_dup_with_info",
    ] {
        assert_eq!(Function::of_spelling(spelling), Some(Function::Comm_dup_with_info), "{spelling}");
    }
    for spelling in ["MPI_Allgatherv_init_c", "pmpi_allgatherv_init_c_", "MPI_ALLGATHERV_INIT_C"] {
        assert_eq!(Function::of_spelling(spelling), Some(Function::Allgatherv_init), "{spelling}");
    }
    for spelling in [
        "MPI_Recv()",
        "MPI_Recv()  ",
        "MPI_Recv() [THROTTLED]",
        "MPI_Recv() [{halo.c} {12,3}-{14,5}]",
        "mpi_recv_()",
        "MPI_Recv  ",
        "MPI_Recv [{halo.c} {12}]",
        "MPI_Recv_c()",
    ] {
        assert_eq!(Function::of_spelling(spelling), Some(Function::Recv), "{spelling}");
        assert_eq!(Function::has_large_counts(spelling), spelling.contains("_c"), "{spelling}");
        assert_eq!(Function::of_name(spelling), None, "{spelling}");
    }
    for name in [
        "MPI_Recv(buffer)",
        "MPI_Recv()()",
        "MPI_Recv[]",
        "()",
        " [MPI_Recv()]",
        "",
        "_",
        "P",
        "MPI",
        "MPI_",
        "mpi__",
        "Send",
        "MPIX_Send",
        "PPMPI_Send",
        "mpi_in_master",
        "é",
        "MPI_Sendé",
    ] {
        assert_eq!(Function::of_spelling(name), None, "{name}");
    }
}

#[test]
fn a_trace_names_every_collective_operation_by_its_number() {
    for function in Function::ALL {
        if let Some(collective) = function.collective() {
            assert_eq!(Collective::from_operation(collective.operation), Some(collective), "{function}");
            assert_eq!(function.operation(), Some(collective.operation));
        }
    }
    for (at, operation) in CollectiveOperation::ALL.into_iter().enumerate() {
        let is_other = operation == CollectiveOperation::Other;
        assert_eq!(operation as usize, if is_other { 255 } else { at });
        assert_eq!(CollectiveOperation::from_otf2(operation as u8), operation);
    }
    assert_eq!(Collective::from_operation(CollectiveOperation::DestroyHandle), None);
    assert_eq!(Function::Win_fence.operation(), None);
}

#[test]
fn roles_are_those_of_score_p() {
    let expected = [
        (Function::Barrier, RegionRole::Barrier),
        (Function::Gatherv, RegionRole::CollAllToOne),
        (Function::Iallreduce, RegionRole::CollAllToAll),
        (Function::Exscan, RegionRole::CollOther),
        (Function::File_open, RegionRole::FileIo),
        (Function::Win_fence, RegionRole::Rma),
        (Function::Iprobe, RegionRole::PointToPoint),
        (Function::Recv_init, RegionRole::PointToPoint),
        (Function::Waitall, RegionRole::Function),
    ];
    for (function, expected) in expected {
        assert_eq!(function.role(), expected, "{function}");
    }
}

/// The bytes of rank 1 of 3, whose root is rank 1, that has 10 bytes for itself of 60 to send, and 5 of 45 to receive.
fn bytes(operation: CollectiveOperation, root: u32, in_place: bool) -> (u64, u64) {
    let member = Member { rank: 1, size: 3, root: Some(root) };
    operation.bytes(member, in_place, || Payload { all: 60, own: 10 }, || Payload { all: 45, own: 5 })
}

#[test]
fn bytes_are_those_that_the_definition_moves() {
    use CollectiveOperation::*;
    let cases = [
        (Barrier, (0, 0), (0, 0)),
        (Bcast, (60, 10), (60, 10)),
        (Scatterv, (60, 5), (50, 0)),
        (Gatherv, (10, 45), (0, 40)),
        (Reduce, (10, 45), (0, 40)),
        (Allreduce, (60, 45), (40, 40)),
        (Alltoallv, (60, 45), (40, 40)),
        (Allgatherv, (30, 45), (10, 40)),
        (ReduceScatter, (60, 30), (50, 20)),
        (Scan, (20, 20), (10, 10)),
        (Exscan, (10, 10), (10, 10)),
    ];
    for (operation, apart, in_place) in cases {
        assert_eq!(bytes(operation, 1, false), apart, "{operation:?}");
        assert_eq!(bytes(operation, 1, true), in_place, "{operation:?} in place");
    }
    assert_eq!(bytes(Bcast, 0, false), (0, 5));
    assert_eq!(bytes(Scatter, 0, false), (0, 5));
    assert_eq!(bytes(Gather, 2, false), (10, 0));
}

fn is_between_groups(function: Function) -> bool {
    matches!(function, Function::Intercomm_create | Function::Intercomm_merge)
}

#[test]
fn every_call_that_takes_part_in_communication_is_analyzed_or_said_not_to_be() {
    use Function::*;
    use Waiting::{Analyzed, Never, NotAnalyzed};
    for function in Function::ALL {
        let waiting = function.waiting();
        let expected = match function.kind() {
            Kind::Send(_) | Kind::Receive => match function.form() {
                Form::Blocking | Form::Nonblocking => Analyzed,
                Form::Persistent | Form::Partitioned => Never,
            },
            // All members may have to make the preparation of a persistent one.
            Kind::Collective(_) if function.form() == Form::Persistent => {
                NotAnalyzed(Unanalyzed::NonBlockingCollectives)
            }
            Kind::Collective(_) => Analyzed,
            Kind::Neighborhood(_) => NotAnalyzed(Unanalyzed::NeighborhoodCollectives),
            Kind::Probe => NotAnalyzed(Unanalyzed::Probes),
            Kind::OneSided | Kind::WindowSynchronisation => NotAnalyzed(Unanalyzed::OneSided),
            Kind::FileAccess => NotAnalyzed(Unanalyzed::Files),
            Kind::Completion { .. } | Kind::Initialize | Kind::Finalize => Analyzed,
            // All members of the communicator take part in making and freeing one.
            Kind::Communicator(Some(_))
                if function.form() == Form::Blocking && !is_between_groups(function) =>
            {
                Analyzed
            }
            Kind::Communicator(Some(_)) => NotAnalyzed(Unanalyzed::Communicators),
            _ => waiting,
        };
        assert_eq!(waiting, expected, "{function}");
        // What no recorder records is looked for in vain.
        assert!(function.is_recorded() || waiting == Never, "{function}");
        let prepares = matches!(function.form(), Form::Persistent | Form::Partitioned);
        let starts = function.yields_request() && !prepares;
        assert!(!starts || waiting != Never, "the request of {function} is completed by a call that waits");
    }
    for (function, expected) in [
        (Isendrecv, NotAnalyzed(Unanalyzed::SendReceives)),
        (Win_create, NotAnalyzed(Unanalyzed::OneSided)),
        (Win_get_attr, Never),
        (File_open, NotAnalyzed(Unanalyzed::Files)),
        (File_get_view, Never),
        (Comm_create_group, NotAnalyzed(Unanalyzed::Communicators)),
        (Comm_rank, Never),
        (Comm_spawn, NotAnalyzed(Unanalyzed::Processes)),
        (Session_finalize, NotAnalyzed(Unanalyzed::Sessions)),
        (Buffer_detach, NotAnalyzed(Unanalyzed::Buffers)),
        (Parrived, NotAnalyzed(Unanalyzed::PartitionedMessages)),
        (Pready, Never),
        (Start, Never),
    ] {
        assert_eq!(function.waiting(), expected, "{function}");
    }
}

#[test]
fn request_based_access_to_windows_is_a_form_of_the_access() {
    assert_eq!(Function::Put.in_form(Form::Nonblocking), Some(Function::Rput));
    for function in [Function::Rget, Function::Ibarrier, Function::File_iwrite, Function::Grequest_start] {
        assert!(function.yields_request(), "{function}");
    }
    assert!(!Function::Get.yields_request() && !Function::Fetch_and_op.yields_request());
}
