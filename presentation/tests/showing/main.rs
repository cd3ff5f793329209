//! What is shown, and whether those for whom it is made can use it.

mod browser;
mod common;
mod formats;
mod large;
mod profiles;
mod rows;
mod traces;
