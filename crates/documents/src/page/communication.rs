//! Messages from process to process.

use serde::{Deserialize, Serialize};

/// The sent messages of a run by sender and receiver. Of many ranks, neighbours are one block.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Communication {
    /// The number of ranks.
    pub ranks: u32,
    /// The number of neighbouring ranks in a block.
    pub block: u32,
    /// The blocks that sent messages to each other, by sender and receiver.
    pub cells: Cells,
}

/// A table of blocks that sent messages to each other.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Cells {
    /// The block of the senders.
    pub sender: Vec<u32>,
    /// The block of the receivers.
    pub receiver: Vec<u32>,
    /// The number of messages.
    pub messages: Vec<u64>,
    /// Their payload in bytes.
    pub bytes: Vec<u64>,
}
