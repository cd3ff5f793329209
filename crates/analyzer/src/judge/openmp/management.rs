//! Management: from a fork to each thread's entry into the parallel region, and from its exit to the join.

use std::num::Saturating;

use ats_model::WaitState;

use super::TeamTime;
use crate::{judge::ledger::Ledger, records::teams::ThreadedProcess};

/// Judges team management, and notes by thread the fork's share of it if the profile is kept.
pub(super) fn judge(process: &ThreadedProcess<'_>, ledger: &mut Ledger, spent: &mut [TeamTime]) {
    for (thread, (threads, instances)) in process.threads.iter().zip(&process.instance_of).enumerate() {
        for (membership, &instance) in threads.memberships.iter().zip(instances) {
            let instance = &process.instances[instance as usize];
            let Some(fork) = process.fork(instance).filter(|_| instance.is_over) else { continue };
            // A recorder may leave the region itself to the team.
            let (enter, leave, place) = match membership.parallel {
                Some(parallel) => (parallel.enter, parallel.leave, parallel.place),
                None => (membership.begin, membership.end, membership.place),
            };
            // In a damaged trace a thread may come before the fork, or go after the join.
            let join = fork.join.map(|join| join.max(fork.time));
            let enter = enter.clamp(fork.time, join.unwrap_or(u64::MAX));
            let mut ticks = enter - fork.time;
            if let Some(spent) = spent.get_mut(thread) {
                spent.forks.add(place.base, place.path, Saturating(ticks));
            }
            ledger.waits.keep(WaitState::OmpManagement, place, (fork.time, enter), None);
            if let (Some(leave), Some(join)) = (leave, join) {
                let leave = leave.clamp(enter, join);
                ticks += join - leave;
                ledger.waits.keep(WaitState::OmpManagement, place, (leave, join), None);
            }
            ledger.add(WaitState::OmpManagement, place, ticks, None);
        }
    }
}
