//! Properties of MPI programs, one file each.

pub mod late_sender;
