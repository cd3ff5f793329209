//! Distributions: the shares of members, and their texts.

mod members;
mod number;
mod text;
