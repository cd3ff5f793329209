//! How a harness lets all ranks wait for each other, unseen by tools.

use crate::world::{World, pause, world};

/// Waits until all ranks have come here, as a real harness does it on a communicator of its own: this is no call, no
/// event and no wait. The master of every rank calls it.
pub fn align() {
    if !world(|world| world.align()) {
        pause();
    }
}

impl World<'_> {
    /// The rank that runs is there. Returns whether all are, and then lets them go on.
    fn align(&mut self) -> bool {
        self.aligned.push(self.current as u32);
        if self.aligned.len() < self.ranks {
            return false;
        }
        let latest = self.locations[..self.ranks].iter().map(|location| location.clock).max();
        for rank in std::mem::take(&mut self.aligned) {
            self.locations[rank as usize].clock = latest.unwrap_or(0);
            if rank as usize != self.current {
                self.ready(rank);
            }
        }
        true
    }
}
