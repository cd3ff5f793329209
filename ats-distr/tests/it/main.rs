//! Distributions: what members get, and how they are written.

mod members;
mod text;
