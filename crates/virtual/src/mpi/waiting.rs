//! Descriptions of what a location waits for.

use ats_mpi::{Source, Tag};

use crate::kernel::state::Kernel;
use crate::mpi::operation::{Operation, OperationKind};
use crate::mpi::state::Mpi;

/// The number of missing ranks that are listed.
const LISTED: usize = 8;

impl Mpi {
    /// The messages and ranks that a location waits for, in words; empty if it waits for none.
    pub(crate) fn waits_for(&self, kernel: &Kernel<'_>, location: u32) -> Vec<String> {
        let process = &self.processes[kernel.process_of(location) as usize];
        let awaited = process.operations.iter().filter(|operation| operation.awaited_by == Some(location));
        let mut waits_for: Vec<String> = awaited.map(|operation| self.describe(operation)).collect();
        if waits_for.is_empty() && process.probing.contains(&location) {
            waits_for.push("a message to probe".to_owned());
        }
        waits_for
    }

    fn describe(&self, operation: &Operation) -> String {
        let group = &self.groups[operation.group as usize];
        match operation.kind {
            OperationKind::Send { to, message: 0, .. } => {
                format!("all partitions of its message to rank {to} of {} to be ready", group.name)
            }
            OperationKind::Send { to, tag, .. } => {
                format!("rank {to} of {} to receive tag {tag}", group.name)
            }
            OperationKind::Recv { from, tag, .. } => {
                let from = match from {
                    Source::Rank(rank) => format!("rank {rank}"),
                    Source::Any => "any rank".to_owned(),
                };
                let tag = match tag {
                    Tag::Is(tag) => format!("tag {tag}"),
                    Tag::Any => "any tag".to_owned(),
                };
                format!("{from} of {} to send {tag}", group.name)
            }
            OperationKind::Collective { instance, .. } => {
                let missing = group.missing(instance);
                let mut ranks: Vec<String> = missing.iter().take(LISTED).map(u32::to_string).collect();
                if missing.len() > ranks.len() {
                    ranks.push(format!("{} more", missing.len() - ranks.len()));
                }
                format!("rank {} to enter {} on {}", ranks.join(", "), group.call(instance), group.name)
            }
        }
    }
}
