//! The virtual engine: the blocking rules of MPI and OpenMP, replayed choices, and errors.

mod choices;
mod common;
mod costs;
mod early;
mod failures;
mod neighbors;
mod nonblocking;
mod order;
mod partitioned;
mod progress;
mod rules;
mod same_for_all;
mod stacks;
mod threads;
mod traces;
