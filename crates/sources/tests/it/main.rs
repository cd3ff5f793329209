//! The meaning of paths.

mod opening;
