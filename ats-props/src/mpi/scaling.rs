//! Experiments: programs that lose more, the more ranks they have. Runs of different sizes are compared.

pub mod amdahl;
pub mod partial;
pub mod replicated;
