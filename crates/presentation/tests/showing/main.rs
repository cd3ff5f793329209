//! The outputs, and whether the programs and people they are for can use them.

mod browser;
mod causes;
mod common;
mod fields;
mod formats;
mod javascript;
mod large;
mod problems;
mod profiles;
mod rows;
mod script;
mod traces;
