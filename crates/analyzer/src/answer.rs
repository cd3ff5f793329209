//! The answer: what all locations and processes have found, brought together by call path, relative to the basis.

pub(crate) mod basis;
pub(crate) mod counts;
pub(crate) mod findings;
pub(crate) mod flushes;
pub(crate) mod gaps;
pub(crate) mod in_basis;
pub(crate) mod machine;
pub(crate) mod messages;
pub(crate) mod profile;
pub(crate) mod unanalyzed;
