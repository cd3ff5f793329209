//! OTF2 in and out.

mod bad_input;
mod c_library;
mod common;
mod foreign;
mod round_trip;
