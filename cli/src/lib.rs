//! The command ats.
