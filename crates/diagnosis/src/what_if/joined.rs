//! Changes that are made together.

use ats_whatif::{Changes, NetworkOfReplay};

use super::AskedChanges;

/// The first of these changes, the first two together, and so on.
pub(super) fn one_by_one(asked: &[AskedChanges]) -> Vec<AskedChanges> {
    let mut steps: Vec<AskedChanges> = Vec::new();
    for one in asked {
        let before = steps.last().cloned().unwrap_or_default();
        let words = before.words.into_iter().chain(one.words.iter().cloned()).collect();
        steps.push(AskedChanges { words, changes: joined(before.changes, one.changes.clone()) });
    }
    steps
}

/// Both changes; where only one can hold, it is the second.
fn joined(first: Changes, second: Changes) -> Changes {
    fn concatenated<T>(mut first: Vec<T>, second: Vec<T>) -> Vec<T> {
        first.extend(second);
        first
    }
    let Changes {
        speeds,
        removals,
        balances,
        overlaps,
        reorders,
        has_free_locks,
        network,
        eager_limit,
        processors,
    } = second;
    Changes {
        speeds: concatenated(first.speeds, speeds),
        removals: concatenated(first.removals, removals),
        balances: concatenated(first.balances, balances),
        overlaps: concatenated(first.overlaps, overlaps),
        reorders: concatenated(first.reorders, reorders),
        has_free_locks: first.has_free_locks || has_free_locks,
        network: if network == NetworkOfReplay::Recorded { first.network } else { network },
        eager_limit: eager_limit.or(first.eager_limit),
        processors: processors.or(first.processors),
    }
}
