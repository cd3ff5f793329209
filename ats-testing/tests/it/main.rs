//! What tests share, and the rules of the house that no compiler checks.

mod arrows;
mod circles;
mod house;
mod left_out;
mod missing;
mod patches;
mod recipes;
mod release;
