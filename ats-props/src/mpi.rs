//! Properties of MPI programs, one file each, in folders by family.

pub mod collectives;
pub mod daily;
pub mod heat;
pub mod management;
pub mod messages;
pub mod nonblocking;
pub mod scaling;
pub mod silent;
