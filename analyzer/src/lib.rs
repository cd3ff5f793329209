//! Finds performance properties in an event trace.
