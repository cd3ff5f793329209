//! Common parts of the tests, and the rules that no compiler checks.

mod arrows;
mod circles;
mod english;
mod missing;
mod patches;
mod recipes;
mod release;
mod rooms;
mod rules;
