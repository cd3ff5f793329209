//! The performance property functions and their catalogue.
