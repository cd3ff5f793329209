//! The words of the analysis: what it knows of a region and a call path, and the kinds of damage. All rooms use them.

pub(crate) mod damage;
pub(crate) mod flow;
pub(crate) mod place;
pub(crate) mod regions;
pub(crate) mod sums;
pub(crate) mod visits;
