//! Errors of a simulation.

use std::any::Any;
use std::fmt;

use thiserror::Error;

use crate::kernel::time::{LATEST, TICKS_PER_SECOND};

/// Why a simulation did not come to its end.
#[derive(Debug, Error)]
pub enum SimulationError {
    /// All that is left waits for one another.
    #[error("deadlock: {} of {ranks} ranks wait for one another{}", ranks_of(.blocked), lines(.blocked))]
    Deadlock {
        /// The number of ranks of the program.
        ranks: usize,
        /// The blocked locations, and what each waits for.
        blocked: Vec<BlockedLocation>,
    },
    /// The program broke a rule of MPI or OpenMP.
    #[error("{place}: {message}")]
    Misuse {
        /// The location that broke it.
        place: Place,
        /// The rule, and how it was broken.
        message: String,
    },
    /// The program panicked.
    #[error("{place} panicked: {message}")]
    Panic {
        /// The location that panicked.
        place: Place,
        /// The message of the panic.
        message: String,
    },
    /// The program takes longer than the clock can tell.
    #[error(
        "{place} is beyond the {} days that a run can last; give it less work or fewer repetitions",
        LATEST / TICKS_PER_SECOND / 86_400
    )]
    TooLong {
        /// The location whose clock came to its end first.
        place: Place,
    },
    /// Its caller asked it to stop.
    #[error("it was stopped")]
    Stopped,
    /// The stacks do not fit into memory.
    #[error("no room for the stacks of {ranks} ranks: {source}; use fewer ranks or threads")]
    Stacks {
        /// The number of ranks requested.
        ranks: usize,
        /// The system's reason.
        source: std::io::Error,
    },
    /// A witness is not of this program.
    #[error(
        "the witness of {place} does not fit the program: {reason}; it is of another program, version or parameters"
    )]
    Replay {
        /// The location that the witness belongs to.
        place: Place,
        /// The difference.
        reason: String,
    },
}

impl SimulationError {
    /// Whether there is nothing wrong with the program but that it asks for too much: a shorter run, or one on fewer
    /// locations, may come to its end.
    pub fn asks_too_much(&self) -> bool {
        matches!(self, SimulationError::TooLong { .. } | SimulationError::Stacks { .. })
    }
}

/// A thread of a rank.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Place {
    /// Rank in `MPI_COMM_WORLD`.
    pub rank: usize,
    /// Number of the thread in its process; the master is 0.
    pub thread: usize,
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "rank {}", self.rank)?;
        if self.thread > 0 {
            write!(f, ", thread {}", self.thread)?;
        }
        Ok(())
    }
}

/// A location that waits forever.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BlockedLocation {
    /// The location.
    pub place: Place,
    /// The call it is in, as a call path; empty if call paths are not followed.
    pub call_path: Vec<&'static str>,
    /// The events and locations that it waits for, in words.
    pub waits_for: Vec<String>,
}

impl fmt::Display for BlockedLocation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} ", self.place)?;
        if !self.call_path.is_empty() {
            write!(f, "in {} ", self.call_path.join("/"))?;
        }
        write!(f, "waits for {}", self.waits_for.join(" and "))
    }
}

/// The number of blocked locations that a message lists.
const LISTED: usize = 20;

fn ranks_of(blocked: &[BlockedLocation]) -> usize {
    let mut ranks: Vec<usize> = blocked.iter().map(|location| location.place.rank).collect();
    ranks.sort_unstable();
    ranks.dedup();
    ranks.len()
}

fn lines(blocked: &[BlockedLocation]) -> String {
    let mut text: String = blocked.iter().take(LISTED).map(|location| format!("\n  {location}")).collect();
    if blocked.len() > LISTED {
        text += &format!("\n  and {} more", blocked.len() - LISTED);
    }
    text
}

/// The error that a panic at a place means.
pub(crate) fn failure(place: Place, payload: Box<dyn Any + Send>) -> SimulationError {
    match payload.downcast::<SimulationError>() {
        Ok(failure) => *failure,
        Err(payload) => {
            let text = payload.downcast_ref::<&str>().map(|text| (*text).to_owned());
            let message = text.or_else(|| payload.downcast_ref::<String>().cloned());
            SimulationError::Panic { place, message: message.unwrap_or_else(|| "no message".to_owned()) }
        }
    }
}
