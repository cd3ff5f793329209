//! Reports of other tools.

mod caliper;
mod classes;
mod common;
mod counts;
mod cubex;
mod formats;
mod hostile;
mod names;
mod opening;
mod profiles;
mod scalasca;
mod written;
