//! MPI programs in virtual time: exact, deterministic, on one core.
