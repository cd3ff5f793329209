//! Models and predictions against functions and runs whose costs are known.

mod cachegrind;
mod common;
mod costs;
mod exact;
mod known;
mod memory;
mod models;
mod published;
