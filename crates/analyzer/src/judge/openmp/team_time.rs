//! Times of parallel regions on threads that did not start them: as long as on the one that did, from the fork to the
//! join.

use super::TeamTime;
use crate::{
    records::{
        teams::ThreadedProcess,
        threads::{Fork, Parallel},
    },
    words::visits::Visits,
};

/// Adds the time between fork and join outside the own visits of members, for teams that are over; by thread.
pub(super) fn add(process: &ThreadedProcess<'_>, spent: &mut [TeamTime]) {
    for ((threads, instance_of), spent) in process.threads.iter().zip(&process.instance_of).zip(spent) {
        for (membership, &instance) in threads.memberships.iter().zip(instance_of) {
            let instance = &process.instances[instance as usize];
            if let (false, true) = (membership.is_master, instance.is_over)
                && let Some(Parallel { enter, leave: Some(leave), place, .. }) = membership.parallel
                && let Some(&Fork { time: fork, join: Some(join), .. }) = process.fork(instance)
            {
                let visit = leave.saturating_sub(enter);
                spent.visits.add(
                    place.base,
                    place.path,
                    Visits::part(join.saturating_sub(fork).saturating_sub(visit)),
                );
            }
        }
    }
}
