//! Compositions: what they say, what is refused, and what they show.

mod agreement;
mod errors;
mod examples;
mod recipes;
mod running;
