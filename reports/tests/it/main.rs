//! Reports of other tools.

mod common;
mod formats;
mod hostile;
mod profiles;
mod scalasca;
mod written;
