//! The table of MPI's functions: chapter by chapter of MPI 4.1, with those that later versions have deprecated or removed.

use super::waiting::{Unanalyzed::*, Waiting, Waiting::*};
use super::{Arity, Collective, Flow, Form, Kind, SendMode};
use crate::event::CollectiveOperation as Is;
use crate::listed;

/// Rows are `kind, waiting => function, function …;`. A function is listed with its other forms: `blocking | non-blocking |
/// persistent | partitioned`. Names are MPI's, without `MPI_`.
macro_rules! functions {
    ($($kind:expr, $waiting:expr => $($($name:ident)|+),+;)*) => {
        listed! {
            /// A function of MPI, by its name in C without `MPI_`.
            #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
            #[repr(u16)]
            #[allow(missing_docs, non_camel_case_types, reason = "spelled as in MPI")]
            pub enum Function { $($($($name,)+)+)* }
        }

        pub(super) const NAMES: [&str; Function::ALL.len()] =
            [$($($(concat!("MPI_", stringify!($name)),)+)+)*];

        const KINDS: &[(Kind, Waiting, &[&[Function]])] =
            &[$(($kind, $waiting, &[$(&[$(Function::$name),+]),+])),*];
    };
}

functions! {
    // 3 and 4: messages
    Kind::Send(SendMode::Standard), Analyzed => Send | Isend | Send_init | Psend_init;
    Kind::Send(SendMode::Synchronous), Analyzed => Ssend | Issend | Ssend_init;
    Kind::Send(SendMode::Buffered), Analyzed => Bsend | Ibsend | Bsend_init;
    Kind::Send(SendMode::Ready), Analyzed => Rsend | Irsend | Rsend_init;
    Kind::Receive, Analyzed => Recv | Irecv | Recv_init | Precv_init, Mrecv | Imrecv;
    Kind::SendReceive, Analyzed => Sendrecv | Isendrecv, Sendrecv_replace | Isendrecv_replace;
    Kind::Probe, NotAnalyzed(Probes) => Probe, Iprobe, Mprobe, Improbe;
    Kind::Start, Never => Start, Startall, Pready, Pready_range, Pready_list;
    Kind::Completion { of: Arity::One, tests: false }, Analyzed => Wait;
    Kind::Completion { of: Arity::Any, tests: false }, Analyzed => Waitany;
    Kind::Completion { of: Arity::Some, tests: false }, Analyzed => Waitsome;
    Kind::Completion { of: Arity::All, tests: false }, Analyzed => Waitall;
    Kind::Completion { of: Arity::One, tests: true }, Analyzed => Test;
    Kind::Completion { of: Arity::Any, tests: true }, Analyzed => Testany;
    Kind::Completion { of: Arity::Some, tests: true }, Analyzed => Testsome;
    Kind::Completion { of: Arity::All, tests: true }, Analyzed => Testall;
    Kind::Request, Never => Request_free, Cancel, Request_get_status, Request_get_status_any, Request_get_status_some,
        Request_get_status_all, Grequest_complete;
    Kind::Request, NotAnalyzed(PartitionedMessages) => Parrived;
    Kind::Request, NotAnalyzed(GeneralizedRequests) => Grequest_start;
    Kind::Status, Never => Get_count, Get_elements, Get_elements_x, Test_cancelled, Status_set_elements,
        Status_set_elements_x, Status_set_cancelled, Status_get_source, Status_set_source, Status_get_tag,
        Status_set_tag, Status_get_error, Status_set_error;
    Kind::Buffer, Never => Buffer_attach, Comm_attach_buffer, Session_attach_buffer;
    Kind::Buffer, NotAnalyzed(Buffers) => Buffer_detach, Buffer_flush | Buffer_iflush, Comm_detach_buffer,
        Comm_flush_buffer | Comm_iflush_buffer, Session_detach_buffer, Session_flush_buffer | Session_iflush_buffer;

    // 5: datatypes
    Kind::Datatype, Never => Type_contiguous, Type_vector, Type_create_hvector, Type_indexed, Type_create_hindexed,
        Type_create_indexed_block, Type_create_hindexed_block, Type_create_struct, Type_create_subarray,
        Type_create_darray, Type_create_resized, Type_create_f90_integer, Type_create_f90_real,
        Type_create_f90_complex, Type_match_size, Type_get_value_index, Type_commit, Type_dup, Type_free, Type_size,
        Type_size_x, Type_get_extent, Type_get_extent_x, Type_get_true_extent, Type_get_true_extent_x,
        Type_get_envelope, Type_get_contents, Type_get_name, Type_set_name, Type_create_keyval, Type_free_keyval,
        Type_get_attr, Type_set_attr, Type_delete_attr, Get_address, Pack, Pack_size,
        Pack_external, Pack_external_size, Unpack, Unpack_external, Register_datarep, Sizeof, F_sync_reg;
    // Removed by MPI 3.
    Kind::Datatype, Never => Address, Type_extent, Type_hindexed, Type_hvector, Type_lb, Type_struct, Type_ub;

    // 6: collective operations
    Kind::Collective(Collective::new(Is::Barrier, Flow::Barrier)), Analyzed => Barrier | Ibarrier | Barrier_init;
    Kind::Collective(Collective::new(Is::Bcast, Flow::OneToAll)), Analyzed => Bcast | Ibcast | Bcast_init;
    Kind::Collective(Collective::new(Is::Scatter, Flow::OneToAll)), Analyzed => Scatter | Iscatter | Scatter_init;
    Kind::Collective(Collective::new(Is::Scatterv, Flow::OneToAll)), Analyzed
        => Scatterv | Iscatterv | Scatterv_init;
    Kind::Collective(Collective::new(Is::Gather, Flow::AllToOne)), Analyzed => Gather | Igather | Gather_init;
    Kind::Collective(Collective::new(Is::Gatherv, Flow::AllToOne)), Analyzed
        => Gatherv | Igatherv | Gatherv_init;
    Kind::Collective(Collective::new(Is::Reduce, Flow::AllToOne)), Analyzed => Reduce | Ireduce | Reduce_init;
    Kind::Collective(Collective::new(Is::Allreduce, Flow::AllToAll)), Analyzed
        => Allreduce | Iallreduce | Allreduce_init;
    Kind::Collective(Collective::new(Is::Allgather, Flow::AllToAll)), Analyzed
        => Allgather | Iallgather | Allgather_init;
    Kind::Collective(Collective::new(Is::Allgatherv, Flow::AllToAll)), Analyzed
        => Allgatherv | Iallgatherv | Allgatherv_init;
    Kind::Collective(Collective::new(Is::Alltoall, Flow::AllToAll)), Analyzed => Alltoall | Ialltoall | Alltoall_init;
    Kind::Collective(Collective::new(Is::Alltoallv, Flow::Irregular)), Analyzed
        => Alltoallv | Ialltoallv | Alltoallv_init;
    Kind::Collective(Collective::new(Is::Alltoallw, Flow::Irregular)), Analyzed
        => Alltoallw | Ialltoallw | Alltoallw_init;
    Kind::Collective(Collective::new(Is::ReduceScatter, Flow::AllToAll)), Analyzed
        => Reduce_scatter | Ireduce_scatter | Reduce_scatter_init;
    Kind::Collective(Collective::new(Is::ReduceScatterBlock, Flow::AllToAll)), Analyzed
        => Reduce_scatter_block | Ireduce_scatter_block | Reduce_scatter_block_init;
    Kind::Collective(Collective::new(Is::Scan, Flow::Prefix)), Analyzed => Scan | Iscan | Scan_init;
    Kind::Collective(Collective::new(Is::Exscan, Flow::Prefix)), Analyzed => Exscan | Iexscan | Exscan_init;
    Kind::Neighborhood(Is::Allgather), NotAnalyzed(NeighborhoodCollectives)
        => Neighbor_allgather | Ineighbor_allgather | Neighbor_allgather_init;
    Kind::Neighborhood(Is::Allgatherv), NotAnalyzed(NeighborhoodCollectives)
        => Neighbor_allgatherv | Ineighbor_allgatherv | Neighbor_allgatherv_init;
    Kind::Neighborhood(Is::Alltoall), NotAnalyzed(NeighborhoodCollectives)
        => Neighbor_alltoall | Ineighbor_alltoall | Neighbor_alltoall_init;
    Kind::Neighborhood(Is::Alltoallv), NotAnalyzed(NeighborhoodCollectives)
        => Neighbor_alltoallv | Ineighbor_alltoallv | Neighbor_alltoallv_init;
    Kind::Neighborhood(Is::Alltoallw), NotAnalyzed(NeighborhoodCollectives)
        => Neighbor_alltoallw | Ineighbor_alltoallw | Neighbor_alltoallw_init;
    Kind::Operator, Never => Op_create, Op_free, Op_commutative, Reduce_local;

    // 7: groups, communicators, attributes
    Kind::Group, Never => Group_size, Group_rank, Group_translate_ranks, Group_compare, Comm_group, Group_union,
        Group_intersection, Group_difference, Group_incl, Group_excl, Group_range_incl, Group_range_excl,
        Group_from_session_pset, Group_free;
    Kind::Communicator(Some(Is::CreateHandle)), Analyzed => Comm_dup | Comm_idup,
        Comm_dup_with_info | Comm_idup_with_info, Comm_create, Comm_split, Comm_split_type, Cart_create, Cart_sub,
        Graph_create, Dist_graph_create, Dist_graph_create_adjacent;
    Kind::Communicator(Some(Is::CreateHandle)), NotAnalyzed(Communicators) => Intercomm_create, Intercomm_merge;
    Kind::Communicator(Some(Is::DestroyHandle)), Analyzed => Comm_free, Comm_disconnect;
    // Collective, but not over a communicator: only members of the group make the call.
    Kind::Communicator(None), NotAnalyzed(Communicators) => Comm_create_group, Comm_create_from_group,
        Intercomm_create_from_groups;
    Kind::Communicator(None), Never => Comm_size, Comm_rank, Comm_compare, Comm_test_inter, Comm_remote_size,
        Comm_remote_group, Comm_set_info, Comm_get_info, Comm_set_name, Comm_get_name, Comm_create_keyval,
        Comm_free_keyval, Comm_set_attr, Comm_get_attr, Comm_delete_attr, Comm_create_errhandler,
        Comm_set_errhandler, Comm_get_errhandler, Comm_call_errhandler;
    // Deprecated.
    Kind::Communicator(None), Never => Keyval_create, Keyval_free, Attr_put, Attr_get, Attr_delete;

    // 8: topologies
    Kind::Topology, Never => Dims_create, Topo_test, Graphdims_get, Graph_get, Graph_neighbors, Graph_neighbors_count,
        Graph_map, Cartdim_get, Cart_get, Cart_rank, Cart_coords, Cart_shift, Cart_map, Dist_graph_neighbors,
        Dist_graph_neighbors_count;

    // 9, 10, 11: environment, info, processes
    Kind::Initialize, Analyzed => Init, Init_thread;
    Kind::Finalize, Analyzed => Finalize;
    Kind::Environment, Never => Initialized, Finalized, Query_thread, Is_thread_main, Abort, Get_version,
        Get_library_version, Get_processor_name, Get_hw_resource_info, Alloc_mem, Free_mem;
    Kind::Value, Never => Wtime, Wtick, Aint_add, Aint_diff;
    Kind::Error, Never => Errhandler_free, Error_class, Error_string, Add_error_class, Remove_error_class,
        Add_error_code, Remove_error_code, Add_error_string, Remove_error_string;
    // Removed by MPI 3.
    Kind::Error, Never => Errhandler_create, Errhandler_get, Errhandler_set;
    Kind::Info, Never => Info_create, Info_create_env, Info_delete, Info_dup, Info_free, Info_get, Info_get_nkeys,
        Info_get_nthkey, Info_get_string, Info_get_valuelen, Info_set;
    Kind::Session, NotAnalyzed(Sessions) => Session_init, Session_finalize;
    Kind::Session, Never => Session_get_num_psets, Session_get_nth_pset, Session_get_info, Session_get_pset_info,
        Session_create_errhandler, Session_set_errhandler, Session_get_errhandler,
        Session_call_errhandler;
    Kind::Process, NotAnalyzed(Processes) => Comm_spawn, Comm_spawn_multiple, Comm_accept, Comm_connect,
        Comm_join, Publish_name, Unpublish_name, Lookup_name;
    Kind::Process, Never => Comm_get_parent, Open_port, Close_port;

    // 12: one-sided communication
    Kind::OneSided, NotAnalyzed(OneSided) => Put | Rput, Get | Rget, Accumulate | Raccumulate,
        Get_accumulate | Rget_accumulate, Fetch_and_op, Compare_and_swap;
    Kind::Window, NotAnalyzed(OneSided) => Win_create, Win_allocate, Win_allocate_shared, Win_create_dynamic, Win_free;
    Kind::Window, Never => Win_attach, Win_detach, Win_shared_query;
    Kind::WindowSynchronisation, NotAnalyzed(OneSided) => Win_fence, Win_start, Win_complete, Win_post, Win_wait,
        Win_test, Win_lock, Win_lock_all, Win_unlock, Win_unlock_all, Win_flush, Win_flush_all, Win_flush_local,
        Win_flush_local_all, Win_sync;
    Kind::Window, Never => Win_get_group, Win_set_info, Win_get_info, Win_set_name, Win_get_name, Win_create_keyval,
        Win_free_keyval, Win_set_attr, Win_get_attr, Win_delete_attr, Win_create_errhandler, Win_set_errhandler,
        Win_get_errhandler, Win_call_errhandler;

    // 14: files
    Kind::File, NotAnalyzed(Files) => File_open, File_close, File_delete, File_set_size, File_preallocate,
        File_get_size, File_set_view;
    Kind::File, Never => File_get_group, File_get_amode, File_set_info, File_get_info, File_get_view;
    Kind::FileAccess, NotAnalyzed(Files) => File_read_at | File_iread_at, File_read_at_all | File_iread_at_all,
        File_write_at | File_iwrite_at, File_write_at_all | File_iwrite_at_all, File_read | File_iread,
        File_read_all | File_iread_all, File_write | File_iwrite, File_write_all | File_iwrite_all;
    Kind::File, Never => File_seek, File_get_position, File_get_byte_offset;
    Kind::FileAccess, NotAnalyzed(Files) => File_read_shared | File_iread_shared,
        File_write_shared | File_iwrite_shared, File_read_ordered, File_write_ordered;
    Kind::File, NotAnalyzed(Files) => File_seek_shared, File_get_position_shared;
    Kind::FileAccess, NotAnalyzed(Files) => File_read_at_all_begin, File_read_at_all_end, File_write_at_all_begin,
        File_write_at_all_end, File_read_all_begin, File_read_all_end, File_write_all_begin, File_write_all_end,
        File_read_ordered_begin, File_read_ordered_end, File_write_ordered_begin, File_write_ordered_end;
    Kind::File, NotAnalyzed(Files) => File_set_atomicity;
    Kind::File, Never => File_get_type_extent, File_get_atomicity;
    Kind::FileAccess, NotAnalyzed(Files) => File_sync;
    Kind::File, Never => File_create_errhandler, File_set_errhandler, File_get_errhandler, File_call_errhandler;

    // 15: tools
    Kind::Tool, Never => Pcontrol, T_init_thread, T_finalize, T_enum_get_info, T_enum_get_item, T_cvar_get_num,
        T_cvar_get_info, T_cvar_get_index, T_cvar_handle_alloc, T_cvar_handle_free, T_cvar_read, T_cvar_write,
        T_pvar_get_num, T_pvar_get_info, T_pvar_get_index, T_pvar_session_create, T_pvar_session_free,
        T_pvar_handle_alloc, T_pvar_handle_free, T_pvar_start, T_pvar_stop, T_pvar_read, T_pvar_write, T_pvar_reset,
        T_pvar_readreset, T_source_get_num, T_source_get_info, T_source_get_timestamp, T_event_get_num,
        T_event_get_info, T_event_get_index, T_event_handle_alloc, T_event_handle_set_info, T_event_handle_get_info,
        T_event_register_callback, T_event_callback_set_info, T_event_callback_get_info, T_event_handle_free,
        T_event_set_dropped_handler, T_event_read, T_event_copy, T_event_get_timestamp, T_event_get_source,
        T_category_get_num, T_category_get_info, T_category_get_num_events, T_category_get_index, T_category_get_cvars,
        T_category_get_pvars, T_category_get_events, T_category_get_categories, T_category_changed;

    // 19: handles and statuses of other languages
    Kind::Conversion, Never => Comm_c2f, Comm_f2c, Errhandler_c2f, Errhandler_f2c, File_c2f, File_f2c, Group_c2f,
        Group_f2c, Info_c2f, Info_f2c, Message_c2f, Message_f2c, Op_c2f, Op_f2c, Request_c2f, Request_f2c, Session_c2f,
        Session_f2c, Type_c2f, Type_f2c, Win_c2f, Win_f2c, Status_c2f, Status_f2c, Status_c2f08, Status_f082c,
        Status_f2f08, Status_f082f;
}

/// A function's purpose and form, according to its place in the table.
#[derive(Clone, Copy)]
pub(super) struct Row {
    pub(super) kind: Kind,
    /// Of the blocking form.
    pub(super) waiting: Waiting,
    /// The function in each [`Form`].
    pub(super) forms: [Option<Function>; Form::ALL.len()],
    pub(super) form: Form,
}

pub(super) static ROWS: [Row; Function::ALL.len()] = {
    let unknown =
        Row { kind: Kind::Tool, waiting: Never, forms: [None; Form::ALL.len()], form: Form::Blocking };
    let mut rows = [unknown; Function::ALL.len()];
    let mut kind = 0;
    while kind < KINDS.len() {
        let (of, waiting, operations) = KINDS[kind];
        let mut operation = 0;
        while operation < operations.len() {
            let functions = operations[operation];
            let mut forms = [None; Form::ALL.len()];
            let mut form = 0;
            while form < functions.len() {
                forms[form] = Some(functions[form]);
                form += 1;
            }
            while form > 0 {
                form -= 1;
                rows[functions[form] as usize] = Row { kind: of, waiting, forms, form: Form::ALL[form] };
            }
            operation += 1;
        }
        kind += 1;
    }
    rows
};

/// The collective operations by OTF2's number.
pub(super) static COLLECTIVES: [Option<Collective>; 256] = {
    let mut all = [None; 256];
    let mut kind = 0;
    while kind < KINDS.len() {
        if let (Kind::Collective(collective), ..) = KINDS[kind] {
            all[collective.operation as usize] = Some(collective);
        }
        kind += 1;
    }
    all
};
