//! Common parts of the tests, and the rules of the house that no compiler checks.

mod arrows;
mod circles;
mod english;
mod house;
mod missing;
mod patches;
mod recipes;
mod release;
mod rooms;
