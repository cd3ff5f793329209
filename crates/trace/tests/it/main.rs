//! OTF2 in and out, and Paraver in.

mod bad_input;
mod c_library;
mod common;
mod foreign;
mod paraver;
mod parts;
mod round_trip;
