//! Emits complete programs from the catalogue.
