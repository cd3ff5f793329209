//! Work, its calibration and its tools.

mod calibration;
mod checksum;
mod threads;
mod watcher;
