//! The command, as its users run it.

mod applications;
mod away;
mod bad_input;
mod common;
mod descriptions;
mod documents;
mod experiments;
mod foreign;
mod foreign_long;
mod guides;
mod harnesses;
mod large_reports;
mod main_job;
mod many_locations;
mod mpi_names;
mod own_tool;
mod pictures;
mod plans;
mod real_causes;
mod round_trip;
mod scoreboard;
mod scores;
mod standalone;
mod terminal;
mod texts;
