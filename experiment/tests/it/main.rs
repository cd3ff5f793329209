//! What a repository keeps, whatever happens to it.

mod exports;
mod repository;
mod tables;
