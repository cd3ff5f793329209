//! A solver of the heat equation, sound and with one planted cause each.

pub mod heat_solver;
pub mod heat_solver_barrier;
pub mod heat_solver_no_overlap;
pub mod heat_solver_serial_output;
pub mod heat_solver_slow_rank;
pub mod heat_solver_wrong_order;
