//! The content of a repository stays consistent in all circumstances.

mod exports;
mod plans;
mod repository;
mod tables;
