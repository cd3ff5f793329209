//! Models and predictions against functions and runs whose costs are known.

mod cachegrind;
mod memory;
