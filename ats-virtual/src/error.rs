//! How a simulation can fail.

use std::fmt;

use thiserror::Error;

/// Why a simulation did not come to its end.
#[derive(Debug, Error)]
pub enum SimulationError {
    /// Every rank that is left waits for another.
    #[error("deadlock: {} of {ranks} ranks wait for one another{}", .blocked.len(), lines(.blocked))]
    Deadlock {
        /// How many ranks the program has.
        ranks: usize,
        /// Who waits for what.
        blocked: Vec<BlockedRank>,
    },
    /// The program broke a rule of MPI.
    #[error("rank {rank}: {message}")]
    Misuse {
        /// The rank that broke it.
        rank: usize,
        /// Which rule, and how.
        message: String,
    },
    /// The program panicked.
    #[error("rank {rank} panicked: {message}")]
    Panic {
        /// The rank.
        rank: usize,
        /// The message of the panic.
        message: String,
    },
    /// The stacks do not fit into memory.
    #[error("no room for the stacks of {ranks} ranks: {source}; use fewer ranks")]
    Stacks {
        /// How many ranks were asked for.
        ranks: usize,
        /// The system's reason.
        source: std::io::Error,
    },
    /// A witness is not of this program.
    #[error(
        "the witness of rank {rank} does not fit the program: {reason}; it is of another program, version or parameters"
    )]
    Replay {
        /// The rank.
        rank: usize,
        /// What differs.
        reason: String,
    },
}

/// A rank that waits forever.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BlockedRank {
    /// Its rank in `MPI_COMM_WORLD`.
    pub rank: usize,
    /// The call it is in, as a call path; empty where call paths are not followed.
    pub call_path: Vec<&'static str>,
    /// What it waits for.
    pub waits_for: Vec<String>,
}

impl fmt::Display for BlockedRank {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "rank {} ", self.rank)?;
        if !self.call_path.is_empty() {
            write!(f, "in {} ", self.call_path.join("/"))?;
        }
        write!(f, "waits for {}", self.waits_for.join(" and "))
    }
}

/// How many blocked ranks a message lists.
const LISTED: usize = 20;

fn lines(blocked: &[BlockedRank]) -> String {
    let mut text: String = blocked.iter().take(LISTED).map(|rank| format!("\n  {rank}")).collect();
    if blocked.len() > LISTED {
        text += &format!("\n  and {} more", blocked.len() - LISTED);
    }
    text
}
