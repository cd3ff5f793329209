//! Management: from a fork to each thread's entry into the parallel region, and from its exit to the join.

use ats_model::WaitState;

use crate::{ledger::Ledger, teams::ThreadedProcess};

pub(super) fn judge(process: &ThreadedProcess<'_>, ledger: &mut Ledger) {
    for (threads, instances) in process.threads.iter().zip(&process.instance_of) {
        for (membership, &instance) in threads.memberships.iter().zip(instances) {
            let instance = &process.instances[instance as usize];
            let Some(fork) = process.fork(instance).filter(|_| instance.is_over) else { continue };
            // A recorder may leave the region itself to the team.
            let (enter, leave, place) = match membership.parallel {
                Some(parallel) => (parallel.enter, parallel.leave, parallel.place),
                None => (membership.begin, membership.end, membership.place),
            };
            let begin = enter.saturating_sub(fork.time);
            let end = match (leave, fork.join) {
                (Some(leave), Some(join)) => join.saturating_sub(leave),
                _ => 0,
            };
            ledger.waits.keep(WaitState::OmpManagement, place, fork.time, enter);
            if let (Some(leave), Some(join)) = (leave, fork.join) {
                ledger.waits.keep(WaitState::OmpManagement, place, leave, join);
            }
            ledger.add(WaitState::OmpManagement, place, begin.saturating_add(end), None);
        }
    }
}
