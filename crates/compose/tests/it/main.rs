//! Compositions: their contents, errors, and findings; the programs they are made of.

mod agreement;
mod errors;
mod examples;
mod ranks;
mod recipes;
mod rows;
mod running;
mod selection;
