//! The virtual engine: the blocking rules of MPI and OpenMP, choices that are obeyed, and what goes wrong.

mod choices;
mod failures;
mod rooms;
mod rules;
mod same_for_all;
mod threads;
mod traces;
