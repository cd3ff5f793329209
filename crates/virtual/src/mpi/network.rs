//! Cost of communication itself.

use ats_mpi::Progress;

use crate::mpi::algorithm::Algorithm;

/// A LogGP-like model of the network. All zero by default: then every wait is one that the program planted.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Network {
    /// Seconds from one process to another.
    pub latency: f64,
    /// Bytes per second; infinite by default.
    pub bandwidth: f64,
    /// Seconds that a process spends on every call that communicates.
    pub overhead: f64,
    /// Largest standard-mode message, in bytes, that is sent without waiting for its receive.
    pub eager_limit: usize,
    /// Whether transfers proceed while their processes are in no call; if this is not said, they do.
    pub progress: Option<Progress>,
    /// Links within a node, if they are others.
    pub node: Option<Node>,
    /// The algorithm of collective operations; if none is given, each takes a transfer of its block for each power of two
    /// among its members.
    pub collectives: Option<Algorithm>,
}

/// Links between processes of one node.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Node {
    /// The number of ranks on each, in their order; `None` if that is told otherwise.
    pub ranks: Option<u32>,
    /// Seconds from one process to another.
    pub latency: f64,
    /// Bytes per second.
    pub bandwidth: f64,
}

impl Default for Network {
    /// No cost; messages up to 4096 bytes are eager, and others proceed by themselves.
    fn default() -> Self {
        Network {
            latency: 0.0,
            bandwidth: f64::INFINITY,
            overhead: 0.0,
            eager_limit: 4096,
            progress: None,
            node: None,
            collectives: None,
        }
    }
}
