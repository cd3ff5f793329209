#![allow(unsafe_code, reason = "defines functions of MPI, which the program calls in place of the library's")]
//! The functions of MPI as the program sees them. Those that move messages or make communicators are written here by
//! kind; for all others the build script writes wrappers that record entering and leaving, and parts in collective
//! operations.
//!
//! `MPI_Pcontrol` is in [`crate::control`]; `MPI_Wtime`, `MPI_Wtick` and the conversions of handles are left alone.

mod communicator;
mod completion;
mod environment;
#[cfg(has_partitions)]
mod partitioned;
mod point_to_point;

mod generated {
    use std::sync::LazyLock;

    use ats_model::definitions::RegionRole;
    use ats_model::event::CollectiveOperation;
    use mpi::ffi::*;

    use crate::calls::calls;
    use crate::collective::{self, Data, counted, each, in_place, typed};
    use crate::pmpi;
    use crate::request::{self, Operation};
    use crate::status::SUCCESS;

    include!(concat!(env!("OUT_DIR"), "/generated.rs"));
}

#[cfg(test)]
mod tests {
    use ats_model::mpi::Function;

    use super::generated::{LEFT_ALONE, WRAPPED};

    /// Functions that are newer than the table are recorded.
    #[test]
    fn recorded_functions_of_the_table_are_wrapped() {
        let is_recorded = |name: &&str| Function::of_spelling(name).is_none_or(Function::is_recorded);
        assert_eq!(WRAPPED.iter().filter(|name| !is_recorded(name)).collect::<Vec<_>>(), [&""; 0]);
        assert_eq!(LEFT_ALONE.iter().filter(|name| is_recorded(name)).collect::<Vec<_>>(), [&""; 0]);
        assert!(WRAPPED.len() > 300, "{}", WRAPPED.len());
    }
}
