//! What a repository keeps, whatever happens to it.

mod exports;
mod plans;
mod repository;
mod tables;
