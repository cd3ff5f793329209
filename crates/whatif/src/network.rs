//! The network that a trace was recorded on, as far as a replay has to know it.

use ats_mpi::Progress;
use ats_virtual::Network;

use crate::evidence::EagerSizes;

/// The network that a trace was recorded on. What is not told is found in the trace.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct NetworkOfTrace {
    /// The largest message in bytes that a standard send sends without waiting for its receive.
    pub eager_limit: Option<usize>,
    /// Whether transfers proceed while their processes are in no call.
    pub progress: Option<Progress>,
}

impl From<Network> for NetworkOfTrace {
    /// All that matters of a network; its progress, if it tells that.
    fn from(network: Network) -> Self {
        NetworkOfTrace { eager_limit: Some(network.eager_limit), progress: network.progress }
    }
}

/// The eager limit of a replay.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct EagerLimit {
    /// The largest message in bytes that a standard send sends without waiting for its receive.
    pub bytes: usize,
    /// Its source.
    pub source: EagerSource,
}

/// The source of an eager limit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EagerSource {
    /// It was told.
    Told,
    /// Standard sends of the trace show it.
    Found(EagerSizes),
    /// It is the usual one: standard sends contradict each other, or the limit that they show explains too little.
    Open(EagerSizes),
    /// It is the usual one: no standard send shows another.
    Usual,
}

impl EagerLimit {
    /// In words, with where it comes from; `None` if it was told.
    pub fn in_words(&self) -> Option<String> {
        let shown = |sizes: EagerSizes| {
            let left = sizes.largest_left.map(|bytes| {
                format!("the largest standard send that left before its receive was posted had {bytes} bytes")
            });
            let waited = sizes
                .smallest_waiting
                .map(|bytes| format!("the smallest that waited for its receive had {bytes} bytes"));
            [left, waited].into_iter().flatten().collect::<Vec<_>>().join(", ")
        };
        let bytes = self.bytes;
        match self.source {
            EagerSource::Told => None,
            EagerSource::Found(sizes) => {
                Some(format!("messages up to {bytes} bytes are eager: {}", shown(sizes)))
            }
            EagerSource::Open(sizes) => Some(format!(
                "messages up to {bytes} bytes are taken to be eager, which standard sends leave open: {}; \
                 --network-of-trace eager=BYTES tells it",
                shown(sizes)
            )),
            EagerSource::Usual => Some(format!(
                "messages up to {bytes} bytes are taken to be eager: no standard send shows another limit"
            )),
        }
    }
}
