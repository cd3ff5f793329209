//! What a repository keeps, whatever happens to it.

mod repository;
