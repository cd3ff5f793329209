//! What a simulation found out.

use std::collections::BTreeMap;

use ats_model::WaitState;
use ats_model::truth::CallCount;

/// The result of a simulation.
#[derive(Clone, Debug, PartialEq)]
pub struct Outcome {
    /// Per rank, when it was done, in seconds from the start.
    pub ends: Vec<f64>,
    /// Per rank, when it began, in seconds from the start: 0 unless a real run is replayed.
    pub begins: Vec<f64>,
    /// All waits, by call path, wait state and rank.
    pub waits: Vec<Wait>,
    /// How often each MPI call was made, over all ranks.
    pub counts: BTreeMap<String, CallCount>,
    /// How many operations the ranks have begun: pieces of work, sends, receives, parts of collectives.
    pub operations: u64,
}

/// How long one rank waited at one call path.
#[derive(Clone, Debug, PartialEq)]
pub struct Wait {
    /// Rank in `MPI_COMM_WORLD`.
    pub rank: usize,
    /// What it waited for; none where no metric counts it.
    pub state: Option<WaitState>,
    /// Where.
    pub call_path: Vec<&'static str>,
    /// Name and size of the communicator.
    pub communicator: (String, usize),
    /// Seconds that the metric counts.
    pub waiting_time: f64,
    /// Seconds that it was blocked.
    pub physical_time: f64,
    /// How many single waits make it up.
    pub instances: u64,
}

impl Outcome {
    /// Seconds of a wait state, over all ranks.
    pub fn waiting_time(&self, state: WaitState) -> f64 {
        self.waits.iter().filter(|wait| wait.state == Some(state)).map(|wait| wait.waiting_time).sum()
    }

    /// Seconds of a wait state on one rank.
    pub fn waiting_time_of(&self, state: WaitState, rank: usize) -> f64 {
        let of = |wait: &&Wait| wait.state == Some(state) && wait.rank == rank;
        self.waits.iter().filter(of).map(|wait| wait.waiting_time).sum()
    }

    /// Seconds from the first begin to the last end.
    pub fn wall_time(&self) -> f64 {
        let end = self.ends.iter().copied().fold(0.0, f64::max);
        let begin = self.begins.iter().copied().fold(f64::INFINITY, f64::min);
        (end - begin).max(0.0)
    }
}
