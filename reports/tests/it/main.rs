//! Reports of other tools.

mod caliper;
mod common;
mod cubex;
mod formats;
mod hostile;
mod profiles;
mod scalasca;
mod written;
