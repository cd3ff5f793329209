//! A barrier of a team.

use ats_model::openmp::Construct;

use crate::kernel::time::Picoseconds;

/// A barrier that not all members of the team have reached.
#[derive(Debug, Default)]
pub(crate) struct Barrier {
    pub(crate) arrived: u32,
    /// When the last of these came.
    pub(crate) latest: Picoseconds,
    /// The construct of the first that came, and its number.
    pub(crate) first: Option<(Construct, u32)>,
    /// When a real run's workers leave a region: when its master does.
    pub(crate) leaves: Option<Picoseconds>,
}
