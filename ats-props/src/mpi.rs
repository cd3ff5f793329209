//! Properties of MPI programs, one file each, in folders by family.

pub mod collectives;
pub mod daily;
pub mod messages;
pub mod scaling;
pub mod silent;
