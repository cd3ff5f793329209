//! Compositions: their contents, errors, and findings.

mod agreement;
mod errors;
mod examples;
mod recipes;
mod running;
