//! Forgets records that are judged.

use super::locks;
use crate::{
    records::{
        retain::{numbers, retain},
        teams::ThreadedProcess,
        threads::{Renumbering, Threads},
    },
    words::place::Base,
};

/// The rest of each thread once the records that are over are gone, with its new numbers. The bases of its memberships
/// are `known`; the flags of barriers and locks mark those to keep.
pub(super) fn forget(
    process: ThreadedProcess<'_>,
    known: Vec<Vec<Base>>,
    barriers: &[Vec<bool>],
    locks: &locks::KeptLocks,
) -> Vec<(Threads, Renumbering)> {
    let ThreadedProcess { threads, instances, instance_of, progress, .. } = process;
    let mut left = Vec::with_capacity(threads.len());
    for (thread, (mut threads, bases)) in threads.into_iter().zip(known).enumerate() {
        let memberships: Vec<bool> =
            instance_of[thread].iter().map(|&instance| !instances[instance as usize].is_over).collect();
        let mut forks = vec![false; threads.forks.len()];
        let open = progress.open[thread].forks.iter().copied();
        let of_kept = threads.memberships.iter().zip(&memberships).filter(|(_, kept)| **kept);
        let needed = of_kept.filter_map(|(membership, _)| membership.fork);
        open.chain(needed).for_each(|fork| forks[fork as usize] = true);
        let (barriers, holds) = (&barriers[thread], &locks.holds[thread]);
        let renumbering = Renumbering {
            bases,
            forks: numbers(&forks),
            memberships: numbers(&memberships),
            barriers: numbers(barriers),
            holds: numbers(holds),
        };
        retain(&mut threads.forks, &forks);
        retain(&mut threads.memberships, &memberships);
        retain(&mut threads.barriers, barriers);
        retain(&mut threads.holds, holds);
        retain(&mut threads.foreign_releases, &locks.foreign_releases[thread]);
        for membership in &mut threads.memberships {
            membership.fork = membership.fork.map(|fork| renumbering.forks[fork as usize]);
            let outer = membership.outer.filter(|&outer| memberships[outer as usize]);
            membership.outer = outer.map(|outer| renumbering.memberships[outer as usize]);
        }
        for barrier in &mut threads.barriers {
            barrier.membership = renumbering.memberships[barrier.membership as usize];
        }
        left.push((threads, renumbering));
    }
    left
}
