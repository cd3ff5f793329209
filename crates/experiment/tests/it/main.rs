//! The content of a repository stays consistent in all circumstances.

mod exports;
mod filter;
mod identity;
mod plans;
mod repository;
mod tables;
