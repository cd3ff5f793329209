//! Reports of other tools.

mod caliper;
mod classes;
mod common;
mod cubex;
mod formats;
mod hostile;
mod names;
mod profiles;
mod scalasca;
mod written;
