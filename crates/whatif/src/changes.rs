//! Changes of a run: what is asked, what that means for one trace, and the pace of a location under it.

mod inside;
mod pace;
mod plan;
mod segment;
mod selection;
mod visits;
mod weigh;

use std::fmt;
use std::str::FromStr;

use ats_virtual::{Network, Processors};
use thiserror::Error;

pub(crate) use inside::Position;
pub(crate) use pace::Pace;
pub(crate) use plan::Plan;
pub use segment::{End, Segment, SegmentError};
pub use selection::{Selection, SelectionError};

/// The network of a replay.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum NetworkOfReplay {
    /// Each call takes, beside waiting, what it took in the trace.
    #[default]
    Recorded,
    /// A model in the place of what the trace shows; one without costs is the ideal network.
    Model(Network),
}

/// Changes of a run, which hold all at once.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Changes {
    /// Selections that take their time divided by a factor; if several hold, by all of them.
    pub speeds: Vec<Speed>,
    /// The selected regions are left out, with all that is done in them.
    pub removals: Vec<Selection>,
    /// The work in the selected regions is shared evenly, visit by visit, by all that make the visit.
    pub balances: Vec<Selection>,
    /// Receives in these regions are completed no sooner than the location makes its next call: what it does meanwhile needs
    /// nothing of them.
    pub overlaps: Vec<Selection>,
    /// Receives in these regions take messages in the order in which they arrive: the work behind each goes with its message.
    pub reorders: Vec<Selection>,
    /// Whether locks, and with them critical sections, go to those that ask first, instead of those that had them in the trace.
    pub has_free_locks: bool,
    /// The network.
    pub network: NetworkOfReplay,
    /// The largest message in bytes that a standard send sends without waiting for its receive; as found in the trace if
    /// it is not given.
    pub eager_limit: Option<usize>,
    /// The processors that processes share; each location has its own if they are not given.
    pub processors: Option<Processors>,
}

/// A change of speed.
#[derive(Clone, Debug, PartialEq)]
pub struct Speed {
    /// The part of the run that becomes faster.
    pub selection: Selection,
    /// By how much; below 1 it becomes slower.
    pub factor: f64,
}

/// A change of speed that cannot be read.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum SpeedError {
    /// There is no factor.
    #[error("`{0}` has no factor; write WHAT=FACTOR, such as solve=2 or rank:3=1.1")]
    NoFactor(String),
    /// The factor is no positive number.
    #[error("`{0}` is no factor; give a number above 0, such as 2 or 0.5")]
    Factor(String),
    /// The part before it cannot be read.
    #[error(transparent)]
    Selection(#[from] SelectionError),
}

impl fmt::Display for Speed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}={}", self.selection, self.factor)
    }
}

impl FromStr for Speed {
    type Err = SpeedError;

    fn from_str(text: &str) -> Result<Self, SpeedError> {
        let (selection, factor) =
            text.rsplit_once('=').ok_or_else(|| SpeedError::NoFactor(text.to_owned()))?;
        let number: f64 = factor.trim().parse().map_err(|_| SpeedError::Factor(factor.to_owned()))?;
        if !(number.is_finite() && number > 0.0) {
            return Err(SpeedError::Factor(factor.to_owned()));
        }
        Ok(Speed { selection: selection.parse()?, factor: number })
    }
}
